#include "ptx/waiting_loops.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string_view>
#include <tuple>

#include "ptx/flow_graph.h"
#include "ptx/operand_roles.h"
#include "ptx/register_set.h"

namespace warpsim::ptx {

namespace {

using Number = std::uint32_t;

template <class... Words>
bool has_any(const Instruction& instruction, Words... words) {
  return std::ranges::any_of(instruction.modifiers,
                             [&](std::string_view modifier) { return ((modifier == words) || ...); });
}

bool reads_what_others_write(const Instruction& instruction) {
  if (instruction.spins) {  // the next round needs no other thread
    return false;
  }
  if (instruction.opcode == "ld") {
    return has_any(instruction, "volatile", "relaxed", "acquire", "mmio") && !has_any(instruction, "local", "param");
  }
  return instruction.opcode == "atom" ||
         (instruction.opcode == "mbarrier" && has_any(instruction, "test_wait", "try_wait"));
}

const Function* callee_of(const Module& module, const Instruction& call) {
  for (const Operand& operand : call.operands) {
    if (operand.kind == Operand::Kind::kSymbol && operand.scope == Operand::Scope::kModule &&
        module.symbols[operand.number].kind == Symbol::Kind::kFunction) {
      return &module.function_of(module.symbols[operand.number]);
    }
  }
  return nullptr;
}

// The functions that read values written by other threads, directly or in calls.
class Readers {
 public:
  explicit Readers(const Module& module) : module_(module) {}

  bool contains(const Function& function) {
    if (!seen_.insert(&function).second) {
      return readers_.contains(&function);
    }
    const bool reads = std::ranges::any_of(function.body, [this](const Instruction& each) { return reads_by(each); });
    if (reads) {
      readers_.insert(&function);
    }
    return reads;
  }
  bool reads_by(const Instruction& instruction) {
    if (instruction.opcode != "call") {
      return reads_what_others_write(instruction);
    }
    const Function* const callee = callee_of(module_, instruction);
    return callee != nullptr && contains(*callee);
  }

 private:
  const Module& module_;
  std::set<const Function*> seen_;
  std::set<const Function*> readers_;
};

// A memory location in instructions: a variable, or a register with an address, and an offset. Whether it is a
// variable, its scope, number of variable or register, offset.
using Cell = std::tuple<bool, Operand::Scope, Number, std::int64_t>;

std::optional<Cell> cell_of(const Operand& operand) {
  const bool is_address = operand.kind == Operand::Kind::kAddress && !operand.elements.empty();
  const Operand& base = is_address ? operand.elements.front() : operand;
  if (base.kind == Operand::Kind::kSymbol) {
    return Cell{true, base.scope, base.number, 0};
  }
  if (is_address && base.kind == Operand::Kind::kRegister) {
    return Cell{false, Operand::Scope::kModule, base.number, operand.offset + base.offset};
  }
  return std::nullopt;
}

bool in_memory_of_others(const Instruction& instruction) {
  return has_any(instruction, "global", "shared", "shared::cta", "shared::cluster", "const");
}

// What the instructions of a function read and write, by number: its registers, then the cells that occur.
class Values {
 public:
  Values(const Function& function, Readers& readers) : count_(function.registers.size()) {
    for (const Instruction& instruction : function.body) {
      from_others_.push_back(readers.reads_by(instruction));
      visit_read_registers(instruction, [this](Number reg) { read_.push_back(reg); });
      visit_written_registers(instruction, [this](Number reg) { written_.push_back(reg); });
      add_cells(instruction);
      read_ends_.push_back(read_.size());
      written_ends_.push_back(written_.size());
    }
  }

  std::size_t count() const { return count_; }
  // Whether other threads may have written what the instruction reads.
  bool is_from_others(Number instruction) const { return from_others_[instruction]; }
  std::span<const Number> read_by(Number instruction) const { return part(read_, read_ends_, instruction); }
  std::span<const Number> written_by(Number instruction) const { return part(written_, written_ends_, instruction); }

 private:
  static std::span<const Number> part(const std::vector<Number>& all, const std::vector<std::size_t>& ends,
                                      Number instruction) {
    const std::size_t begin = instruction == 0 ? 0 : ends[instruction - 1];
    return std::span(all).subspan(begin, ends[instruction] - begin);
  }

  void add_cells(const Instruction& instruction) {
    const auto add_to = [this](std::vector<Number>& values, const Operand& operand) {
      if (const std::optional<Cell> cell = cell_of(operand)) {
        const auto [place, is_new] = cells_.emplace(*cell, static_cast<Number>(count_));
        count_ += is_new ? 1 : 0;
        values.push_back(place->second);
      }
    };
    const std::vector<Operand>& operands = instruction.operands;
    if (instruction.opcode == "ld" && operands.size() > 1 && !in_memory_of_others(instruction)) {
      add_to(read_, operands[1]);
    } else if (instruction.opcode == "st" && !operands.empty() && !in_memory_of_others(instruction)) {
      add_to(written_, operands.front());
    } else if (instruction.opcode == "call") {
      for (const Operand& list : operands) {
        std::ranges::for_each(list.elements, [&](const Operand& argument) { add_to(read_, argument); });
      }
      if (!operands.empty()) {
        std::ranges::for_each(operands.front().elements, [&](const Operand& result) { add_to(written_, result); });
      }
    }
  }

  std::size_t count_;
  std::map<Cell, Number> cells_;
  std::vector<bool> from_others_;  // by instruction, as the next two
  std::vector<std::size_t> read_ends_;
  std::vector<std::size_t> written_ends_;
  std::vector<Number> read_;
  std::vector<Number> written_;
};

// The values of one loop that other threads influence.
class Influence {
 public:
  Influence(const Function& function, const FlowGraph& graph, const std::vector<Number>& post_dominators,
            const Values& values, const std::vector<Number>& loop)
      : function_(function),
        graph_(graph),
        post_dominators_(post_dominators),
        values_(values),
        loop_(loop),
        inside_(graph.count(), false),
        decided_(graph.count(), false),
        influenced_(values.count()) {
    for (const Number block : loop) {
      inside_[block] = true;
    }
    for (bool changed = true; changed;) {
      changed = false;
      for (const Number block : loop_) {
        changed = follow(block) || changed;
      }
    }
  }

  bool on_an_end() const {
    return std::ranges::any_of(loop_, [this](Number block) { return may_end_by_it(block); });
  }

 private:
  bool reads_influenced(Number instruction) const {
    return std::ranges::any_of(values_.read_by(instruction),
                               [this](Number value) { return influenced_.contains(value); });
  }

  // Whether the block's last instruction branches on such a value.
  bool decides_by_it(Number block) const {
    const Number last = graph_.blocks[block].end - 1;
    return reads_influenced(last) && ends_block(function_.body[last]);
  }

  bool may_end_by_it(Number block) const {
    const FlowGraph::Block& ways = graph_.blocks[block];
    return decides_by_it(block) &&
           (ways.leaves || std::ranges::any_of(ways.successors, [this](Number next) { return !inside_[next]; }));
  }

  // Values written between a branch and its reconvergence point depend on the path taken.
  bool mark_decided(Number branch) {
    bool changed = false;
    std::vector<Number> waiting = graph_.blocks[branch].successors;
    while (!waiting.empty()) {
      const Number block = waiting.back();
      waiting.pop_back();
      if (block == post_dominators_[branch] || block == loop_.front() || !inside_[block] || decided_[block]) {
        continue;
      }
      decided_[block] = true;
      changed = true;
      const std::vector<Number>& next = graph_.blocks[block].successors;
      waiting.insert(waiting.end(), next.begin(), next.end());
    }
    return changed;
  }

  bool follow(Number block) {
    bool changed = false;
    for (Number i = graph_.blocks[block].begin; i < graph_.blocks[block].end; ++i) {
      if (decided_[block] || values_.is_from_others(i) || reads_influenced(i)) {
        for (const Number value : values_.written_by(i)) {
          changed = influenced_.add(value) || changed;
        }
      }
    }
    return (decides_by_it(block) && mark_decided(block)) || changed;
  }

  const Function& function_;
  const FlowGraph& graph_;
  const std::vector<Number>& post_dominators_;
  const Values& values_;
  const std::vector<Number>& loop_;  // blocks; the header is the first
  std::vector<bool> inside_;
  std::vector<bool> decided_;  // controlled by a branch on such a value
  RegisterSet influenced_;     // of the values
};

// The blocks from which a path leads to one of the ends without passing the header, and the header, which is the first.
std::vector<Number> loop_of(const FlowGraph& graph, Number header, std::vector<Number> ends) {
  std::vector<Number> loop{header};
  std::vector<bool> inside(graph.count(), false);
  inside[header] = true;
  while (!ends.empty()) {
    const Number block = ends.back();
    ends.pop_back();
    if (!inside[block]) {
      inside[block] = true;
      loop.push_back(block);
      const std::vector<Number>& before = graph.blocks[block].predecessors;
      ends.insert(ends.end(), before.begin(), before.end());
    }
  }
  std::ranges::sort(loop.begin() + 1, loop.end());
  return loop;
}

}  // namespace

std::vector<bool> branches_of_waiting_loops(const Module& module, const Function& function) {
  std::vector<bool> result(function.body.size(), false);
  Readers readers(module);
  if (!readers.contains(function)) {
    return result;
  }
  const FlowGraph graph = make_flow_graph(function);
  const std::vector<Number> dominators = immediate_dominators(graph);
  const std::vector<Number> post_dominators = immediate_post_dominators(graph);
  const std::vector<Loop> loops = natural_loops(graph, dominators);
  const Values values(function, readers);
  std::vector<bool> from_others(graph.count(), false);  // by block
  for (Number i = 0; i < function.body.size(); ++i) {
    from_others[graph.block_of[i]] = from_others[graph.block_of[i]] || values.is_from_others(i);
  }
  // Returns of machine code, which could lead to any instruction as far as is known, close no loop.
  const auto returns_anywhere = [&module](const Instruction& last) {
    return module.is_machine_code && last.opcode == "brx";
  };
  const auto mark = [&](Number header, const std::vector<Number>& ends) {
    const std::vector<Number> loop = loop_of(graph, header, ends);
    if (std::ranges::none_of(loop, [&](Number block) { return from_others[block]; }) ||
        !Influence(function, graph, post_dominators, values, loop).on_an_end()) {
      return;
    }
    std::vector<bool> inside(graph.count(), false);
    for (const Number block : loop) {
      inside[block] = true;
    }
    const auto in_inner_loop = [&](Number from, Number to) {
      return std::ranges::any_of(loops, [&](const Loop& inner) {
        return inner.header != header && inside[inner.header] && inner.holds[from] && inner.holds[to];
      });
    };
    // If the back edge enters the header from above, the loop continues earlier in the text.
    const auto goes_round = [&](Number from) {
      return std::ranges::any_of(graph.blocks[from].successors, [&](Number to) {
        return to <= from && inside[to] &&
               (to == header ? std::ranges::find(ends, from) != ends.end()
                             : !dominates(dominators, to, from) && !in_inner_loop(from, to));
      });
    };
    for (const Number block : loop) {
      if (goes_round(block)) {
        result[graph.blocks[block].end - 1] = true;
      }
    }
  };
  for (Number header = 0; header < graph.count(); ++header) {
    std::vector<Number> ends;
    std::ranges::copy_if(graph.blocks[header].predecessors, std::back_inserter(ends), [&](Number from) {
      return dominates(dominators, header, from) && !returns_anywhere(function.body[graph.blocks[from].end - 1]);
    });
    if (!ends.empty()) {
      mark(header, ends);
    }
    // Nested loops may begin at one position.
    for (std::size_t i = 0; ends.size() > 1 && i < ends.size(); ++i) {
      mark(header, {ends[i]});
    }
  }
  return result;
}

}  // namespace warpsim::ptx
