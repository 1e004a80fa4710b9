#include "codegen/code_estimate.h"

#include <algorithm>
#include <array>
#include <vector>

#include "codegen/operand_use.h"
#include "isa/opcode_table.h"

namespace warpsim::codegen {

namespace {

constexpr std::uint32_t kRegisters = 256;
constexpr std::uint32_t kFiles = 4;

class Estimate {
 public:
  Estimate(const ptx::FlowGraph& graph, const SelectedFunction& selected, const AssignedRegisters& registers)
      : graph_(graph), selected_(selected), registers_(registers), use_(selected) {
    constexpr std::uint32_t kNewest = 90;
    for (const MachineInstruction& instruction : selected.code) {
      StaticInstruction known;
      classify(instruction.opcode, kNewest, known);
      latency_.push_back(latency_of(known));
      accesses_.push_back(known.timing == TimingClass::kMemory);
    }
  }

  std::uint64_t run() {
    constexpr std::uint64_t kOfLoop = 8;  // assumed rounds
    constexpr std::uint32_t kDeepest = 5;
    const std::vector<std::uint32_t> depths = ptx::loop_depths(graph_, ptx::immediate_dominators(graph_));
    std::uint64_t sum = 0;
    for (std::uint32_t block = 0; block < graph_.count(); ++block) {
      std::uint64_t weight = 1;
      for (std::uint32_t i = 0; i < std::min(depths[block], kDeepest); ++i) {
        weight *= kOfLoop;
      }
      sum += weight * cycles_of(graph_.blocks[block]);
    }
    return sum;
  }

 private:
  using Times = std::array<std::array<std::uint32_t, kRegisters>, kFiles>;

  template <class Visit>
  void each_register(Number value, Visit&& visit) const {
    const Value& known = selected_.values[value];
    for (std::uint32_t word = 0; word < known.words; ++word) {
      visit(static_cast<std::size_t>(known.file), std::min(registers_.first[value] + word, kRegisters - 1));
    }
  }

  std::uint32_t cycles_of(const ptx::FlowGraph::Block& block) {
    constexpr std::uint32_t kReadTime = 16;  // cycles in which a memory access reads its registers, assumed
    for (auto& file : ready_) {
      file.fill(0);
    }
    for (auto& file : read_until_) {
      file.fill(0);
    }
    std::uint32_t now = 0;
    const Number end = selected_.places[block.end].first;
    for (Number i = selected_.places[block.begin].first; i < end; ++i) {
      std::uint32_t at = now;
      use_.each_read(i, [&](Number value) {
        each_register(value, [&](std::size_t file, std::uint32_t reg) { at = std::max(at, ready_[file][reg]); });
      });
      use_.each_written(i, [&](Number value, bool) {
        each_register(value, [&](std::size_t file, std::uint32_t reg) {
          at = std::max({at, read_until_[file][reg], ready_[file][reg]});
        });
      });
      if (accesses_[i]) {
        use_.each_read(i, [&](Number value) {
          each_register(value, [&](std::size_t file, std::uint32_t reg) {
            read_until_[file][reg] = std::max(read_until_[file][reg], at + kReadTime);
          });
        });
      }
      use_.each_written(i, [&](Number value, bool) {
        each_register(value, [&](std::size_t file, std::uint32_t reg) { ready_[file][reg] = at + latency_[i]; });
      });
      now = at + 1;
    }
    return now;
  }

  const ptx::FlowGraph& graph_;
  const SelectedFunction& selected_;
  const AssignedRegisters& registers_;
  OperandUse use_;
  std::vector<std::uint32_t> latency_;  // by instruction
  std::vector<bool> accesses_;          // by instruction
  Times ready_{};
  Times read_until_{};
};

}  // namespace

// Cycles from issue to a result, approximate: sufficient to decide what is ready.
std::uint32_t latency_of(const StaticInstruction& known) {
  constexpr std::uint32_t kFar = 300;
  constexpr std::uint32_t kNear = 28;
  switch (known.timing) {
    case TimingClass::kMemory:
      return known.space == MemorySpace::kGlobal || known.space == MemorySpace::kGeneric ? kFar : kNear;
    case TimingClass::kConstantLoad:
    case TimingClass::kSpecialRegister:
    case TimingClass::kShuffle:
    case TimingClass::kMatch:
    case TimingClass::kReduceLanes:
    case TimingClass::kTensor:
    case TimingClass::kConversionWide:
      return kNear;
    case TimingClass::kTranscendental:
    case TimingClass::kConversion:
    case TimingClass::kConversionNarrow:
    case TimingClass::kFindBit:
    case TimingClass::kBitCount:
    case TimingClass::kFp64:
      return 16;
    case TimingClass::kUniform:
      return 8;
    default:
      return 4;
  }
}

std::uint64_t estimate_cycles(const ptx::FlowGraph& graph, const SelectedFunction& selected,
                              const AssignedRegisters& registers) {
  return Estimate(graph, selected, registers).run();
}

}  // namespace warpsim::codegen
