// The program: runs the command line and turns errors into messages and exit codes.
#include <cstdio>
#include <exception>
#include <filesystem>
#include <iostream>
#include <string>
#include <vector>

#include "app/commands/command_line.h"
#include "app/exit_codes.h"
#include "app/simulation/library_fault.h"
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

}  // namespace

int main(int argc, char** argv) {
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
  } catch (const warpsim::LibraryFault& error) {
    report("internal error", error.what());
    std::cerr << warpsim::version_text();
    return warpsim::kExitInternalError;
  } catch (const std::exception& error) {
    report("internal error", error.what());
    std::cerr << "This is an error in warpsim, not in its input. " << warpsim::version_text();
    return warpsim::kExitInternalError;
  }
}
