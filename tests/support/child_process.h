// A copy of the test's process that does something and tells whether it was right.
#pragma once

#include <sys/wait.h>
#include <unistd.h>

#include <functional>

namespace warpsim::test {

// Runs `work` in a copy of this process. Returns whether it ended with true.
inline bool in_child_process(const std::function<bool()>& work) {
  const pid_t child = fork();
  if (child == 0) {
    bool good = false;
    try {
      good = work();
    } catch (...) {
      good = false;
    }
    _exit(good ? 0 : 1);
  }
  int status = 0;
  return child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

}  // namespace warpsim::test
