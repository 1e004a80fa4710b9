#include "base/process_start.h"

#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <csignal>

namespace warpsim {
namespace {

TEST_CASE("process start: a process has one until it has ended, also if its parent does not know that yet") {
  const std::uint64_t own = process_start(getpid());
  CHECK(own != 0);
  CHECK(process_start(getpid()) == own);
  const pid_t child = fork();
  if (child == 0) {
    pause();
    _exit(0);
  }
  CHECK(process_start(child) >= own);
  kill(child, SIGKILL);
  siginfo_t ended = {};
  REQUIRE(waitid(P_PID, static_cast<id_t>(child), &ended, WEXITED | WNOWAIT) == 0);
  CHECK(process_start(child) == 0);  // a zombie
  REQUIRE(waitpid(child, nullptr, 0) == child);
  CHECK(process_start(child) == 0);
}

}  // namespace
}  // namespace warpsim
