#include "app/correlation_table.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <filesystem>

#include "app/hardware_csv.h"
#include "app/text_format.h"

namespace warpsim {

namespace {

// The columns that people read, in their order.
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

std::string render_csv(const std::vector<MetricRow>& rows) {
  const auto number = [](const std::optional<double>& value) { return value ? fmt::format("{}", *value) : ""; };
  std::string text =
      "metric,error_in,launches,mean_absolute_error,median_absolute_error,p90_absolute_error,worst_error,mean_error,"
      "pearson,log_pearson,hardware_zero,hardware_zero_simulated_not,worst_launch\n";
  for (const MetricRow& row : rows) {
    const Correlation& result = row.result;
    text += fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{}\n", csv_field(row.metric),
                        row.kind == MetricKind::kPercentage ? "points" : "share", result.compared,
                        number(result.mean_absolute_error), number(result.median_absolute_error),
                        number(result.p90_absolute_error), number(result.worst_error), number(result.mean_error),
                        number(result.pearson), number(result.log_pearson), result.hardware_zero,
                        result.hardware_zero_simulated_not, csv_field(row.worst_launch));
  }
  return text;
}

// Characters that would end a cell, begin a formula or name a macro.
std::string escaped(const std::string& cell, TableFormat format) {
  const std::string special = format == TableFormat::kLatex ? "_%&#$" : "|";
  std::string result;
  for (const char c : cell) {
    if (special.find(c) != std::string::npos) {
      result += '\\';
    }
    result += c;
  }
  return result;
}

std::string render_markdown(const std::vector<MetricRow>& rows) {
  std::string text;
  std::string rule;
  for (std::size_t i = 0; i < kColumns; ++i) {
    text += "| " + escaped(kHeadings[i], TableFormat::kMarkdown) + " ";
    rule += is_text(i) ? "| --- " : "| ---: ";
  }
  text += "|\n" + rule + "|\n";
  for (const MetricRow& row : rows) {
    Cells cells = cells_of(row);
    cells.front() = "`" + cells.front() + "`";
    for (const std::string& cell : cells) {
      text += "| " + escaped(cell, TableFormat::kMarkdown) + " ";
    }
    text += "|\n";
  }
  return text;
}

std::string render_latex(const std::vector<MetricRow>& rows) {
  std::string columns;
  std::string heading;
  for (std::size_t i = 0; i < kColumns; ++i) {
    columns += is_text(i) ? 'l' : 'r';
    // A bare bar is a dash in LaTeX's default font encoding.
    const std::string name =
        std::string(kHeadings[i]) == "mean |error|" ? "mean $|$error$|$" : escaped(kHeadings[i], TableFormat::kLatex);
    heading += (i == 0 ? "" : " & ") + name;
  }
  std::string text = "\\begin{tabular}{" + columns + "}\n\\hline\n" + heading + " \\\\\n\\hline\n";
  for (const MetricRow& row : rows) {
    const Cells cells = cells_of(row);
    for (std::size_t i = 0; i < kColumns; ++i) {
      text += (i == 0 ? "" : " & ") + escaped(cells[i], TableFormat::kLatex);
    }
    text += " \\\\\n";
  }
  return text + "\\hline\n\\end{tabular}\n";
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

std::optional<TableFormat> table_format(const std::string& path) {
  const std::string suffix = std::filesystem::path(path).extension().string();
  if (suffix == ".csv") {
    return TableFormat::kCsv;
  }
  if (suffix == ".md") {
    return TableFormat::kMarkdown;
  }
  if (suffix == ".tex") {
    return TableFormat::kLatex;
  }
  return std::nullopt;
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
      return render_csv(rows);
    case TableFormat::kMarkdown:
      return render_markdown(rows);
    case TableFormat::kLatex:
      break;
  }
  return render_latex(rows);
}

}  // namespace warpsim
