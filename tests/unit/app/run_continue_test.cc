// `warpsim run` that was interrupted: the same command continues, and stores the same as an uninterrupted run.
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <chrono>
#include <csignal>
#include <thread>

#include "base/error.h"
#include "support/build_paths.h"
#include "support/program.h"
#include "support/stored_runs.h"

namespace warpsim {
namespace {

using Catch::Matchers::Contains;
using test::cut_run;
using test::launches_in;
using test::ProgramOutcome;
using test::run_program;
using test::stored_content;
using test::stored_rows;
using test::write_launches;

// Runs `command` completely into one database; into another one with a process that is killed after the launches below
// `launches`, and again. Returns the standard error of the last process; both databases must be equal.
std::string continued(const std::string& command, int launches) {
  const TemporaryFolder folder;
  const std::string whole = folder.at("whole.db");
  const std::string cut = folder.at("cut.db");
  REQUIRE(run_program(command + " --out " + whole).code == 0);
  REQUIRE(run_program(command + " --out " + cut).code == 0);
  cut_run(cut, launches);
  REQUIRE(stored_content(cut) != stored_content(whole));
  // Stored launches keep the host's time; simulated ones get a new one.
  Database(cut, Database::Mode::kReadWrite).execute("UPDATE launch_host SET seconds = 1e6");
  const std::string kept = stored_rows(cut, "SELECT launch_index FROM launch");
  const ProgramOutcome outcome = run_program(command + " --out " + cut);
  CHECK(outcome.code == 0);
  CHECK((stored_content(cut) == stored_content(whole)));
  CHECK(stored_rows(cut, "SELECT launch_index FROM launch_host WHERE seconds = 1e6") == kept);
  return outcome.err;
}

TEST_CASE("run: the same command continues a run and simulates the missing launches") {
  const TemporaryFolder folder;
  const std::string trace = write_launches(folder, "w", 5);
  CHECK_THAT(continued("run " + trace + " --gpu test_tiny", 2),
             Contains("warpsim: run 'w' is continued: 2 launches of it are stored in "));
  CHECK_THAT(continued("run " + trace + " --gpu test_tiny", 1), Contains("1 launch of it is stored in "));
  // All launches are stored, only the end of the run is missing; or nothing is stored.
  continued("run " + trace + " --gpu test_tiny", 5);
  CHECK(continued("run " + trace + " --gpu test_tiny", 0).empty());
  continued("run " + trace + " --gpu test_tiny --launches 1,3-4", 4);
}

TEST_CASE("run: a run with time series and hot spots is continued with them") {
  const TemporaryFolder folder;
  const std::string trace = write_launches(folder, "w", 4);
  continued("run " + trace + " --gpu test_tiny --sample-interval 20 --hot-spots", 2);
}

TEST_CASE("run: launches that depend on the caches of earlier ones are simulated after those") {
  const TemporaryFolder folder;
  const std::string trace = write_launches(folder, "w", 4);
  const std::string command = "run " + trace + " --gpu test_tiny --cache-control none";
  CHECK_THAT(continued(command, 2), Contains("they are simulated again without being stored, since later launches "
                                             "depend on the cache content after them"));
  // With kept caches the second launch is faster than the first: it cannot be simulated separately.
  const std::string out = folder.at("r.db");
  REQUIRE(run_program(command + " --out " + out).code == 0);
  CHECK(stored_rows(out,
                    "SELECT (SELECT elapsed_cycles FROM launch WHERE launch_index = 1) < "
                    "(SELECT elapsed_cycles FROM launch WHERE launch_index = 0)") == "1\n");
  // The stored launches were simulated differently.
  cut_run(out, 2);
  Database(out, Database::Mode::kReadWrite).execute("UPDATE launch SET elapsed_cycles = 7 WHERE launch_index = 1");
  const ProgramOutcome wrong = run_program(command + " --out " + out);
  CHECK(wrong.code == 2);
  CHECK_THAT(wrong.err, Contains("launch 1 takes ") && Contains(" cycles, but 7 are stored") && Contains("--replace"));
  CHECK(stored_rows(out, "SELECT count(*) FROM launch") == "2\n");
}

TEST_CASE("run: notes on replaced instructions also count those of stored launches") {
  const TemporaryFolder folder;
  const std::string trace = write_launches(folder, "w", 3);
  continued("run " + trace + " --gpu gtx480", 1);
  const std::string out = folder.at("r.db");
  REQUIRE(run_program("run " + trace + " --gpu gtx480 --out " + out).code == 0);
  // Five instructions per launch.
  CHECK_THAT(stored_rows(out, "SELECT note FROM run_note"), Contains("of 15 warp instructions"));
}

TEST_CASE("run: a launch does not depend on previous ones if caches are emptied") {
  const TemporaryFolder folder;
  const std::string trace = write_launches(folder, "w", 3);
  const std::string all = folder.at("all.db");
  const std::string last = folder.at("last.db");
  REQUIRE(run_program("run " + trace + " --gpu test_tiny --out " + all).code == 0);
  REQUIRE(run_program("run " + trace + " --gpu test_tiny --launches 2 --out " + last).code == 0);
  for (const char* table : {"counter_value", "histogram_bucket", "metric_value"}) {
    const std::string sql = std::string("SELECT * FROM ") + table + " WHERE launch_index = 2";
    CHECK(stored_rows(all, sql) == stored_rows(last, sql));
    CHECK_FALSE(stored_rows(last, sql).empty());
  }
  CHECK(stored_rows(all,
                    "SELECT l.start_cycle - (SELECT sum(b.elapsed_cycles) FROM launch b WHERE b.launch_index < "
                    "l.launch_index) FROM launch l WHERE l.launch_index > 0") == "1\n2\n");
}

TEST_CASE("run: a finished run is not simulated again, and another command is refused with the differences") {
  const TemporaryFolder folder;
  const std::string trace = write_launches(folder, "w", 3);
  const std::string out = folder.at("r.db");
  const std::string command = "run " + trace + " --gpu test_tiny --out " + out;
  REQUIRE(run_program(command).code == 0);
  Database(out, Database::Mode::kReadWrite).execute("UPDATE launch_host SET seconds = 1e6");
  const ProgramOutcome again = run_program(command + " --jobs 2 --no-skip");
  CHECK(again.code == 0);
  CHECK(again.err == "warpsim: run 'w' is finished in " + out + "; --replace simulates it again\n");
  CHECK_THAT(again.out, Contains("3 launches of 1 run") && Contains("(3 of the launches were stored before)"));
  CHECK(stored_rows(out, "SELECT count(*) FROM launch_host WHERE seconds = 1e6") == "3\n");

  const std::string known =
      "warpsim: error: " + out + ": already holds a run named 'w' (complete) of another command: ";
  const ProgramOutcome slower = run_program(command + " --set clocks.core_mhz=500");
  CHECK(slower.code == 2);
  CHECK_THAT(slower.err, Contains(known + "the GPU description differs (clocks.core_mhz: stored ") &&
                             Contains(", now 500") && Contains("give --replace"));
  CHECK_THAT(run_program(command + " --hot-spots").err,
             Contains("the settings differ (hot_spots: stored none, now 1)"));
  folder.write("w/kernel-0.traceg", test::tiny_trace() + "\n");
  CHECK_THAT(run_program(command).err, Contains("the trace differs (stored: " + trace));
  // --replace takes all of them.
  CHECK(run_program(command + " --replace --launches 0").code == 0);
  CHECK(stored_rows(out, "SELECT name, status, (SELECT count(*) FROM launch) FROM run") == "w|complete|1\n");
}

TEST_CASE("run: finished runs of several traces are kept") {
  const TemporaryFolder folder;
  const std::string traces = write_launches(folder, "a", 2) + " " + write_launches(folder, "b", 3);
  const std::string command = "run " + traces + " --gpu test_tiny --jobs 2 --out ";
  REQUIRE(run_program(command + folder.at("whole.db")).code == 0);
  const std::string out = folder.at("r.db");
  REQUIRE(run_program(command + out).code == 0);
  Database(out, Database::Mode::kReadWrite)
      .execute(
          "PRAGMA foreign_keys = ON; UPDATE launch_host SET seconds = 1e6; "
          "DELETE FROM launch WHERE run_id = 2 AND launch_index > 0; DELETE FROM run_note WHERE run_id = 2;"
          "UPDATE run SET status = 'incomplete' WHERE run_id = 2");
  CHECK(run_program(command + out).code == 0);
  CHECK((stored_content(out) == stored_content(folder.at("whole.db"))));
  CHECK(stored_rows(out, "SELECT run_id, launch_index FROM launch_host WHERE seconds = 1e6") == "1|0\n1|1\n2|0\n");
}

TEST_CASE("compare: the same command continues, and a limited run is finished") {
  const TemporaryFolder folder;
  const std::string trace = write_launches(folder, "w", 3);
  const std::string out = folder.at("r.db");
  const std::string command = "compare " + trace + " --gpu test_tiny --gpu gtx480 --max-cycles 20 --json --out " + out;
  const ProgramOutcome first = run_program(command);
  REQUIRE(first.code == 3);
  CHECK(stored_rows(out, "SELECT status, (SELECT count(*) FROM launch l WHERE l.run_id = r.run_id) FROM run r") ==
        "limited|1\nlimited|1\n");
  Database(out, Database::Mode::kReadWrite)
      .execute(
          "PRAGMA foreign_keys = ON; DELETE FROM launch WHERE run_id = 2; "
          "UPDATE run SET status = 'incomplete' WHERE run_id = 2; UPDATE launch_host SET seconds = 1e6");
  const ProgramOutcome second = run_program(command);
  CHECK(second.code == 3);
  CHECK(second.out == first.out);
  CHECK_THAT(second.err, Contains("run 'w@test_tiny' is finished"));
  CHECK(stored_rows(out, "SELECT run_id FROM launch_host WHERE seconds = 1e6") == "1\n");
}

TEST_CASE("run: the timeline of a stored launch is written without storing it again") {
  const TemporaryFolder folder;
  const std::string trace = write_launches(folder, "w", 3);
  const std::string out = folder.at("r.db");
  const std::string command = "run " + trace + " --gpu test_tiny --out " + out;
  const std::string shown = " --timeline-launch 1 --timeline " + folder.at("t.pftrace");
  REQUIRE(run_program(command + shown).code == 0);
  const std::string content = stored_content(out);
  const std::string timeline = TemporaryFolder::read(folder.at("t.pftrace"));
  REQUIRE_FALSE(timeline.empty());
  std::filesystem::remove(folder.at("t.pftrace"));
  CHECK(run_program(command + shown).code == 0);
  CHECK((TemporaryFolder::read(folder.at("t.pftrace")) == timeline));
  CHECK((stored_content(out) == content));
  cut_run(out, 2);
  std::filesystem::remove(folder.at("t.pftrace"));
  CHECK(run_program(command + shown).code == 0);
  CHECK((TemporaryFolder::read(folder.at("t.pftrace")) == timeline));
  CHECK((stored_content(out) == content));
}

// Starts the program, waits until it has stored some launches, and sends it the signal. Returns its status.
int interrupt(const std::string& trace, const std::string& out, const std::string& output, int signal) {
  const std::int64_t before = launches_in(out);
  const pid_t child = fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    freopen(output.c_str(), "w", stdout);
    freopen("/dev/null", "w", stderr);
    execl(test::warpsim_binary(), "warpsim", "run", trace.c_str(), "--gpu", "test_tiny", "--out", out.c_str(), nullptr);
    _exit(127);
  }
  for (int i = 0; i < 2000 && launches_in(out) < before + 3; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  kill(child, signal);
  int status = 0;
  waitpid(child, &status, 0);
  return status;
}

TEST_CASE("run: after Ctrl-C the message states what is stored and how to continue", "[slow]") {
  const TemporaryFolder folder;
  const std::string trace = write_launches(folder, "w", 1000);
  const std::string out = folder.at("r.db");
  for (const int signal : {SIGINT, SIGTERM, SIGKILL}) {
    const int status = interrupt(trace, out, folder.at("output"), signal);
    const std::string output = TemporaryFolder::read(folder.at("output"));
    if (signal == SIGKILL) {
      CHECK(WIFSIGNALED(status));
    } else {
      REQUIRE(WIFEXITED(status));
      CHECK(WEXITSTATUS(status) == 128 + signal);
      CHECK_THAT(output, Contains("stopped by signal " + std::to_string(signal)) && Contains(out + " holds\n  w: ") &&
                             Contains(" launches so far\nTo continue:\n  warpsim run " + trace));
      CHECK(stored_rows(out, "SELECT count(*) FROM run_writer") == "0\n");
    }
    CHECK(stored_rows(out, "SELECT status FROM run") == "incomplete\n");
    CHECK(stored_rows(out, "PRAGMA integrity_check") == "ok\n");
  }
  const std::string command = "run " + trace + " --gpu test_tiny --out ";
  const ProgramOutcome outcome = run_program(command + out);
  CHECK(outcome.code == 0);
  CHECK_THAT(outcome.err, Contains("warpsim: run 'w' is continued: "));
  REQUIRE(run_program(command + folder.at("whole.db")).code == 0);
  CHECK((stored_content(out) == stored_content(folder.at("whole.db"))));
}

}  // namespace
}  // namespace warpsim
