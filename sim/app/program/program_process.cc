#include "app/program/program_process.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>

#include "app/program/program_file.h"
#include "base/error.h"

namespace warpsim {

namespace {

std::vector<char*> argument_list(std::vector<std::string>& words) {
  std::vector<char*> arguments;
  arguments.reserve(words.size() + 1);
  for (std::string& word : words) {
    arguments.push_back(word.data());
  }
  arguments.push_back(nullptr);
  return arguments;
}

// Signals that are awaited instead of delivered, during the lifetime of this object.
class HeldSignals {
 public:
  HeldSignals() {
    ::sigemptyset(&held_);
    for (const int number : {SIGCHLD, SIGINT, SIGQUIT, SIGTERM, SIGHUP}) {
      ::sigaddset(&held_, number);
    }
    ::sigprocmask(SIG_BLOCK, &held_, &before_);
  }
  ~HeldSignals() { ::sigprocmask(SIG_SETMASK, &before_, nullptr); }
  HeldSignals(const HeldSignals&) = delete;
  HeldSignals& operator=(const HeldSignals&) = delete;

  const sigset_t& before() const { return before_; }
  siginfo_t wait() const {
    siginfo_t signal{};
    while (::sigwaitinfo(&held_, &signal) < 0 && errno == EINTR) {
    }
    return signal;
  }

 private:
  sigset_t held_{};
  sigset_t before_{};
};

// In the new process: only calls that are safe between fork and exec.
[[noreturn]] void become_child(const char* path, char* const* arguments, const sigset_t& signals, pid_t parent,
                               int report) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) {
    ::_exit(1);  // the parent was killed in between
  }
  ::sigprocmask(SIG_SETMASK, &signals, nullptr);
  ::execv(path, arguments);
  const int reason = errno;
  [[maybe_unused]] const ssize_t written = ::write(report, &reason, sizeof reason);
  ::_exit(127);
}

int wait_for(pid_t child, const HeldSignals& signals) {
  while (true) {
    int status = 0;
    if (::waitpid(child, &status, WNOHANG) == child) {
      return status;
    }
    const siginfo_t signal = signals.wait();
    // The program also receives signals from the terminal, but not those that a process sends to this one.
    if (signal.si_signo != SIGCHLD && signal.si_code <= 0) {
      ::kill(child, signal.si_signo);
    }
  }
}

}  // namespace

void become_program(const std::string& path, const std::vector<std::string>& words) {
  std::vector<std::string> own = words;
  const std::vector<char*> arguments = argument_list(own);
  ::execv(path.c_str(), arguments.data());
  throw UserError(start_failure(path, errno));
}

int run_program_to_end(const std::string& path, const std::vector<std::string>& words) {
  std::vector<std::string> own = words;
  const std::vector<char*> arguments = argument_list(own);
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) {
    throw UserError(start_failure(path, errno));
  }
  const HeldSignals signals;
  ::signal(SIGCHLD, SIG_DFL);  // if it is ignored, waiting for a child fails
  const pid_t parent = ::getpid();
  const pid_t child = ::fork();
  if (child == 0) {
    become_child(path.c_str(), arguments.data(), signals.before(), parent, ends[1]);
  }
  int reason = errno;
  ::close(ends[1]);
  // The pipe closes without data when the program has started.
  const bool failed = child < 0 || ::read(ends[0], &reason, sizeof reason) == sizeof reason;
  ::close(ends[0]);
  if (failed) {
    if (child > 0) {
      ::waitpid(child, nullptr, 0);
    }
    throw UserError(start_failure(path, reason));
  }
  return wait_for(child, signals);
}

}  // namespace warpsim
