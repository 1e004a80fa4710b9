// The program as a user sees it: started as a process, judged by its output, exit code and database.
#include <sys/wait.h>

#include <catch2/catch.hpp>
#include <chrono>
#include <csignal>
#include <thread>

#include "config/config_document.h"
#include "config/config_tree.h"
#include "core/machine/launch_record.h"
#include "core/machine/machine.h"
#include "stats/database.h"
#include "stats/metric_catalog.h"
#include "stats/results_writer.h"
#include "stats/schema.h"
#include "support/build_paths.h"
#include "support/query_text.h"
#include "support/stored_runs.h"
#include "support/temporary_folder.h"
#include "support/warpsim_process.h"
#include "support/words.h"
#include "unit/frontend/accelsim_text.h"

namespace warpsim {
namespace {

using test::squeezed;

const std::string kTinyGpu = WARPSIM_SOURCE_DIR "/configs/test_tiny.yaml";

// A workload of `launches` launches of one small kernel.
void write_workload(const TemporaryFolder& folder, const std::string& name, int launches) {
  std::string list;
  for (int i = 0; i < launches; ++i) {
    const std::string file = "kernel-" + std::to_string(i) + ".traceg";
    folder.write(name + "/" + file, test::tiny_trace());
    list += file + "\n";
  }
  folder.write(name + "/kernelslist.g", list);
}

std::string rows(const std::string& database, const std::string& sql) {
  return test::text(Database(database, Database::Mode::kReadOnly), sql);
}

// Everything except host times and command lines.
std::string content(const std::string& database) {
  std::string all;
  std::istringstream tables(
      rows(database, "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '%host' ORDER BY 1"));
  std::string table;
  while (std::getline(tables, table)) {
    all += table + "\n" + rows(database, "SELECT * FROM " + table);
  }
  return all;
}

TEST_CASE("program: help, version and unknown words") {
  CHECK(warpsim("--help").code == 0);
  CHECK(warpsim("").output.find("usage: warpsim COMMAND") != std::string::npos);
  CHECK(warpsim("run --help").output.find("usage: warpsim run TRACE...") == 0);
  const Outcome version = warpsim("--version");
  CHECK(version.code == 0);
  CHECK(version.output.find("statistics schema " + std::to_string(kSchemaVersion) + ", build ") != std::string::npos);
  const Outcome unknown = warpsim("rnu");
  CHECK(unknown.code == 2);
  CHECK(unknown.output == "warpsim: error: unknown command 'rnu'; did you mean 'run'? (see 'warpsim --help')\n");
}

TEST_CASE("program: the shipped GPUs are found by name") {
  const Outcome gpus = warpsim("gpus");
  CHECK(gpus.code == 0);
  CHECK(gpus.output.find("test_tiny") != std::string::npos);
  const Outcome wrong = warpsim("run x --gpu test_tniy --out r.db");
  CHECK(wrong.code == 2);
  CHECK(wrong.output ==
        "warpsim: error: --gpu 'test_tniy': neither a file nor the name of a shipped description; did you mean "
        "'test_tiny'? (see 'warpsim gpus')\n");
}

TEST_CASE("program: a run writes its database and prints a summary with its name") {
  const TemporaryFolder folder;
  write_workload(folder, "twice", 2);
  const std::string out = folder.at("r.db");
  const Outcome run = warpsim("run " + folder.at("twice") + " --gpu test_tiny --out " + out);
  CHECK(run.code == 0);
  CHECK(run.output.find("2 launches of 1 run") != std::string::npos);
  CHECK(run.output.find(out) != std::string::npos);
  CHECK(run.output.find('\r') == std::string::npos);  // no progress bar in a pipe
  CHECK(rows(out, "SELECT name, status FROM run") == "twice|complete\n");
  CHECK(rows(out, "SELECT launch_index, value FROM metrics WHERE metric = 'smsp__inst_executed.sum'") ==
        "0|5.0\n1|5.0\n");
  CHECK(rows(out, "SELECT count(*) FROM kernel_summary WHERE cycles > 0 AND occupancy_theoretical_pct > 0") == "2\n");
  // Launches shorter than the host's 1000 ns to submit one.
  CHECK(rows(out,
             "SELECT count(*) FROM launch_attribute a JOIN launch l USING (run_id, launch_index) WHERE "
             "a.name = 'queue_end_ns' AND a.value = 1000 * (l.launch_index + 1) + l.duration_ns") == "2\n");
}

TEST_CASE("program: the database does not depend on jobs, on skipping, or on when it was written") {
  const TemporaryFolder folder;
  std::string traces;
  for (const char* name : {"a", "b", "c", "d"}) {
    write_workload(folder, name, 3);
    traces += folder.at(name) + " ";
  }
  const auto run = [&](const std::string& options) {
    const std::string out = folder.at("r" + std::to_string(std::hash<std::string>{}(options)) + ".db");
    REQUIRE(warpsim("run " + traces + "--gpu test_tiny --out " + out + " " + options).code == 0);
    return content(out);
  };
  const std::string reference = run("");
  CHECK(reference.find("smsp__inst_executed.sum") != std::string::npos);
  CHECK((run("--jobs 4") == reference));
  CHECK((run("--no-skip") == reference));
  CHECK((run("--progress never") == reference));
}

TEST_CASE("program: launches are selected by their index in the whole trace") {
  const TemporaryFolder folder;
  write_workload(folder, "w", 5);
  const std::string out = folder.at("r.db");
  REQUIRE(warpsim("run " + folder.at("w") + " --gpu test_tiny --launches 1,3-4 --out " + out).code == 0);
  CHECK(rows(out, "SELECT launch_index FROM launch") == "1\n3\n4\n");
  const Outcome wrong = warpsim("run " + folder.at("w") + " --gpu test_tiny --launches 5 --out " + folder.at("s.db"));
  CHECK(wrong.code == 2);
  CHECK(wrong.output == "warpsim: error: --launches 5: the trace w has only 5 launches, counted from 0\n");
}

TEST_CASE("program: a cycle limit ends with its own exit code and status") {
  const TemporaryFolder folder;
  write_workload(folder, "w", 2);
  const std::string out = folder.at("r.db");
  CHECK(warpsim("run " + folder.at("w") + " --gpu test_tiny --max-cycles 1 --out " + out).code == 3);
  CHECK(rows(out, "SELECT status FROM run") == "limited\n");
  CHECK(rows(out, "SELECT launch_index, status FROM launch") == "0|limited\n");
}

TEST_CASE("program: errors are found before any work and leave no database") {
  const TemporaryFolder folder;
  write_workload(folder, "w", 1);
  write_workload(folder, "x/w", 1);
  const std::string out = folder.at("r.db");
  const std::string to = " --gpu test_tiny --out " + out;
  CHECK(warpsim("run " + folder.at("w") + " " + folder.at("x/w") + to).output ==
        "warpsim: error: two runs would be named 'w': " + folder.at("w") + " and " + folder.at("x/w") +
            "; run one of them separately with --name\n");
  CHECK(warpsim("run " + folder.at("nowhere") + to).code == 2);
  const Outcome config = warpsim("run " + folder.at("w") + to + " --set clocks.core_mzh=3 --set nmae=x");
  CHECK(config.code == 2);
  CHECK(config.output ==
        "warpsim: error: --set clocks.core_mzh=3: unknown key 'clocks.core_mzh'; did you mean 'core_mhz'?\n"
        "warpsim: error: --set nmae=x: unknown key 'nmae'; did you mean 'name'?\n");
  CHECK_FALSE(std::filesystem::exists(out));
}

TEST_CASE("program: a trace that is found broken during the run leaves an incomplete run") {
  const TemporaryFolder folder;
  write_workload(folder, "w", 2);
  folder.write("w/kernel-1.traceg", test::accelsim_header() + "#BEGIN_TB\n\nthread block = 0,0,0\n\nwarp = 0\ninsts");
  const std::string out = folder.at("r.db");
  const Outcome run = warpsim("run " + folder.at("w") + " --gpu test_tiny --out " + out);
  CHECK(run.code == 2);
  CHECK(run.output.find("kernel-1.traceg") != std::string::npos);
  CHECK(rows(out, "SELECT status FROM run") == "incomplete\n");
}

TEST_CASE("program: a killed run is incomplete and its finished launches are readable") {
  const TemporaryFolder folder;
  write_workload(folder, "w", 4000);
  const std::string out = folder.at("r.db");
  const std::string trace = folder.at("w");
  const pid_t child = fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    freopen("/dev/null", "w", stdout);
    execl(test::warpsim_binary(), "warpsim", "run", trace.c_str(), "--gpu", "test_tiny", "--out", out.c_str(), nullptr);
    _exit(127);
  }
  for (int i = 0; i < 6000 && test::launches_in(out) == 0; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  kill(child, SIGKILL);
  int status = 0;
  waitpid(child, &status, 0);
  REQUIRE(WIFSIGNALED(status));
  CHECK(rows(out, "SELECT status FROM run") == "incomplete\n");
  CHECK(test::launches_in(out) > 0);
  CHECK(rows(out, "PRAGMA integrity_check") == "ok\n");
}

TEST_CASE("program: an output that cannot be written is an error") {
  const TemporaryFolder folder;
  write_workload(folder, "w", 1);
  const Outcome run = warpsim("run " + folder.at("w") + " --gpu test_tiny --out " + folder.at("no/such/r.db"));
  CHECK(run.code == 2);
  CHECK(run.output == "warpsim: error: " + folder.at("no/such/r.db") + ": cannot be written: there is no folder " +
                          folder.at("no/such") + "\n");
}

TEST_CASE("program: info and convert") {
  const TemporaryFolder folder;
  write_workload(folder, "w", 1);
  const Outcome info = warpsim("info " + folder.at("w"));
  CHECK(info.code == 0);
  CHECK(info.output.find("w: 1 kernel launch, 0 copies to the device") != std::string::npos);
  CHECK(squeezed(info.output).find(" total 1 1 5 103 0 2 4 0 0") != std::string::npos);
  REQUIRE(warpsim("convert " + folder.at("w") + " " + folder.at("w.wtrace")).code == 0);
  CHECK(squeezed(warpsim("info " + folder.at("w.wtrace")).output).find(" total 1 1 5 103 0 2 4 0 0") !=
        std::string::npos);
}

TEST_CASE("metrics: every counter that a formula names exists in the whole machine") {
  const auto config = ConfigTree::load(kTinyGpu, {}).read<GpuConfig>();
  Machine gpu(config, {});
  const StatSnapshot snapshot(gpu.stats());
  const std::map<std::string, double> launch = formula_inputs(make_launch_record({}, {}, config));
  const std::vector<std::string> missing = MetricCatalog().missing({snapshot, launch});
  CHECK(missing == std::vector<std::string>{});
}

TEST_CASE("config-reference.md is what warpsim config-reference prints") {
  const bool same =
      TemporaryFolder::read(WARPSIM_SOURCE_DIR "/docs/config-reference.md") == config_reference<GpuConfig>();
  INFO("update it with: warpsim config-reference > docs/config-reference.md");
  CHECK(same);
}

}  // namespace
}  // namespace warpsim
