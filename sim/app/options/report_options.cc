#include "app/options/report_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "app/options/arguments.h"
#include "base/error.h"
#include "config/near_miss.h"

namespace warpsim {

namespace {

ExportFormat format_of_export(const Arguments& arguments, const std::string& out) {
  if (arguments.has("format")) {
    // Every CSV file has a file with its types, so that parquet-csv is only another name, which requires a file.
    constexpr ExportFormat kFormats[] = {ExportFormat::kCsv,   ExportFormat::kJson, ExportFormat::kMarkdown,
                                         ExportFormat::kLatex, ExportFormat::kCsv,  ExportFormat::kPerfetto};
    const std::size_t chosen = arguments.choice("format", {"csv", "json", "md", "tex", "parquet-csv", "perfetto"});
    if (arguments.text("format") == "parquet-csv" && out.empty()) {
      throw UsageError("--format parquet-csv writes two files, data and types; it needs -o FILE.csv" +
                       see_help("export"));
    }
    return kFormats[chosen];
  }
  if (out.empty()) {
    return ExportFormat::kCsv;
  }
  const std::optional<ExportFormat> format = export_format(out);
  if (!format) {
    throw UsageError("-o '" + out + "': expected a name ending in .csv, .json, .md, .tex or .pftrace, or --format" +
                     see_help("export"));
  }
  return *format;
}

DecimalRounding rounding_of(const Arguments& arguments, ExportFormat format) {
  constexpr std::uint64_t kMostDigits = 15;
  constexpr int kUsual = 4;
  const auto decimals = arguments.number("digits", 0, kMostDigits);
  const auto significant = arguments.number("significant", 1, kMostDigits);
  const int given = (decimals ? 1 : 0) + (significant ? 1 : 0) + (arguments.has("exact") ? 1 : 0);
  if (given > 1) {
    throw UsageError("--digits, --significant and --exact exclude each other; give one" + see_help("export"));
  }
  if (format != ExportFormat::kMarkdown && format != ExportFormat::kLatex) {
    if (given != 0) {
      throw UsageError(
          "--digits, --significant and --exact are for the formats md and tex; the other formats keep every "
          "digit" +
          see_help("export"));
    }
    return {};
  }
  if (decimals) {
    return {DecimalRounding::Kind::kDecimals, static_cast<int>(*decimals)};
  }
  if (arguments.has("exact")) {
    return {};
  }
  return {DecimalRounding::Kind::kSignificant, significant ? static_cast<int>(*significant) : kUsual};
}

// A trace for a viewer shows the work of devices, all of it.
void check_perfetto(const ExportOptions& options) {
  if (options.format != ExportFormat::kPerfetto) {
    return;
  }
  if (options.request.view != "device_timeline") {
    throw UsageError("the format perfetto (.pftrace) is for --view device_timeline" + see_help("export"));
  }
  if (!options.columns.empty()) {
    throw UsageError("--columns is not for the format perfetto (.pftrace), which needs all columns" +
                     see_help("export"));
  }
  if (options.out.empty()) {
    throw UsageError("--format perfetto writes a binary file; it needs -o FILE.pftrace" + see_help("export"));
  }
}

// "run_name,cycles,ipc"
std::vector<std::string> column_list(const std::string& text) {
  std::vector<std::string> columns;
  for (std::size_t begin = 0; !text.empty() && begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    columns.push_back(text.substr(begin, end - begin));
    if (columns.back().empty()) {
      throw UsageError("--columns '" + text + "': expected names separated by commas, or all" + see_help("export"));
    }
    begin = end + 1;
  }
  return columns;
}

}  // namespace

std::optional<ExportOptions> parse_export(const std::vector<std::string>& words) {
  const Arguments arguments("export", words);
  if (arguments.has("help")) {
    return std::nullopt;
  }
  arguments.expect_operands(1, "one results database");
  ExportOptions options;
  options.database = arguments.operands().front();
  options.request = {arguments.text("view"), arguments.text("query"), arguments.list("run")};
  if (options.request.view.empty() == options.request.query.empty()) {
    throw UsageError("name what to export: either --view NAME or --query SQL" + see_help("export"));
  }
  if (!options.request.query.empty() && !options.request.runs.empty()) {
    throw UsageError("--run is for --view; a query selects its own runs" + see_help("export"));
  }
  options.out = arguments.text("out");
  options.format = format_of_export(arguments, options.out);
  options.rounding = rounding_of(arguments, options.format);
  options.columns = column_list(arguments.text("columns"));
  options.comment = arguments.has("comment");
  if (options.comment && options.format != ExportFormat::kCsv) {
    throw UsageError("--comment is for CSV; the other formats always contain the origin of their numbers" +
                     see_help("export"));
  }
  check_perfetto(options);
  return options;
}

std::optional<ImportNcuOptions> parse_import_ncu(const std::vector<std::string>& words) {
  const Arguments arguments("import-ncu", words);
  if (arguments.has("help")) {
    return std::nullopt;
  }
  arguments.expect_operands(2, "a results database and the CSV file of Nsight Compute");
  ImportNcuOptions options{
      arguments.operands()[0], arguments.operands()[1], arguments.text("name"), arguments.text("gpu"), {}};
  if (arguments.has("launches")) {
    options.launches = LaunchSelection(arguments.text("launches"));
  }
  return options;
}

namespace {

// "single" and "double" are columns of the usual formats with two columns per page.
double inches(const Arguments& arguments, const char* option) {
  const std::string word = arguments.text(option);
  if (word.empty()) {
    return 0;
  }
  constexpr double kSingle = 3.5;
  constexpr double kDouble = 7.16;
  if (std::string_view(option) == "width" && (word == "single" || word == "double")) {
    return word == "single" ? kSingle : kDouble;
  }
  double value = 0;
  const auto [stop, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  constexpr double kLeast = 1;
  constexpr double kMost = 40;
  if (error != std::errc() || stop != word.data() + word.size() || !(value >= kLeast && value <= kMost)) {
    throw UsageError(fmt::format("--{} '{}': expected inches from {} to {}{}", option, word, kLeast, kMost,
                                 std::string_view(option) == "width" ? ", single or double" : ""));
  }
  return value;
}

std::optional<double> bound(const std::string& text, bool& good) {
  if (text.empty() || text == "*") {
    return std::nullopt;
  }
  double value = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  good = good && error == std::errc() && stop == text.data() + text.size() && std::isfinite(value);
  return value;
}

// "0:100", "0:", ":100"
AxisRange axis_range(const Arguments& arguments, const char* option) {
  const std::string word = arguments.text(option);
  if (word.empty()) {
    return {};
  }
  const std::size_t colon = word.find(':');
  bool good = colon != std::string::npos;
  AxisRange range;
  if (good) {
    range = {bound(word.substr(0, colon), good), bound(word.substr(colon + 1), good)};
    good = good && (!range.low || !range.high || *range.low < *range.high);
  }
  if (!good) {
    throw UsageError(fmt::format("--{} '{}': expected LOW:HIGH, two numbers of which either may be left out{}", option,
                                 word, see_help("plot")));
  }
  return range;
}

struct KindOption {
  const char* option;
  std::vector<FigureKind> kinds;
};

void refuse_foreign_options(const Arguments& arguments, FigureKind kind) {
  const KindOption options[] = {
      {"x", {FigureKind::kSweep}},
      {"y", {FigureKind::kSweep}},
      {"facet", {FigureKind::kSweep}},
      {"baseline", {FigureKind::kSpeedup, FigureKind::kSweep}},
      {"x-range", {FigureKind::kCorrelation, FigureKind::kRoofline, FigureKind::kSweep, FigureKind::kTimeseries}},
      {"metric", {FigureKind::kCorrelation, FigureKind::kSweep, FigureKind::kTimeseries}},
      {"launch",
       {FigureKind::kCorrelation, FigureKind::kStalls, FigureKind::kRoofline, FigureKind::kSweep,
        FigureKind::kTimeseries}},
  };
  for (const KindOption& option : options) {
    if (arguments.has(option.option) && std::ranges::find(option.kinds, kind) == option.kinds.end()) {
      throw UsageError(fmt::format("--{} has no meaning for plot {}{}", option.option,
                                   figure_kinds()[static_cast<std::size_t>(kind)], see_help("plot")));
    }
  }
}

FigureKind figure_kind(const std::string& word) {
  const std::vector<std::string> kinds = figure_kinds();
  const auto found = std::ranges::find(kinds, word);
  if (found == kinds.end()) {
    throw UsageError(fmt::format("plot '{}': expected one of {}{}{}", word, fmt::join(kinds, ", "),
                                 did_you_mean(word, kinds), see_help("plot")));
  }
  return static_cast<FigureKind>(found - kinds.begin());
}

}  // namespace

std::optional<PlotOptions> parse_plot(const std::vector<std::string>& words) {
  const Arguments arguments("plot", words);
  if (arguments.has("help")) {
    return std::nullopt;
  }
  arguments.expect_operands(2, "a kind of figure and a results database");
  PlotOptions options;
  FigureRequest& request = options.request;
  request.kind = figure_kind(arguments.operands()[0]);
  options.database = arguments.operands()[1];
  refuse_foreign_options(arguments, request.kind);
  request.runs = arguments.list("run");
  if (const auto launch = arguments.number("launch", 0, std::numeric_limits<std::uint32_t>::max())) {
    request.launch = static_cast<std::uint32_t>(*launch);
  }
  if (arguments.has("y") && arguments.has("metric")) {
    throw UsageError("--y and --metric mean the same; give one" + see_help("plot"));
  }
  request.metric = arguments.has("y") ? arguments.text("y") : arguments.text("metric");
  request.x = arguments.text("x");
  request.facet = arguments.text("facet");
  request.baseline = arguments.text("baseline");
  request.x_range = axis_range(arguments, "x-range");
  request.y_range = axis_range(arguments, "y-range");
  request.title = arguments.text("title");
  request.width = inches(arguments, "width");
  request.height = inches(arguments, "height");
  options.out = arguments.required("out", "the figure to write, FILE.svg, FILE.pdf or FILE.gp");
  const std::optional<FigureFormat> format = figure_format(options.out);
  if (!format) {
    throw UsageError("-o '" + options.out + "': expected a name ending in .svg, .pdf or .gp" + see_help("plot"));
  }
  options.format = *format;
  options.keep = arguments.has("keep");
  return options;
}

}  // namespace warpsim
