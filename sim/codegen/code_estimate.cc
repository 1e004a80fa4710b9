#include "codegen/code_estimate.h"

#include <algorithm>
#include <array>

#include "isa/opcode_table.h"

namespace warpsim::codegen {

namespace {

constexpr std::uint32_t kRegisters = 256;
constexpr std::uint32_t kFiles = 4;

// When each register of each file is written, or no longer read.
using Times = std::array<std::array<std::uint32_t, kRegisters>, kFiles>;

}  // namespace

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

CodeEstimate::CodeEstimate(const ptx::FlowGraph& graph, const SelectedFunction& selected)
    : graph_(graph), selected_(selected), use_(selected) {
  constexpr std::uint32_t kNewest = 90;
  constexpr std::uint64_t kOfLoop = 8;  // assumed rounds
  constexpr std::uint32_t kDeepest = 5;
  for (const MachineInstruction& instruction : selected.code) {
    StaticInstruction known;
    classify(instruction.opcode, kNewest, known);
    latency_.push_back(latency_of(known));
    accesses_.push_back(known.timing == TimingClass::kMemory);
  }
  for (const std::uint32_t depth : ptx::loop_depths(graph, ptx::immediate_dominators(graph))) {
    std::uint64_t weight = 1;
    for (std::uint32_t i = 0; i < std::min(depth, kDeepest); ++i) {
      weight *= kOfLoop;
    }
    weights_.push_back(weight);
  }
}

std::uint64_t CodeEstimate::cycles(const AssignedRegisters& registers) const {
  std::uint64_t sum = 0;
  for (std::uint32_t block = 0; block < graph_.count(); ++block) {
    sum += weights_[block] * cycles_of(graph_.blocks[block], registers);
  }
  return sum;
}

std::uint32_t CodeEstimate::cycles_of(const ptx::FlowGraph::Block& block, const AssignedRegisters& registers) const {
  constexpr std::uint32_t kReadTime = 16;  // cycles in which a memory access reads its registers, assumed
  Times ready{};
  Times read_until{};
  const auto each_register = [&](Number value, auto&& visit) {
    const Value& known = selected_.values[value];
    for (std::uint32_t word = 0; word < known.words; ++word) {
      visit(static_cast<std::size_t>(known.file), std::min(registers.first[value] + word, kRegisters - 1));
    }
  };
  std::uint32_t now = 0;
  const Number end = selected_.places[block.end].first;
  for (Number i = selected_.places[block.begin].first; i < end; ++i) {
    std::uint32_t at = now;
    use_.each_read(i, [&](Number value) {
      each_register(value, [&](std::size_t file, std::uint32_t reg) { at = std::max(at, ready[file][reg]); });
    });
    use_.each_written(i, [&](Number value, bool) {
      each_register(value, [&](std::size_t file, std::uint32_t reg) {
        at = std::max({at, read_until[file][reg], ready[file][reg]});
      });
    });
    if (accesses_[i]) {
      use_.each_read(i, [&](Number value) {
        each_register(value, [&](std::size_t file, std::uint32_t reg) {
          read_until[file][reg] = std::max(read_until[file][reg], at + kReadTime);
        });
      });
    }
    use_.each_written(i, [&](Number value, bool) {
      each_register(value, [&](std::size_t file, std::uint32_t reg) { ready[file][reg] = at + latency_[i]; });
    });
    now = at + 1;
  }
  return now;
}

}  // namespace warpsim::codegen
