#include "stats/writer_process.h"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <system_error>

#include "base/process_start.h"

namespace warpsim {

namespace {

namespace fs = std::filesystem;

std::string first_line(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

std::string host_name() {
  std::array<char, 256> name{};
  return ::gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "";
}

std::string boot() {
  return first_line("/proc/sys/kernel/random/boot_id");
}

// Empty if there is no such process, or if it has ended.
std::string start_of(std::int64_t process) {
  const std::uint64_t start = process_start(process);
  return start == 0 ? "" : std::to_string(start);
}

}  // namespace

WriterProcess this_process() {
  std::error_code error;
  WriterProcess process;
  process.host = host_name();
  process.system = boot() + " " + fs::read_symlink("/proc/self/ns/pid", error).string();
  process.number = ::getpid();
  process.started = start_of(process.number);
  return process;
}

ProcessState state_of(const WriterProcess& process) {
  const WriterProcess here = this_process();
  if (process.system == here.system) {
    const std::string start = start_of(process.number);
    return !start.empty() && start == process.started ? ProcessState::kAlive : ProcessState::kEnded;
  }
  // The same machine after it was started again: all its processes have ended.
  const std::string boot_then = process.system.substr(0, process.system.find(' '));
  const bool started_again = process.host == here.host && boot_then != boot();
  return started_again ? ProcessState::kEnded : ProcessState::kUnknown;
}

std::string text_of(const WriterProcess& process) {
  return fmt::format("process {} on host {}", process.number, process.host);
}

}  // namespace warpsim
