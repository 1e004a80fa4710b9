#include "app/commands/export_command.h"

#include <fmt/format.h>

#include <ostream>
#include <utility>

#include "app/commands/command_files.h"
#include "app/exit_codes.h"
#include "base/error.h"
#include "base/output_file.h"
#include "stats/database.h"
#include "stats/schema.h"

namespace warpsim {

namespace {

// Markdown and LaTeX contain only the columns for readers of a view, unless columns are named; other formats and tables
// contain all.
ExportedTable chosen_columns(ExportedTable table, const ExportOptions& options) {
  if (options.columns == std::vector<std::string>{"all"}) {
    return table;
  }
  if (!options.columns.empty()) {
    return with_columns(std::move(table), options.columns);
  }
  const bool for_people = options.format == ExportFormat::kMarkdown || options.format == ExportFormat::kLatex;
  if (!for_people || options.request.view.empty()) {
    return table;
  }
  const std::vector<std::string> columns = readable_columns(table, options.request.view);
  return with_columns(std::move(table), columns);
}

}  // namespace

int export_command(const ExportOptions& options, std::ostream& out) {
  check_files(options);
  const Database database(options.database, Database::Mode::kReadOnly);
  check_schema(database);
  const ExportedTable table = chosen_columns(export_table(database, options.request), options);
  const std::string text =
      (options.comment ? csv_comment(table) : "") + render_export(table, options.format, options.rounding);
  if (options.out.empty()) {
    out << text << std::flush;
    if (!out) {
      throw UserError("standard output: cannot be written");
    }
    return kExitDone;
  }
  std::string also;
  std::vector<OutputContent> files = {{options.out, text}};
  if (options.format == ExportFormat::kCsv) {
    const std::string schema = csv_schema_path(options.out);
    files.push_back({schema, csv_schema(table, options.out)});
    also = ", its columns in " + schema;
  }
  write_output_files(files);
  out << fmt::format("wrote {} ({} rows){}\n", options.out, table.content.rows.size(), also);
  return kExitDone;
}

}  // namespace warpsim
