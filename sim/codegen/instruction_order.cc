#include "codegen/instruction_order.h"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "codegen/register_facts.h"
#include "ptx/flow_graph.h"
#include "ptx/liveness.h"
#include "ptx/operand_roles.h"

namespace warpsim::codegen {

namespace {

using ptx::Instruction;

// The memory effects of an instruction that matter for the order.
// kMeeting: threads of the warp wait for each other, but not before their stores are visible to others.
enum class Effect : std::uint8_t { kNone, kLoad, kStore, kMeeting, kFence };
struct MemoryUse {
  Effect effect = Effect::kNone;
  bool near = false;  // shared memory
  bool far = false;   // global memory; both for generic addresses
};

MemoryUse memory_use(const Instruction& instruction) {
  const std::string_view opcode = instruction.opcode;
  MemoryUse use;
  use.near = std::ranges::any_of(instruction.modifiers, [](std::string_view w) { return w.starts_with("shared"); });
  use.far = has_word(instruction, "global");
  if (opcode == "ld" || opcode == "ldu" || opcode == "ldmatrix" ||
      (opcode == "wmma" && has_word(instruction, "load"))) {
    const bool fixed =
        has_word(instruction, "const") || has_word(instruction, "nc") || reads_own_parameter(instruction);
    const bool ordered =
        has_word(instruction, "volatile") || has_word(instruction, "acquire") || has_word(instruction, "relaxed");
    use.effect = ordered ? Effect::kFence : fixed ? Effect::kNone : Effect::kLoad;
    use.near = use.near || opcode == "ldmatrix";
  } else if (opcode == "st" || opcode == "stmatrix" || (opcode == "wmma" && has_word(instruction, "store"))) {
    const bool ordered =
        has_word(instruction, "volatile") || has_word(instruction, "release") || has_word(instruction, "relaxed");
    use.effect = ordered || has_word(instruction, "param") ? Effect::kFence : Effect::kStore;
    use.near = use.near || opcode == "stmatrix";
  } else if (opcode == "atom" || opcode == "red") {
    use.effect = Effect::kStore;
  } else if (opcode == "cp" && has_word(instruction, "async") && instruction.operands.size() >= 2 &&
             !has_word(instruction, "bulk") && !has_word(instruction, "mbarrier")) {
    use = {Effect::kStore, true, true};
  } else if (opcode == "bar" || opcode == "barrier" || opcode == "membar" || opcode == "fence" || opcode == "call" ||
             opcode == "cp" || opcode == "mbarrier" || opcode == "nanosleep" || opcode == "trap" || opcode == "brkpt" ||
             opcode == "tex" || opcode == "suld" || opcode == "sust" || opcode == "sured" || opcode == "tld4" ||
             opcode == "wgmma" || opcode == "activemask" || opcode == "elect" || opcode == "griddepcontrol" ||
             opcode == "setmaxnreg" || opcode == "alloca" || opcode == "stacksave" || opcode == "stackrestore" ||
             opcode == "pmevent" || opcode == "st_async" || opcode == "multimem") {
    use.effect = Effect::kFence;
  } else if (opcode == "shfl" || opcode == "vote" || opcode == "match" || opcode == "redux") {
    return {Effect::kMeeting, true, true};
  }
  if (use.effect != Effect::kNone && !use.near && !use.far) {
    const bool local = has_word(instruction, "local");
    use.near = !local;
    use.far = true;
  }
  return use;
}

bool reads_clock(const Instruction& instruction) {
  return std::ranges::any_of(instruction.operands, [](const ptx::Operand& operand) {
    return operand.kind == ptx::Operand::Kind::kSpecial &&
           (operand.name.starts_with("clock") || operand.name.starts_with("globaltimer"));
  });
}

// Carries are kept in a flag that is no operand.
bool uses_carry(const Instruction& instruction) {
  return has_word(instruction, "cc") || instruction.opcode == "addc" || instruction.opcode == "subc" ||
         instruction.opcode == "madc";
}

bool is_foldable(const Instruction& instruction) {
  return instruction.opcode == "mul" || instruction.opcode == "shl" || instruction.opcode == "neg" ||
         instruction.opcode == "abs";
}

// Cycles from issue to a result, approximate: sufficient to decide the order.
std::uint32_t latency_of(const Instruction& instruction) {
  const std::string_view opcode = instruction.opcode;
  if (opcode == "ld" || opcode == "ldu" || opcode == "atom" || opcode == "tex" || opcode == "wmma") {
    return has_word(instruction, "param") ? 30 : has_word(instruction, "shared") ? 30 : 300;
  }
  if (opcode == "shfl" || opcode == "ldmatrix") {
    return 28;
  }
  if (opcode == "mov" && instruction.operands.size() == 2 &&
      instruction.operands[1].kind == ptx::Operand::Kind::kSpecial) {
    return 25;
  }
  if (opcode == "div" || opcode == "rem" || opcode == "sqrt" || opcode == "rcp" || opcode == "rsqrt" ||
      opcode == "ex2" || opcode == "lg2" || opcode == "sin" || opcode == "cos" || opcode == "tanh" || opcode == "mma") {
    return 35;
  }
  return has_word(instruction, "f64") ? 16 : 4;
}

constexpr std::uint32_t kToGuard = 13;  // from a comparison to the instruction that it guards

struct Node {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> after;  // dependents, with the distance in cycles
  std::uint32_t missing = 0;                                   // predecessors that it still waits for
  std::uint32_t height = 0;                                    // cycles from here to the block's end
  std::uint32_t ready_at = 0;
};

class BlockOrder {
 public:
  BlockOrder(const ptx::Function& function, std::uint32_t begin, std::uint32_t end, const ptx::RegisterSet& live_out,
             const std::vector<std::uint32_t>& words)
      : function_(function), begin_(begin), nodes_(end - begin), live_out_(live_out), words_(words) {}

  // Instructions of the block in their new order.
  std::vector<std::uint32_t> order() {
    find_dependences();
    find_heights();
    count_reads();
    return schedule();
  }

 private:
  const Instruction& at(std::uint32_t node) const { return function_.body[begin_ + node]; }
  std::uint32_t count() const { return static_cast<std::uint32_t>(nodes_.size()); }

  void depend(std::uint32_t later, std::uint32_t earlier, std::uint32_t cycles) {
    nodes_[earlier].after.emplace_back(later, cycles);
    ++nodes_[later].missing;
  }

  void find_dependences() {
    constexpr std::uint32_t kNobody = 0xffffffffU;
    std::vector<std::uint32_t> writer(function_.registers.size(), kNobody);
    std::vector<std::vector<std::uint32_t>> readers(function_.registers.size());
    std::vector<std::uint32_t> memory;  // instructions with an effect, in order
    std::uint32_t last_fence = kNobody;
    std::uint32_t last_carry = kNobody;
    sources_.resize(count());
    for (std::uint32_t i = 0; i < count(); ++i) {
      const Instruction& instruction = at(i);
      ptx::visit_read_registers(instruction, [&](std::uint32_t reg) {
        if (writer[reg] != kNobody && writer[reg] != i) {
          const bool guards = instruction.guard && instruction.guard->predicate == reg;
          depend(i, writer[reg], guards ? kToGuard : latency_of(at(writer[reg])));
        }
        readers[reg].push_back(i);
        // A cheap step may be folded into those that read its result: they also need its sources.
        if (writer[reg] != kNobody && is_foldable(at(writer[reg]))) {
          for (const auto& [source, made_by] : sources_[writer[reg]]) {
            if (writer[source] == made_by) {
              readers[source].push_back(i);
            }
          }
        }
      });
      ptx::visit_read_registers(instruction, [&](std::uint32_t reg) { sources_[i].emplace_back(reg, writer[reg]); });
      ptx::visit_written_registers(instruction, [&](std::uint32_t reg) {
        for (const std::uint32_t reader : readers[reg]) {
          if (reader != i) {
            depend(i, reader, 0);
          }
        }
        readers[reg].clear();
        if (writer[reg] != kNobody && writer[reg] != i) {
          depend(i, writer[reg], 1);
        }
        writer[reg] = i;
        if (instruction.guard) {  // keeps the old value for others
          readers[reg].push_back(i);
        }
      });
      if (uses_carry(instruction)) {
        if (last_carry != kNobody) {
          depend(i, last_carry, 4);
        }
        last_carry = i;
      }
      const bool is_last = ptx::ends_block(instruction);
      MemoryUse use = memory_use(instruction);
      if (is_last || reads_clock(instruction)) {
        use.effect = Effect::kFence;
      }
      if (use.effect == Effect::kFence) {  // after everything before it
        const bool ends = is_last || reads_clock(instruction);
        for (std::uint32_t j = ends || last_fence == kNobody ? 0 : last_fence; j < i; ++j) {
          if (ends || memory_use(at(j)).effect != Effect::kNone || j == last_fence) {
            depend(i, j, 0);
          }
        }
        memory.clear();
        last_fence = i;
        continue;
      }
      const bool held = last_fence != kNobody && (use.effect != Effect::kNone || reads_clock(at(last_fence)));
      if (held) {
        depend(i, last_fence, 1);
      }
      if (use.effect == Effect::kNone) {
        continue;
      }
      for (const std::uint32_t j : memory) {
        const MemoryUse other = memory_use(at(j));
        const bool meet = (use.near && other.near) || (use.far && other.far);  // the same memory
        if (meet && (use.effect == Effect::kStore || other.effect == Effect::kStore)) {
          depend(i, j, 1);
        }
      }
      memory.push_back(i);
    }
  }

  void find_heights() {
    for (std::uint32_t i = count(); i-- > 0;) {
      for (const auto& [later, cycles] : nodes_[i].after) {
        nodes_[i].height = std::max(nodes_[i].height, nodes_[later].height + std::max(1U, cycles));
      }
    }
  }

  void count_reads() {
    reads_left_.assign(function_.registers.size(), 0);
    for (std::uint32_t i = 0; i < count(); ++i) {
      ptx::visit_read_registers(at(i), [&](std::uint32_t reg) { ++reads_left_[reg]; });
    }
  }

  // Registers that it would occupy minus those that it frees.
  std::int32_t pressure_of(std::uint32_t node) const {
    std::int32_t change = 0;
    ptx::visit_written_registers(at(node),
                                 [&](std::uint32_t reg) { change += static_cast<std::int32_t>(words_[reg]); });
    ptx::visit_read_registers(at(node), [&](std::uint32_t reg) {
      if (reads_left_[reg] == 1 && !live_out_.contains(reg)) {
        change -= static_cast<std::int32_t>(words_[reg]);
      }
    });
    return change;
  }

  std::vector<std::uint32_t> schedule() {
    std::vector<std::uint32_t> order;
    std::vector<std::uint32_t> ready;
    for (std::uint32_t i = 0; i < count(); ++i) {
      if (nodes_[i].missing == 0) {
        ready.push_back(i);
      }
    }
    std::uint32_t now = 0;
    std::int32_t taken = 0;
    while (!ready.empty()) {
      const std::size_t best = choose(ready, now, taken);
      const std::uint32_t node = ready[best];
      ready.erase(ready.begin() + static_cast<std::ptrdiff_t>(best));
      now = std::max(now + 1, nodes_[node].ready_at);
      taken += pressure_of(node);
      ptx::visit_read_registers(at(node), [&](std::uint32_t reg) { --reads_left_[reg]; });
      order.push_back(begin_ + node);
      for (const auto& [later, cycles] : nodes_[node].after) {
        nodes_[later].ready_at = std::max(nodes_[later].ready_at, now + cycles);
        if (--nodes_[later].missing == 0) {
          ready.push_back(later);
        }
      }
    }
    return order;
  }

  // Ready instructions, longest path to the end first, in the order of the text among equals. If registers are scarce,
  // only the order of the text counts: there each value is close to its readers.
  std::size_t choose(const std::vector<std::uint32_t>& ready, std::uint32_t now, std::int32_t taken) const {
    constexpr std::int32_t kManyRegisters = 24;  // beyond those that were live before
    std::size_t best = 0;
    const auto better = [&](std::uint32_t a, std::uint32_t b) {
      const bool a_waits = nodes_[a].ready_at > now + 1;
      const bool b_waits = nodes_[b].ready_at > now + 1;
      if (taken > kManyRegisters) {
        return a < b;
      }
      if (a_waits != b_waits) {
        return b_waits;
      }
      if (a_waits && nodes_[a].ready_at != nodes_[b].ready_at) {
        return nodes_[a].ready_at < nodes_[b].ready_at;
      }
      if (nodes_[a].height != nodes_[b].height) {
        return nodes_[a].height > nodes_[b].height;
      }
      return a < b;
    };
    for (std::size_t i = 1; i < ready.size(); ++i) {
      best = better(ready[i], ready[best]) ? i : best;
    }
    return best;
  }

  const ptx::Function& function_;
  std::uint32_t begin_;
  std::vector<Node> nodes_;
  const ptx::RegisterSet& live_out_;
  const std::vector<std::uint32_t>& words_;
  std::vector<std::uint32_t> reads_left_;
  std::vector<std::vector<std::pair<std::uint32_t, std::uint32_t>>> sources_;  // by instruction: register and writer
};

// Longer blocks are ordered in pieces.
constexpr std::uint32_t kWindow = 512;

}  // namespace

void order_instructions(const ptx::Module& /*module*/, ptx::Function& function) {
  const ptx::FlowGraph graph = ptx::make_flow_graph(function);
  const std::vector<ptx::RegisterSet> live = ptx::live_at_blocks(function, graph);
  std::vector<std::uint32_t> words;
  for (const ptx::Register& reg : function.registers) {
    words.push_back(reg.type == ptx::DataType::kPredicate ? 0 : std::max(1U, ptx::bytes_of(reg.type) / 4) * reg.vector);
  }
  std::vector<Instruction> body;
  for (const ptx::FlowGraph::Block& block : graph.blocks) {
    ptx::RegisterSet live_out(function.registers.size());
    for (const std::uint32_t next : block.successors) {
      live_out.merge(live[next]);
    }
    for (std::uint32_t begin = block.begin; begin < block.end; begin += kWindow) {
      const std::uint32_t end = std::min(block.end, begin + kWindow);
      for (const std::uint32_t i : BlockOrder(function, begin, end, live_out, words).order()) {
        body.push_back(std::move(function.body[i]));
      }
    }
  }
  function.body = std::move(body);
}

}  // namespace warpsim::codegen
