#include "sweep/sweep_state.h"

#include <catch2/catch.hpp>
#include <filesystem>

#include "base/error.h"
#include "stats/results_writer.h"
#include "support/temporary_folder.h"
#include "sweep/local_engine.h"
#include "sweep/point_run.h"
#include "sweep/sweep_engine.h"

namespace warpsim {
namespace {

namespace fs = std::filesystem;

SweepPoint point_named(const std::string& name, const std::string& key) {
  return {name, key, "trace hash", "config hash", {"-c", "exit 1"}};
}

// A results database with one run, as written by `warpsim run`.
void write_run(const std::string& path, const std::string& name, RunStatus status) {
  RunRecord record;
  record.name = name;
  record.trace_hash = "trace hash";
  record.config_hash = "config hash";
  ResultsWriter writer(path);
  const std::int64_t run = writer.begin_runs({record}, false).front();
  if (status != RunStatus::kIncomplete) {
    writer.finish_run(run, status, {}, 0);
  }
}

TEST_CASE("sweep state: a point is finished once its database was checked and has its name") {
  const TemporaryFolder folder;
  const SweepState state(folder.at("r.db.sweep"));
  CHECK(SweepState::folder_of("r.db") == "r.db.sweep");
  const SweepPoint point = point_named("p", "00ff");
  const std::string work = state.work_path("00ff", "me");
  CHECK(state.accept(point, work) == "it left no database");
  write_run(work, "p", RunStatus::kLimited);
  CHECK(state.finished().empty());
  CHECK(state.accept(point, work) == std::nullopt);
  CHECK(state.finished() == std::set<std::string>{"00ff"});
  CHECK(fs::is_regular_file(state.point_path("00ff")));
  CHECK_FALSE(fs::exists(work));
  CHECK(SweepState::finished_in(folder.at("none")).empty());
}

TEST_CASE("sweep state: a database of another point is refused") {
  const TemporaryFolder folder;
  const SweepState state(folder.at("s"));
  const std::string work = state.work_path("00ff", "me");
  const auto refusal = [&state, &work](const SweepPoint& point) { return state.accept(point, work).value_or(""); };
  SweepPoint point = point_named("p", "00ff");
  write_run(work, "p", RunStatus::kIncomplete);
  CHECK(refusal(point) == "its database holds the incomplete run 'p'");
  fs::remove(work);
  write_run(work, "other", RunStatus::kComplete);
  CHECK(refusal(point) == "its database holds the complete run 'other'");
  write_run(work, "p", RunStatus::kComplete);
  CHECK(refusal(point) == "its database holds 2 runs");
  fs::remove(work);
  write_run(work, "p", RunStatus::kComplete);
  point.config_hash = "another";
  CHECK(refusal(point) == "the description of its GPU was changed while the sweep was running; start the sweep again");
  point = point_named("p", "00ff");
  point.trace_hash = "another";
  CHECK(refusal(point) == "its trace was changed while the sweep was running; start the sweep again");
  folder.write("s/running/00ff.me.db-wal", "");
  CHECK(refusal(point_named("p", "00ff")) == "its database was not closed");
  fs::remove(work + "-wal");
  folder.write("s/running/00ff.me.db", "no database, but long enough to be looked at as one");
  CHECK(refusal(point_named("p", "00ff")) == work + ": not a warpsim results database");
  CHECK(state.finished().empty());
}

TEST_CASE("sweep state: failures are stored until they are cleared, and files of workers are removed by name") {
  const TemporaryFolder folder;
  const SweepState state(folder.at("s"));
  CHECK(state.failure("00ff") == std::nullopt);
  state.record_failure("00ff", "why\nso");
  CHECK(state.failure("00ff") == "why\nso");
  state.forget_failure("00ff");
  CHECK(state.failure("00ff") == std::nullopt);
  folder.write("s/running/00ff.local-7.db", "");
  folder.write("s/running/00ff.local-7.db-wal", "");
  folder.write("s/running/00ff.slurm-7.db", "");
  state.clean_work("local-");
  CHECK_FALSE(fs::exists(folder.at("s/running/00ff.local-7.db")));
  CHECK_FALSE(fs::exists(folder.at("s/running/00ff.local-7.db-wal")));
  CHECK(fs::exists(folder.at("s/running/00ff.slurm-7.db")));
  CHECK_FALSE(state.published());
  state.note_published();
  CHECK(SweepState(folder.at("s")).published());
}

TEST_CASE("sweep state: one process leads a sweep, and its end frees it") {
  const TemporaryFolder folder;
  const SweepState state(folder.at("s"));
  {
    const SweepLock lock(state.folder());
    CHECK_THROWS_WITH(SweepLock(state.folder()),
                      state.folder() + ": another process works on this sweep; wait for it or end it");
  }
  CHECK_NOTHROW(SweepLock(state.folder()));
  folder.write("file", "");
  CHECK_THROWS_AS(SweepState(folder.at("file/s")), UserError);
}

class Silent final : public SweepObserver {
 public:
  void progress(const SweepProgress& progress) override { last = progress; }
  void remark(const std::string& text) override { remarks += text + "\n"; }
  SweepProgress last;
  std::string remarks;
};

TEST_CASE("local engine: points that fail are retried as often as requested and then reported with their last lines") {
  const TemporaryFolder folder;
  const SweepState state(folder.at("s"));
  const std::string count = folder.at("count");
  SweepPoint fails = point_named("fails", "01");
  fails.words = {"-c", "echo x >>\"$1\"; seq 20; echo last; exit 5", "sh", count};
  SweepPoint finished = point_named("finished", "02");
  finished.words = {"-c", "echo never; exit 1"};
  const std::string work = state.work_path("02", "me");
  write_run(work, "finished", RunStatus::kComplete);
  REQUIRE_FALSE(state.accept(finished, work));
  state.record_failure("01", "of an earlier time");
  Silent observer;
  const SweepOutcome outcome = run_locally({fails, finished}, {"sh", 2, 2}, state, observer);
  CHECK(TemporaryFolder::read(count) == "x\nx\nx\n");
  CHECK(outcome.signal == 0);
  CHECK(outcome.unfinished.empty());
  REQUIRE(outcome.failures.size() == 1);
  CHECK(outcome.failures[0].point == "fails");
  CHECK(outcome.failures[0].why == "exit code 5\n16\n17\n18\n19\n20\nlast");
  CHECK(state.failure("01") == outcome.failures[0].why);
  CHECK(observer.last.points == 2);
  CHECK(observer.last.finished == 1);
  CHECK(observer.last.finished_before == 1);
  CHECK(observer.last.failed == 1);
  CHECK(fs::is_empty(folder.at("s/running")));
  CHECK(usable_processors() >= 1);
}

TEST_CASE("local engine: a program that ends with success but without a database has failed") {
  const TemporaryFolder folder;
  const SweepState state(folder.at("s"));
  SweepPoint liar = point_named("liar", "01");
  liar.words = {"-c", "exit 0"};
  Silent observer;
  const SweepOutcome outcome = run_locally({liar}, {"sh", 1, 0}, state, observer);
  REQUIRE(outcome.failures.size() == 1);
  CHECK(outcome.failures[0].why == "it left no database");
}

TEST_CASE("last lines: the end of an output, without empty lines") {
  CHECK(last_lines("") == "");
  CHECK(last_lines("one\n\n") == "one");
  CHECK(last_lines("1\n2\n3\n4\n5\n6\n7\n") == "2\n3\n4\n5\n6\n7");
  CHECK(last_lines(std::string(5000, 'x')).size() == 2000);
}

}  // namespace
}  // namespace warpsim
