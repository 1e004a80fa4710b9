// Programs started by a sweep, and the signals that end a wait for them.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <csignal>
#include <optional>
#include <string>
#include <vector>

namespace warpsim {

struct ProgramCall {
  std::string program;  // path, or a name that is searched in PATH
  std::vector<std::string> words;
  std::string output;  // file for stdout and stderr; empty: they are discarded
};

// A program in its own process group that runs in parallel to this process. It is killed when this process is killed,
// and when the object is destroyed.
class ChildProcess {
 public:
  ChildProcess() = default;
  // Throws UserError if the program cannot be started.
  explicit ChildProcess(const ProgramCall& call);
  ~ChildProcess();
  ChildProcess(ChildProcess&& other) noexcept : pid_(other.pid_) { other.pid_ = -1; }
  ChildProcess& operator=(ChildProcess&& other) noexcept;

  // The status of waitpid(); nothing while it runs. Must not be called again after it has returned a status.
  std::optional<int> status();
  int wait();
  void kill();

 private:
  pid_t pid_ = -1;
};

// "exit code 2", "killed by signal 9 (Killed)".
std::string status_text(int status);

// Runs a program to its end. Throws UserError if it cannot be started.
struct ProgramResult {
  int status = 0;
  std::string output;
  std::string errors;
};
ProgramResult run_program(const std::string& program, const std::vector<std::string>& words);

// During its lifetime SIGINT, SIGTERM and SIGHUP only interrupt a wait. Ignored ones (nohup) stay ignored.
class SignalWait {
 public:
  SignalWait();
  ~SignalWait();
  SignalWait(const SignalWait&) = delete;
  SignalWait& operator=(const SignalWait&) = delete;

  // Returns when a child has ended, a signal was received or the time is over. The received signal, or 0.
  int wait(std::chrono::milliseconds longest);
  // The same without waiting.
  int pending() { return wait(std::chrono::milliseconds(0)); }

 private:
  sigset_t awaited_{};
  sigset_t before_{};
  int signal_ = 0;
};

}  // namespace warpsim
