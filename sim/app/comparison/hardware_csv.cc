#include "app/comparison/hardware_csv.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <set>

#include "base/error.h"
#include "base/input_file.h"
#include "report/csv.h"

namespace warpsim {

namespace {

class HardwareReader {
 public:
  HardwareReader(const std::string& text, const std::string& path) : path_(path), rows_(parse_csv(text, path)) {}

  HardwareTable read() {
    if (rows_.empty()) {
      throw UserError(path_ + ": empty; expected a CSV file with one row per launch");
    }
    read_header(rows_.front());
    for (std::size_t i = 1; i < rows_.size(); ++i) {
      table_.rows.push_back(read_row(rows_[i]));
    }
    return std::move(table_);
  }

 private:
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

  struct SpreadColumns {
    std::string metric;
    std::size_t least;
    std::size_t greatest;
  };

  void read_header(const CsvRow& header) {
    columns_ = header.fields;
    const auto column = [this](const std::string& name) {
      const auto found = std::find(columns_.begin(), columns_.end(), name);
      return found == columns_.end() ? kNone : static_cast<std::size_t>(found - columns_.begin());
    };
    workload_ = column("workload");
    launch_ = column("launch");
    if (workload_ == kNone || launch_ == kNone) {
      const bool is_ncus = column("Kernel Name") != kNone;
      throw UserError(fmt::format("{}:{}: expected the columns 'workload' and 'launch' in the first line{}", path_,
                                  header.line,
                                  is_ncus ? "; use 'warpsim import-ncu' for the output of Nsight Compute" : ""));
    }
    kernel_ = column("kernel");
    grid_ = column("grid");
    block_ = column("block");
    status_ = column("status");
    const std::set<std::size_t> others = {workload_, launch_, kernel_, grid_, block_, status_, column("runs")};
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      if (!others.contains(i) && columns_[i].find(" (") == std::string::npos) {
        table_.metrics.push_back(columns_[i]);
        metric_columns_.push_back(i);
        const std::size_t least = column(columns_[i] + " (min)");
        const std::size_t greatest = column(columns_[i] + " (max)");
        if (least != kNone && greatest != kNone) {
          spread_columns_.push_back({columns_[i], least, greatest});
        }
      }
    }
  }

  HardwareRow read_row(const CsvRow& row) {
    if (row.fields.size() != columns_.size()) {
      throw UserError(fmt::format("{}:{}: {} fields, but the first line has {}", path_, row.line, row.fields.size(),
                                  columns_.size()));
    }
    const auto optional_text = [&row](std::size_t column) {
      return column == kNone ? std::string() : row.fields[column];
    };
    HardwareRow result;
    result.workload = row.fields[workload_];
    result.launch.launch_index = launch_index(row);
    result.launch.kernel = optional_text(kernel_);
    result.launch.grid = dim3_in(optional_text(grid_));
    result.launch.block = dim3_in(optional_text(block_));
    result.passed = status_ == kNone || row.fields[status_] == "PASS";
    for (const std::size_t column : metric_columns_) {
      result.launch.metrics.emplace_back(columns_[column], value(row, column));
    }
    for (const SpreadColumns& columns : spread_columns_) {
      const std::optional<double> least = value(row, columns.least);
      const std::optional<double> greatest = value(row, columns.greatest);
      if (least && greatest) {
        result.spreads[columns.metric] = {*least, *greatest};
      }
    }
    if (!seen_.emplace(result.workload, result.launch.launch_index).second) {
      throw UserError(fmt::format("{}:{}: launch {} of {} appears twice", path_, row.line, result.launch.launch_index,
                                  result.workload));
    }
    return result;
  }

  std::uint32_t launch_index(const CsvRow& row) const {
    const std::string& text = row.fields[launch_];
    std::uint32_t index = 0;
    const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), index);
    if (error != std::errc() || stop != text.data() + text.size()) {
      throw UserError(fmt::format("{}:{}: the launch must be a number from 0, got '{}'", path_, row.line, text));
    }
    return index;
  }

  std::optional<double> value(const CsvRow& row, std::size_t column) const {
    const std::string& text = row.fields[column];
    if (text.empty() || text == "n/a" || text == "nan" || text == "NaN") {
      return std::nullopt;
    }
    double number = 0;
    const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || stop != text.data() + text.size()) {
      throw UserError(fmt::format("{}:{}: '{}' must be a number, got '{}'", path_, row.line, columns_[column], text));
    }
    return number;
  }

  const std::string& path_;
  std::vector<CsvRow> rows_;
  std::vector<std::string> columns_;
  std::vector<std::size_t> metric_columns_;
  std::vector<SpreadColumns> spread_columns_;
  std::size_t workload_ = kNone;
  std::size_t launch_ = kNone;
  std::size_t kernel_ = kNone;
  std::size_t grid_ = kNone;
  std::size_t block_ = kNone;
  std::size_t status_ = kNone;
  std::set<std::pair<std::string, std::uint32_t>> seen_;
  HardwareTable table_;
};

}  // namespace

HardwareTable parse_hardware_csv(const std::string& text, const std::string& path) {
  return HardwareReader(text, path).read();
}

HardwareTable read_hardware_csv(const std::string& path) {
  return parse_hardware_csv(require_input(path, "a CSV file with one row per launch"), path);
}

}  // namespace warpsim
