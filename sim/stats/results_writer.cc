#include "stats/results_writer.h"

#include <fmt/format.h>

#include <span>

#include "base/demangle.h"
#include "base/error.h"
#include "stats/schema.h"
#include "stats/schema_variants.h"
#include "warpsim_version.h"

namespace warpsim {

namespace {

// The first column of the only row, or -1.
std::int64_t found_id(Statement& query) {
  std::int64_t id = -1;
  while (query.step()) {
    id = query.integer(0);
  }
  return id;
}

std::optional<double> number_or_null(const std::optional<std::uint32_t>& number) {
  return number ? std::optional<double>(*number) : std::nullopt;
}

// Rows of counter_value that one statement inserts: a statement finds its place in the table's tree only once.
constexpr std::size_t kRowsAtOnce = 64;

// Parameters: run, launch and statistic of all rows, then instance and value of each.
std::string insert_counter_values(std::size_t rows) {
  std::string sql = "INSERT INTO counter_value VALUES ";
  for (std::size_t row = 0; row < rows; ++row) {
    sql += fmt::format("{}(?1, ?2, ?3, ?{}, ?{})", row == 0 ? "" : ", ", 4 + 2 * row, 5 + 2 * row);
  }
  return sql;
}

}  // namespace

std::map<std::string, double> formula_inputs(const LaunchRecord& launch) {
  std::map<std::string, double> inputs;
  for (const auto& [name, value] : launch.attributes) {
    if (const double* number = std::get_if<double>(&value)) {
      inputs[name] = *number;
    }
  }
  inputs["elapsed_cycles"] = static_cast<double>(launch.elapsed_cycles);
  inputs["duration_ns"] = launch.duration_ns;
  inputs["grid_size"] = static_cast<double>(launch.grid.count());
  inputs["block_size"] = static_cast<double>(launch.block.count());
  return inputs;
}

// The inserts that are executed thousands of times.
struct ResultsWriter::Statements {
  explicit Statements(const Database& database)
      : counter_total(database, "INSERT INTO counter_total VALUES (?, ?, ?, ?)"),
        counter_value(database, insert_counter_values(1)),
        counter_values(database, insert_counter_values(kRowsAtOnce)),
        histogram_total(database, "INSERT INTO histogram_total VALUES (?, ?, ?, ?, ?, ?)"),
        histogram_bucket(database, "INSERT INTO histogram_bucket VALUES (?, ?, ?, ?, ?, ?)"),
        metric_value(database, "INSERT INTO metric_value VALUES (?, ?, ?, ?)"),
        metric_status(database, "INSERT OR IGNORE INTO metric_status VALUES (?, ?)"),
        find_stat(database, "SELECT stat_id FROM statistic WHERE component = ? AND name = ? AND form = ?"),
        insert_stat(database,
                    "INSERT INTO statistic (form, component, name, unit, description) VALUES (?, ?, ?, ?, ?)"),
        find_instance(database, "SELECT instance_id FROM instance WHERE path = ?"),
        insert_instance(database, "INSERT INTO instance (path, component) VALUES (?, ?)") {}

  Statement counter_total;
  Statement counter_value;
  Statement counter_values;  // kRowsAtOnce of them
  Statement histogram_total;
  Statement histogram_bucket;
  Statement metric_value;
  Statement metric_status;
  Statement find_stat;
  Statement insert_stat;
  Statement find_instance;
  Statement insert_instance;
};

ResultsWriter::ResultsWriter(const std::string& path) : database_(path, Database::Mode::kCreate) {
  // The file stays consistent without waiting for the disk if the process is killed, but not after a power failure.
  database_.execute("PRAGMA synchronous = OFF");
  create_schema(database_);
  database_.use_write_ahead_log();
  store_metric_catalog();
  statements_ = std::make_unique<Statements>(database_);
  details_ = std::make_unique<DetailsWriter>(database_);
  runs_ = std::make_unique<RunTable>(database_);
}

ResultsWriter::~ResultsWriter() {
  runs_.reset();
  statements_.reset();
  details_.reset();
  try {
    // A single file, readable on a read-only file system. Fails while another process reads; then the log stays.
    database_.execute("PRAGMA busy_timeout = 0; PRAGMA journal_mode = DELETE");
  } catch (const DatabaseError&) {
  }
}

void ResultsWriter::store_metric_catalog() {
  Transaction transaction(database_);
  Statement insert(database_, "INSERT OR IGNORE INTO metric VALUES (?, ?, ?, ?)");
  Statement insert_reason(database_, "INSERT OR IGNORE INTO metric_status VALUES (?, ?)");
  for (const MetricDefinition& definition : metric_definitions()) {
    insert.bind(1, std::string_view(definition.name)).bind(2, std::string_view(definition.unit));
    insert.bind(3, std::string_view(definition.description));
    if (definition.formula != nullptr) {
      insert.bind(4, std::string_view(definition.formula));
    } else {
      insert.bind_null(4);
    }
    insert.run();
    if (definition.reason != nullptr) {
      insert_reason.bind(1, std::string_view(definition.name)).bind(2, std::string_view(definition.reason)).run();
    }
  }
  transaction.commit();
}

std::vector<std::int64_t> ResultsWriter::begin_runs(const std::vector<RunRecord>& runs, bool replace) {
  std::vector<std::int64_t> ids;
  for (const BegunRun& run : runs_->begin(runs, replace ? KnownRun::kReplace : KnownRun::kRefuse)) {
    ids.push_back(run.run_id);
  }
  return ids;
}

std::vector<BegunRun> ResultsWriter::continue_runs(const std::vector<RunRecord>& runs) {
  return runs_->begin(runs, KnownRun::kContinue);
}

void ResultsWriter::add_launch(std::int64_t run_id, const LaunchRecord& launch, const StatGroup& stats,
                               const LaunchDetails& details) {
  const StatSnapshot snapshot(stats);
  Transaction transaction(database_);
  runs_->require_own(run_id);
  insert_kernel(launch.kernel);
  insert_launch_row(run_id, launch);
  insert_attributes(run_id, launch);
  insert_counters(run_id, launch.launch_index, snapshot);
  insert_histograms(run_id, launch.launch_index, snapshot);
  insert_metrics(run_id, launch, snapshot);
  details_->add(run_id, launch.launch_index, details);
  transaction.commit();
}

void ResultsWriter::add_work(std::int64_t run_id, const std::vector<WorkRecord>& works) {
  if (works.empty()) {
    return;
  }
  Transaction transaction(database_);
  runs_->require_own(run_id);
  Statement(database_, "DELETE FROM device_work WHERE run_id = ?").bind(1, run_id).run();
  Statement insert(database_, "INSERT INTO device_work VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
  for (const WorkRecord& work : works) {
    insert.bind(1, run_id).bind(2, work.device).bind(3, work.number).bind(4, std::string_view(work.kind));
    insert.bind(5, work.stream).bind(6, std::uint32_t{work.in_graph}).bind(7, std::int64_t{work.priority});
    insert.bind(8, number_or_null(work.launch_index)).bind(9, work.bytes).bind(10, number_or_null(work.peer_device));
    int parameter = 10;
    for (const double ns : {work.submitted_ns, work.start_ns, work.end_ns, work.waited_for_work_ns,
                            work.waited_for_queue_ns, work.waited_for_place_ns}) {
      insert.bind(++parameter, ns);
    }
    insert.run();
  }
  transaction.commit();
}

void ResultsWriter::add_ranges(std::int64_t run_id, const RunRanges& ranges) {
  if (ranges.ranges.empty()) {
    return;
  }
  Transaction transaction(database_);
  runs_->require_own(run_id);
  Statement insert(database_, "INSERT INTO host_range VALUES (?, ?, ?, ?, ?, ?, ?)");
  for (const RangeRecord& range : ranges.ranges) {
    insert.bind(1, run_id).bind(2, range.number);
    insert.bind(3, range.parent == 0 ? std::nullopt : std::optional(static_cast<std::int64_t>(range.parent)));
    insert.bind(4, std::string_view(range.is_pushed ? "pushed" : "started")).bind(5, range.thread);
    insert.bind(6, std::string_view(range.domain)).bind(7, std::string_view(range.name));
    insert.run();
  }
  Statement launch(database_, "INSERT INTO host_range_launch VALUES (?, ?, ?)");
  for (const auto& [range, index] : ranges.launches) {
    launch.bind(1, run_id).bind(2, range).bind(3, index).run();
  }
  transaction.commit();
}

void ResultsWriter::insert_kernel(const std::string& kernel) {
  const std::string names[] = {kernel, demangle(kernel), short_function_name(demangle(kernel))};
  Statement insert(database_, "INSERT OR IGNORE INTO kernel VALUES (?, ?, ?)");
  insert.bind(1, names[0]).bind(2, names[1]).bind(3, names[2]).run();
}

void ResultsWriter::insert_launch_row(std::int64_t run_id, const LaunchRecord& launch) {
  Statement insert(database_,
                   "INSERT INTO launch VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
  insert.bind(1, run_id).bind(2, launch.launch_index).bind(3, std::string_view(launch.kernel));
  insert.bind(4, std::string_view(launch.limited ? "limited" : "complete"));
  int parameter = 4;
  for (const Dim3& size : {launch.grid, launch.block, launch.cluster}) {
    for (const std::uint32_t extent : {size.x, size.y, size.z}) {
      insert.bind(++parameter, extent);
    }
  }
  for (const std::uint32_t value :
       {launch.registers_per_thread, launch.shared_bytes, launch.local_bytes_per_thread, launch.device}) {
    insert.bind(++parameter, value);
  }
  for (const std::uint64_t value : {launch.stream, launch.start_cycle, launch.elapsed_cycles}) {
    insert.bind(++parameter, value);
  }
  insert.bind(++parameter, launch.duration_ns).run();
}

void ResultsWriter::insert_attributes(std::int64_t run_id, const LaunchRecord& launch) {
  Statement insert(database_, "INSERT INTO launch_attribute VALUES (?, ?, ?, ?)");
  for (const auto& [name, value] : launch.attributes) {
    insert.bind(1, run_id).bind(2, launch.launch_index).bind(3, std::string_view(name));
    if (const double* number = std::get_if<double>(&value)) {
      insert.bind(4, *number).run();
    } else {
      insert.bind(4, std::string_view(std::get<std::string>(value))).run();
    }
  }
  Statement(database_, "INSERT INTO launch_host VALUES (?, ?, ?, ?, ?)")
      .bind(1, run_id)
      .bind(2, launch.launch_index)
      .bind(3, launch.host_seconds)
      .bind(4, launch.component_cycles)
      .bind(5, launch.component_cycles_ticked)
      .run();
}

void ResultsWriter::insert_counters(std::int64_t run_id, std::uint32_t launch_index, const StatSnapshot& snapshot) {
  std::vector<std::int64_t> instances;
  for (const StatSnapshot::Instance& instance : snapshot.instances()) {
    instances.push_back(instance_id(instance));
  }
  Statement& total = statements_->counter_total;
  for (const StatSnapshot::CounterTotal& counter : snapshot.counters()) {
    const std::int64_t id = stat_id("counter", counter.statistic);
    if (counter.sum == 0) {
      continue;
    }
    total.bind(1, run_id).bind(2, launch_index).bind(3, id).bind(4, counter.sum).run();
    for (std::span<const StatSnapshot::InstanceValue> rest = counter.values; !rest.empty();) {
      const std::size_t rows = rest.size() < kRowsAtOnce ? 1 : kRowsAtOnce;
      Statement& insert = rows == 1 ? statements_->counter_value : statements_->counter_values;
      insert.bind(1, run_id).bind(2, launch_index).bind(3, id);
      int parameter = 3;
      for (const StatSnapshot::InstanceValue& value : rest.first(rows)) {
        insert.bind(++parameter, instances[value.instance]);
        insert.bind(++parameter, value.value);
      }
      insert.run();
      rest = rest.subspan(rows);
    }
  }
}

void ResultsWriter::insert_histograms(std::int64_t run_id, std::uint32_t launch_index, const StatSnapshot& snapshot) {
  Statement& total = statements_->histogram_total;
  Statement& single = statements_->histogram_bucket;
  for (const StatSnapshot::HistogramTotal& histogram : snapshot.histograms()) {
    const std::int64_t id = stat_id("histogram", histogram.statistic);
    if (histogram.count == 0) {
      continue;
    }
    total.bind(1, run_id).bind(2, launch_index).bind(3, id);
    total.bind(4, histogram.count).bind(5, histogram.sum).bind(6, histogram.greatest).run();
    for (std::uint32_t bucket = 0; bucket < Histogram::kBuckets; ++bucket) {
      if (histogram.buckets[bucket] == 0) {
        continue;
      }
      single.bind(1, run_id).bind(2, launch_index).bind(3, id).bind(4, Histogram::lower_bound(bucket));
      if (bucket + 1 < Histogram::kBuckets) {
        single.bind(5, Histogram::lower_bound(bucket + 1) - 1);
      } else {
        single.bind_null(5);
      }
      single.bind(6, histogram.buckets[bucket]).run();
    }
  }
}

void ResultsWriter::insert_metrics(std::int64_t run_id, const LaunchRecord& launch, const StatSnapshot& snapshot) {
  const std::map<std::string, double> numbers = formula_inputs(launch);
  Statement& insert = statements_->metric_value;
  for (const MetricCatalog::Value& value : catalog_.evaluate({snapshot, numbers})) {
    const std::string_view name = value.definition->name;
    insert.bind(1, run_id).bind(2, launch.launch_index).bind(3, name);
    insert.bind(4, value.value).run();
    if (!value.reason.empty()) {
      statements_->metric_status.bind(1, name).bind(2, std::string_view(value.reason)).run();
    }
  }
}

std::int64_t ResultsWriter::stat_id(const char* form, const StatSnapshot::Statistic& statistic) {
  const std::string key = statistic.component + "/" + statistic.name + "/" + form;
  if (const auto known = stat_ids_.find(key); known != stat_ids_.end()) {
    return known->second;
  }
  Statement& find = statements_->find_stat;
  find.bind(1, std::string_view(statistic.component)).bind(2, std::string_view(statistic.name));
  find.bind(3, std::string_view(form));
  std::int64_t id = found_id(find);
  if (id < 0) {
    Statement& insert = statements_->insert_stat;
    insert.bind(1, std::string_view(form)).bind(2, std::string_view(statistic.component));
    insert.bind(3, std::string_view(statistic.name)).bind(4, std::string_view(statistic.unit));
    insert.bind(5, std::string_view(statistic.description)).run();
    id = database_.last_row_id();
  }
  stat_ids_.emplace(key, id);
  return id;
}

std::int64_t ResultsWriter::instance_id(const StatSnapshot::Instance& instance) {
  if (const auto known = instance_ids_.find(instance.path); known != instance_ids_.end()) {
    return known->second;
  }
  std::int64_t id = found_id(statements_->find_instance.bind(1, std::string_view(instance.path)));
  if (id < 0) {
    statements_->insert_instance.bind(1, std::string_view(instance.path))
        .bind(2, std::string_view(instance.component))
        .run();
    id = database_.last_row_id();
  }
  instance_ids_.emplace(instance.path, id);
  return id;
}

void ResultsWriter::put_hardware_run(const std::string& name, const std::string& gpu,
                                     const std::vector<HardwareLaunch>& launches) {
  database_.execute("PRAGMA foreign_keys = ON");
  Transaction transaction(database_);
  Statement(database_, "DELETE FROM run WHERE name = ? AND source = 'hardware'").bind(1, std::string_view(name)).run();
  Statement(database_, "INSERT INTO run (name, source, status, gpu, version) VALUES (?, 'hardware', 'complete', ?, ?)")
      .bind(1, std::string_view(name))
      .bind(2, std::string_view(gpu))
      .bind(3, std::string_view(kVersion))
      .run();
  const std::int64_t run_id = database_.last_row_id();
  Statement(database_, "INSERT INTO device (run_id, device, gpu) VALUES (?, 0, ?)")
      .bind(1, run_id)
      .bind(2, std::string_view(gpu))
      .run();
  for (const HardwareLaunch& launch : launches) {
    insert_hardware_launch(run_id, launch);
  }
  database_.require_in_place();
  transaction.commit();
}

void ResultsWriter::insert_hardware_launch(std::int64_t run_id, const HardwareLaunch& launch) {
  insert_kernel(launch.kernel);
  Statement row(database_,
                "INSERT INTO launch (run_id, launch_index, kernel, grid_x, grid_y, grid_z, block_x, block_y, block_z) "
                "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)");
  row.bind(1, run_id).bind(2, launch.launch_index).bind(3, std::string_view(launch.kernel));
  int parameter = 3;
  for (const Dim3& size : {launch.grid, launch.block}) {
    for (const std::uint32_t extent : {size.x, size.y, size.z}) {
      row.bind(++parameter, extent);
    }
  }
  row.run();
  Statement metric(database_,
                   "INSERT INTO metric VALUES (?, ?, 'measured on hardware; not known to this version', NULL) "
                   "ON CONFLICT DO UPDATE SET unit = excluded.unit WHERE formula IS NULL AND unit = ''");
  for (const auto& [name, value] : launch.metrics) {
    const auto unit = launch.units.find(name);
    metric.bind(1, std::string_view(name));
    metric.bind(2, unit == launch.units.end() ? std::string_view() : std::string_view(unit->second)).run();
    Statement& insert = statements_->metric_value;
    insert.bind(1, run_id).bind(2, launch.launch_index).bind(3, std::string_view(name));
    insert.bind(4, value).run();
  }
}

}  // namespace warpsim
