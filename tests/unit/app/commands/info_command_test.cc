// `warpsim info` of the real program. tests/tools/check_info.py compares the same output with a count of its own.
#include "app/commands/info_command.h"

#include <catch2/catch.hpp>

#include "support/program.h"
#include "support/words.h"
#include "unit/frontend/accelsim_text.h"

namespace warpsim {
namespace {

using test::squeezed;

using test::ProgramOutcome;
using test::run_program;

const std::string kTwoKernels = WARPSIM_SOURCE_DIR "/tests/data/two_kernels";

}  // namespace

TEST_CASE("info: a recorded trace, launch by launch and in total") {
  const ProgramOutcome outcome = run_program("info " + kTwoKernels);
  CHECK(outcome.code == 0);
  CHECK(outcome.err.empty());
  const std::string text = squeezed(outcome.out);
  CHECK_THAT(text, Catch::Contains("\n two_kernels: 2 kernel launches, 1 copy to the device (65,536 B), hash "));
  CHECK_THAT(text, Catch::Contains("\n 0 k_bfs_level sm_90 256 256 16 0 0 control bits yes\n"));
  // 2048 bytes of shared memory: the recorded 3072 include the driver's reserve.
  CHECK_THAT(text, Catch::Contains("\n 1 k_scan_totals sm_90 1 256 12 2,048 0 control bits yes\n"));
  CHECK_THAT(text, Catch::EndsWith("\n The trace is valid: it was read completely.\n"));
}

TEST_CASE("info: one launch with an error does not hide the others, and ends with code 2") {
  const TemporaryFolder folder;
  const std::string good = test::tiny_trace();
  folder.write("w/kernelslist.g", "kernel-1.traceg\nkernel-2.traceg\nkernel-3.traceg\n");
  folder.write("w/kernel-1.traceg", "rubbish\n");
  folder.write("w/kernel-2.traceg", good);
  folder.write("w/kernel-3.traceg", good.substr(0, good.find("#END_TB")));
  const ProgramOutcome outcome = run_program("info " + folder.at("w"));
  CHECK(outcome.code == 2);
  const std::string text = squeezed(outcome.out);
  CHECK_THAT(text, Catch::Contains("\n 0 (unreadable) - - - 0 0 0 trace NO\n"));
  CHECK_THAT(text, Catch::Contains("\n 1 twice sm_80 1 32 8 0 0 trace yes\n"));
  CHECK_THAT(text, Catch::Contains("\n 2 (unreadable) - - - 0 0 0 trace NO\n"));
  CHECK_THAT(text, !Catch::Contains("valid:"));
  REQUIRE(outcome.err_lines().size() == 1);
  CHECK_THAT(outcome.err, Catch::StartsWith("warpsim: error: " + folder.at("w/kernel-1.traceg") + ":1: "));
  CHECK_THAT(outcome.err, Catch::EndsWith(" (and 1 error in other launches)\n"));
}

TEST_CASE("info: a missing trace is an error") {
  const TemporaryFolder folder;
  const ProgramOutcome outcome = run_program("info " + folder.at("no"));
  CHECK(outcome.code == 2);
  CHECK(outcome.out.empty());
  CHECK(outcome.err == "warpsim: error: " + folder.at("no") + ": there is no such file or folder; expected a trace\n");
}

}  // namespace warpsim
