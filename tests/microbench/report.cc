#include "microbench/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <set>
#include <sstream>
#include <utility>

#include "app/text_format.h"
#include "base/error.h"
#include "report/csv.h"

namespace warpsim::microbench {
namespace {

double number(const std::string& text, const CsvRow& row, const std::string& path) {
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  if (text.empty() || *end != '\0') {
    throw UserError(fmt::format("{}:{}: '{}' is not a number", path, row.line, text));
  }
  return value;
}

Summary summarise(const std::vector<Row>& rows) {
  Summary summary;
  summary.values = rows.size();
  std::vector<double> errors;
  for (const Row& row : rows) {
    if (const std::optional<double> error = row.error()) {
      errors.push_back(std::abs(*error));
      if (summary.worst_name.empty() || errors.back() > summary.worst) {
        summary.worst = errors.back();
        summary.worst_name = row.hardware.name;
      }
    }
  }
  summary.compared = errors.size();
  if (!errors.empty()) {
    std::sort(errors.begin(), errors.end());
    const std::size_t n = errors.size();
    summary.median = n % 2 == 1 ? errors[n / 2] : (errors[n / 2 - 1] + errors[n / 2]) / 2;
    summary.percentile_90 = errors[(9 * n + 9) / 10 - 1];
  }
  return summary;
}

std::string percent(double share) {
  return fmt::format("{:+.1f} %", 100 * share);
}

std::string share(std::size_t part, std::size_t whole) {
  return whole == 0 ? "-" : fmt::format("{:.0f} %", 100.0 * static_cast<double>(part) / static_cast<double>(whole));
}

}  // namespace

std::vector<HardwareValue> parse_hardware_values(const std::string& text, const std::string& path) {
  std::vector<CsvRow> rows = parse_csv(text, path);
  const std::vector<std::string> columns = {"bench", "name", "unit", "median", "min", "max", "runs"};
  if (rows.empty() || rows[0].fields != columns) {
    throw UserError(path + ":1: expected the columns bench,name,unit,median,min,max,runs");
  }
  std::vector<HardwareValue> values;
  std::set<std::pair<std::string, std::string>> seen;
  for (std::size_t i = 1; i < rows.size(); ++i) {
    const std::vector<std::string>& field = rows[i].fields;
    if (field.size() != columns.size()) {
      throw UserError(fmt::format("{}:{}: expected {} fields", path, rows[i].line, columns.size()));
    }
    if (!seen.emplace(field[0], field[1]).second) {
      throw UserError(fmt::format("{}:{}: {} appears twice", path, rows[i].line, field[1]));
    }
    values.push_back({field[0], field[1], field[2], number(field[3], rows[i], path), number(field[4], rows[i], path),
                      number(field[5], rows[i], path)});
  }
  return values;
}

std::vector<HardwareValue> read_hardware_values(const std::string& path) {
  std::ifstream in(path);
  std::stringstream text;
  text << in.rdbuf();
  if (!in) {
    throw UserError(path + ": cannot be read");
  }
  return parse_hardware_values(text.str(), path);
}

bool matches(const std::string& pattern, const std::string& name) {
  // After a mismatch following a `*`, that `*` matches one more character.
  std::size_t p = 0;
  std::size_t n = 0;
  std::size_t star = std::string::npos;
  std::size_t resume = 0;
  while (n < name.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      resume = n;
    } else if (p < pattern.size() && pattern[p] == name[n]) {
      ++p;
      ++n;
    } else if (star != std::string::npos) {
      p = star + 1;
      n = ++resume;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', p) == std::string::npos;
}

std::optional<double> Row::error() const {
  if (!simulated) {
    return std::nullopt;
  }
  if (hardware.median == 0) {
    return *simulated == 0 ? 0 : std::numeric_limits<double>::infinity();
  }
  return (*simulated - hardware.median) / hardware.median;
}

FamilyReport make_report(const Family& family, const std::vector<HardwareValue>& table,
                         const std::map<std::string, double>& simulated) {
  std::set<std::string> probes;
  for (const Probe& probe : family.probes) {
    if (!probes.insert(probe.name).second) {
      throw UserError(fmt::format("{} has two probes {}", family.bench, probe.name));
    }
  }
  FamilyReport report;
  report.bench = family.bench;
  std::size_t found = 0;
  for (const HardwareValue& value : table) {
    if (value.bench != family.bench) {
      continue;
    }
    Row row{value, std::nullopt, ""};
    if (probes.erase(value.name) != 0) {
      ++found;
      const auto result = simulated.find(value.name);
      row.simulated = result == simulated.end() ? std::nullopt : std::optional<double>(result->second);
    } else {
      const auto pattern = std::find_if(family.uncovered.begin(), family.uncovered.end(),
                                        [&](const Uncovered& entry) { return matches(entry.pattern, value.name); });
      if (pattern == family.uncovered.end()) {
        row.reason = "not considered";
        report.not_considered.push_back(value.name);
      } else {
        row.reason = pattern->reason;
        ++report.uncovered[pattern->pattern + ": " + pattern->reason];
      }
    }
    report.rows.push_back(std::move(row));
  }
  if (!probes.empty()) {
    throw UserError(fmt::format("{} has a probe {} that the hardware table lacks", family.bench, *probes.begin()));
  }
  report.summary = summarise(report.rows);
  report.summary.covered = found;
  return report;
}

std::string render_values(const FamilyReport& report) {
  TextTable table({{report.bench, Align::kLeft},
                   {"unit", Align::kLeft},
                   {"hardware", Align::kRight},
                   {"min..max", Align::kRight},
                   {"simulated", Align::kRight},
                   {"error", Align::kRight}});
  for (const Row& row : report.rows) {
    if (row.simulated) {
      table.add({row.hardware.name, row.hardware.unit, fmt::format("{:.6g}", row.hardware.median),
                 fmt::format("{:.6g}..{:.6g}", row.hardware.least, row.hardware.greatest),
                 fmt::format("{:.6g}", *row.simulated), percent(*row.error())});
    }
  }
  return table.empty() ? "" : table.render() + "\n";
}

std::string render_summary(const std::vector<FamilyReport>& reports) {
  TextTable table({{"family", Align::kLeft},
                   {"values", Align::kRight},
                   {"covered", Align::kRight},
                   {"share", Align::kRight},
                   {"simulated", Align::kRight},
                   {"median |error|", Align::kRight},
                   {"90 %", Align::kRight},
                   {"worst", Align::kRight},
                   {"which", Align::kLeft}});
  for (const FamilyReport& report : reports) {
    const Summary& summary = report.summary;
    const auto of_errors = [&summary](double error) {
      return summary.compared == 0 ? std::string("-") : fmt::format("{:.1f} %", 100 * error);
    };
    table.add({report.bench, fmt::format("{}", summary.values), fmt::format("{}", summary.covered),
               share(summary.covered, summary.values), fmt::format("{}", summary.compared), of_errors(summary.median),
               of_errors(summary.percentile_90), of_errors(summary.worst), summary.worst_name});
  }
  return table.render();
}

std::string render_uncovered(const FamilyReport& report) {
  std::string text;
  for (const auto& [reason, count] : report.uncovered) {
    text += fmt::format("  {}: {} not covered, {}\n", report.bench, count, reason);
  }
  for (const std::string& name : report.not_considered) {
    text += fmt::format("  {}: not considered, {}\n", report.bench, name);
  }
  return text;
}

std::string render_csv(const std::vector<FamilyReport>& reports) {
  std::string text = "bench,name,unit,hardware,min,max,simulated,error_percent,reason\n";
  for (const FamilyReport& report : reports) {
    for (const Row& row : report.rows) {
      const HardwareValue& value = row.hardware;
      const std::optional<double> error = row.error();
      text += fmt::format("{},{},{},{},{},{},{},{},{}\n", csv_field(value.bench), csv_field(value.name),
                          csv_field(value.unit), value.median, value.least, value.greatest,
                          row.simulated ? fmt::format("{}", *row.simulated) : "",
                          error ? fmt::format("{:.4f}", 100 * *error) : "", csv_field(row.reason));
    }
  }
  return text;
}

}  // namespace warpsim::microbench
