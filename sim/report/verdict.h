// The limiter of a launch, as a sentence with its evidence, derived by rules from its metrics. The rules find the
// resource that is nearest to its peak; if none is busy, the main stall reason; and always what the author could
// change: blocks, occupancy, coalescing, bank conflicts, divergence, spilled registers. The thresholds are listed in
// docs/report.md. A verdict is a hint based on the numbers that it names, not a measurement.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace warpsim {

// The data of one launch from the queries of report/report_queries.h.
struct LaunchFacts {
  std::map<std::string, double> values;  // columns of launch_facts_sql(); NULL is absent
  std::string occupancy_limiter;         // kernel_summary; empty: unknown
  double occupancy_possible_pct = 100;   // theoretical occupancy
  bool limited = false;                  // stopped at --max-cycles
  struct Stall {
    std::string reason;
    double share_pct = 0;  // of the stall time of warps
  };
  std::vector<Stall> stalls;  // in descending order

  // Nothing if it is absent.
  std::optional<double> value(const std::string& name) const;
  double value_or_zero(const std::string& name) const { return value(name).value_or(0); }
};

// A number that supports a finding; `name` is a column of launch_facts_sql(), or "stall:" and a reason.
struct Evidence {
  std::string name;
  double value = 0;
  std::string text;  // "DRAM 78 % of peak"
};

struct Finding {
  std::string kind;      // "dram", "tail", ...: one word for tables and style
  std::string sentence;  // the finding
  std::string advice;    // possible improvement; may be empty
  std::vector<Evidence> evidence;
};

struct Verdict {
  Finding limiter;               // what limits the launch
  std::vector<Finding> further;  // further findings, most important first
};

Verdict judge(const LaunchFacts& facts);

}  // namespace warpsim
