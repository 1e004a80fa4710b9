#include "report/report_verdicts.h"

#include <map>
#include <utility>

#include "report/query_table.h"
#include "report/report_queries.h"
#include "report/verdict.h"

namespace warpsim {

namespace {

using Json = nlohmann::ordered_json;
using Key = std::pair<std::int64_t, std::int64_t>;  // run and launch

Key key_of(const QueryTable& table, std::size_t row) {
  return {table.integer(row, "run_id"), table.integer(row, "launch_index")};
}

std::map<Key, LaunchFacts> read_facts(const Database& database, const std::string& runs) {
  std::map<Key, LaunchFacts> facts;
  const QueryTable numbers = read_table(database, launch_facts_sql(runs));
  for (std::size_t row = 0; row < numbers.rows.size(); ++row) {
    LaunchFacts& launch = facts[key_of(numbers, row)];
    for (std::size_t column = 0; column < numbers.columns.size(); ++column) {
      if (const auto value = number_in(numbers.rows[row][column])) {
        launch.values[numbers.columns[column]] = *value;
      }
    }
  }
  const QueryTable stalls = read_table(database, stall_shares_sql(runs));
  for (std::size_t row = 0; row < stalls.rows.size(); ++row) {
    facts[key_of(stalls, row)].stalls.push_back(
        {text_of(stalls.at(row, "reason")), number_in(stalls.at(row, "share_pct")).value_or(0)});
  }
  const QueryTable summary = read_table(
      database,
      "SELECT run_id, launch_index, occupancy_limiter, occupancy_theoretical_pct, status FROM kernel_summary");
  for (std::size_t row = 0; row < summary.rows.size(); ++row) {
    const auto found = facts.find(key_of(summary, row));
    if (found != facts.end()) {
      found->second.occupancy_limiter = text_of(summary.at(row, "occupancy_limiter"));
      found->second.occupancy_possible_pct =
          number_in(summary.at(row, "occupancy_theoretical_pct")).value_or(found->second.occupancy_possible_pct);
      found->second.limited = text_of(summary.at(row, "status")) == "limited";
    }
  }
  return facts;
}

Json finding_json(const Finding& finding) {
  Json json{{"kind", finding.kind}, {"sentence", finding.sentence}, {"advice", finding.advice}};
  json["evidence"] = Json::array();
  for (const Evidence& evidence : finding.evidence) {
    json["evidence"].push_back({{"name", evidence.name}, {"value", evidence.value}, {"text", evidence.text}});
  }
  return json;
}

}  // namespace

Json verdicts_json(const Database& database, const std::string& runs) {
  Json verdicts = Json::array();
  for (const auto& [key, facts] : read_facts(database, runs)) {
    const Verdict verdict = judge(facts);
    Json json{{"run_id", key.first}, {"launch_index", key.second}, {"limiter", finding_json(verdict.limiter)}};
    json["further"] = Json::array();
    for (const Finding& finding : verdict.further) {
      json["further"].push_back(finding_json(finding));
    }
    verdicts.push_back(std::move(json));
  }
  return verdicts;
}

}  // namespace warpsim
