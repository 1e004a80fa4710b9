#include "report/report_series.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <string_view>
#include <utility>

#include "report/report_blob.h"
#include "report/report_queries.h"
#include "stats/sample_columns.h"

namespace warpsim {

namespace {

using Json = nlohmann::ordered_json;

struct SampledLaunch {
  std::int64_t run = 0;
  std::int64_t index = 0;
  std::int64_t samples = 0;
  std::int64_t first_cycle = 0;
  std::int64_t last_cycle = 0;
  std::int64_t cycles_per_point = 0;  // 0: every sample is a point
  std::int64_t cycles_per_map_point = 0;

  std::string where(const std::string& table) const {
    return "WHERE " + table + "run_id = " + std::to_string(run) + " AND " + table +
           "launch_index = " + std::to_string(index);
  }
};

struct MapColumn {
  const char* title;
  const char* view;
  const char* component;
  const char* expression;
  const char* column;
};

constexpr MapColumn kMaps[] = {
    {"Instructions per cycle of each SM", "timeseries_sm", "sm", "ipc", "ipc"},
    {"Resident warps of each SM", "timeseries_sm", "sm", "active_warps", "active_warps"},
    {"GB/s of each L2 slice", "timeseries_l2_slice", "l2_slice", "l2_gb_per_s", "l2_gb_per_s"},
    {"Hit rate of each L2 slice, %", "timeseries_l2_slice", "l2_slice", "l2_hit_pct", "l2_hit_pct"},
    {"GB/s of each DRAM channel", "timeseries_dram_channel", "dram_channel", "dram_read_gb_per_s + dram_write_gb_per_s",
     "dram_gb_per_s"},
};

constexpr std::string_view kStalled = "stalled_";

// Cells that the maps of all launches would have if every sample were a point.
double map_cells(const Database& database, const ReportOptions& options) {
  double cells = 0;
  for (const MapColumn& map : kMaps) {
    const std::string table = std::string("sample_") + map.component;
    cells += static_cast<double>(
        database.integer("SELECT count(*) FROM " + table + " WHERE " + run_condition(options.runs)));
  }
  return cells;
}

// 0 if the samples do not exceed the points.
std::int64_t cycles_per_point(const SampledLaunch& launch, double points) {
  const auto cycles = static_cast<double>(launch.last_cycle - launch.first_cycle + 1);
  return static_cast<double>(launch.samples) <= points ? 0 : static_cast<std::int64_t>(std::ceil(cycles / points));
}

std::vector<SampledLaunch> sampled_launches(const Database& database, const ReportOptions& options) {
  const QueryTable table =
      read_table(database, "SELECT run_id, launch_index, count(*), min(cycle), max(cycle) FROM sample_device WHERE " +
                               run_condition(options.runs) + " GROUP BY run_id, launch_index");
  std::vector<SampledLaunch> launches;
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    const auto number = [&table, row](std::size_t column) { return table.integer(row, column); };
    launches.push_back({number(0), number(1), number(2), number(3), number(4), 0, 0});
  }
  const std::size_t fair = kSeriesBudget / std::max<std::size_t>(launches.size(), 1);
  const std::size_t least = 1000;
  const std::size_t points = options.series_points != 0 ? options.series_points : std::max(fair, least);
  const double cells = map_cells(database, options);
  const double map_points =
      cells > static_cast<double>(kMapBudget) ? static_cast<double>(kMapBudget) / cells : 1.0;  // of the samples
  for (SampledLaunch& launch : launches) {
    const auto samples = static_cast<double>(launch.samples);
    const double most = std::min(samples, static_cast<double>(points));
    launch.cycles_per_point = cycles_per_point(launch, most);
    launch.cycles_per_map_point = cycles_per_point(launch, std::max(2.0, std::min(most, samples * map_points)));
  }
  return launches;
}

// The view's columns of the whole GPU, and the warp states by reason.
std::string lines_sql(const Database& database, const SampledLaunch& launch) {
  const bool grouped = launch.cycles_per_point != 0;
  std::string columns = grouped ? "max(t.cycle) AS cycle" : "t.cycle AS cycle";
  const auto add = [&columns, grouped](const std::string& expression, const std::string& name) {
    columns += ",\n       " + (grouped ? "avg(" + expression + ")" : expression) + " AS " + name;
  };
  const Statement view(database, "SELECT * FROM timeseries LIMIT 0");
  for (int i = 0; i < view.column_count(); ++i) {
    const std::string name = view.column_name(i);
    if (name != "run_id" && name != "run_name" && name != "launch_index" && name != "kernel" && name != "cycle") {
      add("t." + name, name);
    }
  }
  for (const SampleTable& table : sample_tables()) {
    for (const SampleColumn& column : table.columns) {
      const std::string name = column.name;
      if (name.starts_with(kStalled)) {
        add("CAST(s." + name + " AS REAL) / s.cycles", "warps_" + name.substr(kStalled.size()));
      }
    }
  }
  std::string group = "\nORDER BY t.cycle";
  if (grouped) {
    const std::string point =
        "(t.cycle - " + std::to_string(launch.first_cycle) + ") / " + std::to_string(launch.cycles_per_point);
    group = "\nGROUP BY " + point + "\nORDER BY " + point;
  }
  return "SELECT " + columns +
         "\nFROM timeseries t JOIN sample_device s\n"
         "  ON s.run_id = t.run_id AND s.launch_index = t.launch_index AND s.cycle = t.cycle\n" +
         launch.where("t.") + group;
}

std::string planes_of_doubles(const std::vector<double>& values) {
  std::string planes(values.size() * sizeof(double), '\0');
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto bits = std::bit_cast<std::uint64_t>(values[i]);
    for (std::size_t byte = 0; byte < sizeof(double); ++byte) {
      planes[byte * values.size() + i] = static_cast<char>(bits >> (8 * byte) & 0xffU);
    }
  }
  return planes;
}

Json lines_json(const Database& database, const SampledLaunch& launch, std::vector<std::string>& blobs) {
  const std::string sql = lines_sql(database, launch);
  Statement rows(database, sql);
  std::vector<double> cycles;
  std::vector<std::vector<float>> values(static_cast<std::size_t>(rows.column_count()) - 1);
  while (rows.step()) {
    cycles.push_back(rows.real(0));
    for (std::size_t i = 0; i < values.size(); ++i) {
      const int column = static_cast<int>(i) + 1;
      values[i].push_back(rows.is_null(column) ? std::numeric_limits<float>::quiet_NaN()
                                               : static_cast<float>(rows.real(column)));
    }
  }
  Json columns = Json::array();
  std::string bytes = planes_of_doubles(cycles);
  for (std::size_t i = 0; i < values.size(); ++i) {
    columns.push_back(rows.column_name(static_cast<int>(i) + 1));
    bytes += float_planes(values[i]);
  }
  Json json{{"sql", sql}, {"points", cycles.size()}, {"columns", columns}, {"blob", blobs.size()}};
  blobs.push_back(deflated(bytes));
  return json;
}

// A value of each instance at each point in time.
struct Grid {
  std::vector<double> cycles;
  std::vector<std::int64_t> instances;
  std::vector<float> cells;  // point by point; NaN: no value
  float greatest = 0;
};

Grid read_grid(const Database& database, const std::string& sql) {
  struct Entry {
    std::size_t point;
    std::int64_t instance;
    float value;
  };
  Grid grid;
  std::vector<Entry> entries;
  std::map<std::int64_t, std::size_t> places;
  std::int64_t last = -1;
  Statement rows(database, sql);
  while (rows.step()) {
    if (rows.integer(0) != last) {
      last = rows.integer(0);
      grid.cycles.push_back(rows.real(1));
    }
    places.emplace(rows.integer(2), 0);
    if (!rows.is_null(3)) {
      entries.push_back({grid.cycles.size() - 1, rows.integer(2), static_cast<float>(rows.real(3))});
    }
  }
  for (auto& [instance, place] : places) {
    place = grid.instances.size();
    grid.instances.push_back(instance);
  }
  grid.cells.assign(grid.cycles.size() * grid.instances.size(), std::numeric_limits<float>::quiet_NaN());
  for (const Entry& entry : entries) {
    grid.cells[entry.point * grid.instances.size() + places[entry.instance]] = entry.value;
    grid.greatest = std::max(grid.greatest, entry.value);
  }
  return grid;
}

std::string bytes_of(const Grid& grid) {
  constexpr float kSteps = 254;
  std::string bytes(grid.cells.size(), '\0');
  for (std::size_t i = 0; i < grid.cells.size(); ++i) {
    const float value = grid.cells[i];
    if (!std::isnan(value)) {
      const float share = grid.greatest > 0 ? std::max(value, 0.0F) / grid.greatest : 0;
      bytes[i] = static_cast<char>(static_cast<unsigned char>(1 + std::lround(kSteps * share)));
    }
  }
  return bytes;
}

std::string map_sql(const SampledLaunch& launch, const MapColumn& map) {
  const bool grouped = launch.cycles_per_map_point != 0;
  const std::string expression = map.expression;
  const std::string point =
      grouped ? "(cycle - " + std::to_string(launch.first_cycle) + ") / " + std::to_string(launch.cycles_per_map_point)
              : "cycle";
  return "SELECT " + point + " AS point, " + (grouped ? "max(cycle)" : "cycle") + " AS last_cycle, instance,\n       " +
         (grouped ? "avg(" + expression + ")" : expression) + " AS " + map.column + "\nFROM " + map.view + " " +
         launch.where("") + (grouped ? "\nGROUP BY " + point + ", instance" : "") + "\nORDER BY " + point +
         ", instance";
}

Json map_json(const Database& database, const SampledLaunch& launch, const MapColumn& map,
              std::vector<std::string>& blobs) {
  const std::string sql = map_sql(launch, map);
  const Grid grid = read_grid(database, sql);
  if (grid.cells.empty()) {
    return nullptr;
  }
  Json json{{"title", map.title},          {"component", map.component},
            {"column", map.column},        {"sql", sql},
            {"instances", grid.instances}, {"points", grid.cycles.size()},
            {"greatest", grid.greatest},   {"cycles_blob", blobs.size()},
            {"blob", blobs.size() + 1}};
  blobs.push_back(deflated(planes_of_doubles(grid.cycles)));
  blobs.push_back(deflated(bytes_of(grid)));
  return json;
}

}  // namespace

Json series_json(const Database& database, const ReportOptions& options, std::vector<std::string>& blobs) {
  Json series = Json::array();
  for (const SampledLaunch& launch : sampled_launches(database, options)) {
    Json json{{"run_id", launch.run},
              {"launch_index", launch.index},
              {"samples", launch.samples},
              {"cycles_per_point", launch.cycles_per_point}};
    json["lines"] = lines_json(database, launch, blobs);
    json["maps"] = Json::array();
    for (const MapColumn& map : kMaps) {
      Json entry = map_json(database, launch, map, blobs);
      if (!entry.is_null()) {
        json["maps"].push_back(std::move(entry));
      }
    }
    series.push_back(std::move(json));
  }
  return series;
}

}  // namespace warpsim
