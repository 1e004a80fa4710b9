#include "app/commands/ptx_run_command.h"

#include <iostream>

#include "app/commands/command_files.h"
#include "app/exit_codes.h"
#include "app/launch_file/launch_file.h"
#include "app/simulation/ptx_run.h"
#include "app/simulation/thread_note.h"

namespace warpsim {

int ptx_run_command(const PtxRunOptions& options, const std::string& command) {
  tell_thread_note(1, options.threads);
  const LaunchFile file = read_launch_file(options.launch_file);
  check_files(options, file);
  const PtxRun::Tell tell{
      .printed = [](const std::string& text) { std::cout << text << std::flush; },
      .launched = [](const std::string& line) { std::cout << line << "\n"; },
      .remark = [](const std::string& line) { std::cerr << "warpsim: " << line << "\n"; },
  };
  const PtxRun::Result result = PtxRun(options, file, command, tell).run();
  for (const std::string& line : result.report.fulfilled) {
    std::cout << line << "\n";
  }
  std::cout.flush();
  for (const std::string& line : result.report.broken) {
    std::cerr << "warpsim: error: " << line << "\n";
  }
  if (!result.checked.empty()) {
    std::cerr << "warpsim: " << result.checked << "\n";
  }
  if (result.limited) {
    return kExitLimited;
  }
  return result.report.broken.empty() && !result.races ? kExitDone : kExitFailed;
}

}  // namespace warpsim
