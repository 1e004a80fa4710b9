#include "codegen/counted_loop.h"

#include <algorithm>
#include <cstdlib>

#include "codegen/register_facts.h"
#include "ptx/operand_roles.h"

namespace warpsim::codegen {

using ptx::Instruction;
using ptx::Operand;

namespace {

constexpr std::int64_t kLargestStep = std::int64_t{1} << 28;  // four of them are no number with another sign

// Executed by a function on rare paths: division and roots of full precision, wide integer division.
bool has_rare_path(const Instruction& instruction) {
  const bool rounds = instruction.opcode == "div" || instruction.opcode == "sqrt" || instruction.opcode == "rcp";
  const bool is_float = has_word(instruction, "f32") || has_word(instruction, "f64");
  const bool is_wide = has_word(instruction, "s64") || has_word(instruction, "u64");
  const bool is_quick = has_word(instruction, "approx") || has_word(instruction, "full");
  return (rounds && is_float && !is_quick) || ((rounds || instruction.opcode == "rem") && is_wide);
}

bool has_calls(const ptx::Function& function, const ptx::FlowGraph::Block& block) {
  for (std::uint32_t i = block.begin; i < block.end; ++i) {
    const Instruction& instruction = function.body[i];
    if (instruction.opcode == "call" || instruction.opcode == "trap" || has_rare_path(instruction) ||
        (instruction.opcode == "mov" && instruction.operands.size() == 2 &&
         instruction.operands[1].kind == Operand::Kind::kSpecial)) {
      return true;  // the number of clock reads must not change
    }
  }
  return false;
}

bool is_written_in(const ptx::Function& function, const ptx::FlowGraph::Block& block, std::uint32_t reg) {
  bool written = false;
  for (std::uint32_t i = block.begin; i < block.end; ++i) {
    ptx::visit_written_registers(function.body[i], [&](std::uint32_t other) { written = written || other == reg; });
  }
  return written;
}

// Whether the limit of so many rounds does not wrap around.
bool is_in_range(const CountedLoop& loop, const Operand& bound, std::uint32_t rounds) {
  const std::int64_t value = loop.number(bound);
  const std::int64_t away = loop.distance(rounds);
  const std::int64_t end = away > 0 ? loop.lowest() + away : loop.highest() + away;
  if (loop.is_unsigned()) {
    return away > 0 ? static_cast<std::uint64_t>(value) >= static_cast<std::uint64_t>(end)
                    : static_cast<std::uint64_t>(value) <= static_cast<std::uint64_t>(end);
  }
  return away > 0 ? value >= end : value <= end;
}

bool bound_allows(const ptx::Function& function, const ptx::FlowGraph::Block& block, const CountedLoop& loop,
                  std::uint32_t rounds) {
  const Instruction& test = function.body[loop.test];
  const Operand& bound = test.operands[2];
  const bool is_unequal = has_word(test, "ne");
  const bool is_ordered =
      loop.step > 0 ? has_word(test, "lt") || has_word(test, "le") : has_word(test, "gt") || has_word(test, "ge");
  if (bound.kind == Operand::Kind::kRegister) {
    return (is_ordered || is_unequal) && !is_written_in(function, block, bound.number);
  }
  return (is_ordered || is_unequal) && bound.kind == Operand::Kind::kInteger && is_in_range(loop, bound, rounds);
}

// Whether the block is entered only from the one before it, and ends with a branch to its begin.
bool closes(const ptx::Function& function, const ptx::FlowGraph& graph, std::uint32_t number) {
  const ptx::FlowGraph::Block& block = graph.blocks[number];
  const Instruction& branch = function.body[block.end - 1];
  const Instruction& before = function.body[block.begin - 1];
  return branch.opcode == "bra" && branch.guard && !branch.guard->negated &&
         function.labels[branch.operands[0].number].instruction == block.begin && block.predecessors.size() == 2 &&
         std::ranges::find(block.predecessors, number - 1) != block.predecessors.end() &&
         (!ptx::ends_block(before) || before.guard) && block.end < function.body.size() &&
         !function.body[block.begin].keeps_loop;
}

// The addition of a number to the counter, in front of the test.
bool counts(const ptx::Function& function, const ptx::FlowGraph::Block& block, CountedLoop& loop) {
  const auto found = writer_in(function, block, loop.counter);
  if (!found || *found > loop.test) {
    return false;
  }
  loop.counting = *found;
  const Instruction& counting = function.body[loop.counting];
  if (counting.opcode != "add" || counting.operands[1].kind != Operand::Kind::kRegister ||
      counting.operands[1].number != loop.counter || counting.operands[2].kind != Operand::Kind::kInteger) {
    return false;
  }
  loop.step = loop.is_wide() ? static_cast<std::int64_t>(counting.operands[2].bits)
                             : static_cast<std::int32_t>(counting.operands[2].bits);
  return loop.step != 0 && std::abs(loop.step) <= kLargestStep;
}

// Whether it adds to an address of an access of the block.
bool is_address_step(const ptx::Function& function, const ptx::FlowGraph::Block& block, std::uint32_t index) {
  const Instruction& instruction = function.body[index];
  const bool is_increment = instruction.opcode == "add" && instruction.operands.size() == 3 &&
                            instruction.operands[0].kind == Operand::Kind::kRegister &&
                            instruction.operands[1].kind == Operand::Kind::kRegister &&
                            instruction.operands[0].number == instruction.operands[1].number;
  const auto is_base = [&](const Operand& operand) {
    return operand.kind == Operand::Kind::kAddress && operand.elements[0].kind == Operand::Kind::kRegister &&
           operand.elements[0].number == instruction.operands[0].number;
  };
  return is_increment &&
         std::any_of(function.body.begin() + block.begin, function.body.begin() + block.end,
                     [&](const Instruction& other) { return std::ranges::any_of(other.operands, is_base); });
}

}  // namespace

std::int64_t CountedLoop::number(const Operand& bound) const {
  const auto word = static_cast<std::uint32_t>(bound.bits);
  if (is_wide()) {
    return static_cast<std::int64_t>(bound.bits);
  }
  return is_unsigned() ? std::int64_t{word} : std::int64_t{static_cast<std::int32_t>(word)};
}

std::optional<std::uint32_t> writer_in(const ptx::Function& function, const ptx::FlowGraph::Block& block,
                                       std::uint32_t reg) {
  std::optional<std::uint32_t> found;
  for (std::uint32_t i = block.begin; i < block.end; ++i) {
    bool writes = false;
    ptx::visit_written_registers(function.body[i], [&](std::uint32_t written) { writes = writes || written == reg; });
    if (writes) {
      if (found || function.body[i].guard) {
        return std::nullopt;
      }
      found = i;
    }
  }
  return found;
}

std::optional<CountedLoop> counted_loop_at(const ptx::Function& function, const ptx::FlowGraph& graph,
                                           std::uint32_t number, std::uint32_t rounds, std::uint32_t longest) {
  const ptx::FlowGraph::Block& block = graph.blocks[number];
  if (number == 0 || block.end - block.begin > longest || !closes(function, graph, number) ||
      has_calls(function, block)) {
    return std::nullopt;
  }
  const auto tested = writer_in(function, block, function.body[block.end - 1].guard->predicate);
  if (!tested) {
    return std::nullopt;
  }
  const Instruction& test = function.body[*tested];
  if (test.opcode != "setp" || test.operands.size() != 3 || test.operands[0].second != nullptr ||
      test.modifiers.size() != 2 || test.operands[1].kind != Operand::Kind::kRegister) {
    return std::nullopt;
  }
  const auto type = ptx::data_type_of(test.modifiers.back());
  const bool is_counter = type && (*type == ptx::DataType::kS32 || *type == ptx::DataType::kU32 ||
                                   *type == ptx::DataType::kS64 || *type == ptx::DataType::kU64);
  if (!is_counter) {
    return std::nullopt;
  }
  CountedLoop loop;
  loop.block = number;
  loop.test = *tested;
  loop.counter = test.operands[1].number;
  loop.type = *type;
  if (has_word(test, "ne")) {  // ends at the bound from the side from which it counts
    loop.type = loop.is_wide() ? ptx::DataType::kS64 : ptx::DataType::kS32;
  }
  const bool is_known = counts(function, block, loop) && bound_allows(function, block, loop, rounds);
  return is_known ? std::optional(loop) : std::nullopt;
}

bool stays_rolled(const ptx::Function& function, const ptx::FlowGraph::Block& block) {
  constexpr std::string_view kCombinable[] = {"add", "and", "max", "min", "or", "xor"};
  constexpr std::string_view kIntegers[] = {"b32", "b64", "s32", "s64", "u32", "u64"};
  const auto has_one = [](const Instruction& instruction, const auto& words) {
    return std::ranges::any_of(words, [&](std::string_view word) { return has_word(instruction, word); });
  };
  std::uint32_t combinable = 0;
  bool keeps = false;
  for (std::uint32_t i = block.begin; i < block.end; ++i) {
    const Instruction& instruction = function.body[i];
    const bool divides = instruction.opcode == "div" || instruction.opcode == "rem";
    keeps = keeps || instruction.opcode == "membar" || instruction.opcode == "fence" ||
            (divides && has_one(instruction, kIntegers));
    const bool updates = instruction.opcode == "atom" || instruction.opcode == "red";
    combinable += updates && has_one(instruction, kCombinable) && has_one(instruction, kIntegers) ? 1 : 0;
  }
  return keeps || combinable > 1;
}

std::uint32_t cost_in_round(const ptx::Function& function, const ptx::FlowGraph::Block& block, std::uint32_t index) {
  const auto accesses = std::ranges::count(function.body[index].operands, Operand::Kind::kAddress, &Operand::kind);
  return is_address_step(function, block, index) ? 0 : 1 + static_cast<std::uint32_t>(accesses);
}

}  // namespace warpsim::codegen
