// One spelling of each unit, in databases and exports.
#include <catch2/catch.hpp>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/machine/machine.h"
#include "report/column_units.h"
#include "stats/hot_spot_columns.h"
#include "stats/metric_catalog.h"
#include "stats/sample_columns.h"
#include "stats/stat_group.h"
#include "stats/stat_snapshot.h"
#include "support/machine.h"
#include "support/temporary_folder.h"

namespace warpsim {
namespace {

// Nsight Compute's words, and those of docs/statistics.md that it lacks. Everything is singular.
const std::set<std::string> kWords = {"%",     "Hz",     "ns",     "us",       "s",         "byte",
                                      "cycle", "inst",   "sector", "request",  "wavefront", "warp",
                                      "block", "thread", "branch", "conflict", "register",  "wave",
                                      "op",    "flop",   "event",  "GB",       "1",         "warp-cycle"};

// "inst/cycle" consists of two.
bool is_known(const std::string& unit) {
  const std::size_t slash = unit.find('/');
  return slash == std::string::npos ? kWords.contains(unit)
                                    : kWords.contains(unit.substr(0, slash)) && kWords.contains(unit.substr(slash + 1));
}

TEST_CASE("units: every metric, counter, histogram and column spells its unit in one way") {
  for (const MetricDefinition& metric : metric_definitions()) {
    INFO(metric.name << ": " << metric.unit);
    CHECK(is_known(metric.unit));
  }
  Machine gpu(test::tiny_config(), MachineOptions{});
  const StatSnapshot snapshot(gpu.stats());
  CHECK(snapshot.counters().size() > 100);
  for (const auto& counter : snapshot.counters()) {
    INFO(counter.statistic.component << "." << counter.statistic.name << ": " << counter.statistic.unit);
    CHECK(is_known(counter.statistic.unit));
  }
  for (const auto& histogram : snapshot.histograms()) {
    INFO(histogram.statistic.component << "." << histogram.statistic.name << ": " << histogram.statistic.unit);
    CHECK(is_known(histogram.statistic.unit));
  }
  for (const SampleTable& table : sample_tables()) {
    for (const SampleColumn& column : table.columns) {
      INFO(table.name << "." << column.name << ": " << column.unit);
      CHECK(is_known(column.unit));
    }
  }
  for (const HotSpotColumnInfo& column : hot_spot_columns()) {
    INFO(column.name << ": " << column.unit);
    CHECK(is_known(column.unit));
  }
}

TEST_CASE("units: a column of a view has the unit of the metric that it shows") {
  for (const char* column :
       {"cycles", "time_us", "ipc", "instructions", "l1_hit_pct", "dram_gb_per_s", "mean_load_latency_cycles", "warps",
        "shared_bytes", "seconds", "instructions_per_second", "warps_per_issue", "threads_per_instruction"}) {
    INFO(column << ": " << column_unit(column));
    CHECK(is_known(column_unit(column)));
  }
}

TEST_CASE("units: the page lists every word") {
  const std::string page = TemporaryFolder::read(WARPSIM_SOURCE_DIR "/docs/statistics.md");
  const std::string section = page.substr(page.find("Units are spelled"), 700);
  for (const char* word : {"byte", "cycle", "inst", "sector", "request", "warp", "block", "thread", "wavefront", "ns",
                           "op", "flop", "event", "warp-cycle"}) {
    INFO(word);
    CHECK(section.find("`" + std::string(word) + "`") != std::string::npos);
  }
}

}  // namespace
}  // namespace warpsim
