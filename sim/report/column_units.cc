#include "report/column_units.h"

#include "stats/hot_spot_columns.h"
#include "stats/sample_columns.h"

namespace warpsim {

namespace {

struct NamedUnit {
  std::string_view name;
  std::string_view unit;
};

constexpr NamedUnit kColumns[] = {
    {"cycles", "cycle"},
    {"cycle", "cycle"},
    {"cycles_active", "cycle"},
    {"bytes", "byte"},
    {"instructions", "inst"},
    {"ipc", "inst/cycle"},
    {"seconds", "s"},
    {"instructions_per_second", "inst/s"},
    {"warps_per_issue", "warp"},
    {"shared_bytes", "byte/block"},
    {"registers_per_thread", "register/thread"},
    {"local_bytes_per_thread", "byte/thread"},
    {"warps", "warp"},
    {"active_warps", "warp"},
    {"eligible_warps", "warp"},
    {"threads_per_instruction", "thread/inst"},
};
constexpr NamedUnit kEndings[] = {
    {"_pct", "%"}, {"_gb_per_s", "GB/s"}, {"_cycles", "cycle"}, {"_us", "us"}, {"_ns", "ns"}, {"_per_cycle", "1/cycle"},
};

template <class Columns>
std::string_view unit_in(const Columns& columns, std::string_view name) {
  for (const auto& column : columns) {
    if (name == column.name) {
      return column.unit;
    }
  }
  return {};
}

}  // namespace

std::string column_unit(std::string_view column) {
  if (const std::string_view unit = unit_in(kColumns, column); !unit.empty()) {
    return std::string(unit);
  }
  for (const NamedUnit& ending : kEndings) {
    if (column.ends_with(ending.name)) {
      return std::string(ending.unit);
    }
  }
  if (const std::string_view unit = unit_in(hot_spot_columns(), column); !unit.empty()) {
    return std::string(unit);
  }
  for (const SampleTable& table : sample_tables()) {
    if (const std::string_view unit = unit_in(table.columns, column); !unit.empty()) {
      return std::string(unit);
    }
  }
  return {};
}

std::string column_heading(std::string_view column) {
  const std::string unit = column_unit(column);
  const bool says_it = column == unit || column == unit + "s";
  return std::string(column) + (unit.empty() || says_it ? "" : " (" + unit + ")");
}

}  // namespace warpsim
