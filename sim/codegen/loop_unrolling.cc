#include "codegen/loop_unrolling.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "codegen/body_editor.h"
#include "codegen/register_facts.h"
#include "ptx/flow_graph.h"
#include "ptx/liveness.h"
#include "ptx/operand_roles.h"

namespace warpsim::codegen {

namespace {

using ptx::Instruction;
using ptx::Operand;

// Without a test in between; what is left for less is done in two rounds at once, and the rest one by one. Evidence:
// code of ptxas 13 for 52 public kernels, which does so with bodies of up to 36 instructions and not with those from 48
// on.
constexpr std::uint32_t kRounds = 4;
constexpr std::uint32_t kFewRounds = 2;
constexpr std::uint32_t kLongestBody = 40;                    // instructions of a round
constexpr std::int64_t kLargestStep = std::int64_t{1} << 28;  // four of them are no number with another sign
constexpr std::uint32_t kNowhere = 0xffffffffU;

// A loop of one block: "counter += step; if (counter compares to bound) again".
struct Loop {
  std::uint32_t block = 0;
  std::uint32_t test = 0;      // the comparison
  std::uint32_t counting = 0;  // the addition
  std::uint32_t counter = 0;
  std::int64_t step = 0;
  ptx::DataType type = ptx::DataType::kS32;  // of the comparison "more rounds are left"

  bool is_unsigned() const { return type == ptx::DataType::kU32 || type == ptx::DataType::kU64; }
  bool is_wide() const { return type == ptx::DataType::kU64 || type == ptx::DataType::kS64; }
  // The smallest and the largest number of the type, as bits of 64.
  std::int64_t lowest() const { return is_unsigned() ? 0 : is_wide() ? INT64_MIN : std::int64_t{INT32_MIN}; }
  std::int64_t highest() const {
    return is_unsigned() ? (is_wide() ? -1 : std::int64_t{UINT32_MAX})
           : is_wide()   ? INT64_MAX
                         : std::int64_t{INT32_MAX};
  }
};

// Executed by a function on rare paths: division and roots of full precision, wide integer division.
bool has_rare_path(const Instruction& instruction) {
  const bool rounds = instruction.opcode == "div" || instruction.opcode == "sqrt" || instruction.opcode == "rcp";
  const bool is_float = has_word(instruction, "f32") || has_word(instruction, "f64");
  const bool is_wide = has_word(instruction, "s64") || has_word(instruction, "u64");
  const bool is_quick = has_word(instruction, "approx") || has_word(instruction, "full");
  return (rounds && is_float && !is_quick) || ((rounds || instruction.opcode == "rem") && is_wide);
}

class Unroller {
 public:
  Unroller(ptx::Module& module, ptx::Function& function)
      : module_(module),
        function_(function),
        graph_(ptx::make_flow_graph(function)),
        live_(ptx::live_at_blocks(function, graph_)),
        editor_(function) {}

  void run() {
    for (std::uint32_t block = 1; block < graph_.count(); ++block) {
      if (const auto loop = loop_at(block)) {
        unroll(*loop);
      }
    }
    editor_.apply();
    for (auto& [label, instruction] : new_labels_) {
      function_.labels[label].instruction = instruction;
    }
  }

 private:
  const Instruction& at(std::uint32_t i) const { return function_.body[i]; }

  // The only instruction of the block that writes the register, without a guard.
  std::uint32_t writer_in(const ptx::FlowGraph::Block& block, std::uint32_t reg) const {
    std::uint32_t found = kNowhere;
    for (std::uint32_t i = block.begin; i < block.end; ++i) {
      bool writes = false;
      ptx::visit_written_registers(at(i), [&](std::uint32_t written) { writes = writes || written == reg; });
      if (writes) {
        if (found != kNowhere || at(i).guard) {
          return kNowhere;
        }
        found = i;
      }
    }
    return found;
  }

  bool is_written_in(const ptx::FlowGraph::Block& block, std::uint32_t reg) const {
    bool written = false;
    for (std::uint32_t i = block.begin; i < block.end; ++i) {
      ptx::visit_written_registers(at(i), [&](std::uint32_t other) { written = written || other == reg; });
    }
    return written;
  }

  std::optional<Loop> loop_at(std::uint32_t number) const {
    const ptx::FlowGraph::Block& block = graph_.blocks[number];
    const Instruction& branch = at(block.end - 1);
    const bool closes = branch.opcode == "bra" && branch.guard && !branch.guard->negated &&
                        function_.labels[branch.operands[0].number].instruction == block.begin &&
                        block.end - block.begin <= kLongestBody && block.predecessors.size() == 2 &&
                        std::ranges::find(block.predecessors, number - 1) != block.predecessors.end() &&
                        (!ptx::ends_block(at(block.begin - 1)) || at(block.begin - 1).guard) &&
                        block.end < function_.body.size();
    if (!closes || at(block.begin).keeps_loop || has_calls(block)) {
      return std::nullopt;
    }
    Loop loop;
    loop.block = number;
    loop.test = writer_in(block, branch.guard->predicate);
    if (loop.test == kNowhere || at(loop.test).opcode != "setp" || at(loop.test).operands.size() != 3 ||
        at(loop.test).operands[0].second != nullptr) {
      return std::nullopt;
    }
    const Instruction& test = at(loop.test);
    const auto type = ptx::data_type_of(test.modifiers.back());
    const bool counts = type && (*type == ptx::DataType::kS32 || *type == ptx::DataType::kU32 ||
                                 *type == ptx::DataType::kS64 || *type == ptx::DataType::kU64);
    if (!counts || test.modifiers.size() != 2 || test.operands[1].kind != Operand::Kind::kRegister) {
      return std::nullopt;
    }
    loop.counter = test.operands[1].number;
    loop.counting = writer_in(block, loop.counter);
    if (loop.counting == kNowhere || loop.counting > loop.test) {
      return std::nullopt;
    }
    const Instruction& counting = at(loop.counting);
    if (counting.opcode != "add" || counting.operands[1].kind != Operand::Kind::kRegister ||
        counting.operands[1].number != loop.counter || counting.operands[2].kind != Operand::Kind::kInteger) {
      return std::nullopt;
    }
    const bool is_wide = *type == ptx::DataType::kS64 || *type == ptx::DataType::kU64;
    loop.step = is_wide ? static_cast<std::int64_t>(counting.operands[2].bits)
                        : static_cast<std::int32_t>(counting.operands[2].bits);
    if (loop.step == 0 || std::abs(loop.step) > kLargestStep) {
      return std::nullopt;
    }
    // "Unequal" ends at the bound from the side from which it counts.
    loop.type = !has_word(test, "ne") ? *type : is_wide ? ptx::DataType::kS64 : ptx::DataType::kS32;
    return bound_allows(loop, block) ? std::optional(loop) : std::nullopt;
  }

  // Whether "the last of the rounds would be reached" can be expressed as a comparison with a constant distance.
  bool bound_allows(const Loop& loop, const ptx::FlowGraph::Block& block) const {
    const Instruction& test = at(loop.test);
    const Operand& bound = test.operands[2];
    const bool is_unequal = has_word(test, "ne");
    const bool is_ordered =
        loop.step > 0 ? has_word(test, "lt") || has_word(test, "le") : has_word(test, "gt") || has_word(test, "ge");
    if (bound.kind == Operand::Kind::kRegister) {
      return is_ordered && !is_written_in(block, bound.number);
    }
    return (is_ordered || is_unequal) && bound.kind == Operand::Kind::kInteger && is_in_range(loop, bound);
  }

  // A bound that is a number, in the type of the comparison.
  static std::int64_t bound_of(const Loop& loop, const Operand& bound) {
    const auto bits = static_cast<std::int64_t>(bound.bits);
    const auto word = static_cast<std::uint32_t>(bound.bits);
    if (loop.is_wide()) {
      return bits;
    }
    return loop.is_unsigned() ? std::int64_t{word} : std::int64_t{static_cast<std::int32_t>(word)};
  }

  static std::int64_t distance(const Loop& loop, std::uint32_t rounds) {
    return loop.step * static_cast<std::int64_t>(rounds - 1);
  }

  // Whether the limit of four rounds does not wrap around.
  static bool is_in_range(const Loop& loop, const Operand& bound) {
    const std::int64_t value = bound_of(loop, bound);
    const std::int64_t away = distance(loop, kRounds);
    const std::int64_t end = away > 0 ? loop.lowest() + away : loop.highest() + away;
    if (loop.is_unsigned()) {
      return away > 0 ? static_cast<std::uint64_t>(value) >= static_cast<std::uint64_t>(end)
                      : static_cast<std::uint64_t>(value) <= static_cast<std::uint64_t>(end);
    }
    return away > 0 ? value >= end : value <= end;
  }

  bool has_calls(const ptx::FlowGraph::Block& block) const {
    for (std::uint32_t i = block.begin; i < block.end; ++i) {
      if (at(i).opcode == "call" || at(i).opcode == "trap" || has_rare_path(at(i)) ||
          (at(i).opcode == "mov" && at(i).operands.size() == 2 && at(i).operands[1].kind == Operand::Kind::kSpecial)) {
        return true;  // the number of clock reads must not change
      }
    }
    return false;
  }

  std::uint32_t new_register(ptx::DataType type) {
    const std::string name = "%unrolled" + std::to_string(function_.registers.size());
    function_.registers.push_back({module_.names.intern(name), type, 1});
    return static_cast<std::uint32_t>(function_.registers.size() - 1);
  }

  std::uint32_t new_label(const std::string& name) {
    const std::string full = name + std::to_string(function_.labels.size());
    function_.labels.push_back({module_.names.intern(full), 0});
    return static_cast<std::uint32_t>(function_.labels.size() - 1);
  }

  static Operand register_operand(std::uint32_t reg) {
    Operand operand;
    operand.kind = Operand::Kind::kRegister;
    operand.number = reg;
    return operand;
  }
  static Operand integer_operand(std::int64_t value) {
    Operand operand;
    operand.kind = Operand::Kind::kInteger;
    operand.bits = static_cast<std::uint64_t>(value);
    return operand;
  }

  Instruction branch_to(std::uint32_t label, std::uint32_t predicate, bool negated, const Instruction& like) const {
    Instruction branch = copy_of(like);
    branch.guard = ptx::Guard{predicate, negated};
    branch.operands[0].number = label;
    return branch;
  }

  // "counter compares to bound - rounds", true while this many rounds are left.
  void insert_limit(const Loop& loop, std::uint32_t place, std::uint32_t rounds, Operand& limit) {
    const Instruction& test = at(loop.test);
    if (test.operands[2].kind == Operand::Kind::kInteger) {
      limit = integer_operand(bound_of(loop, test.operands[2]) - distance(loop, rounds));
      return;
    }
    Instruction difference = copy_of(at(loop.counting));
    const std::uint32_t reg = new_register(loop.is_wide() ? ptx::DataType::kB64 : ptx::DataType::kB32);
    difference.operands[0] = register_operand(reg);
    difference.operands[1] = copy_of(test.operands[2]);
    difference.operands[2] = integer_operand(-distance(loop, rounds));
    insert(place, std::move(difference));
    limit = register_operand(reg);
  }

  Instruction limit_test(const Loop& loop, std::uint32_t predicate, const Operand& limit) const {
    Instruction test = copy_of(at(loop.test));
    test.operands[0] = register_operand(predicate);
    test.operands[1] = register_operand(loop.counter);
    test.operands[2] = copy_of(limit);
    if (has_word(test, "ne")) {
      test.modifiers = {loop.step > 0 ? "lt" : "gt", ptx::name_of(loop.type)};
    }
    return test;
  }

  // Whether the limit is on the same side as the bound, so that it has not wrapped around.
  Instruction range_test(const Loop& loop, std::uint32_t predicate) const {
    const std::int64_t away = distance(loop, kRounds);
    Instruction test = copy_of(at(loop.test));
    test.operands[0] = register_operand(predicate);
    test.operands[1] = copy_of(at(loop.test).operands[2]);
    test.operands[2] = integer_operand(away > 0 ? loop.lowest() + away : loop.highest() + away);
    test.modifiers = {away > 0 ? "ge" : "le", ptx::name_of(loop.type)};
    return test;
  }

  void unroll(const Loop& loop) {
    const ptx::FlowGraph::Block& block = graph_.blocks[loop.block];
    const Instruction branch = copy_of(at(block.end - 1));
    const std::uint32_t place = block.begin;
    const std::uint32_t enough = new_register(ptx::DataType::kPredicate);
    const std::uint32_t rest = new_label("$unrolled_rest");
    const std::uint32_t rounds = new_label("$unrolled");
    const std::uint32_t few = new_label("$unrolled_few");
    const std::uint32_t behind = new_label("$unrolled_end");
    position_ = place + total_inserted_;
    const std::uint32_t begin = position_;
    Operand limit;
    Operand few_limit;
    insert_limit(loop, place, kRounds, limit);
    insert_limit(loop, place, kFewRounds, few_limit);
    Instruction first = limit_test(loop, enough, limit);
    Instruction enough_for_few = limit_test(loop, enough, few_limit);
    if (limit.kind == Operand::Kind::kRegister) {
      const std::uint32_t in_range = new_register(ptx::DataType::kPredicate);
      insert(place, range_test(loop, in_range));
      for (Instruction* const test : {&first, &enough_for_few}) {
        test->modifiers.insert(test->modifiers.begin() + 1, "and");
        test->operands.push_back(register_operand(in_range));
      }
    }
    insert(place, std::move(first));
    insert(place, branch_to(few, enough, true, branch));
    new_labels_.emplace_back(rounds, position_);
    insert_rounds(loop, kRounds);
    insert(place, limit_test(loop, enough, limit));
    insert(place, branch_to(rounds, enough, false, branch));
    insert_end_test(loop, behind, branch);
    new_labels_.emplace_back(few, position_);
    insert(place, std::move(enough_for_few));
    insert(place, branch_to(rest, enough, true, branch));
    insert_rounds(loop, kFewRounds);
    insert_end_test(loop, behind, branch);
    new_labels_.emplace_back(rest, position_);
    new_labels_.emplace_back(behind, position_ + block.end - block.begin);
    total_inserted_ += position_ - begin;
    // The original loop begins after the inserted instructions.
    function_.body[block.end - 1].operands[0].number = rest;
  }

  void insert(std::uint32_t place, Instruction instruction) {
    editor_.insert(place, std::move(instruction));
    ++position_;
  }

  void insert_rounds(const Loop& loop, std::uint32_t rounds) {
    const ptx::FlowGraph::Block& block = graph_.blocks[loop.block];
    for (std::uint32_t round = 0; round < rounds; ++round) {
      for (std::uint32_t i = block.begin; i + 1 < block.end; ++i) {
        if (i != loop.test) {
          insert(block.begin, renamed(i, round + 1 == rounds));
        }
      }
    }
    names_.clear();
  }

  // Leaves if no round is left.
  void insert_end_test(const Loop& loop, std::uint32_t behind, const Instruction& branch) {
    const std::uint32_t place = graph_.blocks[loop.block].begin;
    Instruction again = copy_of(at(loop.test));
    const std::uint32_t left = new_register(ptx::DataType::kPredicate);
    again.operands[0] = register_operand(left);
    insert(place, std::move(again));
    insert(place, branch_to(behind, left, true, branch));
  }

  // A copy of an instruction for one round. Values that only later rounds read get names of their own.
  Instruction renamed(std::uint32_t index, bool is_last) {
    Instruction copy = copy_of(at(index));
    const auto name = [&](std::uint32_t reg) {
      const auto known = std::ranges::find(names_, reg, &std::pair<std::uint32_t, std::uint32_t>::first);
      return known == names_.end() ? reg : known->second;
    };
    const bool has_result = [&] {
      bool writes = false;
      ptx::visit_written_registers(copy, [&](std::uint32_t) { writes = true; });
      return writes;
    }();
    const auto rename_reads = [&](Operand& operand, auto&& self) -> void {
      if (operand.kind == Operand::Kind::kRegister) {
        operand.number = name(operand.number);
      }
      for (Operand& element : operand.elements) {
        self(element, self);
      }
      if (operand.second != nullptr) {
        self(*operand.second, self);
      }
    };
    for (std::size_t i = has_result ? 1 : 0; i < copy.operands.size(); ++i) {
      rename_reads(copy.operands[i], rename_reads);
    }
    if (copy.guard) {
      copy.guard->predicate = name(copy.guard->predicate);
    }
    if (has_result) {
      rename_writes(copy.operands[0], index, is_last);
    }
    return copy;
  }

  // Read by the loop's next round, or after the loop.
  bool is_needed_behind(std::uint32_t block, std::uint32_t reg) const {
    return std::ranges::any_of(graph_.blocks[block].successors,
                               [&](std::uint32_t next) { return live_[next].contains(reg); });
  }

  void rename_writes(Operand& operand, std::uint32_t index, bool is_last) {
    if (operand.kind == Operand::Kind::kRegister) {
      const std::uint32_t reg = operand.number;
      std::erase_if(names_, [reg](const auto& entry) { return entry.first == reg; });
      const bool once = writer_in(graph_.blocks[graph_.block_of[index]], reg) == index && operand.component < 0;
      const bool stays = is_last && is_needed_behind(graph_.block_of[index], reg);
      if (once && !stays) {
        operand.number = new_register(function_.registers[reg].type);
        function_.registers.back().vector = function_.registers[reg].vector;
        names_.emplace_back(reg, operand.number);
      }
    }
    for (Operand& element : operand.elements) {
      rename_writes(element, index, is_last);
    }
    if (operand.second != nullptr) {
      rename_writes(*operand.second, index, is_last);
    }
  }

  ptx::Module& module_;
  ptx::Function& function_;
  ptx::FlowGraph graph_;
  std::vector<ptx::RegisterSet> live_;
  BodyEditor editor_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> names_;       // of this round: register and its new name
  std::vector<std::pair<std::uint32_t, std::uint32_t>> new_labels_;  // and its instruction in the new body
  std::uint32_t total_inserted_ = 0;
  std::uint32_t position_ = 0;  // in the new body, of the next insertion
};

}  // namespace

void unroll_loops(ptx::Module& module, ptx::Function& function) {
  if (function.body.size() > 1) {
    Unroller(module, function).run();
  }
}

}  // namespace warpsim::codegen
