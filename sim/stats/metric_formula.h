// The derivation of a metric from counters: a small expression, stored as text in the database.
//
//     100 * sum(sm.sub_core.stalled_*) / (sum(sm.cycles_active) * launch.max_warps_per_sm)
//
// sum, max and avg of a counter go over all instances of its component, idle ones included; sum also takes all counters
// with a common prefix (sum(sm.sub_core.stalled_*)); count(component) is the number of instances; launch.<name> is an
// attribute of the launch. 0 / 0 is 0; any other division by zero has no value.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "stats/stat_snapshot.h"

namespace warpsim {

struct FormulaInputs {
  const StatSnapshot& stats;
  const std::map<std::string, double>& launch;
};

class MetricFormula {
 public:
  // Formulas are part of the program: one that cannot be parsed is an InternalError.
  explicit MetricFormula(std::string_view text);

  // Nothing if the formula names something that is not an input, or divides by zero.
  std::optional<double> evaluate(const FormulaInputs& inputs) const;
  // Names that are not inputs: "sm.l1.load_sectors", "launch.grid_size".
  std::vector<std::string> missing(const FormulaInputs& inputs) const;

 private:
  friend class FormulaParser;
  enum class Op : std::uint8_t { kNumber, kSum, kMax, kAverage, kCount, kLaunch, kAdd, kSubtract, kMultiply, kDivide };
  struct Step {
    Op op;
    double number;
    std::string name;
  };

  static std::optional<double> leaf(const Step& step, const FormulaInputs& inputs);

  std::vector<Step> steps_;  // postfix
};

}  // namespace warpsim
