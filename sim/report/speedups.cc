#include "report/speedups.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "report/query_table.h"

namespace warpsim {

namespace {

using LaunchKey = std::pair<std::string, std::uint32_t>;  // workload and number

std::map<LaunchKey, double> times_of(const std::vector<TimedLaunch>& launches, const std::string& variant) {
  std::map<LaunchKey, double> times;
  for (const TimedLaunch& launch : launches) {
    if (launch.variant == variant && launch.time_us > 0) {
      times.try_emplace({launch.workload_key, launch.launch_index}, launch.time_us);
    }
  }
  return times;
}

std::vector<WorkloadSpeedup> common_workloads(const std::vector<TimedLaunch>& launches,
                                              const std::map<LaunchKey, double>& baseline,
                                              const std::map<LaunchKey, double>& variant) {
  std::map<std::string, WorkloadSpeedup> by_key;
  for (const auto& [key, time] : variant) {
    if (const auto base = baseline.find(key); base != baseline.end()) {
      WorkloadSpeedup& workload = by_key[key.first];
      ++workload.launches;
      workload.baseline_us += base->second;
      workload.time_us += time;
    }
  }
  std::vector<WorkloadSpeedup> workloads;
  for (const TimedLaunch& launch : launches) {
    if (const auto found = by_key.find(launch.workload_key); found != by_key.end()) {
      found->second.workload_key = launch.workload_key;
      found->second.workload = launch.workload;
      workloads.push_back(found->second);
      by_key.erase(found);
    }
  }
  return workloads;
}

VariantSpeedup summed(const std::string& variant, std::vector<WorkloadSpeedup> workloads) {
  VariantSpeedup result{variant, std::move(workloads), 0, 0};
  double logarithms = 0;
  double baseline_us = 0;
  double time_us = 0;
  for (const WorkloadSpeedup& workload : result.workloads) {
    logarithms += std::log(workload.value());
    baseline_us += workload.baseline_us;
    time_us += workload.time_us;
  }
  result.mean = std::exp(logarithms / static_cast<double>(result.workloads.size()));
  result.of_sum = baseline_us / time_us;
  return result;
}

}  // namespace

std::vector<TimedLaunch> read_timed_launches(const Database& database, const std::string& condition,
                                             const std::string& prefix) {
  const QueryTable table =
      read_table(database,
                 "SELECT coalesce(nullif(r.trace_hash, ''), v.workload) AS workload_key, v.workload AS workload,\n"
                 "       v.variant AS variant, r.name AS run, r.gpu AS gpu, l.launch_index AS launch_index,\n"
                 "       m.value / 1000 AS time_us\n"
                 "FROM variants v JOIN run r ON r.run_id = v.run_id\n"
                 "JOIN launch l ON l.run_id = r.run_id AND l.status = 'complete'\n"
                 "JOIN metric_value m ON m.run_id = l.run_id AND m.launch_index = l.launch_index\n"
                 "                   AND m.metric = 'gpu__time_duration.sum'\n"
                 "WHERE m.value > 0 AND r.run_id IN (SELECT run_id FROM run WHERE " +
                     condition + ") ORDER BY r.run_id, l.launch_index");
  std::vector<TimedLaunch> launches;
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    const auto& row = table.rows[i];
    launches.push_back({text_of(row[0]), text_of(row[1]), prefix + text_of(row[2]), text_of(row[3]), text_of(row[4]),
                        static_cast<std::uint32_t>(table.integer(i, 5)), number_in(row[6]).value_or(0)});
  }
  return launches;
}

std::vector<VariantSpeedup> speedups_over(const std::vector<TimedLaunch>& launches, const std::string& baseline) {
  const std::map<LaunchKey, double> base = times_of(launches, baseline);
  std::vector<std::string> variants;
  for (const TimedLaunch& launch : launches) {
    if (launch.variant != baseline && std::ranges::find(variants, launch.variant) == variants.end()) {
      variants.push_back(launch.variant);
    }
  }
  std::vector<VariantSpeedup> speedups;
  for (const std::string& variant : variants) {
    std::vector<WorkloadSpeedup> workloads = common_workloads(launches, base, times_of(launches, variant));
    if (!workloads.empty()) {
      speedups.push_back(summed(variant, std::move(workloads)));
    }
  }
  return speedups;
}

std::string usual_baseline(const std::vector<TimedLaunch>& launches) {
  std::map<std::string, std::string> first_of;  // variant, by workload
  std::vector<std::string> compared;            // first variants of workloads that others ran as well
  for (const TimedLaunch& launch : launches) {
    const std::string& first = first_of.try_emplace(launch.workload_key, launch.variant).first->second;
    if (first != launch.variant) {
      compared.push_back(first);
    }
  }
  const auto found = std::ranges::find_if(launches, [&compared](const TimedLaunch& launch) {
    return std::ranges::find(compared, launch.variant) != compared.end();
  });
  return found == launches.end() ? std::string() : found->variant;
}

nlohmann::ordered_json speedups_json(const std::vector<TimedLaunch>& launches) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  const std::string baseline = usual_baseline(launches);
  for (const VariantSpeedup& speedup : speedups_over(launches, baseline)) {
    list.push_back({{"baseline", baseline},
                    {"variant", speedup.variant},
                    {"workloads", speedup.workloads.size()},
                    {"geometric_mean", speedup.mean},
                    {"speed_up_of_sum", speedup.of_sum}});
  }
  return list;
}

}  // namespace warpsim
