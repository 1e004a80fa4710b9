// The Nsight Compute metrics that the simulator reports: name, unit, meaning, and derivation from the counters of a
// launch, as data. A metric that the model cannot produce is listed with the reason instead.
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
  const char* reason;   // why there is no formula; otherwise null
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
  // One value per metric, in the order of metric_definitions().
  std::vector<Value> evaluate(const FormulaInputs& inputs) const;
  // "metric: counter" for every name in a formula that is not an input.
  std::vector<std::string> missing(const FormulaInputs& inputs) const;

 private:
  std::vector<std::optional<MetricFormula>> formulas_;
};

}  // namespace warpsim
