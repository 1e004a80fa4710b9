#include "stats/run_table.h"

#include <catch2/catch.hpp>
#include <filesystem>

#include "base/error.h"
#include "stats/results_writer.h"
#include "support/machine_results.h"
#include "support/query_text.h"
#include "support/temporary_folder.h"

namespace warpsim {
namespace {

using Catch::Matchers::Contains;
using test::launch_record;
using test::Machine;
using test::run_record;
using test::text;

// Simulates that the processes that write runs were killed.
void end_writers(const std::string& path) {
  Database(path, Database::Mode::kReadWrite).execute("UPDATE run_writer SET started = '0'");
}

// Simulates that they are on another machine.
void move_writers(const std::string& path) {
  Database(path, Database::Mode::kReadWrite)
      .execute("UPDATE run_writer SET host = 'node7', system = 'elsewhere', process = 12");
}

TEST_CASE("runs: a run of a living process is neither replaced nor continued") {
  const TemporaryFolder folder;
  const std::string path = folder.at("r.db");
  const Machine machine;
  ResultsWriter first(path);
  const std::int64_t run = first.begin_runs({run_record("a")}, false).front();
  ResultsWriter second(path);
  const auto is_refused = Contains("run 'a' is being written by process");
  CHECK_THROWS_WITH(second.begin_runs({run_record("a")}, true), is_refused);
  CHECK_THROWS_WITH(second.begin_runs({run_record("a")}, false), is_refused);
  CHECK_THROWS_WITH(second.continue_runs({run_record("a")}), is_refused);
  // Nothing was stored: the other name is still free.
  CHECK_THROWS_WITH(second.begin_runs({run_record("b"), run_record("a")}, true), is_refused);
  CHECK(second.begin_runs({run_record("b")}, false).size() == 1);
  first.add_launch(run, launch_record(0), machine.root);
  first.finish_run(run, RunStatus::kComplete, {}, 1.0);
  CHECK(second.begin_runs({run_record("a")}, true).front() != run);
}

TEST_CASE("runs: a process whose run was replaced stores nothing more") {
  const TemporaryFolder folder;
  const std::string path = folder.at("r.db");
  const Machine machine;
  ResultsWriter first(path);
  const std::int64_t lost = first.begin_runs({run_record("a")}, false).front();
  first.add_launch(lost, launch_record(0), machine.root);
  end_writers(path);
  ResultsWriter second(path);
  const std::int64_t run = second.begin_runs({run_record("a")}, true).front();
  const std::string is_lost =
      path +
      ": the run was replaced or deleted by another process while this one wrote it; what this process simulated is "
      "not stored";
  CHECK_THROWS_WITH(first.add_launch(lost, launch_record(1), machine.root), is_lost);
  CHECK_THROWS_WITH(first.finish_run(lost, RunStatus::kComplete, {}, 1.0), is_lost);
  second.add_launch(run, launch_record(0), machine.root);
  second.finish_run(run, RunStatus::kComplete, {}, 1.0);
  const Database database(path, Database::Mode::kReadOnly);
  CHECK(text(database, "SELECT name, status FROM run") == "a|complete\n");
  CHECK(text(database, "SELECT DISTINCT run_id = " + std::to_string(run) + " FROM launch") == "1\n");
}

TEST_CASE("runs: a process whose run was continued by another one stores nothing more") {
  const TemporaryFolder folder;
  const std::string path = folder.at("r.db");
  const Machine machine;
  ResultsWriter first(path);
  const std::int64_t run = first.begin_runs({run_record("a")}, false).front();
  first.add_launch(run, launch_record(0), machine.root);
  end_writers(path);
  ResultsWriter second(path);
  const BegunRun continued = second.continue_runs({run_record("a")}).front();
  CHECK(continued.run_id == run);
  CHECK(continued.status == RunStatus::kIncomplete);
  REQUIRE(continued.launches.size() == 1);
  CHECK(continued.launches[0].launch_index == 0);
  CHECK(continued.launches[0].elapsed_cycles == launch_record(0).elapsed_cycles);
  CHECK(continued.launches[0].duration_ns == launch_record(0).duration_ns);
  CHECK_THROWS_AS(first.add_launch(run, launch_record(1), machine.root), DatabaseError);
  second.add_launch(run, launch_record(1), machine.root);
  second.finish_run(run, RunStatus::kComplete, {"note"}, 1.0);
  const Database database(path, Database::Mode::kReadOnly);
  CHECK(text(database, "SELECT count(*) FROM launch") == "2\n");
  CHECK(text(database, "SELECT count(*) FROM run_writer") == "0\n");
}

TEST_CASE("runs: a finished run of the same command is unchanged") {
  const TemporaryFolder folder;
  const std::string path = folder.at("r.db");
  const Machine machine;
  ResultsWriter writer(path);
  const std::int64_t run = writer.begin_runs({run_record("a")}, false).front();
  writer.add_launch(run, launch_record(0), machine.root);
  writer.finish_run(run, RunStatus::kLimited, {}, 1.0);
  const BegunRun known = writer.continue_runs({run_record("a")}).front();
  CHECK(known.run_id == run);
  CHECK(known.status == RunStatus::kLimited);
  CHECK(known.launches.size() == 1);
}

TEST_CASE("runs: an unfinished run is free when its writer ends") {
  const TemporaryFolder folder;
  const std::string path = folder.at("r.db");
  {
    ResultsWriter writer(path);
    writer.begin_runs({run_record("a")}, false);
  }
  ResultsWriter writer(path);
  CHECK_THROWS_WITH(writer.begin_runs({run_record("a")}, false),
                    path +
                        ": already holds a run named 'a' (incomplete); give --replace to replace it, --name to store "
                        "the new one under another name, or another --out");
  CHECK(writer.continue_runs({run_record("a")}).front().launches.empty());
}

TEST_CASE("runs: a writer on another machine prevents continuation of its run, but not replacement") {
  const TemporaryFolder folder;
  const std::string path = folder.at("r.db");
  ResultsWriter first(path);
  first.begin_runs({run_record("a")}, false);
  move_writers(path);
  ResultsWriter second(path);
  CHECK_THROWS_WITH(
      second.continue_runs({run_record("a")}),
      path +
          ": run 'a' (incomplete) was begun by process 12 on host node7, and this machine cannot "
          "determine whether that process is alive; continue the run there, or give --replace to start again");
  CHECK(second.begin_runs({run_record("a")}, true).size() == 1);
}

TEST_CASE("runs: differences from the stored command are reported") {
  const TemporaryFolder folder;
  const std::string path = folder.at("r.db");
  RunRecord stored = run_record("a");
  stored.settings = {{"hot_spots", "1"}};
  stored.trace = "w";
  stored.trace_hash = "aaaa";
  stored.config_hash = "0001";
  stored.config = {{"name", "Tiny", "tiny.yaml:1"}, {"l2.num_ways", "16", "tiny.yaml:9"}};
  stored.program = "p";
  {
    ResultsWriter writer(path);
    writer.begin_runs({stored}, false);
  }
  ResultsWriter writer(path);
  const auto refusal = [&](const RunRecord& run) {
    try {
      writer.continue_runs({run});
    } catch (const DatabaseError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  const std::string begin = path + ": already holds a run named 'a' (incomplete) of another command: ";
  const std::string end =
      "; give --replace to replace it, --name to store the new one under another name, or another --out";
  RunRecord other = stored;
  other.config_hash = "0002";
  other.config[1].text = "24";
  CHECK(refusal(other) == begin + "the GPU description differs (l2.num_ways: stored 16, now 24)" + end);
  other = stored;
  other.trace_hash = "bbbb";
  CHECK(refusal(other) == begin + "the trace differs (stored: w, content aaaa; now: w, content bbbb)" + end);
  other = stored;
  other.settings.clear();
  other.cache_control = "none";
  other.max_cycles = 7;
  other.launches = "0,3-5";
  CHECK(refusal(other) == begin + "the settings differ (cache_control: stored " + stored.cache_control +
                              ", now none; hot_spots: stored 1, now none; launches: stored all, now 0,3-5; "
                              "max_cycles: stored none, now 7)" +
                              end);
  other = stored;
  other.program = "q";
  CHECK_THAT(refusal(other), Contains("another build of warpsim simulated it"));
  CHECK(refusal(stored).empty());
}

TEST_CASE("runs: a database that is deleted or replaced while it is written to is an error") {
  const TemporaryFolder folder;
  const std::string path = folder.at("r.db");
  const Machine machine;
  ResultsWriter writer(path);
  const std::int64_t run = writer.begin_runs({run_record("a")}, false).front();
  std::filesystem::rename(path, folder.at("moved.db"));
  const auto is_gone = Contains("was moved, deleted or replaced by another file");
  CHECK_THROWS_WITH(writer.add_launch(run, launch_record(0), machine.root), is_gone);
  CHECK_THROWS_WITH(writer.finish_run(run, RunStatus::kComplete, {}, 1.0), is_gone);
  CHECK_THROWS_WITH(writer.put_hardware_run("a", "g", {}), is_gone);
}

TEST_CASE("runs: a run that is handed over is written only by the process that takes it") {
  const TemporaryFolder folder;
  const std::string path = folder.at("r.db");
  const Machine machine;
  RunToken token;
  {
    ResultsWriter beginner(path);
    token = beginner.hand_over(beginner.begin_runs({run_record("a")}, false).front());
    CHECK_THROWS_AS(beginner.add_launch(token.run_id, launch_record(0), machine.root), DatabaseError);
  }
  token = run_token(to_text(token));
  ResultsWriter writer(path);
  // The process that began it counts as its writer until then.
  CHECK_THROWS_AS(writer.begin_runs({run_record("a")}, true), DatabaseError);
  writer.take_run(token);
  writer.add_launch(token.run_id, launch_record(0), machine.root);
  ResultsWriter other(path);
  CHECK_THROWS_WITH(other.take_run(token), Contains("holds the launches of another process already"));
  const std::int64_t further = other.take_or_begin_run(token, run_record("a"));
  CHECK(further != token.run_id);
  other.add_launch(further, launch_record(0), machine.root);
  CHECK(other.take_or_begin_run(token, run_record("a")) == further + 1);
  {
    const Database database(path, Database::Mode::kReadOnly);
    CHECK(database.integer("SELECT count(*) FROM run WHERE name IN ('a (process 2)', 'a (process 3)')") == 2);
  }
  writer.finish_run(token.run_id, RunStatus::kComplete, {}, 1.0);
  CHECK_THROWS_AS(other.take_run(token), DatabaseError);
  // A further process still writes.
  CHECK_THROWS_WITH(writer.begin_runs({run_record("a")}, true), Contains("run 'a (process 2)' is being written by"));
  other.finish_run(further, RunStatus::kComplete, {}, 1.0);
  other.finish_run(further + 1, RunStatus::kComplete, {}, 1.0);
  writer.begin_runs({run_record("a")}, true);
  CHECK(Database(path, Database::Mode::kReadOnly).integer("SELECT count(*) FROM run") == 1);
  for (const char* wrong : {"", "x", "12", "12-ab", ":ab"}) {
    CHECK_THROWS_WITH(run_token(wrong), Contains("expected RUN_ID:TOKEN"));
  }
}

}  // namespace
}  // namespace warpsim
