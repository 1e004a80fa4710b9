#include "app/commands/report_command.h"

#include <fmt/format.h>

#include <ostream>

#include "app/commands/command_files.h"
#include "app/exit_codes.h"
#include "base/output_file.h"
#include "report/report_page.h"

namespace warpsim {

int report_command(const ReportCommandOptions& options, std::ostream& out) {
  check_files(options);
  const std::string page = report_page(read_report(options.report));
  write_output_file(options.out, page);
  constexpr double kMegabyte = 1e6;
  out << fmt::format("The report is in {} ({:.1f} MB); any browser opens it, without a network.\n", options.out,
                     static_cast<double>(page.size()) / kMegabyte);
  return kExitDone;
}

}  // namespace warpsim
