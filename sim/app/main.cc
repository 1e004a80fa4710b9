// The program: runs the command line and turns errors into messages and exit codes.
#include <malloc.h>

#include <cstdio>
#include <exception>
#include <filesystem>
#include <iostream>
#include <string>
#include <vector>

#include "app/commands/command_line.h"
#include "app/exit_codes.h"
#include "base/check.h"
#include "base/error.h"

namespace {

// Every line of the message begins with the program's name, so that it is recognisable among other output.
void report(const std::string& kind, const std::string& message) {
  std::size_t begin = 0;
  while (begin <= message.size()) {
    const std::size_t end = std::min(message.find('\n', begin), message.size());
    std::cerr << "warpsim: " << kind << ": " << message.substr(begin, end - begin) << "\n";
    begin = end + 1;
  }
}

// Each launch builds a machine anew: the memory of the last one is used again instead of being returned to the system.
void keep_freed_memory() {
  constexpr int kKeptBytes = 1 << 30;
  constexpr int kMappedBytes = 32 << 20;
  constexpr int kGrowthBytes = 4 << 20;
  mallopt(M_TRIM_THRESHOLD, kKeptBytes);
  mallopt(M_MMAP_THRESHOLD, kMappedBytes);  // no longer adapts by itself once the others are set
  mallopt(M_TOP_PAD, kGrowthBytes);
}

}  // namespace

int main(int argc, char** argv) {
  keep_freed_memory();
  try {
    const int code = warpsim::run_command_line(std::vector<std::string>(argv + 1, argv + argc));
    std::cout.flush();
    if (!std::cout || std::fflush(stdout) != 0) {
      report("error", "standard output cannot be written");
      return warpsim::kExitUserError;
    }
    return code;
  } catch (const warpsim::UserError& error) {
    report("error", error.what());
    return warpsim::kExitUserError;
  } catch (const std::bad_alloc&) {
    report("error", "out of memory");
    return warpsim::kExitUserError;
  } catch (const std::filesystem::filesystem_error& error) {
    // An unexpected error of a system call, for example in a current folder that was removed.
    const std::string file = error.path1().empty() ? "the working directory" : error.path1().string();
    report("error", file + ": " + error.code().message());
    return warpsim::kExitUserError;
  } catch (const std::exception& error) {
    report("internal error", error.what());
    std::cerr << "This is an error in warpsim, not in its input. " << warpsim::version_text();
    return warpsim::kExitInternalError;
  }
}
