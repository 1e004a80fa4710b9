#include "stats/results_writer.h"

#include <catch2/catch.hpp>

#include "base/error.h"
#include "stats/run_difference.h"
#include "stats/schema.h"
#include "support/machine_results.h"
#include "support/query_text.h"
#include "support/temporary_folder.h"

namespace warpsim {
namespace {

using namespace test;

double metric(const Database& database, const std::string& name) {
  Statement row(database, "SELECT value FROM metrics WHERE run_id = 1 AND launch_index = 0 AND metric = ?");
  row.bind(1, std::string_view(name));
  REQUIRE(row.step());
  REQUIRE_FALSE(row.is_null(0));
  return row.real(0);
}

TEST_CASE("results: metrics equal values derived from counters by hand") {
  const TemporaryFolder folder;
  write_example(folder.at("r.db"));
  const Database database(folder.at("r.db"), Database::Mode::kReadOnly);
  CHECK(metric(database, "gpc__cycles_elapsed.max") == 200);
  CHECK(metric(database, "gpu__time_duration.sum") == 100);
  CHECK(metric(database, "gpc__cycles_elapsed.avg.per_second") == Approx(2e9));
  CHECK(metric(database, "sm__cycles_active.avg") == 50);
  CHECK(metric(database, "sm__cycles_active.max") == 100);
  CHECK(metric(database, "smsp__inst_executed.sum") == 40);
  CHECK(metric(database, "smsp__inst_executed.avg.per_cycle_active") == Approx(0.4));
  CHECK(metric(database, "sm__inst_executed.avg.per_cycle_elapsed") == Approx(40.0 / 2 / 200));
  CHECK(metric(database, "smsp__cycles_active.avg") == 25);
  // 145 warp-cycles in 100 cycles of one SM that holds 8 warps.
  CHECK(metric(database, "sm__warps_active.avg.pct_of_peak_sustained_active") == Approx(100.0 * 145 / 800));
  CHECK(metric(database, "smsp__average_warps_issue_stalled_barrier_per_issue_active.ratio") == Approx(90.0 / 40));
  CHECK(metric(database, "smsp__average_warps_issue_stalled_selected_per_issue_active.ratio") == 1);
  CHECK(metric(database, "launch__waves_per_multiprocessor") == Approx(4.0 / 2));
  CHECK(metric(database, "launch__thread_count") == 512);
}

TEST_CASE("results: each metric appears once per launch, and one without value has a reason") {
  const TemporaryFolder folder;
  write_example(folder.at("r.db"));
  const Database database(folder.at("r.db"), Database::Mode::kReadOnly);
  CHECK(database.integer("SELECT count(*) FROM (SELECT 1 FROM metrics GROUP BY run_id, launch_index, metric "
                         "HAVING count(*) > 1)") == 0);
  CHECK(database.integer("SELECT count(*) FROM metrics WHERE run_id = 1 AND launch_index = 0") ==
        static_cast<std::int64_t>(metric_definitions().size()));
  CHECK(database.integer("SELECT count(*) FROM metrics WHERE source = 'simulated' AND value IS NULL AND metric NOT IN "
                         "(SELECT metric FROM metric_status)") == 0);
  CHECK(database.integer("SELECT count(*) FROM metrics WHERE source = 'simulated' AND value IS NOT NULL AND metric IN "
                         "(SELECT metric FROM metric_status)") == 0);
  CHECK(text(database,
             "SELECT run_name, gpu, launch_index, kernel, value FROM metrics WHERE source = 'hardware' AND "
             "metric = 'gpc__cycles_elapsed.max'") == "a|Real|0|add|180.0\n");
}

TEST_CASE("results: the summary has one readable row per launch") {
  const TemporaryFolder folder;
  write_example(folder.at("r.db"));
  const Database database(folder.at("r.db"), Database::Mode::kReadOnly);
  CHECK(text(database,
             "SELECT name, grid, block, cycles, time_us, instructions, ipc, occupancy_achieved_pct, "
             "occupancy_theoretical_pct, occupancy_limiter, l1_hit_pct, mean_load_latency_cycles, top_stall, status "
             "FROM kernel_summary WHERE run_name = 'a' AND source = 'simulated' AND launch_index = 1") ==
        "add(float*, int)|4 x 1 x 1|64 x 2 x 1|200|0.1|40|0.2|18.125|50.0|registers|25.0|190.0|barrier|complete\n");
  CHECK(database.integer("SELECT count(*) FROM kernel_summary") == 4);
}

TEST_CASE("results: every view calls kernels by their short names, and also has the mangled ones") {
  const TemporaryFolder folder;
  write_example(folder.at("r.db"));
  const Database database(folder.at("r.db"), Database::Mode::kReadOnly);
  Statement views(
      database,
      "SELECT m.name, sum(c.name = 'mangled_kernel') FROM sqlite_master m JOIN pragma_table_info(m.name) c "
      "WHERE m.type = 'view' GROUP BY m.name HAVING sum(c.name IN ('kernel', 'mangled_kernel', 'launch_index'))");
  int found = 0;
  while (views.step()) {
    INFO(views.text(0));
    CHECK(views.integer(1) == 1);
    CHECK(database.integer("SELECT count(*) FROM " + views.text(0) +
                           " v LEFT JOIN kernel k ON k.name = v.mangled_kernel AND k.short_name = v.kernel "
                           "WHERE k.name IS NULL") == 0);
    ++found;
  }
  CHECK(found >= 15);
  CHECK(
      text(database,
           "SELECT kernel, mangled_kernel, name FROM kernel_summary WHERE run_name = 'a' AND source = 'simulated' AND "
           "launch_index = 1") == "add|_Z3addPfi|add(float*, int)\n");
}

TEST_CASE("results: counters are stored in total and per SM, without zeros") {
  const TemporaryFolder folder;
  write_example(folder.at("r.db"));
  const Database database(folder.at("r.db"), Database::Mode::kReadOnly);
  CHECK(text(database,
             "SELECT instance, value, unit, description FROM counters_by_instance WHERE run_id = 1 AND "
             "launch_index = 0 AND name = 'inst_executed'") == "sm[1]|40|inst|warp instructions executed\n");
  CHECK(text(database,
             "SELECT component, value FROM counters WHERE run_id = 1 AND launch_index = 0 AND name = "
             "'cycles_active' ORDER BY 1") == "sm|100\nsm.sub_core|100\n");
  CHECK(database.integer("SELECT count(*) FROM counter_value WHERE value = 0") == 0);
  // Idle ones are still listed by name.
  CHECK(database.integer("SELECT count(*) FROM instance WHERE path LIKE 'sm[_]'") == 2);
}

TEST_CASE("results: latencies are histograms by the place where a load was served") {
  const TemporaryFolder folder;
  write_example(folder.at("r.db"));
  const Database database(folder.at("r.db"), Database::Mode::kReadOnly);
  CHECK(text(database,
             "SELECT served_by, loads, mean_cycles, greatest_cycles FROM load_latency WHERE run_id = 1 AND "
             "launch_index = 0 ORDER BY 1") == "constant|1|30.0|30\ndram|1|640.0|640\nl1|3|40.0|40\n");
  CHECK(text(database,
             "SELECT served_by, lower_bound, upper_bound, loads FROM load_latency_histogram WHERE run_id = 1 "
             "AND launch_index = 0 ORDER BY 1") == "constant|28|31|1\ndram|640|767|1\nl1|40|47|3\n");
  CHECK(text(database,
             "SELECT component, queue, requests, mean_cycles FROM queueing WHERE run_id = 1 AND launch_index "
             "= 0") == "sm.lsu|queueing|4|0.0\n");
}

TEST_CASE("results: a run is incomplete until it is finished") {
  const TemporaryFolder folder;
  const std::string path = folder.at("r.db");
  const Machine machine;
  ResultsWriter writer(path);
  const std::vector<std::int64_t> ids = writer.begin_runs({run_record("a")}, false);
  writer.add_launch(ids[0], launch_record(0), machine.root);
  // Read by another process while it is written.
  const Database reader(path, Database::Mode::kReadOnly);
  CHECK(text(reader, "SELECT status FROM run") == "incomplete\n");
  CHECK(reader.integer("SELECT count(*) FROM kernel_summary") == 1);
  writer.finish_run(ids[0], RunStatus::kComplete, {}, 1.0);
  CHECK(text(reader, "SELECT status FROM run") == "complete\n");
}

TEST_CASE("results: status, notes, origins and the invocation are stored") {
  const TemporaryFolder folder;
  write_example(folder.at("r.db"));
  const Database database(folder.at("r.db"), Database::Mode::kReadOnly);
  CHECK(text(database, "SELECT name, source, status FROM run ORDER BY run_id") ==
        "a|simulated|complete\nb|simulated|limited\na|hardware|complete\n");
  CHECK(text(database, "SELECT path, value, origin FROM config WHERE run_id = 1") ==
        "l2.num_ways|24|--set\nname|Tiny|tiny.yaml:1\n");
  CHECK(text(database, "SELECT note FROM run_note") == "no SASS listing\n");
  CHECK(text(database, "SELECT command FROM run_host WHERE run_id = 2") == "warpsim run b\n");
  CHECK(database.integer("PRAGMA user_version") == kSchemaVersion);
  CHECK(text(database, "PRAGMA foreign_key_check").empty());
  CHECK_FALSE(std::filesystem::exists(folder.at("r.db-wal")));
}

TEST_CASE("results: runs are appended, a known name is refused or replaced") {
  const TemporaryFolder folder;
  const std::string path = folder.at("r.db");
  write_example(path);
  {
    ResultsWriter writer(path);
    CHECK_THROWS_WITH(writer.begin_runs({run_record("c"), run_record("a")}, false),
                      path +
                          ": already holds a run named 'a' (complete); give --replace to replace it, --name to store "
                          "the new one under another name, or another --out");
    CHECK(writer.begin_runs({run_record("c")}, false) == std::vector<std::int64_t>{4});
    writer.begin_runs({run_record("a")}, true);
  }
  const Database database(path, Database::Mode::kReadOnly);
  CHECK(text(database, "SELECT name, source, status FROM run ORDER BY name, source") ==
        "a|hardware|complete\na|simulated|incomplete\nb|simulated|limited\nc|simulated|incomplete\n");
  // Nothing of the replaced run is left.
  CHECK(text(database, "SELECT DISTINCT run_id FROM metric_value ORDER BY 1") == "2\n3\n");
  CHECK(text(database, "SELECT DISTINCT run_id FROM counter_value ORDER BY 1") == "2\n");
}

TEST_CASE("results: other files and other schema versions are refused") {
  const TemporaryFolder folder;
  const std::string other = folder.write("notes.txt", std::string(2000, 'x'));
  CHECK_THROWS_WITH(ResultsWriter(other), other + ": not a warpsim results database");
  const std::string foreign = folder.at("foreign.db");
  Database(foreign, Database::Mode::kCreate).execute("CREATE TABLE t (x)");
  CHECK_THROWS_WITH(ResultsWriter(foreign), foreign + ": not a warpsim results database");
  const std::string newer = folder.at("newer.db");
  write_example(newer);
  Database(newer, Database::Mode::kReadWrite).execute("PRAGMA user_version = 9");
  CHECK_THROWS_WITH(ResultsWriter(newer), newer +
                                              ": results database of schema version 9; this warpsim reads and "
                                              "writes version " +
                                              std::to_string(kSchemaVersion));
  const std::string nowhere = folder.at("no/such/folder.db");
  CHECK_THROWS_WITH(ResultsWriter(nowhere),
                    nowhere + ": cannot be written: there is no folder " + folder.at("no/such"));
}

TEST_CASE("results: a full disk is a database error") {
  if (!std::filesystem::exists("/dev/full")) {
    WARN("skipped: there is no /dev/full");
    return;
  }
  CHECK_THROWS_AS(ResultsWriter("/dev/full"), DatabaseError);
}

TEST_CASE("results: the work of a device is stored once, with its waits") {
  const TemporaryFolder folder;
  const Machine machine;
  ResultsWriter writer(folder.at("r.db"));
  const std::int64_t id = writer.begin_runs({run_record("a")}, false).front();
  writer.add_launch(id, launch_record(0), machine.root);
  WorkRecord kernel;
  kernel.number = 1;
  kernel.kind = "kernel";
  kernel.stream = 3;
  kernel.launch_index = 0;
  kernel.start_ns = 2000;
  kernel.end_ns = 5000;
  WorkRecord copy;
  copy.number = 2;
  copy.kind = "copy to host";
  copy.stream = 3;
  copy.bytes = 64;
  copy.start_ns = 5000;
  copy.end_ns = 6000;
  copy.waited_for_work_ns = 4000;
  for (int i = 0; i < 2; ++i) {
    writer.add_work(id, {kernel, copy});  // a run that is continued stores its work again
  }
  const Database database(folder.at("r.db"), Database::Mode::kReadOnly);
  CHECK(text(database, "SELECT kind, launch_index, bytes, time_us, waited_for_work_us FROM device_timeline") ==
        "kernel|0|0|3.0|0.0\ncopy to host||64|1.0|4.0\n");
  CHECK(text(database, "SELECT stream, kernels, copies, bytes, kernel_us, copy_us, last_end_us FROM streams") ==
        "3|1|1|64|3.0|1.0|6.0\n");
}

TEST_CASE("results: a run has a row for each of its GPUs, and values that differ from the first one's") {
  const TemporaryFolder folder;
  RunRecord run = run_record("two");
  run.further_devices = {{"Tiny", "tiny.yaml", "0123", run.config},
                         {"Other", "other.yaml", "89ab", {{"name", "Other", "other.yaml:1"}, {"x", "1", "--set"}}}};
  ResultsWriter writer(folder.at("r.db"));
  writer.begin_runs({run, run_record("one")}, false);
  const Database database(folder.at("r.db"), Database::Mode::kReadOnly);
  CHECK(text(database, "SELECT name, gpu, length(config_hash) FROM run ORDER BY run_id") ==
        "two|Tiny + Tiny + Other|16\none|Tiny|4\n");
  CHECK(text(database,
             "SELECT r.name, d.device, d.gpu, d.config_file, d.config_hash FROM device d JOIN run r USING "
             "(run_id) ORDER BY 1, 2") ==
        "one|0|Tiny|tiny.yaml|0123\ntwo|0|Tiny|tiny.yaml|0123\ntwo|1|Tiny|tiny.yaml|0123\n"
        "two|2|Other|other.yaml|89ab\n");
  CHECK(text(database, "SELECT device, path, value, origin FROM device_config ORDER BY 1, 2") ==
        "2|l2.num_ways||\n2|name|Other|other.yaml:1\n2|x|1|--set\n");
  run.further_devices.pop_back();
  CHECK(machine_name(run) == "2 x Tiny");
  CHECK(run_difference(database, 1, run).find("the GPU description differs (GPU 2: stored Other, now none; ") !=
        std::string::npos);
}

TEST_CASE("results: work and launches belong to the devices of a run") {
  const TemporaryFolder folder;
  const Machine machine;
  RunRecord run = run_record("two");
  run.further_devices = {{"Other", "other.yaml", "89ab", {}}};
  ResultsWriter writer(folder.at("r.db"));
  const std::int64_t id = writer.begin_runs({run}, false).front();
  writer.add_launch(id, launch_record(0), machine.root);
  LaunchRecord second = launch_record(1);
  second.device = 1;
  writer.add_launch(id, second, machine.root);
  WorkRecord copy;  // both devices number their work from 1
  copy.number = 1;
  copy.kind = "copy between devices";
  copy.stream = 5;
  copy.bytes = 64;
  copy.peer_device = 1;
  copy.end_ns = 1000;
  WorkRecord kernel;
  kernel.device = 1;
  kernel.number = 1;
  kernel.kind = "kernel";
  kernel.stream = 5;
  kernel.launch_index = 1;
  kernel.start_ns = 1000;
  kernel.end_ns = 3000;
  writer.add_work(id, {copy, kernel});
  const Database database(folder.at("r.db"), Database::Mode::kReadOnly);
  CHECK(text(database,
             "SELECT device, gpu, work_index, kind, launch_index, peer_device FROM device_timeline ORDER BY 1") ==
        "0|Tiny|1|copy between devices||1\n1|Other|1|kernel|1|\n");
  CHECK(text(database, "SELECT device, gpu, stream, kernels, copies, kernel_us, copy_us FROM streams ORDER BY 1") ==
        "0|Tiny|5|0|1||1.0\n1|Other|5|1|0|2.0|\n");
  for (const char* view : {"kernel_summary", "comparison"}) {
    CHECK(text(database, std::string("SELECT launch_index, device, gpu FROM ") + view + " ORDER BY 1") ==
          "0|0|Tiny\n1|1|Other\n");
  }
  CHECK(text(database, "SELECT DISTINCT launch_index, gpu FROM metrics ORDER BY 1") == "0|Tiny\n1|Other\n");
}

TEST_CASE("results: the order in which parallel runs finish has no effect") {
  const TemporaryFolder folder;
  const Machine machine;
  const auto write = [&](const std::string& path, bool reversed) {
    ResultsWriter writer(path);
    const std::vector<std::int64_t> ids = writer.begin_runs({run_record("a"), run_record("b")}, false);
    for (const std::size_t i : reversed ? std::vector<std::size_t>{1, 0} : std::vector<std::size_t>{0, 1}) {
      writer.add_launch(ids[i], launch_record(0), machine.root);
      writer.finish_run(ids[i], RunStatus::kComplete, {}, 1.0);
    }
  };
  write(folder.at("x.db"), false);
  write(folder.at("y.db"), true);
  const Database x(folder.at("x.db"), Database::Mode::kReadOnly);
  const Database y(folder.at("y.db"), Database::Mode::kReadOnly);
  Statement tables(x, "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '%host'");
  int compared = 0;
  while (tables.step()) {
    const std::string all = "SELECT * FROM " + tables.text(0);
    CHECK(text(x, all) == text(y, all));
    ++compared;
  }
  CHECK(compared == 31);
}

TEST_CASE("metrics.md is what warpsim metric-reference prints") {
  const bool same = TemporaryFolder::read(WARPSIM_SOURCE_DIR "/docs/metrics.md") == metric_reference();
  INFO("update it with: warpsim metric-reference > docs/metrics.md");
  CHECK(same);
}

}  // namespace
}  // namespace warpsim
