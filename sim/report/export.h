// Views, tables and queries of a results database as CSV, JSON, Markdown and LaTeX. CSV and JSON are for programs: all
// columns, numbers in the fewest digits that preserve the value. Markdown and LaTeX are for readers: selected columns,
// rounded numbers.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "report/provenance.h"
#include "report/query_table.h"

namespace warpsim {

// kPerfetto: a trace for a viewer, only of the view device_timeline.
enum class ExportFormat : std::uint8_t { kCsv, kJson, kMarkdown, kLatex, kPerfetto };
// By the suffix of the file's name: .csv, .json, .md, .tex, .pftrace; nothing for any other.
std::optional<ExportFormat> export_format(const std::string& path);

struct ExportRequest {
  std::string view;               // of a view or table
  std::string query;              // or one SELECT
  std::vector<std::string> runs;  // of a view: only these, by name or pattern; empty: all
};

// How real numbers are written in Markdown and LaTeX. Integers and integer parts keep their digits.
struct DecimalRounding {
  enum class Kind : std::uint8_t { kExact, kSignificant, kDecimals };
  Kind kind = Kind::kExact;
  int digits = 0;
};

// Of all values of a column: integers, real numbers, or text. The type of a column without values follows from its
// unit.
enum class ColumnType : std::uint8_t { kInteger, kNumber, kText };
struct ExportColumn {
  std::string name;
  std::string unit;  // empty: none
  ColumnType type = ColumnType::kText;
};
struct ExportedTable {
  std::vector<ExportColumn> columns;
  QueryTable content;
  Provenance provenance;  // of the runs in the rows; of all requested runs if the rows have none
};

// Rows of a view are sorted by their columns, those of a query are in its order. Throws UserError: unknown view
// or run (with what there is), a view without runs, a query that SQLite refuses or that is not one SELECT, two columns
// of one name.
ExportedTable export_table(const Database& database, const ExportRequest& request);

// Only these columns, in this order. Throws UserError for a missing or duplicate column.
ExportedTable with_columns(ExportedTable table, const std::vector<std::string>& columns);
// The columns of the view for readers: without keys, hashes, paths and mangled names; for wide views a selection.
std::vector<std::string> readable_columns(const ExportedTable& table, const std::string& view);

// The text of the whole file; `rounding` is for kMarkdown and kLatex. Lines of CSV end with "\n", NULL is an empty
// field, empty text is "". Throws UserError for values that JSON cannot represent.
std::string render_export(const ExportedTable& table, ExportFormat format, DecimalRounding rounding = {});
// The metadata as lines after "# ", for readers of CSV that skip them.
std::string csv_comment(const ExportedTable& table);

// The schema of the CSV file as a Frictionless tabular data resource in JSON: the type and unit of each column, and the
// origin of the numbers.
std::string csv_schema(const ExportedTable& table, const std::string& csv_file);
// "results.schema.json" for "results.csv".
std::string csv_schema_path(const std::string& csv_path);

}  // namespace warpsim
