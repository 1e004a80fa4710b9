#include "report/provenance.h"

#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/error.h"
#include "config/near_miss.h"
#include "report/query_table.h"
#include "warpsim_version.h"

namespace warpsim {

std::vector<RunFacts> all_runs(const Database& database) {
  const QueryTable table = read_table(
      database, "SELECT run_id, name, source, status, gpu, config_hash, trace_hash, version FROM run ORDER BY run_id");
  std::vector<RunFacts> runs;
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    const auto text = [&table, row](const char* column) { return text_of(table.at(row, column)); };
    runs.push_back({table.integer(row, "run_id"), text("name"), text("source"), text("status"), text("gpu"),
                    text("config_hash"), text("trace_hash"), text("version")});
  }
  return runs;
}

bool matches_pattern(std::string_view text, std::string_view pattern) {
  // The last `*` and its current match: it is extended by one character if the rest does not match.
  std::size_t star = std::string_view::npos;
  std::size_t taken = 0;
  std::size_t at = 0;
  std::size_t place = 0;
  while (at < text.size()) {
    if (place < pattern.size() && pattern[place] == '*') {
      star = place++;
      taken = at;
    } else if (place < pattern.size() && (pattern[place] == '?' || pattern[place] == text[at])) {
      ++place;
      ++at;
    } else if (star != std::string_view::npos) {
      place = star + 1;
      at = ++taken;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', place) == std::string_view::npos;
}

std::vector<RunFacts> runs_named(const Database& database, const std::string& name) {
  std::vector<RunFacts> found;
  std::vector<RunFacts> matching;
  std::vector<std::string> names;
  for (const RunFacts& run : all_runs(database)) {
    names.push_back(run.name);
    if (run.name == name) {
      found.push_back(run);
    } else if (matches_pattern(run.name, name)) {
      matching.push_back(run);
    }
  }
  if (found.empty()) {
    found = std::move(matching);
  }
  if (found.empty()) {
    throw UserError(fmt::format("{}: no run '{}'{}", database.path(), name, did_you_mean(name, names)));
  }
  return found;
}

std::vector<std::string> provenance_lines(const Provenance& provenance) {
  std::vector<std::string> lines = {
      fmt::format("warpsim {}: {} of {}", kVersion, provenance.content, provenance.database)};
  for (const RunFacts& run : provenance.runs) {
    std::string line = fmt::format("run {}: {}, {}, {}", run.name, run.gpu, run.source, run.status);
    line += run.config_hash.empty() ? "" : ", config " + run.config_hash;
    line += run.trace_hash.empty() ? "" : ", trace " + run.trace_hash;
    lines.push_back(line + ", by warpsim " + run.version);
  }
  return lines;
}

nlohmann::ordered_json provenance_json(const Provenance& provenance) {
  nlohmann::ordered_json runs = nlohmann::ordered_json::array();
  const auto text_or_null = [](const std::string& text) {
    return text.empty() ? nlohmann::ordered_json(nullptr) : nlohmann::ordered_json(text);
  };
  for (const RunFacts& run : provenance.runs) {
    runs.push_back({{"run", run.name},
                    {"source", run.source},
                    {"status", run.status},
                    {"gpu", run.gpu},
                    {"config_hash", text_or_null(run.config_hash)},
                    {"trace_hash", text_or_null(run.trace_hash)},
                    {"version", run.version}});
  }
  return {{"warpsim", kVersion}, {"database", provenance.database}, {"content", provenance.content}, {"runs", runs}};
}

}  // namespace warpsim
