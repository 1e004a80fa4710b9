// Units as Nsight Compute writes them: a word or two with a slash between, each perhaps with a prefix ("Kbyte",
// "Gbyte/second", "cycle/nsecond", "us", "Ghz"). Prefixes are powers of 1000 for bytes, too: 1024 bytes of shared
// memory are shown as 1.02 Kbyte.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace warpsim {

struct MetricUnit {
  std::string base;  // without prefixes: "byte/second"; a clock is "cycle/second"
  int exponent = 0;  // of 10: "Kbyte" is 3, "ns" -9
};
MetricUnit metric_unit(std::string_view text);

// `value` in `from` as a value in `to`. Words that only count things ("inst", "warp", none) may differ, as versions
// name them differently; bytes, times, clocks and percentages may not: nothing then.
std::optional<double> converted(double value, const MetricUnit& from, const MetricUnit& to);

// The unit in which a metric is kept that the catalogue lacks: "byte", "ns", "Hz", "byte/s", otherwise its base.
std::string kept_unit(const MetricUnit& unit);

}  // namespace warpsim
