#include "report/export.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "base/error.h"
#include "config/near_miss.h"
#include "report/column_units.h"
#include "report/csv.h"
#include "report/export_numbers.h"
#include "report/perfetto_work.h"
#include "report/text_table_formats.h"

namespace warpsim {

namespace {

using Json = nlohmann::ordered_json;

std::string quoted_name(const std::string& name) {
  return '"' + name + '"';  // only names of the schema are passed
}

std::vector<std::string> names_in(const Database& database, const std::string& sql) {
  std::vector<std::string> names;
  for (const auto& row : read_table(database, sql).rows) {
    names.push_back(text_of(row.front()));
  }
  return names;
}

void check_view(const Database& database, const std::string& view) {
  const std::vector<std::string> names =
      names_in(database,
               "SELECT name FROM sqlite_master WHERE type IN ('view', 'table') AND name NOT LIKE 'sqlite%' "
               "ORDER BY type DESC, name");
  if (std::ranges::find(names, view) == names.end()) {
    const std::string near = did_you_mean(view, names);
    throw UserError(fmt::format("{}: no view or table '{}'{}", database.path(), view,
                                near.empty() ? fmt::format("; there are {}", fmt::join(names, ", ")) : near));
  }
}

// Rows with a run; in views and tables without runs all rows belong to all runs.
QueryTable read_view(const Database& database, const ExportRequest& request) {
  check_view(database, request.view);
  const std::vector<std::string> columns =
      names_in(database, "SELECT name FROM pragma_table_info('" + request.view + "') ORDER BY cid");
  std::string sql = "SELECT * FROM " + quoted_name(request.view);
  std::vector<Cell> parameters;
  if (!request.runs.empty()) {
    if (std::ranges::find(columns, "run_id") == columns.end()) {
      throw UserError(
          fmt::format("{}: --run: '{}' is not about runs; it has no column run_id", database.path(), request.view));
    }
    std::string ids;
    for (const std::string& name : request.runs) {
      for (const RunFacts& run : runs_named(database, name)) {
        ids += (ids.empty() ? "" : ", ") + std::to_string(run.run_id);
      }
    }
    sql += " WHERE run_id IN (" + ids + ")";
  }
  sql += " ORDER BY ";
  for (std::size_t i = 0; i < columns.size(); ++i) {
    sql += (i == 0 ? "" : ", ") + std::to_string(i + 1);
  }
  return read_table(database, sql, parameters);
}

QueryTable read_query(const Database& database, const std::string& query) {
  const std::size_t end = query.find_last_not_of("; \t\r\n");
  const std::string sql = query.substr(0, end == std::string::npos ? 0 : end + 1);
  try {
    // Only a single statement that returns rows is possible in parentheses.
    const Statement one_select(database, "SELECT * FROM (\n" + sql + "\n)");
  } catch (const DatabaseError& error) {
    throw UserError(std::string("--query: expected one SELECT; ") + error.what());
  }
  QueryTable table = read_table(database, sql);
  std::set<std::string> seen;
  for (const std::string& column : table.columns) {
    if (!seen.insert(column).second) {
      throw UserError("--query: two columns are named '" + column + "'; rename one of them with AS");
    }
  }
  return table;
}

// The runs for the metadata: those in the rows.
std::vector<RunFacts> runs_in(const Database& database, const QueryTable& table, const ExportRequest& request) {
  const bool by_id = std::ranges::find(table.columns, "run_id") != table.columns.end();
  const bool by_name = std::ranges::find(table.columns, "run_name") != table.columns.end();
  if (!by_id && !by_name) {
    return all_runs(database);
  }
  std::set<std::string> seen(request.runs.begin(), request.runs.end());
  if (by_id || by_name) {
    const std::size_t column = table.column(by_id ? "run_id" : "run_name");
    for (const auto& row : table.rows) {
      seen.insert(text_of(row[column]));
    }
  }
  std::vector<RunFacts> runs;
  for (const RunFacts& run : all_runs(database)) {
    if (seen.contains(run.name) || (by_id && seen.contains(std::to_string(run.run_id)))) {
      runs.push_back(run);
    }
  }
  return runs;
}

ColumnType type_of(const QueryTable& table, std::size_t column, bool has_unit) {
  bool any = false;
  bool text = false;
  bool real = false;
  for (const auto& row : table.rows) {
    any = any || !std::holds_alternative<std::monostate>(row[column]);
    text = text || std::holds_alternative<std::string>(row[column]);
    real = real || std::holds_alternative<double>(row[column]);
  }
  if (!any) {
    return has_unit ? ColumnType::kNumber : ColumnType::kText;
  }
  return text ? ColumnType::kText : (real ? ColumnType::kNumber : ColumnType::kInteger);
}

Json json_cell(const Cell& cell, const std::string& column) {
  if (const auto* text = std::get_if<std::string>(&cell)) {
    return *text;
  }
  if (const auto* integer = std::get_if<std::int64_t>(&cell)) {
    return *integer;
  }
  if (const auto* real = std::get_if<double>(&cell)) {
    if (!std::isfinite(*real)) {
      throw UserError("column '" + column + "' has an infinite value, which JSON cannot hold");
    }
    return *real;
  }
  return nullptr;
}

const char* type_name(ColumnType type) {
  return type == ColumnType::kInteger ? "integer" : (type == ColumnType::kNumber ? "number" : "string");
}

Json fields_of(const ExportedTable& table) {
  Json fields = Json::array();
  for (const ExportColumn& column : table.columns) {
    Json& field = fields.emplace_back(Json{{"name", column.name}, {"type", type_name(column.type)}});
    if (!column.unit.empty()) {
      field["unit"] = column.unit;
    }
  }
  return fields;
}

std::string dumped(const Json& json) {
  try {
    return json.dump(2) + "\n";
  } catch (const Json::type_error&) {
    throw UserError("a text is not valid UTF-8, which JSON cannot hold");
  }
}

std::string table_as_json(const ExportedTable& table) {
  Json records = Json::array();
  for (const auto& row : table.content.rows) {
    Json record = Json::object();
    for (std::size_t i = 0; i < row.size(); ++i) {
      record[table.columns[i].name] = json_cell(row[i], table.columns[i].name);
    }
    records.push_back(std::move(record));
  }
  return dumped({{"metadata", provenance_json(table.provenance)}, {"columns", fields_of(table)}, {"records", records}});
}

std::string csv_text(const ExportedTable& table) {
  std::string text;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    text += (i == 0 ? "" : ",") + csv_field(table.columns[i].name);
  }
  text += '\n';
  for (const auto& row : table.content.rows) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      const auto* empty = std::get_if<std::string>(&row[i]);
      text += i == 0 ? "" : ",";
      text += empty != nullptr && empty->empty() ? "\"\"" : csv_field(text_of(row[i]));
    }
    text += '\n';
  }
  return text;
}

PrintedTable printed_table(const ExportedTable& table, DecimalRounding rounding) {
  PrintedTable printed;
  for (const ExportColumn& column : table.columns) {
    const CellAlign align = column.type == ColumnType::kText ? CellAlign::kText : CellAlign::kNumber;
    printed.columns.push_back({column_heading(column.name), align});
  }
  for (const auto& row : table.content.rows) {
    auto& cells = printed.rows.emplace_back();
    for (const Cell& cell : row) {
      const auto* real = std::get_if<double>(&cell);
      cells.push_back(real == nullptr ? text_of(cell) : rounded(*real, rounding));
    }
  }
  return printed;
}

std::vector<std::string> remarks(const ExportedTable& table, DecimalRounding rounding) {
  std::vector<std::string> lines = provenance_lines(table.provenance);
  if (rounding.kind != DecimalRounding::Kind::kExact) {
    lines.push_back(
        fmt::format("real numbers are rounded to {} {}", rounding.digits,
                    rounding.kind == DecimalRounding::Kind::kDecimals ? "decimal places" : "significant digits"));
  }
  return lines;
}

std::string markdown_text(const ExportedTable& table, DecimalRounding rounding) {
  std::string text = "<!--\n";
  for (std::string line : remarks(table, rounding)) {
    // Two hyphens would end the comment for some readers.
    for (std::size_t at = 0; (at = line.find("--", at)) != std::string::npos;) {
      line.insert(at + 1, " ");
    }
    text += line + "\n";
  }
  return text + "-->\n\n" + markdown_table(printed_table(table, rounding));
}

std::string as_comment(const std::vector<std::string>& lines, const char* mark) {
  std::string text;
  for (const std::string& line : lines) {
    text += mark;
    for (const char c : line) {
      text += c == '\n' || c == '\r' ? ' ' : c;
    }
    text += '\n';
  }
  return text;
}

}  // namespace

std::optional<ExportFormat> export_format(const std::string& path) {
  if (std::filesystem::path(path).extension() == ".json") {
    return ExportFormat::kJson;
  }
  if (std::filesystem::path(path).extension() == ".pftrace") {
    return ExportFormat::kPerfetto;
  }
  const std::optional<TableFormat> format = table_format(path);
  if (!format) {
    return std::nullopt;
  }
  return *format == TableFormat::kCsv
             ? ExportFormat::kCsv
             : (*format == TableFormat::kMarkdown ? ExportFormat::kMarkdown : ExportFormat::kLatex);
}

ExportedTable export_table(const Database& database, const ExportRequest& request) {
  ExportedTable table;
  table.content = request.view.empty() ? read_query(database, request.query) : read_view(database, request);
  for (std::size_t i = 0; i < table.content.columns.size(); ++i) {
    const std::string& name = table.content.columns[i];
    const std::string unit = column_unit(name);
    const ColumnType type = type_of(table.content, i, !unit.empty());
    table.columns.push_back({name, type == ColumnType::kText ? "" : unit, type});
  }
  table.provenance = {std::filesystem::path(database.path()).filename().string(),
                      request.view.empty() ? request.query : request.view, runs_in(database, table.content, request)};
  return table;
}

std::string render_export(const ExportedTable& table, ExportFormat format, DecimalRounding rounding) {
  switch (format) {
    case ExportFormat::kCsv:
      return csv_text(table);
    case ExportFormat::kJson:
      return table_as_json(table);
    case ExportFormat::kMarkdown:
      return markdown_text(table, rounding);
    case ExportFormat::kPerfetto:
      return perfetto_of_work(table.content);
    case ExportFormat::kLatex:
      break;
  }
  return as_comment(remarks(table, rounding), "% ") + "% needs \\usepackage{booktabs} and \\usepackage{siunitx}\n" +
         latex_table(printed_table(table, rounding));
}

std::string csv_comment(const ExportedTable& table) {
  return as_comment(provenance_lines(table.provenance), "# ");
}

std::string csv_schema(const ExportedTable& table, const std::string& csv_file) {
  return dumped({{"profile", "tabular-data-resource"},
                 {"name", "warpsim-export"},
                 {"path", std::filesystem::path(csv_file).filename().string()},
                 {"format", "csv"},
                 {"encoding", "utf-8"},
                 {"schema", {{"fields", fields_of(table)}, {"missingValues", {""}}}},
                 {"metadata", provenance_json(table.provenance)}});
}

std::string csv_schema_path(const std::string& csv_path) {
  return std::filesystem::path(csv_path).replace_extension(".schema.json").string();
}

}  // namespace warpsim
