#include "codegen/loop_unrolling.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "codegen/body_editor.h"
#include "codegen/counted_loop.h"
#include "codegen/register_facts.h"
#include "codegen/round_copies.h"
#include "ptx/operand_roles.h"

namespace warpsim::codegen {

namespace {

using ptx::Instruction;
using ptx::Operand;

// Without a test in between; what is left for less is done in two rounds at once, and the rest one by one. Evidence:
// code of ptxas 13 for 52 public kernels.
constexpr std::uint32_t kRounds = 4;
constexpr std::uint32_t kFewRounds = 2;
// Cost of a round, in instructions as cost_in_round() counts them.
// Evidence: ptxas 13.0 for loops of 2 to 60 multiply-adds with none to 24 loads and stores, shuffles, barriers and
// atomics: these limits hold exactly.
constexpr std::uint32_t kLongestWithoutLoad = 21;
constexpr std::uint32_t kLongerForSharedLoad = 5;  // for each
constexpr std::uint32_t kLongestWithGlobalLoad = 49;

class Unroller {
 public:
  Unroller(ptx::Module& module, ptx::Function& function)
      : module_(module), function_(function), copies_(module, function), editor_(function) {}

  void run() {
    for (std::uint32_t block = 1; block < copies_.graph().count(); ++block) {
      const auto loop = counted_loop_at(function_, copies_.graph(), block, kRounds, longest_body(copies_.block(block)));
      if (loop && !stays_rolled(function_, copies_.block(block))) {
        unroll(*loop);
      }
    }
    editor_.apply();
  }

 private:
  const Instruction& at(std::uint32_t i) const { return function_.body[i]; }

  // The maximum number of instructions of a round.
  std::uint32_t longest_body(const ptx::FlowGraph::Block& block) const {
    std::uint32_t longest = kLongestWithoutLoad;
    bool loads_far = false;
    std::uint32_t cost = 0;
    for (std::uint32_t i = block.begin; i < block.end; ++i) {
      const Instruction& instruction = at(i);
      cost += cost_in_round(function_, block, i);
      const bool loads = instruction.opcode == "ld" || instruction.opcode == "ldu" || instruction.opcode == "tex" ||
                         instruction.opcode == "ldmatrix" || has_word(instruction, "load");
      const bool is_far =
          !has_word(instruction, "const") && !has_word(instruction, "param") && !has_word(instruction, "local");
      if (loads && has_word(instruction, "shared")) {
        longest += kLongerForSharedLoad;
      } else {
        loads_far = loads_far || (loads && is_far);
      }
    }
    const std::uint32_t most = (loads_far ? kLongestWithGlobalLoad : longest) + (block.end - block.begin);
    return most - std::min(most, cost);
  }

  std::uint32_t new_register(ptx::DataType type) { return add_register(module_, function_, "%unrolled", type); }

  // Its place is known later.
  std::uint32_t new_label(const std::string& name) { return add_label(module_, function_, name, 0); }

  Instruction branch_to(std::uint32_t label, std::uint32_t predicate, bool negated, const Instruction& like) const {
    Instruction branch = copy_of(like);
    branch.guard = ptx::Guard{predicate, negated};
    branch.operands[0].number = label;
    return branch;
  }

  // "counter compares to bound - rounds", true while this many rounds are left.
  void insert_limit(const CountedLoop& loop, std::uint32_t place, std::uint32_t rounds, Operand& limit) {
    const Instruction& test = at(loop.test);
    if (test.operands[2].kind == Operand::Kind::kInteger) {
      limit = integer_operand(loop.number(test.operands[2]) - loop.distance(rounds));
      return;
    }
    Instruction difference = copy_of(at(loop.counting));
    const std::uint32_t reg = new_register(loop.is_wide() ? ptx::DataType::kB64 : ptx::DataType::kB32);
    difference.operands[0] = register_operand(reg);
    difference.operands[1] = copy_of(test.operands[2]);
    difference.operands[2] = integer_operand(-loop.distance(rounds));
    editor_.insert(place, std::move(difference));
    limit = register_operand(reg);
  }

  Instruction limit_test(const CountedLoop& loop, std::uint32_t predicate, const Operand& limit) const {
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
  Instruction range_test(const CountedLoop& loop, std::uint32_t predicate) const {
    const std::int64_t away = loop.distance(kRounds);
    Instruction test = copy_of(at(loop.test));
    test.operands[0] = register_operand(predicate);
    test.operands[1] = copy_of(at(loop.test).operands[2]);
    test.operands[2] = integer_operand(away > 0 ? loop.lowest() + away : loop.highest() + away);
    test.modifiers = {away > 0 ? "ge" : "le", ptx::name_of(loop.type)};
    return test;
  }

  void unroll(const CountedLoop& loop) {
    const ptx::FlowGraph::Block& block = copies_.block(loop.block);
    const Instruction branch = copy_of(at(block.end - 1));
    const std::uint32_t place = block.begin;
    const std::uint32_t enough = new_register(ptx::DataType::kPredicate);
    const std::uint32_t rest = new_label("$unrolled_rest");
    const std::uint32_t rounds = new_label("$unrolled");
    const std::uint32_t few = new_label("$unrolled_few");
    const std::uint32_t behind = new_label("$unrolled_end");
    Operand limit;
    Operand few_limit;
    insert_limit(loop, place, kRounds, limit);
    insert_limit(loop, place, kFewRounds, few_limit);
    Instruction first = limit_test(loop, enough, limit);
    Instruction enough_for_few = limit_test(loop, enough, few_limit);
    if (limit.kind == Operand::Kind::kRegister) {
      const std::uint32_t in_range = new_register(ptx::DataType::kPredicate);
      editor_.insert(place, range_test(loop, in_range));
      for (Instruction* const test : {&first, &enough_for_few}) {
        test->modifiers.insert(test->modifiers.begin() + 1, "and");
        test->operands.push_back(register_operand(in_range));
      }
    }
    editor_.insert(place, std::move(first));
    editor_.insert(place, branch_to(few, enough, true, branch));
    editor_.insert_label(place, rounds);
    insert_rounds(loop, kRounds);
    editor_.insert(place, limit_test(loop, enough, limit));
    editor_.insert(place, branch_to(rounds, enough, false, branch));
    insert_end_test(loop, behind, branch);
    editor_.insert_label(place, few);
    editor_.insert(place, std::move(enough_for_few));
    editor_.insert(place, branch_to(rest, enough, true, branch));
    insert_rounds(loop, kFewRounds);
    insert_end_test(loop, behind, branch);
    editor_.insert_label(place, rest);
    editor_.insert_label(block.end, behind);
    // The original loop begins after the inserted instructions.
    function_.body[block.end - 1].operands[0].number = rest;
  }

  void insert_rounds(const CountedLoop& loop, std::uint32_t rounds) {
    const ptx::FlowGraph::Block& block = copies_.block(loop.block);
    copies_.restart();
    for (std::uint32_t round = 0; round < rounds; ++round) {
      for (std::uint32_t i = block.begin; i + 1 < block.end; ++i) {
        if (i != loop.test) {
          editor_.insert(block.begin, copies_.copy(i, round + 1 == rounds));
        }
      }
    }
  }

  // Leaves if no round is left.
  void insert_end_test(const CountedLoop& loop, std::uint32_t behind, const Instruction& branch) {
    const std::uint32_t place = copies_.block(loop.block).begin;
    Instruction again = copy_of(at(loop.test));
    const std::uint32_t left = new_register(ptx::DataType::kPredicate);
    again.operands[0] = register_operand(left);
    editor_.insert(place, std::move(again));
    editor_.insert(place, branch_to(behind, left, true, branch));
  }

  ptx::Module& module_;
  ptx::Function& function_;
  RoundCopies copies_;
  BodyEditor editor_;
};

}  // namespace

void unroll_loops(ptx::Module& module, ptx::Function& function) {
  if (function.body.size() > 1) {
    Unroller(module, function).run();
  }
}

}  // namespace warpsim::codegen
