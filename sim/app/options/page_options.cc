#include "app/options/arguments.h"
#include "app/options/options.h"
#include "base/error.h"

namespace warpsim {

namespace {

// The common options of report and serve.
ReportOptions report_options(const std::string& command, const Arguments& arguments) {
  if (arguments.operands().empty()) {
    throw UsageError("no results database given" + see_help(command));
  }
  constexpr std::uint64_t kMostPoints = 10'000'000;
  ReportOptions options;
  options.databases = arguments.operands();
  options.runs = arguments.text("runs");
  options.title = arguments.text("title");
  options.series_points = arguments.number("series-points", 2, kMostPoints).value_or(0);
  return options;
}

}  // namespace

std::optional<ReportCommandOptions> parse_report(const std::vector<std::string>& words) {
  const Arguments arguments("report", words);
  if (arguments.has("help")) {
    return std::nullopt;
  }
  return ReportCommandOptions{report_options("report", arguments), arguments.required("out", "the page to write")};
}

std::optional<ServeOptions> parse_serve(const std::vector<std::string>& words) {
  const Arguments arguments("serve", words);
  if (arguments.has("help")) {
    return std::nullopt;
  }
  constexpr std::uint32_t kPort = 8017;
  constexpr std::uint64_t kMostPort = 65535;
  const auto port = arguments.number("port", 0, kMostPort);
  return ServeOptions{report_options("serve", arguments), port ? static_cast<std::uint32_t>(*port) : kPort};
}

}  // namespace warpsim
