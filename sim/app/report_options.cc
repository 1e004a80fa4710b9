#include "app/report_options.h"

#include "app/arguments.h"
#include "base/error.h"

namespace warpsim {

namespace {

ExportFormat format_of_export(const Arguments& arguments, const std::string& out) {
  if (arguments.has("format")) {
    // Every CSV file has its types beside it, so that parquet-csv is only another name, which insists on a file.
    constexpr ExportFormat kFormats[] = {ExportFormat::kCsv, ExportFormat::kJson, ExportFormat::kMarkdown,
                                         ExportFormat::kLatex, ExportFormat::kCsv};
    const std::size_t chosen = arguments.choice("format", {"csv", "json", "md", "tex", "parquet-csv"});
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
    throw UsageError("-o '" + out + "': expected a name ending in .csv, .json, .md or .tex, or --format" +
                     see_help("export"));
  }
  return *format;
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
    throw UsageError("say what to export: either --view NAME or --query SQL" + see_help("export"));
  }
  if (!options.request.query.empty() && !options.request.runs.empty()) {
    throw UsageError("--run is for --view; a query chooses its runs itself" + see_help("export"));
  }
  options.out = arguments.text("output");
  options.format = format_of_export(arguments, options.out);
  constexpr std::uint64_t kMostDigits = 15;
  if (const auto digits = arguments.number("digits", 0, kMostDigits)) {
    options.digits = static_cast<int>(*digits);
    if (options.format == ExportFormat::kCsv || options.format == ExportFormat::kJson) {
      throw UsageError("--digits is for tables that people read, md and tex; CSV and JSON keep every digit" +
                       see_help("export"));
    }
  }
  options.comment = arguments.has("comment");
  if (options.comment && options.format != ExportFormat::kCsv) {
    throw UsageError("--comment is for CSV; the other formats always say where their numbers come from" +
                     see_help("export"));
  }
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

}  // namespace warpsim
