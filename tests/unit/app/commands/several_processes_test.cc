// `warpsim exec` with a program of three processes that share memory and events and check what they get
// (tests/cuda_programs/processes.cc).
#include <catch2/catch.hpp>
#include <string>

#include "app/commands/exec_command.h"
#include "support/build_paths.h"
#include "support/program.h"
#include "support/stored_runs.h"
#include "support/temporary_folder.h"

namespace warpsim {
namespace {

using test::ProgramOutcome;
using test::run_program;
using test::stored_rows;

const std::string kProcesses = std::string(" -- ") + test::cuda_programs() + "/processes";

TEST_CASE("exec: processes share memory and events, with time and without") {
  for (const char* const options : {"--gpu h200", "--gpu test_tiny --gpus 2"}) {
    const ProgramOutcome timed = run_program(std::string("exec ") + options + kProcesses + " timed");
    INFO(options << timed.err << timed.out);
    CHECK(timed.out == "PASS\n");
    CHECK(timed.code == 0);
    CHECK(timed.err.find("whose record will never be done: the process that has recorded it") != std::string::npos);
  }
  for (const char* const options : {"--gpu h200", "--gpu gtx480 --force-target", "--gpu h200 --check races"}) {
    const ProgramOutcome functional = run_program(std::string("exec --functional-only ") + options + kProcesses);
    INFO(options << functional.err << functional.out);
    CHECK(functional.out == "PASS\n");
    CHECK(functional.code == 0);
  }
}

TEST_CASE("exec: each of the processes that share memory stores its launches") {
  const TemporaryFolder folder;
  const std::string path = folder.at("r.db");
  const ProgramOutcome outcome = run_program("exec --gpu test_tiny --out " + path + kProcesses + " few");
  INFO(outcome.err << outcome.out);
  CHECK(outcome.out == "PASS\n");
  CHECK(outcome.code == 0);
  CHECK(stored_rows(path, "SELECT count(*), min(status), max(status) FROM run") == "3|complete|complete\n");
  CHECK(stored_rows(path, "SELECT count(*) FROM launch") ==
        "8\n");  // three of the parent, three and two of the children
  CHECK(stored_rows(path, "PRAGMA integrity_check") == "ok\n");
}

}  // namespace
}  // namespace warpsim
