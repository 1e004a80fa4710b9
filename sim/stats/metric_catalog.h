// Nsight Compute's metrics as far as the simulator reports them: name, unit, meaning, and how each follows from the
// counters of a launch, as data. A metric that the model cannot produce is listed with the reason instead.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "stats/metric_formula.h"

namespace warpsim {

struct MetricDefinition {
  const char* name;
  const char* unit;
  const char* description;
  const char* formula;  // stats/metric_formula.h; null: not available
  const char* reason;   // why not; null if there is a formula
};

std::span<const MetricDefinition> metric_definitions();

// docs/metrics.md: every metric with unit, meaning and derivation.
std::string metric_reference();

class MetricCatalog {
 public:
  MetricCatalog();

  struct Value {
    const MetricDefinition* definition;
    std::optional<double> value;
    std::string reason;  // why there is none; empty if there is, or if only this launch has none (division by zero)
  };
  // One value a metric, in the order of metric_definitions().
  std::vector<Value> evaluate(const FormulaInputs& inputs) const;
  // "metric: counter" for every name in a formula that the inputs lack.
  std::vector<std::string> missing(const FormulaInputs& inputs) const;

 private:
  std::vector<std::optional<MetricFormula>> formulas_;
};

}  // namespace warpsim
