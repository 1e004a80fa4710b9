// Writes runs, launches and their statistics into a results database (layout: stats/schema.h, docs/statistics.md).
//
// A run is stored as 'incomplete' before any work and gets its final status last, so that the status is also
// true after a kill. Each launch is one transaction. Other processes can read the file meanwhile and write other runs.
// An existing results database of the same schema version is extended; a run name that it already contains is refused,
// replaced or continued (stats/run_table.h). Keys do not depend on the order in which parallel runs finish. Not
// thread-safe: the caller serialises. Errors: DatabaseError.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "base/types.h"
#include "stats/database.h"
#include "stats/details_writer.h"
#include "stats/metric_catalog.h"
#include "stats/range_record.h"
#include "stats/run_record.h"
#include "stats/run_table.h"
#include "stats/stat_group.h"
#include "stats/stat_snapshot.h"
#include "stats/work_record.h"

namespace warpsim {

using AttributeValue = std::variant<double, std::string>;

struct LaunchRecord {
  std::uint32_t launch_index = 0;
  std::string kernel;  // as recorded
  bool limited = false;
  Dim3 grid;
  Dim3 block;
  Dim3 cluster;
  std::uint32_t registers_per_thread = 0;
  std::uint32_t shared_bytes = 0;
  std::uint32_t local_bytes_per_thread = 0;
  std::uint32_t device = 0;  // number of the GPU in the run
  std::uint64_t stream = 0;
  Cycle start_cycle = 0;
  Cycle elapsed_cycles = 0;
  double duration_ns = 0;
  // Further facts of the launch by name. Numbers are available to metric formulas as launch.<name>; kernel_summary
  // reads theoretical_occupancy_pct and occupancy_limiter.
  std::map<std::string, AttributeValue> attributes;
  // Of this host.
  double host_seconds = 0;
  std::uint64_t component_cycles = 0;
  std::uint64_t component_cycles_ticked = 0;
};

// The numbers that metric formulas refer to as launch.<name>.
std::map<std::string, double> formula_inputs(const LaunchRecord& launch);

// One launch measured on hardware.
struct HardwareLaunch {
  std::uint32_t launch_index = 0;
  std::string kernel;
  Dim3 grid;
  Dim3 block;
  std::vector<std::pair<std::string, std::optional<double>>> metrics;
  std::map<std::string, std::string> units;  // of metrics that are not in the catalogue, if known
};

class ResultsWriter {
 public:
  // Creates the database, or opens an existing one to append to it.
  explicit ResultsWriter(const std::string& path);
  ~ResultsWriter();

  const std::string& path() const { return database_.path(); }

  // Stores the runs as incomplete, in one transaction, and returns their run_ids, in order. Throws DatabaseError if
  // the database holds one of the names, unless `replace`, and if another process writes one of these runs.
  std::vector<std::int64_t> begin_runs(const std::vector<RunRecord>& runs, bool replace);
  // The same, but existing runs of these names and of the same command are continued, or left unchanged if they are
  // finished (RunTable::begin()).
  std::vector<BegunRun> continue_runs(const std::vector<RunRecord>& runs);
  // Takes over a run that another process has begun.
  RunToken hand_over(std::int64_t run_id) { return runs_->hand_over(run_id); }
  void take_run(const RunToken& run) { runs_->take(run); }
  // The same for one of several processes of a program: a run of its own if another one has taken it.
  std::int64_t take_or_begin_run(const RunToken& run, const RunRecord& record) {
    return runs_->take_or_begin(run, record);
  }

  // Both throw DatabaseError if another process has taken the run.
  void add_launch(std::int64_t run_id, const LaunchRecord& launch, const StatGroup& stats,
                  const LaunchDetails& details = {});
  // What a device has done in the whole run, whose launches are stored. Also throws as these two.
  void add_work(std::int64_t run_id, const std::vector<WorkRecord>& works);
  // Its program's ranges and the launches in them.
  void add_ranges(std::int64_t run_id, const RunRanges& ranges);
  void finish_run(std::int64_t run_id, RunStatus status, const std::vector<std::string>& notes, double host_seconds) {
    runs_->finish(run_id, status, notes, host_seconds);
  }

  // Stores measurements of hardware as a complete run with source 'hardware', which replaces an earlier one of that
  // name.
  void put_hardware_run(const std::string& name, const std::string& gpu, const std::vector<HardwareLaunch>& launches);

 private:
  struct Statements;

  void store_metric_catalog();
  void insert_launch_row(std::int64_t run_id, const LaunchRecord& launch);
  void insert_attributes(std::int64_t run_id, const LaunchRecord& launch);
  void insert_counters(std::int64_t run_id, std::uint32_t launch_index, const StatSnapshot& snapshot);
  void insert_histograms(std::int64_t run_id, std::uint32_t launch_index, const StatSnapshot& snapshot);
  void insert_metrics(std::int64_t run_id, const LaunchRecord& launch, const StatSnapshot& snapshot);
  void insert_kernel(const std::string& kernel);
  void insert_hardware_launch(std::int64_t run_id, const HardwareLaunch& launch);
  std::int64_t stat_id(const char* form, const StatSnapshot::Statistic& statistic);
  std::int64_t instance_id(const StatSnapshot::Instance& instance);

  Database database_;
  MetricCatalog catalog_;
  std::unique_ptr<Statements> statements_;
  std::unique_ptr<DetailsWriter> details_;
  std::unique_ptr<RunTable> runs_;
  std::map<std::string, std::int64_t> stat_ids_;
  std::map<std::string, std::int64_t> instance_ids_;
};

}  // namespace warpsim
