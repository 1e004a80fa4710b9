#include "report/report_code.h"

#include "report/query_table.h"
#include "report/report_blob.h"
#include "report/report_document.h"
#include "report/report_queries.h"

namespace warpsim {

namespace {

using Json = nlohmann::ordered_json;

Json launch_code(const Database& database, std::int64_t run, std::int64_t launch) {
  const std::string where =
      "WHERE run_id = " + std::to_string(run) + " AND launch_index = " + std::to_string(launch) + "\nORDER BY position";
  const std::string spots =
      "SELECT position, address, text, source_file, source_line, executed, threads_executed, warp_cycles,\n"
      "       stall_cycles, warp_cycles_pct, requests, sectors, sectors_per_request, l1_hit_pct, shared_wavefronts,\n"
      "       shared_conflicts, loads, loads_from_l1, loads_from_l2, loads_from_dram, mean_load_cycles,\n"
      "       greatest_load_cycles\n"
      "FROM hot_spots " +
      where;
  const std::string stalls = "SELECT position, reason, warp_cycles FROM hot_spot_stalls " + where + ", reason";
  const std::string latency =
      "SELECT position, lower_bound, upper_bound, loads FROM hot_spot_latency " + where + ", lower_bound";
  Json json;
  json["spots"] = table_json("Instructions", spots, read_table(database, spots));
  json["stalls"] = table_json("Warp-cycles of instructions by reason", stalls, read_table(database, stalls));
  json["latency"] = table_json("Latency of loads of instructions", latency, read_table(database, latency));
  return json;
}

}  // namespace

Json code_json(const Database& database, const std::string& runs, std::vector<std::string>& blobs) {
  Json json = Json::array();
  const QueryTable launches = read_table(
      database, "SELECT DISTINCT run_id, launch_index FROM hot_spot WHERE " + run_condition(runs) + " ORDER BY 1, 2");
  for (std::size_t row = 0; row < launches.rows.size(); ++row) {
    const std::int64_t run = launches.integer(row, "run_id");
    const std::int64_t launch = launches.integer(row, "launch_index");
    json.push_back({{"run_id", run}, {"launch_index", launch}, {"blob", blobs.size()}});
    blobs.push_back(deflated(json_text(launch_code(database, run, launch))));
  }
  return json;
}

}  // namespace warpsim
