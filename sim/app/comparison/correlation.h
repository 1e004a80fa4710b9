// Errors of simulated values against measured ones. Arithmetic only; app/commands/correlate_command.cc reads and
// prints.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace warpsim {

// How the error of a metric is computed; follows from the metric's name.
enum class MetricKind : std::uint8_t {
  kCount,       // .sum, .avg, .max, .min: relative to the larger of hardware and kSmallCount
  kPercentage,  // .pct...: the difference, in points
  kRatio,       // all else (.ratio, .per_cycle_active, launch__...): relative to hardware
};
MetricKind metric_kind(const std::string& metric);

// Counts below it are noise of the hardware rather than work of the kernel: a relative error has no meaning.
constexpr double kSmallCount = 1000;

// (simulated - hardware) / hardware, / max(hardware, 1000) of counts, / 100 of percentages: 0.1 is 10 % or 10 points.
// Nothing for ratios if hardware is 0.
std::optional<double> error_between(MetricKind kind, double hardware, double simulated);

// One metric of one launch on both sides.
struct ValuePair {
  std::string launch;  // "bfs[2]"
  double hardware = 0;
  double simulated = 0;
};

struct Correlation {
  std::size_t compared = 0;  // pairs with an error
  // Pairs without an error because hardware is 0; those with another simulated value are still wrong.
  std::size_t hardware_zero = 0;
  std::size_t hardware_zero_simulated_not = 0;
  std::optional<double> mean_absolute_error;  // 0.1: ten per cent, or ten points
  std::optional<double> median_absolute_error;
  std::optional<double> p90_absolute_error;
  std::optional<double> mean_error;   // signed: positive if the simulated value is too high
  std::optional<double> pearson;      // of the values, over all pairs
  std::optional<double> log_pearson;  // of their logarithms, over pairs with both above 0
  std::optional<std::size_t> worst;   // the pair with the largest absolute error
  std::optional<double> worst_error;  // its error, with sign
};
Correlation correlate(MetricKind kind, const std::vector<ValuePair>& pairs);

// Pearson's r; nothing for fewer than two points or if one side is constant.
std::optional<double> pearson(const std::vector<double>& x, const std::vector<double>& y);

// The value below which `share` of the values lie, interpolated linearly between the two nearest; `values` not empty.
double percentile(std::vector<double> values, double share);

}  // namespace warpsim
