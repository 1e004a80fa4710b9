#include "base/program_threads.h"

#include <pthread.h>

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

}  // namespace warpsim
