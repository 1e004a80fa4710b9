// The stored results of `warpsim exec`, and its message about them.
#include "app/program/exec_results.h"

#include <catch2/catch.hpp>
#include <filesystem>

#include "support/build_paths.h"
#include "support/program.h"
#include "support/stored_runs.h"

namespace warpsim {
namespace {

using Catch::Matchers::Contains;
using test::ProgramOutcome;
using test::run_program;
using test::stored_rows;

const std::string kLaunches = std::string(test::cuda_programs()) + "/launches";

std::string exec(const std::string& out, const std::string& program, const std::string& options = "") {
  return "exec --gpu test_tiny --out " + out + " " + options + " -- " + program;
}

TEST_CASE("exec: the last line states what is stored and where") {
  const TemporaryFolder folder;
  const std::string out = folder.at("r.db");
  const ProgramOutcome outcome = run_program(exec(out, kLaunches + " 2"));
  CHECK(outcome.code == 0);
  CHECK(outcome.out.empty());
  CHECK(outcome.err == "warpsim: run 'launches' in " + out + ": 2 launches stored\n");
  CHECK(stored_rows(out, "SELECT name, status, (SELECT count(*) FROM launch) FROM run") == "launches|complete|2\n");
  CHECK(stored_rows(out, "SELECT count(*) FROM run_writer") == "0\n");
  const ProgramOutcome known = run_program(exec(out, kLaunches + " 1"));
  CHECK(known.code == 2);
  CHECK_THAT(known.err, Contains("already holds a run named 'launches' (complete); give --replace"));
  CHECK(run_program(exec(out, kLaunches + " 1", "--replace")).err ==
        "warpsim: run 'launches' in " + out + ": 1 launch stored\n");
  CHECK(run_program(exec(out, kLaunches + " 1", "--name other --max-cycles 3")).err ==
        "warpsim: kernel idle did not end within 3 cycles (--max-cycles)\nwarpsim: run 'other' in " + out +
            ": 1 launch stored; the last one reached --max-cycles\n");
}

TEST_CASE("exec: a program without launches makes a run without launches, and reports it") {
  const TemporaryFolder folder;
  const std::string out = folder.at("r.db");
  const ProgramOutcome outcome = run_program(exec(out, "/bin/true"));
  CHECK(outcome.code == 0);
  CHECK(outcome.err == "warpsim: run 'true' in " + out +
                           ": no launches, since the program did not use the GPU; the programs that can be simulated "
                           "call CUDA's runtime or driver library\n");
  CHECK(run_program(exec(out, "/bin/false")).code == 1);
  CHECK(run_program(exec(out, kLaunches)).code == 0);
  CHECK(stored_rows(out, "SELECT name, status, note FROM run LEFT JOIN run_note USING (run_id) ORDER BY run_id") ==
        "true|complete|the program did not use the GPU\nfalse|complete|the program did not use the GPU\n"
        "launches|complete|the program did not use the GPU\n");
  CHECK(stored_rows(out, "SELECT count(*) FROM run_writer") == "0\n");
}

TEST_CASE("exec: a program that cannot be started leaves no run") {
  const TemporaryFolder folder;
  const std::string out = folder.at("r.db");
  const std::string empty = folder.write("empty", "");
  std::filesystem::permissions(empty, std::filesystem::perms::owner_all);
  const ProgramOutcome outcome = run_program(exec(out, empty));
  CHECK(outcome.code == 2);
  CHECK_THAT(outcome.err, Contains("'" + empty + "': is empty; expected an ELF program"));
  CHECK(stored_rows(out, "SELECT count(*) FROM run") == "0\n");
}

TEST_CASE("exec: a program that a signal ends leaves an incomplete run and the signal's exit code") {
  const TemporaryFolder folder;
  const std::string out = folder.at("r.db");
  const ProgramOutcome outcome = run_program(exec(out, kLaunches + " 2 kill"));
  CHECK(outcome.code == 128 + 9);
  CHECK(outcome.err == "warpsim: run 'launches' in " + out +
                           ": 2 launches stored; the run is incomplete, since signal 9 ended the program\n");
  CHECK(stored_rows(out, "SELECT status FROM run") == "incomplete\n");
  // Its name is not locked.
  CHECK(run_program(exec(out, kLaunches + " 1", "--replace")).code == 0);
  CHECK(stored_rows(out, "SELECT status, (SELECT count(*) FROM launch) FROM run") == "complete|1\n");
}

TEST_CASE("exec: a forked copy of the process does not touch the run") {
  const TemporaryFolder folder;
  const std::string out = folder.at("r.db");
  const ProgramOutcome outcome = run_program(exec(out, kLaunches + " 1 copy"));
  CHECK(outcome.code == 0);
  CHECK(outcome.err == "warpsim: run 'launches' in " + out + ": 1 launch stored\n");
  CHECK(stored_rows(out, "PRAGMA integrity_check") == "ok\n");
}

TEST_CASE("trace: a forked copy of the process does not touch the trace") {
  const TemporaryFolder folder;
  const std::string out = folder.at("launches.wtrace");
  for (const std::string mode : {"copy", "copy-launches"}) {
    INFO(mode);
    const ProgramOutcome outcome = run_program("trace --gpu v100 --out " + out + " -- " + kLaunches + " 2 " + mode);
    CHECK(outcome.code == 0);
    CHECK(outcome.err.empty());
    CHECK(run_program("info " + out).out.find("launches: 2 kernel launches, ") != std::string::npos);
    std::filesystem::remove(out);
  }
  CHECK(std::filesystem::is_empty(folder.at("")));
}

TEST_CASE("exec: each process of a program has a run of its own") {
  const TemporaryFolder folder;
  const std::string out = folder.at("r.db");
  const std::string script =
      folder.write("both", "#!/bin/sh\n" + kLaunches + " 1\necho $?\n" + kLaunches + " 2\necho $?\nexit 5\n");
  std::filesystem::permissions(script, std::filesystem::perms::owner_all);
  const ProgramOutcome outcome = run_program(exec(out, script, "--replace"));
  CHECK(outcome.code == 5);
  CHECK(outcome.out == "0\n0\n");
  CHECK(outcome.err == "warpsim: run 'both' in " + out +
                           ": 1 launch stored; and of 1 further process, in runs of their own: 2 launches\n");
  const std::string runs = "SELECT name, status, (SELECT count(*) FROM launch WHERE run_id = run.run_id) FROM run";
  const std::string stored = "both|complete|1\nboth (process 2)|complete|2\n";
  CHECK(stored_rows(out, runs) == stored);
  // A new run of the program replaces all of them.
  CHECK(run_program(exec(out, script)).code == 2);
  CHECK(run_program(exec(out, script, "--replace")).code == 5);
  CHECK(stored_rows(out, runs) == stored);
  CHECK(stored_rows(out, "SELECT count(*) FROM run_writer") == "0\n");
}

TEST_CASE("exec: processes that run at the same time each store all of their launches") {
  const TemporaryFolder folder;
  const std::string out = folder.at("r.db");
  std::string text = "#!/bin/sh\n";
  for (int process = 0; process < 4; ++process) {
    text += kLaunches + " 3 &\n";
  }
  const std::string script = folder.write("many", text + "wait\n");
  std::filesystem::permissions(script, std::filesystem::perms::owner_all);
  const ProgramOutcome outcome = run_program(exec(out, script));
  INFO(outcome.err);
  CHECK(outcome.code == 0);
  CHECK(stored_rows(out, "SELECT count(*), count(DISTINCT name), min(status), max(status) FROM run") ==
        "4|4|complete|complete\n");
  CHECK(stored_rows(out, "SELECT DISTINCT count(*) FROM launch GROUP BY run_id") == "3\n");
  CHECK(stored_rows(out, "PRAGMA integrity_check") == "ok\n");
}

TEST_CASE("exec: a run that is deleted while the program runs is an error") {
  const TemporaryFolder folder;
  const std::string out = folder.at("r.db");
  const std::string script = folder.write("gone", "#!/bin/sh\nsqlite=" + out + "\nmv $sqlite $sqlite.old\nexit 0\n");
  std::filesystem::permissions(script, std::filesystem::perms::owner_all);
  const ProgramOutcome outcome = run_program(exec(out, script));
  CHECK(outcome.code == 2);
  CHECK_THAT(outcome.err, Contains("warpsim: error: " + out));
}

}  // namespace
}  // namespace warpsim
