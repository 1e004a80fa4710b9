#include "sweep/child_process.h"

#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <chrono>
#include <filesystem>
#include <thread>

#include "base/error.h"
#include "support/temporary_folder.h"

namespace warpsim {
namespace {

using std::chrono::milliseconds;

// Waits up to ten seconds.
template <class Condition>
bool comes_true(const Condition& condition) {
  for (int i = 0; i < 1000 && !condition(); ++i) {
    std::this_thread::sleep_for(milliseconds(10));
  }
  return condition();
}

TEST_CASE("child process: output goes to the file, the status states how it ended") {
  const TemporaryFolder folder;
  ChildProcess process({"sh", {"-c", "echo out; echo err >&2; exit 3"}, folder.at("log")});
  CHECK(status_text(process.wait()) == "exit code 3");
  CHECK(TemporaryFolder::read(folder.at("log")) == "out\nerr\n");
  ChildProcess killed({"sh", {"-c", "kill -9 $$"}, ""});
  CHECK(status_text(killed.wait()) == "killed by signal 9 (Killed)");
}

TEST_CASE("child process: arguments reach the program unchanged") {
  const ProgramResult result = run_program("printf", {"%s|", "a b", "", "'\"$x\\"});
  CHECK(result.status == 0);
  CHECK(result.output == "a b||'\"$x\\|");
  CHECK(run_program("sh", {"-c", "echo wrong >&2; exit 1"}).errors == "wrong\n");
}

TEST_CASE("child process: a program or file that cannot be used is reported") {
  CHECK_THROWS_WITH(ChildProcess({"/no/such/program", {}, ""}),
                    "/no/such/program: cannot be started: No such file or directory");
  CHECK_THROWS_WITH(ChildProcess({"true", {}, "/no/such/log"}),
                    "/no/such/log: cannot be written: No such file or directory");
}

TEST_CASE("child process: it ends with its object") {
  const TemporaryFolder folder;
  const std::string file = folder.at("pid");
  {
    const ChildProcess process({"sh", {"-c", "echo $$ >\"$0\"; exec sleep 100", file}, ""});
    REQUIRE(comes_true([&file] { return TemporaryFolder::read(file).ends_with("\n"); }));
  }
  CHECK(::kill(std::stoi(TemporaryFolder::read(file)), 0) != 0);
}

TEST_CASE("child process: it ends with the process that started it, even if that is killed") {
  const TemporaryFolder folder;
  const std::string file = folder.at("pid");
  const pid_t driver = ::fork();
  if (driver == 0) {
    const ChildProcess process({"sh", {"-c", "echo $$ >\"$0\"; exec sleep 100", file}, ""});
    ::pause();
    ::_exit(0);
  }
  REQUIRE(comes_true([&file] { return TemporaryFolder::read(file).ends_with("\n"); }));
  const std::string entry = "/proc/" + std::to_string(std::stoi(TemporaryFolder::read(file)));
  CHECK(std::filesystem::exists(entry));
  ::kill(driver, SIGKILL);
  ::waitpid(driver, nullptr, 0);
  const auto gone = [&entry] {
    // The adopting process may not wait for it.
    return !std::filesystem::exists(entry) || TemporaryFolder::read(entry + "/stat").find(") Z ") != std::string::npos;
  };
  CHECK(comes_true(gone));
}

TEST_CASE("signals: a child's end and a termination request are reported during its life, and not lost before") {
  SignalWait signals;
  CHECK(signals.pending() == 0);
  const auto began = std::chrono::steady_clock::now();
  ChildProcess process({"true", {}, ""});
  while (!process.status()) {
    CHECK(signals.wait(milliseconds(60000)) == 0);
  }
  CHECK(std::chrono::steady_clock::now() - began < std::chrono::seconds(30));
  ::raise(SIGTERM);
  CHECK(signals.wait(milliseconds(60000)) == SIGTERM);
  CHECK(signals.pending() == SIGTERM);
}

TEST_CASE("signals: a signal ignored by nohup stays ignored") {
  ::signal(SIGHUP, SIG_IGN);
  {
    SignalWait signals;
    ::raise(SIGHUP);
    CHECK(signals.pending() == 0);
  }
  ::signal(SIGHUP, SIG_DFL);
}

}  // namespace
}  // namespace warpsim
