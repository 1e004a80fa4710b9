#include "codegen/predicate_limit.h"

#include <catch2/catch.hpp>
#include <numeric>

using namespace warpsim;
using namespace warpsim::codegen;

namespace {

// Instructions that make and read predicates, by their numbers; -1: none.
struct Step {
  int made = -1;
  int read = -1;
};

std::vector<std::pair<std::uint32_t, std::uint32_t>> order_of(const std::vector<Step>& steps) {
  SelectedFunction selected;
  for (const Step& step : steps) {
    const auto most = static_cast<std::size_t>(std::max(step.made, step.read) + 1);
    selected.values.resize(std::max(selected.values.size(), most), Value{Value::File::kPredicate});
    MachineInstruction instruction;
    instruction.opcode = step.made >= 0 ? "ISETP.NE.AND" : "BRA";
    if (step.made >= 0) {
      instruction.operands.push_back({.before = {}, .value = static_cast<Number>(step.made)});
    }
    if (step.read >= 0) {
      instruction.guard = {.before = "@", .value = static_cast<Number>(step.read)};
    }
    selected.code.push_back(instruction);
  }
  std::vector<Number> piece(steps.size());
  std::iota(piece.begin(), piece.end(), 0);
  return order_of_predicates(selected, OperandUse(selected), piece);
}

TEST_CASE("predicates that fit the registers may be made in any order") {
  std::vector<Step> steps;
  for (int i = 0; i < 7; ++i) {
    steps.push_back({i, -1});
    steps.push_back({-1, i});
  }
  CHECK(order_of(steps).empty());
}

TEST_CASE("the eighth predicate is made after the last reader of the first") {
  std::vector<Step> steps;
  for (int i = 0; i < 9; ++i) {
    steps.push_back({i, -1});
    steps.push_back({-1, i});
  }
  const auto pairs = order_of(steps);
  // Place 2 i makes predicate i, and place 2 i + 1 reads it.
  CHECK(pairs == std::vector<std::pair<std::uint32_t, std::uint32_t>>{{14, 1}, {16, 3}});
}

TEST_CASE("a predicate that stays live leaves one register less") {
  std::vector<Step> steps{{0, -1}};
  for (int i = 1; i < 8; ++i) {
    steps.push_back({i, -1});
    steps.push_back({-1, i});
  }
  steps.push_back({-1, 0});
  CHECK(order_of(steps) == std::vector<std::pair<std::uint32_t, std::uint32_t>>{{13, 2}});
}

}  // namespace
