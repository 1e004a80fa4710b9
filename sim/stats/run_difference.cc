#include "stats/run_difference.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>
#include <vector>

#include "warpsim_version.h"

namespace warpsim {

namespace {

using Values = std::map<std::string, std::string>;

Values stored_values(const Database& database, const char* sql, std::int64_t run_id) {
  Values values;
  Statement rows(database, sql);
  rows.bind(1, run_id);
  while (rows.step()) {
    values[rows.text(0)] = rows.text(1);
  }
  return values;
}

std::string or_none(const Values& values, const std::string& name) {
  const auto found = values.find(name);
  return found == values.end() ? "none" : found->second;
}

// "name: stored A, now B" of all that differ, or only of the first ones if there are many.
std::string changes(const Values& stored, const Values& now) {
  constexpr std::size_t kNamed = 4;
  Values all = stored;
  all.insert(now.begin(), now.end());
  std::vector<std::string> texts;
  for (const auto& [name, value] : all) {
    if (or_none(stored, name) != or_none(now, name)) {
      texts.push_back(fmt::format("{}: stored {}, now {}", name, or_none(stored, name), or_none(now, name)));
    }
  }
  if (texts.size() > kNamed) {
    const std::size_t more = texts.size() - kNamed;
    texts.resize(kNamed);
    texts.push_back(fmt::format("and {} more", more));
  }
  return fmt::format("{}", fmt::join(texts, "; "));
}

Values settings_of(const RunRecord& run) {
  Values values = run.settings;
  values["cache_control"] = run.cache_control;
  values["launches"] = run.launches.empty() ? "all" : run.launches;
  if (run.max_cycles) {
    values["max_cycles"] = std::to_string(*run.max_cycles);
  }
  return values;
}

// All values of the first GPU, and those of further ones that differ from it.
constexpr const char* kConfigs =
    "SELECT path, value FROM config WHERE run_id = ?1 "
    "UNION ALL SELECT 'GPU ' || device, gpu FROM device WHERE run_id = ?1 AND device > 0 "
    "UNION ALL SELECT 'GPU ' || device || ' ' || path, coalesce(value, 'none') FROM device_config WHERE run_id = ?1";

Values configs_of(const RunRecord& run) {
  Values values;
  for (const ConfigValue& value : run.config) {
    values[value.path] = value.text;
  }
  for (std::size_t i = 0; i < run.further_devices.size(); ++i) {
    values[fmt::format("GPU {}", i + 1)] = run.further_devices[i].gpu;
  }
  for (const DeviceValue& value : device_values(run)) {
    values[fmt::format("GPU {} {}", value.device, value.path)] = value.value.value_or("none");
  }
  return values;
}

}  // namespace

std::string run_difference(const Database& database, std::int64_t run_id, const RunRecord& run) {
  Statement row(database,
                "SELECT trace, trace_hash, config_hash, cache_control, launches, max_cycles, version, program, build "
                "FROM run LEFT JOIN run_host USING (run_id) WHERE run_id = ?");
  row.bind(1, run_id);
  std::vector<std::string> differences;
  while (row.step()) {
    if (row.text(1) != run.trace_hash) {
      differences.push_back(fmt::format("the trace differs (stored: {}, content {}; now: {}, content {})", row.text(0),
                                        row.text(1), run.trace, run.trace_hash));
    }
    if (row.text(2) != machine_hash(run)) {
      differences.push_back(fmt::format("the GPU description differs ({})",
                                        changes(stored_values(database, kConfigs, run_id), configs_of(run))));
    }
    Values stored = stored_values(database, "SELECT name, value FROM run_setting WHERE run_id = ?", run_id);
    stored["cache_control"] = row.text(3);
    stored["launches"] = row.text(4);
    if (!row.is_null(5)) {
      stored["max_cycles"] = row.text(5);
    }
    if (const std::string settings = changes(stored, settings_of(run)); !settings.empty()) {
      differences.push_back(fmt::format("the settings differ ({})", settings));
    }
    if (row.text(6) != kVersion || row.text(7) != run.program) {
      differences.push_back(fmt::format("another build of warpsim simulated it ({}, {})", row.text(6), row.text(8)));
    }
  }
  return fmt::format("{}", fmt::join(differences, "; "));
}

}  // namespace warpsim
