#include "stats/writer_process.h"

#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>

namespace warpsim {
namespace {

TEST_CASE("writer process: this process is alive") {
  const WriterProcess here = this_process();
  CHECK(here.number == ::getpid());
  CHECK_FALSE(here.host.empty());
  CHECK(state_of(here) == ProcessState::kAlive);
  CHECK(text_of({"node7", "", 123, ""}) == "process 123 on host node7");
}

TEST_CASE("writer process: a process that was killed has ended, also before its parent has waited for it") {
  int ends[2];
  REQUIRE(::pipe(ends) == 0);
  const pid_t child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    ::pause();
    ::_exit(0);
  }
  WriterProcess writer = this_process();
  writer.number = child;
  // A later process with the same number is not the writer.
  CHECK(state_of(writer) == ProcessState::kEnded);
  REQUIRE(::kill(child, SIGKILL) == 0);
  siginfo_t info{};
  REQUIRE(::waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOWAIT) == 0);
  CHECK(state_of(writer) == ProcessState::kEnded);
  ::waitpid(child, nullptr, 0);
  CHECK(state_of(writer) == ProcessState::kEnded);
  ::close(ends[0]);
  ::close(ends[1]);
}

TEST_CASE("writer process: the state is unknown for another machine, and known for the same one after a restart") {
  WriterProcess writer = this_process();
  writer.system = "another-boot pid:[1]";
  CHECK(state_of(writer) == ProcessState::kEnded);
  writer.host = "node7";
  CHECK(state_of(writer) == ProcessState::kUnknown);
  WriterProcess container = this_process();
  container.system = container.system.substr(0, container.system.find(' ')) + " pid:[1]";
  CHECK(state_of(container) == ProcessState::kUnknown);
}

}  // namespace
}  // namespace warpsim
