// Several processes that write one results database at the same time.
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <vector>

#include "support/build_paths.h"
#include "support/program.h"
#include "support/stored_runs.h"

namespace warpsim {
namespace {

using Catch::Matchers::Contains;
using test::run_program;
using test::stored_rows;
using test::write_launches;

// Starts the program with each of the command lines at once and returns the exit codes, in order. Their output goes to
// files "output0", "output1", ... of the folder.
std::vector<int> run_at_once(const TemporaryFolder& folder, const std::vector<std::string>& commands) {
  std::vector<pid_t> children;
  int gate[2];
  REQUIRE(pipe(gate) == 0);
  for (std::size_t i = 0; i < commands.size(); ++i) {
    // The shell waits until all have been started.
    const std::string line = "read go <&" + std::to_string(gate[0]) + "; exec " + test::warpsim_binary() + " " +
                             commands[i] + " </dev/null >" + folder.at("output" + std::to_string(i)) + " 2>&1";
    children.push_back(fork());
    REQUIRE(children.back() >= 0);
    if (children.back() == 0) {
      close(gate[1]);
      execl("/bin/sh", "sh", "-c", line.c_str(), nullptr);
      _exit(127);
    }
  }
  close(gate[0]);
  close(gate[1]);
  std::vector<int> codes;
  for (const pid_t child : children) {
    int status = 0;
    waitpid(child, &status, 0);
    codes.push_back(WIFEXITED(status) ? WEXITSTATUS(status) : -1);
  }
  return codes;
}

std::string output(const TemporaryFolder& folder, std::size_t number) {
  return TemporaryFolder::read(folder.at("output" + std::to_string(number)));
}

TEST_CASE("shared database: runs that start at the same time on a new one all succeed", "[slow]") {
  const TemporaryFolder folder;
  const std::string trace = write_launches(folder, "w", 2);
  for (int round = 0; round < 6; ++round) {
    const std::string out = folder.at("r" + std::to_string(round) + ".db");
    std::vector<std::string> commands;
    std::string names;
    for (int i = 0; i < 5; ++i) {
      const std::string name = "n" + std::to_string(i);
      commands.push_back("run " + trace + " --gpu test_tiny --name " + name + " --out " + out);
      names += name + "|complete|2\n";
    }
    const std::vector<int> codes = run_at_once(folder, commands);
    for (std::size_t i = 0; i < codes.size(); ++i) {
      INFO(output(folder, i));
      CHECK(codes[i] == 0);
    }
    CHECK(stored_rows(out,
                      "SELECT name, status, (SELECT count(*) FROM launch l WHERE l.run_id = r.run_id) FROM run r "
                      "ORDER BY name") == names);
    CHECK(stored_rows(out, "PRAGMA integrity_check") == "ok\n");
    CHECK(stored_rows(out, "PRAGMA foreign_key_check").empty());
  }
}

TEST_CASE("shared database: run, compare and merge start at the same time on a new one", "[slow]") {
  const TemporaryFolder folder;
  const std::string trace = write_launches(folder, "w", 2);
  for (const char* name : {"m1", "m2"}) {
    REQUIRE(run_program("run " + trace + " --gpu test_tiny --name " + name + " --out " + folder.at(name)).code == 0);
  }
  for (int round = 0; round < 5; ++round) {
    const std::string out = folder.at("r" + std::to_string(round) + ".db");
    const std::vector<int> codes = run_at_once(
        folder, {"run " + trace + " --gpu test_tiny --name a --out " + out, "merge " + out + " " + folder.at("m1"),
                 "compare " + trace + " --gpu test_tiny --json --out " + out, "merge " + out + " " + folder.at("m2")});
    for (std::size_t i = 0; i < codes.size(); ++i) {
      INFO(output(folder, i));
      CHECK(codes[i] == 0);
    }
    CHECK(stored_rows(out, "SELECT name, status FROM run ORDER BY name") ==
          "a|complete\nm1|complete\nm2|complete\nw@test_tiny|complete\n");
    CHECK(stored_rows(out, "PRAGMA foreign_key_check").empty());
  }
}

TEST_CASE("shared database: a run has the launches of one process") {
  const TemporaryFolder folder;
  const std::string trace = write_launches(folder, "w", 60);
  const std::string out = folder.at("r.db");
  // Times show which process simulated a launch.
  std::vector<std::string> commands;
  for (const char* clock : {"500", "1000", "2000"}) {
    commands.push_back("run " + trace + " --gpu test_tiny --replace --set clocks.core_mhz=" + clock + " --out " + out);
  }
  commands.push_back("run " + trace + " --gpu test_tiny --out " + out);
  for (int round = 0; round < 4; ++round) {
    const std::vector<int> codes = run_at_once(folder, commands);
    int stored = 0;
    for (std::size_t i = 0; i < codes.size(); ++i) {
      const std::string text = output(folder, i);
      INFO(text);
      CHECK((codes[i] == 0 || codes[i] == 2));
      stored += codes[i] == 0 ? 1 : 0;
      if (codes[i] == 2) {
        CHECK_THAT(text, Contains("is being written by process") ||
                             Contains("was replaced or deleted by another process") || Contains("of another command"));
      }
    }
    CHECK(stored >= 1);
    CHECK(stored_rows(out, "SELECT status, (SELECT count(*) FROM launch) FROM run") == "complete|60\n");
    CHECK(stored_rows(out, "SELECT count(DISTINCT round(duration_ns / elapsed_cycles, 6)) FROM launch") == "1\n");
    CHECK(stored_rows(out, "SELECT count(*) FROM run_writer") == "0\n");
    CHECK(stored_rows(out, "PRAGMA foreign_key_check").empty());
  }
}

TEST_CASE("shared database: a process whose database is replaced ends with an error") {
  const TemporaryFolder folder;
  const std::string trace = write_launches(folder, "w", 3000);
  const std::string out = folder.at("r.db");
  const pid_t child = fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    freopen(folder.at("output0").c_str(), "w", stderr);
    freopen("/dev/null", "w", stdout);
    execl(test::warpsim_binary(), "warpsim", "run", trace.c_str(), "--gpu", "test_tiny", "--out", out.c_str(), nullptr);
    _exit(127);
  }
  while (!std::filesystem::exists(out + "-wal") && waitpid(child, nullptr, WNOHANG) == 0) {
    usleep(2000);
  }
  std::filesystem::rename(out, folder.at("moved.db"));
  int status = 0;
  waitpid(child, &status, 0);
  CHECK(WEXITSTATUS(status) == 2);
  CHECK_THAT(output(folder, 0), Contains(out + ": was moved, deleted or replaced by another file"));
}

}  // namespace
}  // namespace warpsim
