#include "report/report_work.h"

#include "report/query_table.h"
#include "report/report_blob.h"
#include "report/report_document.h"
#include "report/report_queries.h"

namespace warpsim {

using Json = nlohmann::ordered_json;

Json work_json(const Database& database, const std::string& runs, std::vector<std::string>& blobs) {
  Json json = Json::array();
  const QueryTable found =
      read_table(database, "SELECT DISTINCT run_id FROM device_work WHERE " + run_condition(runs) + " ORDER BY 1");
  for (std::size_t row = 0; row < found.rows.size(); ++row) {
    const std::int64_t run = found.integer(row, "run_id");
    const std::string sql =
        "SELECT device, work_index, kind, launch_index, kernel, stream, in_graph, priority, bytes, peer_device,\n"
        "       submitted_us, start_us, end_us, waited_for_work_us, waited_for_queue_us, waited_for_place_us\n"
        "FROM device_timeline WHERE run_id = " +
        std::to_string(run) + " ORDER BY device, start_us, work_index";
    json.push_back({{"run_id", run}, {"blob", blobs.size()}});
    blobs.push_back(deflated(json_text(table_json("Work of the devices", sql, read_table(database, sql)))));
  }
  return json;
}

}  // namespace warpsim
