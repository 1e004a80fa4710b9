#include "base/program_threads.h"

#include <pthread.h>
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <system_error>

namespace warpsim {

namespace {

constexpr const char* kName = "warpsim-thread";  // at most 15 characters

}  // namespace

void mark_own_thread() {
  pthread_setname_np(pthread_self(), kName);
}

std::size_t threads_of_program() {
  std::size_t count = 0;
  std::error_code error;
  std::filesystem::directory_iterator tasks("/proc/self/task", error);
  for (; !error && tasks != std::filesystem::directory_iterator(); tasks.increment(error)) {
    std::ifstream file(tasks->path() / "comm");
    std::string name;
    count += std::getline(file, name) && name != kName ? 1 : 0;
  }
  return std::max<std::size_t>(count, 1);
}

// The folder has a link for each thread, and two others.
bool has_several_threads() {
  struct stat tasks = {};
  return stat("/proc/self/task", &tasks) != 0 || tasks.st_nlink > 3;
}

// The state follows the name, which is in parentheses and may contain any character.
bool is_asleep(int number) {
  std::ifstream file("/proc/self/task/" + std::to_string(number) + "/stat");
  std::string line;
  std::getline(file, line);
  const std::size_t name_end = line.rfind(')');
  const bool runs = name_end != std::string::npos && line.compare(name_end, 3, ") R") == 0;
  return !runs;
}

}  // namespace warpsim
