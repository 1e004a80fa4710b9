#include "ptx/liveness.h"

#include <algorithm>
#include <utility>

#include "ptx/operand_roles.h"

namespace warpsim::ptx {

namespace {

using Number = std::uint32_t;

class Analysis {
 public:
  // `of_one_guard`, by register: a guarded write leaves no old value that is read.
  Analysis(const Function& function, const FlowGraph& graph, std::vector<bool> of_one_guard)
      : function_(function), graph_(graph), of_one_guard_(std::move(of_one_guard)) {
    for (const Register& reg : function.registers) {
      words_.push_back(reg.type == DataType::kPredicate ? 0 : std::max(1U, bytes_of(reg.type) / 4) * reg.vector);
    }
    live_in_.assign(graph_.blocks.size(), RegisterSet(function.registers.size()));
  }

  void run() {
    // From the last block to the first, until nothing changes; bounded by the longest chain of loops.
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t i = graph_.blocks.size(); i-- > 0;) {
        changed = walk(i) || changed;
      }
    }
  }
  Number most() const { return most_; }
  std::vector<RegisterSet> live_in() { return std::move(live_in_); }

 private:
  bool walk(std::size_t number) {
    const FlowGraph::Block& block = graph_.blocks[number];
    RegisterSet live(function_.registers.size());
    for (const Number successor : block.successors) {
      live.merge(live_in_[successor]);
    }
    Number words = 0;
    live.each([&](Number reg) { words += words_[reg]; });
    most_ = std::max(most_, words);
    for (Number i = block.end; i-- > block.begin;) {
      const Instruction& instruction = function_.body[i];
      // A guarded write may leave the old value.
      visit_written_registers(instruction, [&](Number reg) {
        if (!instruction.guard || of_one_guard_[reg]) {
          words -= live.remove(reg) ? words_[reg] : 0;
        }
      });
      visit_read_registers(instruction, [&](Number reg) { words += live.add(reg) ? words_[reg] : 0; });
      most_ = std::max(most_, words);
    }
    return live_in_[number].merge(live);
  }

  const Function& function_;
  const FlowGraph& graph_;
  std::vector<bool> of_one_guard_;  // by register
  std::vector<Number> words_;       // by register
  std::vector<RegisterSet> live_in_;
  Number most_ = 0;
};

}  // namespace

std::vector<bool> registers_of_one_guard(const Function& function) {
  std::vector<bool> result(function.registers.size(), true);
  std::vector<const Guard*> guards(function.registers.size(), nullptr);
  for (const Instruction& instruction : function.body) {
    const auto see = [&](Number reg) {
      const Guard* const known = guards[reg];
      const bool fits = instruction.guard && (known == nullptr || (known->predicate == instruction.guard->predicate &&
                                                                   known->negated == instruction.guard->negated));
      guards[reg] = fits && known == nullptr ? &*instruction.guard : known;
      result[reg] = result[reg] && fits;
    };
    visit_written_registers(instruction, see);
    visit_read_registers(instruction, see);
    if (instruction.guard) {  // the guard is also read
      result[instruction.guard->predicate] = false;
    }
  }
  return result;
}

std::uint32_t most_live_words(const Function& function) {
  if (function.body.empty()) {
    return 0;
  }
  const FlowGraph graph = make_flow_graph(function);
  Analysis analysis(function, graph, registers_of_one_guard(function));
  analysis.run();
  return analysis.most();
}

RegisterSet read_before_written(const Function& function) {
  if (function.body.empty()) {
    return RegisterSet(function.registers.size());
  }
  const FlowGraph graph = make_flow_graph(function);
  Analysis analysis(function, graph, std::vector<bool>(function.registers.size(), false));
  analysis.run();
  return std::move(analysis.live_in().front());
}

std::vector<RegisterSet> live_at_blocks(const Function& function, const FlowGraph& graph) {
  Analysis analysis(function, graph, registers_of_one_guard(function));
  analysis.run();
  return analysis.live_in();
}

}  // namespace warpsim::ptx
