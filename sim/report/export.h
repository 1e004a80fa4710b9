// Views, tables and queries of a results database as CSV, JSON, Markdown and LaTeX. CSV and JSON are for programs: all
// columns, numbers in the fewest digits that read back as the same. Markdown and LaTeX are for people: columns that
// they read, rounded numbers.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "report/provenance.h"
#include "report/query_table.h"

namespace warpsim {

enum class ExportFormat : std::uint8_t { kCsv, kJson, kMarkdown, kLatex };
// By the end of the file's name: .csv, .json, .md, .tex; nothing for any other.
std::optional<ExportFormat> export_format(const std::string& path);

struct ExportRequest {
  std::string view;               // of a view or table
  std::string query;              // or one SELECT
  std::vector<std::string> runs;  // of a view: only these, by name or pattern; empty: all
};

// How real numbers are written in Markdown and LaTeX. Whole numbers and whole parts keep their digits.
struct DecimalRounding {
  enum class Kind : std::uint8_t { kExact, kSignificant, kDecimals };
  Kind kind = Kind::kExact;
  int digits = 0;
};

// Of all values of a column: whole numbers, any numbers, or text. A column without values is as its unit says.
enum class ColumnType : std::uint8_t { kInteger, kNumber, kText };
struct ExportColumn {
  std::string name;
  std::string unit;  // empty: none
  ColumnType type = ColumnType::kText;
};
struct ExportedTable {
  std::vector<ExportColumn> columns;
  QueryTable content;
  Provenance provenance;  // of the runs that the rows name; of all that were asked for, if they name none
};

// Rows of a view are in the order of their columns, those of a query as it gives them. Throws UserError: unknown view
// or run (with what there is), a view without runs, a query that SQLite refuses or that is not one SELECT, two columns
// of one name.
ExportedTable export_table(const Database& database, const ExportRequest& request);

// Only these columns, in this order. Throws UserError for a column that is not there, or twice.
ExportedTable with_columns(ExportedTable table, const std::vector<std::string>& columns);
// The columns of the view that people read: without keys, hashes, paths and mangled names; of wide views a selection.
std::vector<std::string> readable_columns(const ExportedTable& table, const std::string& view);

// The text of the whole file; `rounding` is for kMarkdown and kLatex. Lines of CSV end with "\n", NULL is an empty
// field, empty text is "". Throws UserError for what JSON cannot hold.
std::string render_export(const ExportedTable& table, ExportFormat format, DecimalRounding rounding = {});
// The metadata as lines behind "# ", for readers of CSV that skip them.
std::string csv_comment(const ExportedTable& table);

// What a reader of the CSV file need not guess, as a Frictionless tabular data resource in JSON: the type and unit of
// each column, and where the numbers are from.
std::string csv_schema(const ExportedTable& table, const std::string& csv_file);
// "results.schema.json" beside "results.csv".
std::string csv_schema_path(const std::string& csv_path);

}  // namespace warpsim
