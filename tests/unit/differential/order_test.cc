// The order in which components of an instant are executed, and the number of threads that execute them, change no
// statistic of any component, and nothing that is recorded of a launch.
#include <array>
#include <catch2/catch.hpp>
#include <memory>
#include <string>
#include <vector>

#include "base/input_file.h"
#include "core/machine/launch_observer.h"
#include "report/perfetto_file.h"
#include "support/machine.h"
#include "support/temporary_folder.h"
#include "unit/differential/same_runs.h"
#include "unit/differential/synthetic_kernels.h"

namespace warpsim::test {
namespace {

// Runs all synthetic kernels one after another, on one GPU.
std::vector<KernelRun> run_all(const Overrides& overrides, const MachineOptions& options) {
  std::vector<KernelRun> runs;
  Machine gpu(tiny_config(overrides), options);
  for (const NamedKernel& kernel : every_synthetic_kernel()) {
    SyntheticKernel source(kernel.builder, kernel.shape);
    runs.push_back(run_on(gpu, source));
  }
  return runs;
}

void check_same(const std::vector<KernelRun>& a, const std::vector<KernelRun>& b) {
  REQUIRE(a.size() == b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    INFO("launch " << i);
    check_same(a[i], b[i]);
    CHECK(a[i].result.component_ticks == b[i].result.component_ticks);
  }
}

const Overrides kShortQueues = {"sm.load_store.queue_entries=1",   "sm.l1.mshr_entries=1",
                                "crossbar.port_request_entries=1", "crossbar.port_response_entries=1",
                                "crossbar.slice_queue_entries=1",  "l2.mshr_entries=1",
                                "l2.far_mshr_entries=1",           "l2_fabric.queue_entries=1",
                                "dram.slice_queue_entries=1"};
const Overrides kOddClocks = {"clocks.core_mhz=1980", "clocks.l2_mhz=1711", "clocks.dram_mhz=3201"};

TEST_CASE("A random order of ticks changes no statistic") {
  for (const Overrides& overrides : {Overrides{}, kShortQueues, kOddClocks, small_translations() + kOddClocks,
                                     small_translations() + tables_in_memory() + kOddClocks}) {
    for (const bool flush : {true, false}) {
      const std::vector<KernelRun> usual = run_all(overrides, {.flush_before_launch = flush});
      for (const std::uint64_t seed : {1U, 2U, 3U}) {
        INFO("seed " << seed << ", flush " << flush);
        check_same(usual, run_all(overrides, {.flush_before_launch = flush, .shuffle = seed}));
      }
    }
  }
}

TEST_CASE("The number of threads changes no statistic") {
  for (const Overrides& overrides : {Overrides{}, kShortQueues, kOddClocks, small_translations() + kOddClocks,
                                     small_translations() + tables_in_memory() + kOddClocks}) {
    const std::vector<KernelRun> usual = run_all(overrides, {.flush_before_launch = false});
    for (const std::uint32_t threads : {2U, 16U}) {
      INFO(threads << " threads");
      check_same(usual, run_all(overrides, {.flush_before_launch = false, .threads = threads}));
    }
    check_same(usual, run_all(overrides, {.flush_before_launch = false, .threads = 3, .shuffle = 7}));
  }
}

// What is recorded of a launch besides its counters.
struct Record {
  std::vector<SampleSeries::Row> rows;
  std::vector<std::vector<std::uint64_t>> samples;  // of the rows
  std::vector<std::array<std::uint64_t, kHotSpotColumns>> hot_spots;
  std::vector<HotSpot::Buckets> latencies;  // of the hot spots
  std::string timeline;                     // the file
};

Record record_of(const LaunchDetails& details, const Timeline& timeline) {
  Record record;
  for (std::size_t table = 0; table < sample_tables().size(); ++table) {
    details.series->for_each(table, [&record](const SampleSeries::Row& row) {
      record.rows.push_back(row);
      record.samples.emplace_back(row.values.begin(), row.values.end());
    });
  }
  for (const HotSpot& spot : details.hot_spots->rows()) {
    record.hot_spots.push_back(spot.counts());
    record.latencies.push_back(spot.latencies() == nullptr ? HotSpot::Buckets{} : *spot.latencies());
  }
  const TemporaryFolder folder;
  write_perfetto(folder.at("t.pftrace"), timeline, {"launch"});
  record.timeline = require_input(folder.at("t.pftrace"), "the timeline");
  return record;
}

struct RecordedRuns {
  std::vector<KernelRun> runs;
  std::vector<Record> records;
};

// As run_all(), with everything recorded: of every second launch all SMs, of the others the first block's.
RecordedRuns record_all(const Overrides& overrides, const MachineOptions& options) {
  std::vector<std::unique_ptr<Timeline>> timelines;  // outlive the GPU
  RecordedRuns all;
  Machine gpu(tiny_config(overrides), options);
  for (const NamedKernel& kernel : every_synthetic_kernel()) {
    SyntheticKernel source(kernel.builder, kernel.shape);
    TimelineRequest request;
    request.timeline = timelines.emplace_back(std::make_unique<Timeline>()).get();
    request.from = 100;
    request.to = 4000;
    request.sms.kind = timelines.size() % 2 == 0 ? SmSelection::Kind::kAll : SmSelection::Kind::kFirstBlock;
    request.blocks = SmSelection{SmSelection::Kind::kAll, {}};
    request.channels = {0, 1};
    LaunchObserver observer({.sample_interval = 250, .hot_spots = true}, gpu, {std::move(request), {}, {}});
    KernelRun& run = all.runs.emplace_back();
    run.result = observer.run(source);
    run.statistics = every_statistic(gpu.stats());
    all.records.push_back(record_of(observer.details(), *timelines.back()));
  }
  return all;
}

void check_same(const RecordedRuns& a, const RecordedRuns& b) {
  check_same(a.runs, b.runs);
  REQUIRE(a.records.size() == b.records.size());
  for (std::size_t i = 0; i < a.records.size(); ++i) {
    INFO("launch " << i);
    REQUIRE(a.records[i].rows.size() == b.records[i].rows.size());
    for (std::size_t row = 0; row < a.records[i].rows.size(); ++row) {
      CHECK(a.records[i].rows[row].cycle == b.records[i].rows[row].cycle);
      CHECK(a.records[i].rows[row].cycles == b.records[i].rows[row].cycles);
      CHECK(a.records[i].rows[row].instance == b.records[i].rows[row].instance);
    }
    CHECK((a.records[i].samples == b.records[i].samples));
    CHECK((a.records[i].hot_spots == b.records[i].hot_spots));
    CHECK((a.records[i].latencies == b.records[i].latencies));
    CHECK((a.records[i].timeline == b.records[i].timeline));
  }
}

TEST_CASE("Neither the order nor threads change time series, hot spots or timelines") {
  for (const Overrides& overrides : {Overrides{}, kOddClocks}) {
    const RecordedRuns usual = record_all(overrides, {.flush_before_launch = false});
    for (const Record& record : usual.records) {
      CHECK_FALSE(record.samples.empty());
      CHECK(record.hot_spots[0][static_cast<std::size_t>(HotSpotColumn::kExecuted)] > 0);
      CHECK(record.timeline.size() > 1000);
    }
    for (const std::uint32_t threads : {2U, 4U}) {
      INFO(threads << " threads");
      check_same(usual, record_all(overrides, {.flush_before_launch = false, .threads = threads}));
    }
    for (const std::uint64_t seed : {1U, 2U}) {
      INFO("seed " << seed);
      check_same(usual, record_all(overrides, {.flush_before_launch = false, .shuffle = seed}));
      check_same(usual, record_all(overrides, {.flush_before_launch = false, .threads = 3, .shuffle = seed}));
    }
  }
}

}  // namespace
}  // namespace warpsim::test
