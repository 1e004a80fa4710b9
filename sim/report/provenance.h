// The origin of numbers: the runs of an export or a figure, for their metadata.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "stats/database.h"

namespace warpsim {

struct RunFacts {
  std::int64_t run_id = 0;
  std::string name;
  std::string source;  // "simulated" or "hardware"
  std::string status;
  std::string gpu;
  std::string config_hash;  // empty: hardware
  std::string trace_hash;   // empty: hardware
  std::string version;      // of the warpsim that stored it
};

struct Provenance {
  std::string database;  // name of the file, without its folder
  std::string content;   // the request: a view, a query, a kind of figure
  std::vector<RunFacts> runs;
};

// All runs, by run_id.
std::vector<RunFacts> all_runs(const Database& database);
// `*` matches any text, also an empty one, `?` one character; everything else matches itself, because names contain
// brackets.
bool matches_pattern(std::string_view text, std::string_view pattern);
// The runs of this name (at most one simulated and one measured), otherwise those that match it as a pattern. Throws
// UserError with the nearest name if there is none.
std::vector<RunFacts> runs_named(const Database& database, const std::string& name);

// One line per item: "warpsim 0.1.0: kernel_summary of results.db", "run bfs: H200, simulated, complete, config
// 0123...".
std::vector<std::string> provenance_lines(const Provenance& provenance);
nlohmann::ordered_json provenance_json(const Provenance& provenance);

}  // namespace warpsim
