#include "app/comparison/correlation_table.h"

#include <fmt/format.h>

#include <array>
#include <cmath>

#include "app/text_format.h"

namespace warpsim {

namespace {

// The columns for readers, in their order.
constexpr std::size_t kColumns = 11;
constexpr std::array<const char*, kColumns> kHeadings = {"metric",  "launches",     "mean |error|", "median",
                                                         "90 %",    "worst",        "mean error",   "Pearson",
                                                         "of logs", "hw 0 (other)", "worst launch"};
using Cells = std::array<std::string, kColumns>;

bool is_text(std::size_t column) {
  return column == 0 || column == kColumns - 1;
}

const char* unit_of(MetricKind kind) {
  return kind == MetricKind::kPercentage ? "pt" : "%";
}
std::string unsigned_text(MetricKind kind, const std::optional<double>& error) {
  return error ? fmt::format("{:.1f} {}", *error * 100, unit_of(kind)) : "-";
}
std::string coefficient(const std::optional<double>& value) {
  return value ? fmt::format("{:.3f}", *value) : "-";
}

Cells cells_of(const MetricRow& row) {
  const Correlation& result = row.result;
  return {row.metric,
          std::to_string(result.compared),
          unsigned_text(row.kind, result.mean_absolute_error),
          unsigned_text(row.kind, result.median_absolute_error),
          unsigned_text(row.kind, result.p90_absolute_error),
          error_text(row.kind, result.worst_error),
          error_text(row.kind, result.mean_error),
          coefficient(result.pearson),
          coefficient(result.log_pearson),
          fmt::format("{} ({})", result.hardware_zero, result.hardware_zero_simulated_not),
          row.worst_launch.empty() ? "-" : row.worst_launch};
}

PrintedTable plain_table(const std::vector<MetricRow>& rows) {
  PrintedTable table;
  for (const char* heading : {"metric", "error_in", "launches", "mean_absolute_error", "median_absolute_error",
                              "p90_absolute_error", "worst_error", "mean_error", "pearson", "log_pearson",
                              "hardware_zero", "hardware_zero_simulated_not", "worst_launch"}) {
    table.columns.push_back({heading});
  }
  const auto number = [](const std::optional<double>& value) { return value ? fmt::format("{}", *value) : ""; };
  for (const MetricRow& row : rows) {
    const Correlation& result = row.result;
    table.rows.push_back(
        {row.metric, row.kind == MetricKind::kPercentage ? "points" : "share", std::to_string(result.compared),
         number(result.mean_absolute_error), number(result.median_absolute_error), number(result.p90_absolute_error),
         number(result.worst_error), number(result.mean_error), number(result.pearson), number(result.log_pearson),
         std::to_string(result.hardware_zero), std::to_string(result.hardware_zero_simulated_not), row.worst_launch});
  }
  return table;
}

PrintedTable readable_table(const std::vector<MetricRow>& rows) {
  PrintedTable table;
  for (std::size_t i = 0; i < kColumns; ++i) {
    table.columns.push_back({kHeadings[i], is_text(i) ? CellAlign::kText : CellAlign::kRight, i == 0});
  }
  for (const MetricRow& row : rows) {
    const Cells cells = cells_of(row);
    table.rows.emplace_back(cells.begin(), cells.end());
  }
  return table;
}

}  // namespace

MetricRows metric_rows(const LaunchJoin& join, const std::vector<std::string>& metrics) {
  MetricRows result;
  for (const std::string& metric : metrics) {
    const std::vector<ValuePair> pairs = value_pairs(join, metric);
    if (pairs.empty()) {
      result.absent.push_back(metric);
      continue;
    }
    const MetricKind kind = metric_kind(metric);
    MetricRow row{metric, kind, correlate(kind, pairs), ""};
    if (row.result.worst) {
      row.worst_launch = pairs[*row.result.worst].launch;
    }
    result.rows.push_back(std::move(row));
  }
  return result;
}

std::string error_text(MetricKind kind, const std::optional<double>& error) {
  return error ? fmt::format("{:+.1f} {}", *error * 100, unit_of(kind)) : "-";
}

std::string spread_text(MetricKind kind, double hardware, const Spread& spread) {
  const std::optional<double> least = error_between(kind, hardware, spread.least);
  const std::optional<double> greatest = error_between(kind, hardware, spread.greatest);
  if (!least || !greatest) {
    return "-";
  }
  return fmt::format("{:+.1f} .. {}", *least * 100, error_text(kind, greatest));
}

std::string render_text(const std::vector<MetricRow>& rows) {
  std::vector<TextTable::Column> columns;
  for (std::size_t i = 0; i < kColumns; ++i) {
    columns.push_back({kHeadings[i], is_text(i) ? Align::kLeft : Align::kRight});
  }
  TextTable table(std::move(columns));
  for (const MetricRow& row : rows) {
    const Cells cells = cells_of(row);
    table.add({cells.begin(), cells.end()});
  }
  return table.render();
}

std::string render_table(const std::vector<MetricRow>& rows, TableFormat format) {
  switch (format) {
    case TableFormat::kCsv:
      return csv_table(plain_table(rows));
    case TableFormat::kMarkdown:
      return markdown_table(readable_table(rows));
    case TableFormat::kLatex:
      break;
  }
  return latex_table(readable_table(rows));
}

}  // namespace warpsim
