#include "report/sweep_data.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "base/error.h"
#include "config/near_miss.h"
#include "report/figure_parts.h"
#include "report/query_table.h"

namespace warpsim {

namespace {

constexpr const char* kGpu = "gpu";
constexpr const char* kWorkload = "workload";
constexpr const char* kCacheControl = "cache_control";
constexpr const char* kNoFacet = "none";

struct Point {
  std::int64_t run_id = 0;
  std::string run;
  std::string variant;
  std::string configuration;  // equal for runs with equal results
  std::string gpu;
  std::string workload;  // "scan[1]": with the number of the launch if there are several
  std::int64_t launch = 0;
  std::string x;
  double y = 0;
  std::map<std::string, std::string> settings;  // GPU and parameters besides x, by name
  std::string panel;
  std::string line;
};

std::optional<double> number_of(const std::string& text) {
  double value = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && stop == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

bool same_value(const std::string& a, const std::string& b) {
  return a == b || (number_of(a) && number_of(b) && number_of(a) == number_of(b));
}

void check_request(const Database& database, const FigureRequest& request, const std::string& y) {
  if (request.x.empty()) {
    throw UserError("plot sweep needs --x KEY, a value of the configuration that differs between the runs, or gpu");
  }
  std::vector<std::string> keys =
      distinct(read_table(database, "SELECT DISTINCT path FROM config ORDER BY path"), "path");
  keys.insert(keys.end(), {kGpu, kCacheControl});
  if (std::ranges::find(keys, request.x) == keys.end()) {
    throw UserError(fmt::format("{}: --x '{}': no such key in the configurations{}", database.path(), request.x,
                                did_you_mean(request.x, keys)));
  }
  std::vector<std::string> metrics = number_columns(database, "kernel_summary");
  const std::vector<std::string> more = distinct(read_table(database, "SELECT metric FROM metric"), "metric");
  metrics.insert(metrics.end(), more.begin(), more.end());
  if (std::ranges::find(metrics, y) == metrics.end()) {
    throw UserError(fmt::format("{}: '{}' is neither a numeric column of kernel_summary nor a metric{}",
                                database.path(), y, did_you_mean(y, metrics)));
  }
}

std::string x_of_run(const std::string& x) {
  if (x == kGpu) {
    return "r.gpu";
  }
  return x == kCacheControl ? "r.cache_control"
                            : "(SELECT value FROM config c WHERE c.run_id = r.run_id AND c.path = ?1)";
}

// Of all complete launches with a value, regardless of --run: a baseline may be outside of its selection.
std::vector<Point> read_points(const Database& database, const FigureRequest& request, const std::string& y) {
  const std::vector<std::string> columns = number_columns(database, "kernel_summary");
  const bool column = std::ranges::find(columns, y) != columns.end();
  const std::string launch = request.launch ? fmt::format(" AND l.launch_index = {}", *request.launch) : "";
  const QueryTable table = read_table(
      database,
      fmt::format("SELECT r.run_id AS run_id, r.name AS run, v.variant AS variant, v.workload AS workload,\n"
                  "       v.workload_id AS workload_id, l.launch_index AS launch, {} AS x, {} AS y, r.gpu AS gpu,\n"
                  "       r.config_hash || ' ' || coalesce(r.cache_control, '') || ' ' || r.version AS configuration\n"
                  "FROM run r JOIN variants v ON v.run_id = r.run_id\n"
                  "JOIN launch l ON l.run_id = r.run_id AND l.status = 'complete'\n"
                  "JOIN {} s ON s.run_id = l.run_id AND s.launch_index = l.launch_index{}\n"
                  "WHERE x IS NOT NULL AND y IS NOT NULL AND (?1 = ?1) AND (?2 = ?2){} "
                  "ORDER BY r.run_id, l.launch_index",
                  x_of_run(request.x), column ? "s." + y : "s.value", column ? "kernel_summary" : "metric_value",
                  column ? "" : " AND s.metric = ?2", launch),
      {request.x, y});
  std::map<std::string, std::set<std::string>> launches_of;
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    launches_of[text_of(table.at(row, "workload_id"))].insert(text_of(table.at(row, "launch")));
  }
  std::vector<Point> points;
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    const auto text = [&table, row](const char* name) { return text_of(table.at(row, name)); };
    Point& point = points.emplace_back();
    point.run_id = table.integer(row, "run_id");
    point.run = text("run");
    point.variant = text("variant");
    point.configuration = text("configuration");
    point.launch = table.integer(row, "launch");
    point.workload = launch_label(text("workload"), point.launch, launches_of[text("workload_id")].size() == 1);
    point.x = text("x");
    point.y = number_in(table.at(row, "y")).value_or(0);
    point.gpu = text("gpu");
    point.settings[kGpu] = point.gpu;
  }
  return points;
}

void add_parameters(const Database& database, const std::string& x, std::vector<Point>& points) {
  std::map<std::int64_t, std::map<std::string, std::string>> settings;
  const QueryTable table = read_table(database, "SELECT run_id, parameter, value FROM parameters");
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    settings[table.integer(row, 0)][text_of(table.rows[row][1])] = text_of(table.rows[row][2]);
  }
  for (Point& point : points) {
    point.settings.insert(settings[point.run_id].begin(), settings[point.run_id].end());
    point.settings.erase(x);
  }
}

std::vector<std::string> values_of(const std::vector<Point>& points, const std::string& setting) {
  std::vector<std::string> values;
  for (const Point& point : points) {
    const auto found = point.settings.find(setting);
    const std::string value = setting == kWorkload            ? point.workload
                              : found == point.settings.end() ? std::string()
                                                              : found->second;
    if (std::ranges::find(values, value) == values.end()) {
      values.push_back(value);
    }
  }
  return values;
}

// A parameter counts only if it has several values at one x: otherwise x implies it.
bool is_independent(const std::vector<Point>& points, const std::string& setting) {
  std::map<std::string, std::string> at_x;
  return std::ranges::any_of(points, [&](const Point& point) {
    const auto found = point.settings.find(setting);
    const std::string value = found == point.settings.end() ? std::string() : found->second;
    const std::string place = setting == kGpu ? point.x : point.gpu + "\n" + point.x;
    return at_x.try_emplace(place, value).first->second != value;
  });
}

// GPU and parameters that distinguish lines.
std::vector<std::string> line_settings(const std::vector<Point>& points, const std::string& facet) {
  std::set<std::string> names;
  for (const Point& point : points) {
    for (const auto& [name, value] : point.settings) {
      names.insert(name);
    }
  }
  std::vector<std::string> settings;
  if (names.erase(kGpu) != 0 && facet != kGpu && is_independent(points, kGpu)) {
    settings.emplace_back(kGpu);
  }
  for (const std::string& name : names) {
    if (name != facet && is_independent(points, name)) {
      settings.push_back(name);
    }
  }
  return settings;
}

std::string chosen_facet(const Database& database, const FigureRequest& request, const std::vector<Point>& points) {
  if (request.facet.empty()) {
    return values_of(points, kWorkload).size() > 1 && !line_settings(points, "").empty() ? kWorkload : kNoFacet;
  }
  std::set<std::string> known = {kWorkload, kGpu, kNoFacet};
  for (const Point& point : points) {
    for (const auto& [name, value] : point.settings) {
      known.insert(name);
    }
  }
  if (!known.contains(request.facet)) {
    throw UserError(fmt::format("{}: --facet '{}': expected one of {}{}", database.path(), request.facet,
                                fmt::join(known, ", "), did_you_mean(request.facet, {known.begin(), known.end()})));
  }
  return request.facet;
}

// "l2.num_ways = 8" as "num_ways 8", and a GPU as only its name.
std::string setting_text(const std::string& name, const std::string& value) {
  return name == kGpu ? value : name.substr(name.rfind('.') + 1) + " " + value;
}

void name_lines(std::vector<Point>& points, const std::string& facet) {
  const std::vector<std::string> settings = line_settings(points, facet);
  const bool by_workload = facet != kWorkload && values_of(points, kWorkload).size() > 1;
  for (Point& point : points) {
    if (facet != kNoFacet) {
      point.panel = facet == kWorkload ? point.workload : setting_text(facet, point.settings[facet]);
    }
    std::vector<std::string> parts;
    if (by_workload || settings.empty()) {
      parts.push_back(point.workload);
    }
    for (const std::string& name : settings) {
      parts.push_back(setting_text(name, point.settings[name]));
    }
    point.line = fmt::format("{}", fmt::join(parts, ", "));
  }
}

// Runs of one configuration give one point. Other runs at the same position differ in a value that no line shows.
void drop_doubles(const Database& database, const FigureRequest& request, std::vector<Point>& points,
                  std::vector<std::string>& remarks) {
  std::map<std::tuple<std::string, std::string, std::string>, const Point*> seen;
  std::vector<Point> kept;
  kept.reserve(points.size());
  for (const Point& point : points) {
    const auto [place, is_new] = seen.try_emplace({point.panel, point.line, point.x}, nullptr);
    if (is_new) {
      place->second = &kept.emplace_back(point);
      continue;
    }
    const Point& first = *place->second;
    if (first.configuration != point.configuration || first.y != point.y) {
      throw UserError(
          fmt::format("{}: runs {} and {} both have {} = {}, so they differ in another value; select with --run",
                      database.path(), first.run, point.run, request.x, point.x));
    }
    remarks.push_back(fmt::format("{} is the same as {}", point.run, first.run));
  }
  points = std::move(kept);
}

// The divisor of each point.
class Baseline {
 public:
  // `all`: also runs that were not selected.
  Baseline(const Database& database, const FigureRequest& request, const std::vector<Point>& points,
           const std::vector<Point>& all)
      : points_(points), all_(all), x_(request.x) {
    std::vector<std::string> names;
    for (const Point& point : points) {
      by_x_ = by_x_ || same_value(point.x, request.baseline);
      names.push_back(point.x);
    }
    value_ = by_x_ ? request.baseline : "";
    for (const Point& point : all) {
      const bool is_meant =
          point.run == request.baseline || point.variant == request.baseline || point.gpu == request.baseline;
      value_ = value_.empty() && is_meant ? point.variant : value_;
      names.insert(names.end(), {point.run, point.variant});
    }
    if (value_.empty()) {
      throw UserError(fmt::format("{}: --baseline '{}': neither a value of {} nor a run, GPU or variant{}",
                                  database.path(), request.baseline, request.x, did_you_mean(request.baseline, names)));
    }
  }

  std::string text() const { return by_x_ ? x_ + " = " + value_ : value_; }

  // Nothing if the baseline has no value or the value 0.
  std::optional<double> of(const Point& point) const {
    for (const Point& other : by_x_ ? points_ : all_) {
      const bool is_base = by_x_ ? other.line == point.line && other.panel == point.panel && same_value(other.x, value_)
                                 : other.workload == point.workload && other.variant == value_;
      if (is_base && other.y != 0) {
        return other.y;
      }
    }
    return std::nullopt;
  }

 private:
  const std::vector<Point>& points_;
  const std::vector<Point>& all_;
  std::string x_;
  std::string value_;  // of x, or a variant
  bool by_x_ = false;
};

std::vector<Point> divided(const std::vector<Point>& points, const Baseline& baseline,
                           std::vector<std::string>& remarks) {
  std::set<std::string> left_out;
  std::vector<Point> kept;
  for (const Point& point : points) {
    if (const std::optional<double> base = baseline.of(point)) {
      kept.push_back(point);
      kept.back().y /= *base;
    } else {
      left_out.insert(point.panel.empty() ? point.line : point.panel + ": " + point.line);
    }
  }
  for (const std::string& name : left_out) {
    remarks.push_back(name + " left out: no value at the baseline " + baseline.text());
  }
  return kept;
}

std::vector<std::string> distinct_of(const std::vector<Point>& points, std::string Point::*member) {
  std::vector<std::string> texts;
  for (const Point& point : points) {
    if (std::ranges::find(texts, point.*member) == texts.end()) {
      texts.push_back(point.*member);
    }
  }
  return texts;
}

template <class List>
std::int64_t place_of(const List& list, const std::string& text) {
  return std::ranges::find(list, text) - list.begin();
}

void fill_table(SweepData& data, const std::vector<Point>& points) {
  data.panels = distinct_of(points, &Point::panel);
  data.lines = distinct_of(points, &Point::line);
  const std::vector<std::string> values = distinct_of(points, &Point::x);
  if (!std::ranges::all_of(values, [](const std::string& value) { return number_of(value).has_value(); })) {
    data.categories = values;
  }
  data.table.columns = {"run_id",      "run_name", "launch_index", "panel", "line", "panel_number",
                        "line_number", "x",        "x_position",   "y"};
  using Row = std::pair<std::tuple<std::int64_t, std::int64_t, double>, std::vector<Cell>>;
  std::vector<Row> rows;
  for (const Point& point : points) {
    const double position =
        data.categories.empty() ? *number_of(point.x) : static_cast<double>(place_of(values, point.x));
    const std::int64_t panel = place_of(data.panels, point.panel);
    const std::int64_t line = place_of(data.lines, point.line);
    rows.push_back(
        {{panel, line, position},
         {point.run_id, point.run, point.launch, point.panel, point.line, panel, line, point.x, position, point.y}});
  }
  std::ranges::stable_sort(rows, {}, &Row::first);
  for (Row& row : rows) {
    data.table.rows.push_back(std::move(row.second));
  }
}

}  // namespace

SweepData sweep_data(const Database& database, const FigureRequest& request, const std::string& y) {
  check_request(database, request, y);
  std::vector<Point> all = read_points(database, request, y);
  add_parameters(database, request.x, all);
  std::set<std::string> chosen;
  for (const std::string& name : request.runs) {
    for (const RunFacts& run : runs_named(database, name)) {
      chosen.insert(run.name);
    }
  }
  std::vector<Point> points = all;
  std::erase_if(points, [&chosen](const Point& point) { return !chosen.empty() && !chosen.contains(point.run); });
  if (points.empty()) {
    throw UserError(fmt::format("{}: no complete simulated launch with a value of {}", database.path(), y));
  }
  name_lines(points, chosen_facet(database, request, points));
  SweepData data;
  drop_doubles(database, request, points, data.remarks);
  if (const auto values = distinct_of(points, &Point::x); values.size() < 2) {
    throw UserError(
        fmt::format("{}: {} is {} in all runs; a sweep needs two values", database.path(), request.x, values.front()));
  }
  if (!request.baseline.empty()) {
    const Baseline baseline(database, request, points, all);
    data.relative_to = baseline.text();
    points = divided(points, baseline, data.remarks);
    if (points.empty()) {
      throw UserError(fmt::format("{}: --baseline '{}': no line has a value there", database.path(), request.baseline));
    }
  }
  fill_table(data, points);
  return data;
}

}  // namespace warpsim
