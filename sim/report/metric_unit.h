// Units as Nsight Compute writes them: one word, or two separated by a slash, each possibly with a prefix ("Kbyte",
// "Gbyte/second", "cycle/nsecond", "us", "Ghz"). Prefixes are powers of 1000, also for bytes: 1024 bytes of shared
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

// `value` in `from` as a value in `to`. Words for counts ("inst", "warp", none) may differ between versions; if bytes,
// times, clocks or percentages differ, nothing is returned.
std::optional<double> converted(double value, const MetricUnit& from, const MetricUnit& to);

// The stored unit of a metric that is not in the catalogue: "byte", "ns", "Hz", "byte/s", otherwise its base.
std::string kept_unit(const MetricUnit& unit);

}  // namespace warpsim
