#include "base/tool_process.h"

#include <catch2/catch.hpp>
#include <cerrno>

#include "support/temporary_folder.h"

using namespace warpsim;

TEST_CASE("tool process: output, errors and status of a program are returned") {
  const TemporaryFolder folder;
  const ToolOutcome outcome = run_tool({.words = {"sh", "-c", "pwd; echo \"$ONE,$HOME,$TWO\"; echo wrong >&2; exit 3"},
                                        .folder = folder.at(""),
                                        .set = {"ONE=1", "TWO=2"},
                                        .unset = {"HOME"}});
  CHECK(outcome.error == 0);
  CHECK_FALSE(outcome.succeeded);
  CHECK_THAT(outcome.output, Catch::EndsWith("\n1,,2\nwrong\n"));
  CHECK(run_tool({.words = {"true"}, .folder = folder.at("")}).succeeded);
}

TEST_CASE("tool process: a program that does not exist is not started") {
  const TemporaryFolder folder;
  CHECK(run_tool({.words = {"no_such_program"}, .folder = folder.at("")}).error == ENOENT);
}
