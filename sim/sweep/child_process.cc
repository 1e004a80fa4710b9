#include "sweep/child_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "base/error.h"

namespace warpsim {

namespace {

struct Files {
  int output = -1;
  int errors = -1;
};

// A file that is not inherited.
class OpenFile {
 public:
  explicit OpenFile(int file) : file_(file) {}
  ~OpenFile() {
    if (file_ >= 0) {
      ::close(file_);
    }
  }
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;
  int get() const { return file_; }
  void close() {
    ::close(file_);
    file_ = -1;
  }

 private:
  int file_;
};

std::string read_all(int file) {
  std::string text;
  std::array<char, 4096> buffer{};
  ssize_t count = 0;
  ::lseek(file, 0, SEEK_SET);
  while ((count = ::read(file, buffer.data(), buffer.size())) > 0) {
    text.append(buffer.data(), static_cast<std::size_t>(count));
  }
  return text;
}

// The work of the new process before it becomes the program: only calls that are safe between fork and exec.
[[noreturn]] void become(const char* program, char* const* words, const Files& files, pid_t parent, int report) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) {
    ::_exit(1);  // the parent was killed in between
  }
  ::setpgid(0, 0);
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  const int nothing = ::open("/dev/null", O_RDWR);
  ::dup2(nothing, STDIN_FILENO);
  ::dup2(files.output < 0 ? nothing : files.output, STDOUT_FILENO);
  ::dup2(files.errors < 0 ? nothing : files.errors, STDERR_FILENO);
  ::execvp(program, words);
  const int reason = errno;
  [[maybe_unused]] const ssize_t written = ::write(report, &reason, sizeof reason);
  ::_exit(127);
}

pid_t start(const std::string& program, const std::vector<std::string>& words, const Files& files) {
  std::vector<char*> arguments = {const_cast<char*>(program.c_str())};
  for (const std::string& word : words) {
    arguments.push_back(const_cast<char*>(word.c_str()));
  }
  arguments.push_back(nullptr);
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) {
    throw UserError(fmt::format("{}: cannot be started: {}", program, std::strerror(errno)));
  }
  OpenFile read_end(ends[0]);
  OpenFile write_end(ends[1]);
  ::signal(SIGCHLD, SIG_DFL);  // if it is ignored, waiting for a child fails; the setting is inherited
  const pid_t parent = ::getpid();
  const pid_t pid = ::fork();
  if (pid == 0) {
    become(program.c_str(), arguments.data(), files, parent, ends[1]);
  }
  int reason = errno;
  write_end.close();
  // The pipe closes without data when the program has started.
  if (pid < 0 || ::read(read_end.get(), &reason, sizeof reason) == sizeof reason) {
    if (pid > 0) {
      ::waitpid(pid, nullptr, 0);
    }
    throw UserError(fmt::format("{}: cannot be started: {}", program, std::strerror(reason)));
  }
  return pid;
}

}  // namespace

ChildProcess::ChildProcess(const ProgramCall& call) {
  const OpenFile output(
      call.output.empty() ? -1 : ::open(call.output.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
  if (!call.output.empty() && output.get() < 0) {
    throw UserError(fmt::format("{}: cannot be written: {}", call.output, std::strerror(errno)));
  }
  pid_ = start(call.program, call.words, {output.get(), output.get()});
}

ChildProcess::~ChildProcess() {
  if (pid_ > 0) {
    kill();
  }
}

ChildProcess& ChildProcess::operator=(ChildProcess&& other) noexcept {
  if (this != &other) {
    if (pid_ > 0) {
      kill();
    }
    pid_ = other.pid_;
    other.pid_ = -1;
  }
  return *this;
}

std::optional<int> ChildProcess::status() {
  int status = 0;
  if (::waitpid(pid_, &status, WNOHANG) != pid_) {
    return std::nullopt;
  }
  pid_ = -1;
  return status;
}

int ChildProcess::wait() {
  int status = 0;
  while (::waitpid(pid_, &status, 0) != pid_ && errno == EINTR) {
  }
  pid_ = -1;
  return status;
}

void ChildProcess::kill() {
  ::kill(pid_, SIGKILL);
  wait();
}

std::string status_text(int status) {
  if (WIFEXITED(status)) {
    return fmt::format("exit code {}", WEXITSTATUS(status));
  }
  return fmt::format("killed by signal {} ({})", WTERMSIG(status), ::strsignal(WTERMSIG(status)));
}

ProgramResult run_program(const std::string& program, const std::vector<std::string>& words) {
  const OpenFile output(::memfd_create("output", MFD_CLOEXEC));
  const OpenFile errors(::memfd_create("errors", MFD_CLOEXEC));
  const pid_t pid = start(program, words, {output.get(), errors.get()});
  ProgramResult result;
  while (::waitpid(pid, &result.status, 0) != pid && errno == EINTR) {
  }
  result.output = read_all(output.get());
  result.errors = read_all(errors.get());
  return result;
}

SignalWait::SignalWait() {
  ::sigemptyset(&awaited_);
  ::sigaddset(&awaited_, SIGCHLD);
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction action {};
    ::sigaction(number, nullptr, &action);
    if (action.sa_handler != SIG_IGN) {
      ::sigaddset(&awaited_, number);
    }
  }
  ::sigprocmask(SIG_BLOCK, &awaited_, &before_);
}

SignalWait::~SignalWait() {
  ::sigprocmask(SIG_SETMASK, &before_, nullptr);
}

int SignalWait::wait(std::chrono::milliseconds longest) {
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(longest);
  timespec time{};
  time.tv_sec = seconds.count();
  time.tv_nsec = std::chrono::nanoseconds(longest - seconds).count();
  const int number = ::sigtimedwait(&awaited_, nullptr, &time);
  if (number > 0 && number != SIGCHLD) {
    signal_ = number;
  }
  return signal_;
}

}  // namespace warpsim
