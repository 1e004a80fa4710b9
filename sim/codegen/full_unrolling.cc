#include "codegen/full_unrolling.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "codegen/body_editor.h"
#include "codegen/counted_loop.h"
#include "codegen/known_numbers.h"
#include "codegen/register_facts.h"
#include "codegen/round_copies.h"
#include "ptx/operand_roles.h"

namespace warpsim::codegen {

namespace {

using ptx::Instruction;
using ptx::Operand;

// The maximum number of rounds by the cost of one. Evidence: ptxas of CUDA 13.0 for sm_90, loops of 1 to 195
// multiply-adds.
struct Limit {
  std::uint32_t cost = 0;
  std::uint32_t rounds = 0;
};
constexpr std::array<Limit, 30> kLimits = {
    {{1, 3591}, {2, 1451}, {3, 814}, {4, 519}, {5, 369}, {6, 277}, {8, 173}, {9, 144}, {10, 120}, {11, 101},
     {12, 89},  {14, 66},  {16, 52}, {18, 44}, {20, 37}, {22, 32}, {24, 27}, {26, 24}, {28, 20},  {32, 18},
     {36, 15},  {40, 12},  {44, 11}, {48, 9},  {56, 8},  {64, 6},  {80, 4},  {96, 4},  {128, 2},  {190, 2}}};
constexpr std::uint32_t kMostRounds = kLimits.front().rounds;
constexpr std::uint32_t kLongestBody = 256;

// A round without the counter's addition, the test and the branch.
struct RoundCost {
  std::uint32_t instructions = 0;  // as cost_in_round() counts them
  std::uint32_t numbers = 0;       // instructions whose results are known
};

// Evidence: as for the limits, with up to 12 products or sums of the counter in loops of 16 to 128 instructions: of
// short loops each allows a quarter of the rounds more, of long ones a fifth.
std::uint32_t most_rounds(const RoundCost& cost) {
  constexpr std::uint32_t kShort = 32;
  const auto* const limit =
      std::ranges::find_if(kLimits, [&](const Limit& row) { return row.cost >= cost.instructions; });
  if (limit == kLimits.end()) {
    return 1;
  }
  const std::uint32_t share = cost.instructions <= kShort ? 4 : 5;
  return limit->rounds + limit->rounds * cost.numbers / share;
}

class FullUnroller {
 public:
  FullUnroller(ptx::Module& module, ptx::Function& function)
      : function_(function), copies_(module, function), editor_(function) {}

  void run() {
    for (std::uint32_t block = 1; block < copies_.graph().count(); ++block) {
      const auto loop = counted_loop_at(function_, copies_.graph(), block, 1, kLongestBody);
      if (!loop || stays_rolled(function_, copies_.block(block))) {
        continue;
      }
      const KnownNumbers first = known_before(*loop);
      const std::optional<std::uint32_t> rounds = rounds_of(*loop, first);
      if (rounds && *rounds <= most_rounds(cost_of(*loop, first))) {
        unroll(*loop, *rounds, first);
      }
    }
    editor_.apply();
  }

 private:
  const Instruction& at(std::uint32_t i) const { return function_.body[i]; }

  // Registers to which the block in front of the loop moves numbers.
  KnownNumbers known_before(const CountedLoop& loop) const {
    KnownNumbers known;
    const ptx::FlowGraph::Block& before = copies_.block(loop.block - 1);
    for (std::uint32_t i = before.begin; i < before.end; ++i) {
      follow(at(i), known);
    }
    return known;
  }

  // Returns whether the result is known.
  static bool follow(const Instruction& instruction, KnownNumbers& known) {
    const std::optional<KnownNumbers::Result> result = known.result_of(instruction);
    ptx::visit_written_registers(instruction, [&](std::uint32_t reg) { known.forget(reg); });
    if (result) {
      known.set(result->reg, result->bits);
    }
    return result.has_value();
  }

  // None: it depends on more than numbers, or there are too many.
  std::optional<std::uint32_t> rounds_of(const CountedLoop& loop, const KnownNumbers& first) const {
    const Operand& bound = at(loop.test).operands[2];
    const std::optional<std::uint64_t> start = first.of(loop.counter);
    if (!start || bound.kind != Operand::Kind::kInteger) {
      return std::nullopt;
    }
    Operand counter;
    counter.bits = *start;
    for (std::uint32_t rounds = 1; rounds <= kMostRounds; ++rounds) {
      counter.bits += static_cast<std::uint64_t>(loop.step);
      if (!goes_on(loop, loop.number(counter), loop.number(bound))) {
        return rounds;
      }
    }
    return std::nullopt;
  }

  bool goes_on(const CountedLoop& loop, std::int64_t counter, std::int64_t bound) const {
    const Instruction& test = at(loop.test);
    if (has_word(test, "ne")) {
      return counter != bound;
    }
    const bool less =
        loop.is_unsigned() ? static_cast<std::uint64_t>(counter) < static_cast<std::uint64_t>(bound) : counter < bound;
    const bool equal = counter == bound;
    return has_word(test, "lt")   ? less
           : has_word(test, "le") ? less || equal
           : has_word(test, "gt") ? !less && !equal
                                  : !less;
  }

  RoundCost cost_of(const CountedLoop& loop, const KnownNumbers& first) const {
    const ptx::FlowGraph::Block& block = copies_.block(loop.block);
    KnownNumbers known = first;
    RoundCost cost;
    for (std::uint32_t i = block.begin; i + 1 < block.end; ++i) {
      if (i == loop.test || i == loop.counting) {
        continue;
      }
      if (follow(at(i), known)) {
        ++cost.numbers;
        continue;
      }
      cost.instructions += cost_in_round(function_, block, i);
    }
    return cost;
  }

  void unroll(const CountedLoop& loop, std::uint32_t rounds, const KnownNumbers& first) {
    const ptx::FlowGraph::Block& block = copies_.block(loop.block);
    KnownNumbers known = first;
    copies_.restart();
    stale_.assign(function_.registers.size(), false);
    for (std::uint32_t round = 0; round < rounds; ++round) {
      for (std::uint32_t i = block.begin; i + 1 < block.end; ++i) {
        if (i != loop.test) {
          add(i, block.begin, round + 1 == rounds, known);
        }
      }
    }
    for (std::uint32_t reg = 0; reg < stale_.size(); ++reg) {
      if (stale_[reg] && copies_.is_live_at(loop.block + 1, reg)) {
        write_number(reg, block.begin, known);
      }
    }
    for (std::uint32_t i = block.begin; i < block.end; ++i) {
      editor_.remove(i);
    }
  }

  // The instruction of one round, unless its result is a number.
  void add(std::uint32_t i, std::uint32_t place, bool is_last, KnownNumbers& known) {
    const Instruction& original = at(i);
    if (const std::optional<KnownNumbers::Result> result = known.result_of(original)) {
      known.set(result->reg, result->bits);
      copies_.forget(result->reg);
      stale_[result->reg] = true;
      return;
    }
    // Where a register may not be written, its number stays.
    if (original.guard) {
      ptx::visit_written_registers(original, [&](std::uint32_t reg) { write_number(reg, place, known); });
    }
    Instruction copy = copies_.copy(i, is_last);
    use_numbers(original, copy, place, known);
    ptx::visit_written_registers(original, [&](std::uint32_t reg) {
      known.forget(reg);
      stale_[reg] = false;
    });
    editor_.insert(place, std::move(copy));
  }

  // The register holds its number from here on.
  void write_number(std::uint32_t reg, std::uint32_t place, const KnownNumbers& known) {
    if (reg < stale_.size() && stale_[reg]) {
      editor_.insert(place, move_of(reg, *known.of(reg), at(place)));
      stale_[reg] = false;
    }
  }

  // Known sources: as numbers where the second or third source of integer arithmetic is one, else moved to their
  // registers.
  void use_numbers(const Instruction& original, Instruction& copy, std::uint32_t place, const KnownNumbers& known) {
    constexpr std::string_view kWithNumbers[] = {"add", "sub", "mul", "mad", "and", "or", "xor", "shl", "shr", "setp"};
    const bool takes_numbers =
        is_of_integers(original) && std::ranges::find(kWithNumbers, original.opcode) != std::end(kWithNumbers);
    for (std::size_t i = 2; takes_numbers && i < original.operands.size(); ++i) {
      const Operand& operand = original.operands[i];
      const bool plain = operand.kind == Operand::Kind::kRegister && operand.component < 0 && !operand.minus;
      const std::optional<std::uint64_t> bits = plain ? known.of(operand.number) : std::nullopt;
      if (bits) {
        copy.operands[i] = number_operand(*bits, function_.registers[operand.number].type);
      }
    }
    ptx::visit_read_registers(copy, [&](std::uint32_t reg) { write_number(reg, place, known); });
  }

  static Operand number_operand(std::uint64_t bits, ptx::DataType type) {
    // As a reader writes it: with the sign of its type.
    const std::uint32_t unused = 64 - 8 * ptx::bytes_of(type);
    return integer_operand(static_cast<std::int64_t>(bits << unused) >> unused);
  }

  Instruction move_of(std::uint32_t reg, std::uint64_t bits, const Instruction& like) const {
    Instruction move;
    move.opcode = "mov";
    const ptx::DataType type = function_.registers[reg].type;
    const std::uint32_t bytes = ptx::bytes_of(type);  // the register may be one of floats, whose bits are known
    move.modifiers = {bytes == 8 ? "b64" : bytes == 4 ? "b32" : "b16"};
    move.operands.push_back(register_operand(reg));
    move.operands.push_back(number_operand(bits, type));
    place_like(move, like);
    return move;
  }

  ptx::Function& function_;
  RoundCopies copies_;
  BodyEditor editor_;
  std::vector<bool> stale_;  // by register: its number is known, and it does not hold it
};

}  // namespace

void unroll_completely(ptx::Module& module, ptx::Function& function) {
  if (function.body.size() > 1) {
    FullUnroller(module, function).run();
  }
}

}  // namespace warpsim::codegen
