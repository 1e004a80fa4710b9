// `run --streams`, as a user sees it.
#include <catch2/catch.hpp>
#include <string>

#include "stats/database.h"
#include "support/query_text.h"
#include "support/temporary_folder.h"
#include "support/warpsim_process.h"
#include "unit/frontend/accelsim_text.h"

namespace warpsim {
namespace {

// A launch of one small kernel on each of these streams.
void write_streams(const TemporaryFolder& folder, const std::vector<int>& streams) {
  std::string list;
  for (std::size_t i = 0; i < streams.size(); ++i) {
    const std::string key = "-cuda stream id = ";
    std::string text = test::tiny_trace();
    const std::size_t at = text.find(key) + key.size();
    REQUIRE(at > key.size());
    text.replace(at, text.find('\n', at) - at, std::to_string(streams[i]));
    folder.write("w/kernel-" + std::to_string(i) + ".traceg", text);
    list += "kernel-" + std::to_string(i) + ".traceg\n";
  }
  folder.write("w/kernelslist.g", list);
}

std::string rows_of_run(const std::string& database, const std::string& sql) {
  return test::text(Database(database, Database::Mode::kReadOnly), sql);
}

constexpr const char* kOverlaps =
    "SELECT count(*) FROM launch_attribute a JOIN launch_attribute b ON a.launch_index < b.launch_index "
    "WHERE a.name = 'queue_end_ns' AND b.name = 'queue_start_ns' AND b.value < a.value";

}  // namespace

TEST_CASE("program: launches of recorded streams overlap, those of one stream do not") {
  const TemporaryFolder folder;
  write_streams(folder, {3, 4, 3});
  const std::string run = "run " + folder.at("w") + " --gpu test_tiny --set host_calls.launch_ns=20 ";
  const std::string out = folder.at("r.db");
  REQUIRE(warpsim(run + "--streams recorded --out " + out).code == 0);
  CHECK(rows_of_run(out, "SELECT launch_index, stream FROM launch") == "0|3\n1|4\n2|3\n");
  CHECK(rows_of_run(out, "SELECT count(*) FROM device_work WHERE kind = 'kernel'") ==
        rows_of_run(out, "SELECT count(*) FROM launch"));
  CHECK(rows_of_run(out, "SELECT sum(kernels) FROM streams") == rows_of_run(out, "SELECT count(*) FROM launch"));
  CHECK(rows_of_run(out, kOverlaps) != "0\n");
  CHECK(rows_of_run(out, "SELECT value FROM launch_attribute WHERE launch_index = 1 AND name = 'queue_submit_ns'") ==
        "40.0\n");
  CHECK(
      rows_of_run(out,
                  "SELECT b.value >= a.value FROM launch_attribute a, launch_attribute b WHERE a.launch_index = 0 AND "
                  "a.name = 'queue_end_ns' AND b.launch_index = 2 AND b.name = 'queue_start_ns'") == "1\n");
  CHECK(rows_of_run(out, "SELECT name, value FROM run_setting WHERE name = 'streams'") == "streams|recorded\n");
  const std::string serial = folder.at("s.db");
  REQUIRE(warpsim(run + "--streams serial --out " + serial).code == 0);
  CHECK(rows_of_run(serial, "SELECT count(*) FROM launch_attribute WHERE name = 'queue_start_ns'") == "0\n");
}

TEST_CASE("program: a run with recorded streams is continued with equal results") {
  const TemporaryFolder folder;
  write_streams(folder, {1, 2, 1, 2, 0, 1});
  const std::string run = "run " + folder.at("w") + " --gpu test_tiny --streams recorded --cache-control none ";
  const std::string whole = folder.at("whole.db");
  REQUIRE(warpsim(run + "--out " + whole).code == 0);
  const std::string again = folder.at("again.db");
  REQUIRE(warpsim(run + "--out " + again).code == 0);
  Database(again, Database::Mode::kReadWrite)
      .execute(
          "PRAGMA foreign_keys = ON; DELETE FROM launch WHERE launch_index IN (1, 4); UPDATE run SET status = "
          "'incomplete'");
  const Outcome continued = warpsim(run + "--out " + again);
  INFO(continued.output);
  REQUIRE(continued.code == 0);
  const char* const all = "SELECT launch_index, name, value FROM launch_attribute ORDER BY 1, 2";
  CHECK(rows_of_run(again, all) == rows_of_run(whole, all));
}

TEST_CASE("program: --streams is for traces and has two values") {
  CHECK(warpsim("run x --gpu test_tiny --out r.db --streams some").code == 2);
  const Outcome ptx = warpsim("run x.ptx --launch y.yaml --streams recorded");
  CHECK(ptx.code == 2);
  CHECK(ptx.output.find("--streams is for traces") != std::string::npos);
}

}  // namespace warpsim
