#include "report/ncu_csv.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <set>
#include <string_view>

#include "base/error.h"
#include "report/csv.h"
#include "report/metric_unit.h"
#include "report/ncu_value.h"
#include "stats/metric_catalog.h"

namespace warpsim {

namespace {

constexpr std::size_t kNone = static_cast<std::size_t>(-1);
constexpr const char* kDevice = "device__attribute_display_name";

// A heading and the rows below it.
struct Output {
  std::size_t line = 0;
  std::string text;
};

bool is_heading(const std::string& line) {
  return (line.starts_with("\"ID\",") || line.starts_with("ID,")) && line.find("Kernel Name") != std::string::npos;
}

std::vector<Output> split(const std::string& text) {
  constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
  std::vector<Output> outputs;
  std::size_t line = 1;
  for (std::size_t at = text.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0; at < text.size(); ++line) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string content = text.substr(at, end - at);
    at = end + 1;
    if (is_heading(content)) {
      outputs.push_back({line, ""});
    }
    if (!outputs.empty()) {
      // An empty line instead of ncu's messages preserves the line numbers.
      outputs.back().text += (content.starts_with("==") ? "" : content) + "\n";
    }
  }
  return outputs;
}

// "smsp__inst_executed.sum", "memory_l2_theoretical_sectors_global"; names of sections have blanks and capitals.
bool is_metric_name(const std::string& name) {
  return name.find('_') != std::string::npos && std::ranges::all_of(name, [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '.' || c == ':';
         });
}

double median(std::vector<double> values) {
  std::ranges::sort(values);
  const std::size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

struct Launch {
  std::size_t line = 0;
  std::string kernel;
  Dim3 grid;
  Dim3 block;
  std::map<std::string, std::optional<double>> values;
};
// By process, in the order of appearance, and ID.
using Launches = std::map<std::pair<std::size_t, std::uint64_t>, Launch>;

class NcuReader {
 public:
  NcuReader(const std::string& text, const std::string& path) : path_(path), outputs_(split(text)) {
    for (const MetricDefinition& metric : metric_definitions()) {
      units_.emplace(metric.name, metric.unit);
    }
  }

  NcuMeasurements read() {
    if (outputs_.empty()) {
      throw UserError(path_ +
                      ": no heading with the columns \"ID\" and \"Kernel Name\"; expected what 'ncu --csv --page raw' "
                      "prints");
    }
    std::vector<Launch> first;
    std::vector<std::map<std::string, std::vector<double>>> measured;
    for (const Output& output : outputs_) {
      const std::vector<Launch> launches = read_output(output);
      if (first.empty()) {
        first = launches;
        measured.resize(first.size());
      }
      check_same(output, first, launches);
      for (std::size_t i = 0; i < launches.size(); ++i) {
        for (const auto& [metric, value] : launches[i].values) {
          auto& values = measured[i][metric];
          if (value) {
            values.push_back(*value);
          }
        }
      }
    }
    return result_of(first, measured);
  }

 private:
  [[noreturn]] void fail(std::size_t line, const std::string& message) const {
    throw UserError(fmt::format("{}:{}: {}", path_, line, message));
  }

  std::vector<Launch> read_output(const Output& output) {
    const std::vector<CsvRow> rows = parse_csv(output.text, path_, output.line);
    columns_ = rows.front().fields;
    processes_.clear();
    const bool is_long = column("Metric Name") != kNone;
    const Launches launches = is_long ? read_long(rows) : read_wide(rows);
    if (launches.empty()) {
      fail(output.line, "no launch below this heading");
    }
    std::vector<Launch> in_order;
    for (const auto& [key, launch] : launches) {
      in_order.push_back(launch);
    }
    return in_order;
  }

  std::size_t column(const std::string& name) const {
    const auto found = std::ranges::find(columns_, name);
    return found == columns_.end() ? kNone : static_cast<std::size_t>(found - columns_.begin());
  }
  std::string field(const CsvRow& row, const char* name) const {
    const std::size_t at = column(name);
    return at >= row.fields.size() ? "" : row.fields[at];
  }

  void check_length(const CsvRow& row) const {
    if (row.fields.size() != columns_.size()) {
      fail(row.line, fmt::format("{} fields, but the heading has {}; if the program printed this line, separate the "
                                 "outputs with ncu --log-file",
                                 row.fields.size(), columns_.size()));
    }
  }

  Launch& launch_of(const CsvRow& row, Launches& launches) {
    const std::string id = field(row, "ID");
    std::uint64_t number = 0;
    const auto [stop, error] = std::from_chars(id.data(), id.data() + id.size(), number);
    if (id.empty() || error != std::errc() || stop != id.data() + id.size()) {
      fail(row.line, fmt::format("the ID must be a number from 0, got '{}'", id));
    }
    const std::size_t process = processes_.emplace(field(row, "Process ID"), processes_.size()).first->second;
    const auto [found, is_new] = launches.try_emplace({process, number});
    Launch& launch = found->second;
    if (is_new) {
      launch = {
          row.line, field(row, "Kernel Name"), dim3_in(field(row, "Grid Size")), dim3_in(field(row, "Block Size")), {}};
    } else if (launch.kernel != field(row, "Kernel Name")) {
      fail(row.line, fmt::format("ID {} is '{}' here, but '{}' in line {}", id, field(row, "Kernel Name"),
                                 launch.kernel, launch.line));
    }
    return launch;
  }

  Launches read_long(const std::vector<CsvRow>& rows) {
    const std::size_t name = column("Metric Name");
    const std::size_t unit = column("Metric Unit");
    const std::size_t value = column("Metric Value");
    if (unit == kNone || value == kNone) {
      fail(rows.front().line, "a column \"Metric Name\" requires the columns \"Metric Unit\" and \"Metric Value\"");
    }
    Launches launches;
    for (std::size_t i = 1; i < rows.size(); ++i) {
      // After the value, the columns of rules may be missing.
      if (rows[i].fields.size() <= value || rows[i].fields.size() > columns_.size()) {
        check_length(rows[i]);
      }
      Launch& launch = launch_of(rows[i], launches);
      if (!rows[i].fields[name].empty()) {  // rules have none
        add(launch, rows[i].line, rows[i].fields[name], rows[i].fields[unit], rows[i].fields[value]);
      }
    }
    return launches;
  }

  Launches read_wide(const std::vector<CsvRow>& rows) {
    if (rows.size() < 2 || rows[1].fields.size() != columns_.size() || !field(rows[1], "ID").empty()) {
      fail(rows.front().line, "expected the row of units below this heading, as 'ncu --csv --page raw' prints it");
    }
    Launches launches;
    for (std::size_t i = 2; i < rows.size(); ++i) {
      check_length(rows[i]);
      const std::size_t before = launches.size();
      Launch& launch = launch_of(rows[i], launches);
      if (launches.size() == before) {
        fail(rows[i].line, fmt::format("ID {} appears twice, first in line {}", field(rows[i], "ID"), launch.line));
      }
      for (std::size_t at = 0; at < columns_.size(); ++at) {
        if (!is_known_column(columns_[at])) {
          add(launch, rows[i].line, columns_[at], rows[1].fields[at], rows[i].fields[at]);
        }
      }
    }
    return launches;
  }

  static bool is_known_column(const std::string& name) {
    constexpr std::string_view kColumns[] = {"ID",          "Process ID", "Process Name", "Host Name",  "Kernel Name",
                                             "Kernel Time", "Context",    "Stream",       "Block Size", "Grid Size",
                                             "Device",      "CC",         "Section Name"};
    return std::ranges::find(kColumns, name) != std::end(kColumns);
  }

  void leave_out(const std::string& name) {
    if (std::ranges::find(left_out_, name) == left_out_.end()) {
      left_out_.push_back(name);
    }
  }

  void add(Launch& launch, std::size_t line, const std::string& metric, const std::string& unit,
           const std::string& text) {
    if (!is_metric_name(metric)) {
      leave_out(metric);
      return;
    }
    const auto known = units_.find(metric);
    const NcuValue value = ncu_value(text);
    if (metric == kDevice) {
      device_ = device_.empty() ? text : device_;
    }
    if (value.kind == NcuValueKind::kText && known == units_.end()) {
      leave_out(metric);
      return;
    }
    if (value.kind == NcuValueKind::kDecimalComma) {
      fail(line,
           fmt::format("'{}' of {} has a decimal comma; run ncu with LC_ALL=C to get decimal points", text, metric));
    }
    if (value.kind == NcuValueKind::kText || value.kind == NcuValueKind::kMalformed) {
      fail(line, fmt::format("'{}' must be a number, got '{}'", metric, text));
    }
    std::optional<double> number;
    if (value.kind == NcuValueKind::kNumber) {
      number = in_kept_unit(line, metric, unit, value.number);
    }
    const auto [place, is_new] = launch.values.emplace(metric, number);
    if (!is_new && place->second != number) {
      fail(line, fmt::format("{} of the launch in line {} appears twice, with different values", metric, launch.line));
    }
  }

  double in_kept_unit(std::size_t line, const std::string& metric, const std::string& unit, double value) {
    const MetricUnit from = metric_unit(unit);
    const auto known = units_.find(metric);
    const std::string to = known == units_.end() ? kept_unit(from) : known->second;
    const std::optional<double> result = converted(value, from, metric_unit(to));
    if (!result) {
      fail(line, fmt::format("{} is in '{}'; expected a unit that becomes '{}'", metric, unit, to));
    }
    if (known == units_.end()) {
      kept_units_[metric] = to;
    }
    return *result;
  }

  void check_same(const Output& output, const std::vector<Launch>& first, const std::vector<Launch>& launches) const {
    if (launches.size() != first.size()) {
      fail(output.line,
           fmt::format("this output has {} launches, the first of the file {}", launches.size(), first.size()));
    }
    for (std::size_t i = 0; i < first.size(); ++i) {
      if (launches[i].kernel != first[i].kernel || launches[i].grid != first[i].grid ||
          launches[i].block != first[i].block) {
        fail(launches[i].line,
             fmt::format("this is not the launch of line {}, which is at this position in the first output "
                         "of the file",
                         first[i].line));
      }
    }
  }

  NcuMeasurements result_of(const std::vector<Launch>& launches,
                            const std::vector<std::map<std::string, std::vector<double>>>& measured) {
    NcuMeasurements result;
    bool any = false;
    for (std::size_t i = 0; i < launches.size(); ++i) {
      HardwareLaunch& launch = result.launches.emplace_back();
      launch.launch_index = static_cast<std::uint32_t>(i);
      launch.kernel = launches[i].kernel;
      launch.grid = launches[i].grid;
      launch.block = launches[i].block;
      launch.units = kept_units_;
      for (const auto& [metric, values] : measured[i]) {
        launch.metrics.emplace_back(metric, values.empty() ? std::nullopt : std::optional<double>(median(values)));
        any = true;
      }
    }
    if (!any) {
      fail(outputs_.front().line,
           "no metric below this heading; names like 'Memory Throughput' belong to sections: use ncu --page raw");
    }
    result.device = device_;
    result.left_out = left_out_;
    result.outputs = outputs_.size();
    return result;
  }

  const std::string& path_;
  std::vector<Output> outputs_;
  std::map<std::string, std::string> units_;       // of the catalogue
  std::map<std::string, std::string> kept_units_;  // of metrics that are not in it
  std::vector<std::string> columns_;               // of the output that is read
  std::map<std::string, std::size_t> processes_;   // of the output that is read
  std::vector<std::string> left_out_;
  std::string device_;
};

}  // namespace

NcuMeasurements parse_ncu_csv(const std::string& text, const std::string& path) {
  return NcuReader(text, path).read();
}

}  // namespace warpsim
