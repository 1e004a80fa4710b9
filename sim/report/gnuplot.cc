#include "report/gnuplot.h"

#include <cstring>

#include "base/error.h"
#include "base/tool_process.h"

namespace warpsim {

std::string run_gnuplot(const std::string& folder, const std::string& script, const std::string& program) {
  // Numbers as in C.
  const ToolOutcome outcome = run_tool({.words = {program, "-d", script}, .folder = folder, .set = {"LC_ALL=C.UTF-8"}});
  if (outcome.error != 0) {
    throw UserError(program + ": " + std::strerror(outcome.error) +
                    "; gnuplot draws the figures (Debian: gnuplot-nox); -o FILE.gp writes the script only");
  }
  if (!outcome.succeeded) {
    throw UserError(program + " could not draw the figure: " + outcome.output);
  }
  return outcome.output;
}

}  // namespace warpsim
