// What limits a launch, in a sentence with its evidence, by rules over its metrics. The rules look for the resource
// that comes nearest to its peak; where none is busy, for the reason why warps waited; and in any case for what an
// author could change: blocks, occupancy, coalescing, bank conflicts, divergence, spilled registers. The thresholds are
// listed in docs/report.md. A verdict is a hint drawn from numbers that it names, not a measurement.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace warpsim {

// Of one launch, as report/report_queries.h asks for it.
struct LaunchFacts {
  std::map<std::string, double> values;  // columns of launch_facts_sql(); what is NULL is absent
  std::string occupancy_limiter;         // kernel_summary; empty: not known
  double occupancy_possible_pct = 100;   // theoretical occupancy
  bool limited = false;                  // stopped at --max-cycles
  struct Stall {
    std::string reason;
    double share_pct = 0;  // of the time that warps waited
  };
  std::vector<Stall> stalls;  // greatest first

  // Nothing if it is absent.
  std::optional<double> value(const std::string& name) const;
  double value_or_zero(const std::string& name) const { return value(name).value_or(0); }
};

// A number that a finding rests on; `name` is a column of launch_facts_sql(), or "stall:" and a reason.
struct Evidence {
  std::string name;
  double value = 0;
  std::string text;  // "DRAM 78 % of peak"
};

struct Finding {
  std::string kind;      // "dram", "tail", ...: one word for tables and style
  std::string sentence;  // what it is
  std::string advice;    // what could be done; may be empty
  std::vector<Evidence> evidence;
};

struct Verdict {
  Finding limiter;               // what limits the launch
  std::vector<Finding> further;  // what else stands out, gravest first
};

Verdict judge(const LaunchFacts& facts);

}  // namespace warpsim
