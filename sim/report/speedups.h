// Speed-ups of variants over a baseline: the common definition for compare, plot speedup, the report and the views
// `speedups` and `mean_speedups` (stats/schema_variants.h).
//
// The speed-up of a workload is the time of the baseline over the time of the variant, each summed over the launches
// that both completed. The mean speed-up is the geometric mean of the workloads' speed-ups: each workload counts once,
// however many launches it has. Workloads that only one of the two ran are left out.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "stats/database.h"

namespace warpsim {

// One completed launch of a simulated run.
struct TimedLaunch {
  std::string workload_key;  // equal for equal traces and programs, also in other databases
  std::string workload;      // for display
  std::string variant;       // name of the variant; unique
  std::string run;
  std::string gpu;
  std::uint32_t launch_index = 0;
  double time_us = 0;
};

// Of the database's view `variants`, by run and launch. `condition` is SQL about run_id, "1" for all runs; `prefix` is
// prepended to the variants.
std::vector<TimedLaunch> read_timed_launches(const Database& database, const std::string& condition,
                                             const std::string& prefix = "");

struct WorkloadSpeedup {
  std::string workload_key;
  std::string workload;
  std::uint32_t launches = 0;
  double baseline_us = 0;
  double time_us = 0;
  double value() const { return baseline_us / time_us; }
};
struct VariantSpeedup {
  std::string variant;
  std::vector<WorkloadSpeedup> workloads;  // in the order of their first launch
  double mean = 0;                         // geometric, over the workloads
  double of_sum = 0;                       // total time of the baseline over that of the variant
};

// The name of the mean in all outputs.
inline constexpr const char* kMeanSpeedup = "geometric mean over workloads";

// Of all other variants that have a workload in common with the baseline, in the order of their first launch. Of
// several launches with equal variant, workload and number the first counts.
std::vector<VariantSpeedup> speedups_over(const std::vector<TimedLaunch>& launches, const std::string& baseline);

// The first variant that has a workload in common with another; empty if there is none.
std::string usual_baseline(const std::vector<TimedLaunch>& launches);

// All variants relative to the default baseline: [{"baseline", "variant", "workloads", "geometric_mean",
// "speed_up_of_sum"}].
nlohmann::ordered_json speedups_json(const std::vector<TimedLaunch>& launches);

}  // namespace warpsim
