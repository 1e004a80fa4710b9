#include "core/machine/launch_observer.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <set>
#include <utility>

#include "core/machine/queue_probe.h"
#include "core/sub_core/stall_reason.h"
#include "support/machine.h"

namespace warpsim::test {
namespace {

// Loads, shared memory with conflicts, barriers and stores; blocks come and go.
KernelBuilder mixed_kernel() {
  KernelBuilder k;
  k.loop(6, [&] {
    k.ldg(4, {.base = 0x10000, .warp_stride = 128, .block_stride = 4096, .round_stride = 512}).writes(0);
    k.ffma(5, 5, 5, 5).stall(4);
    k.iadd(6, 4, 5).waits(0).stall(4);
    k.sts({.base = 0, .lane_stride = 128}, 6).reads(1);
    k.bar();
    k.lds(7, {.base = 0, .lane_stride = 4}).waits(1).writes(2);
    k.stg({.base = 0x90000, .warp_stride = 128, .block_stride = 4096}, 7).waits(2).reads(3);
  });
  k.exit();
  return k;
}

struct Observed {
  LaunchResult result;
  std::map<std::string, std::uint64_t> statistics;
  Counters counters;
  std::vector<std::vector<SampleSeries::Row>> rows;  // by table; their values are in `values`
  std::vector<std::vector<std::vector<std::uint64_t>>> values;
  std::vector<std::array<std::uint64_t, kHotSpotColumns>> hot_spots;
  std::vector<std::uint64_t> latencies;  // loads in histograms, by instruction
};

Observed observe(const KernelBuilder& builder, const DetailOptions& options, const MachineOptions& gpu_options = {},
                 Supply supply = Supply::kOneAtATime) {
  SyntheticKernel kernel(builder, {.blocks = 12, .warps = 4, .shared_bytes = 8192, .supply = supply});
  Machine gpu(tiny_config(), gpu_options);
  LaunchObserver observer(options, gpu);
  Observed observed;
  observed.result = observer.run(kernel);
  observed.statistics = every_statistic(gpu.stats());
  observed.counters = counters_of(gpu.stats());
  const LaunchDetails details = observer.details();
  if (details.series != nullptr) {
    for (std::size_t table = 0; table < sample_tables().size(); ++table) {
      auto& rows = observed.rows.emplace_back();
      auto& values = observed.values.emplace_back();
      details.series->for_each(table, [&](const SampleSeries::Row& row) {
        rows.push_back(row);
        values.emplace_back(row.values.begin(), row.values.end());
      });
    }
  }
  if (details.hot_spots != nullptr) {
    for (const HotSpot& spot : details.hot_spots->rows()) {
      observed.hot_spots.push_back(spot.counts());
      std::uint64_t loads = 0;
      for (const std::uint64_t count : spot.latencies() == nullptr ? HotSpot::Buckets{} : *spot.latencies()) {
        loads += count;
      }
      observed.latencies.push_back(loads);
    }
  }
  return observed;
}

std::uint64_t total(const Counters& counters, const std::string& component, std::string_view statistics) {
  std::uint64_t sum = 0;
  while (!statistics.empty()) {
    const std::size_t comma = statistics.find(", ");
    const std::string name(statistics.substr(0, comma));
    const auto found = counters.find(component.empty() ? name : component + "." + name);
    INFO(name);
    REQUIRE(found != counters.end());
    sum += found->second;
    statistics = comma == std::string_view::npos ? std::string_view() : statistics.substr(comma + 2);
  }
  return sum;
}

TEST_CASE("time series sum to the launch's counters, in every column") {
  const Observed observed = observe(mixed_kernel(), {.sample_interval = 100});
  REQUIRE(observed.result.elapsed_cycles > 1000);
  std::size_t from = sample_tables().back().columns.size();  // in the device's rows
  for (std::size_t table = 0; table < sample_tables().size(); ++table) {
    const SampleTable& description = sample_tables()[table];
    const bool device = *description.component == '\0';
    for (std::size_t column = 0; column < description.columns.size(); ++column) {
      const SampleColumn& info = description.columns[column];
      INFO(description.name << "." << info.name);
      std::uint64_t sum = 0;
      for (const auto& row : observed.values[table]) {
        sum += row[column];
      }
      std::uint64_t device_sum = 0;
      for (const auto& row : observed.values.back()) {
        device_sum += row[device ? column : from + column];
      }
      CHECK(device_sum == sum);
      if (!info.gauge) {
        CHECK(sum == total(observed.counters, description.component, info.statistics));
      }
    }
    from += device ? 0 : description.columns.size();
  }
}

TEST_CASE("time series cover the launch without gaps, in whole intervals except the last") {
  const Observed observed = observe(mixed_kernel(), {.sample_interval = 100});
  Cycle end = 0;
  for (const SampleSeries::Row& row : observed.rows.back()) {
    CHECK(row.cycle == end + row.cycles);
    end = row.cycle;
    CHECK((row.cycles == 100 || row.cycle == observed.result.elapsed_cycles));
  }
  CHECK(end == observed.result.elapsed_cycles);
}

TEST_CASE("observation changes nothing, and gives the same with and without skipping") {
  const Observed alone = observe(mixed_kernel(), {});
  CHECK(alone.rows.empty());
  CHECK(alone.hot_spots.empty());
  const DetailOptions all{.sample_interval = 37, .hot_spots = true};
  const Observed watched = observe(mixed_kernel(), all);
  CHECK(watched.statistics == alone.statistics);
  CHECK(watched.result.elapsed_cycles == alone.result.elapsed_cycles);
  const Observed every_cycle = observe(mixed_kernel(), all, {.skip = false});
  CHECK(every_cycle.values == watched.values);
  CHECK(every_cycle.hot_spots == watched.hot_spots);
}

TEST_CASE("a stopped launch is sampled up to its stop") {
  const Observed observed = observe(mixed_kernel(), {.sample_interval = 100}, {.max_cycles = 450});
  REQUIRE(observed.result.status == LaunchResult::Status::kCycleLimit);
  REQUIRE(observed.rows.back().size() == 5);
  CHECK(observed.rows.back().back().cycle == 450);
  CHECK(observed.rows.back().back().cycles == 50);
}

std::uint64_t of(const Observed& observed, std::size_t instruction, HotSpotColumn column) {
  return observed.hot_spots.at(instruction).at(static_cast<std::size_t>(column));
}
std::uint64_t stalled(const Observed& observed, std::size_t instruction, StallReason reason) {
  return observed.hot_spots.at(instruction)
      .at(static_cast<std::size_t>(HotSpotColumn::kStalled) + static_cast<std::size_t>(reason));
}

TEST_CASE("hot spots sum to the launch's counters") {
  for (const Supply supply : {Supply::kOneAtATime, Supply::kWhole}) {
    const Observed observed = observe(mixed_kernel(), {.hot_spots = true}, {}, supply);
    std::array<std::uint64_t, kHotSpotColumns> sums{};
    for (std::size_t i = 0; i < observed.hot_spots.size(); ++i) {
      for (std::size_t column = 0; column < kHotSpotColumns; ++column) {
        sums[column] += observed.hot_spots[i][column];
      }
      CHECK(of(observed, i, HotSpotColumn::kLoads) == observed.latencies[i]);
    }
    const auto sum = [&](HotSpotColumn column) { return sums[static_cast<std::size_t>(column)]; };
    const Counters& counters = observed.counters;
    CHECK(sum(HotSpotColumn::kExecuted) == counters.at("sm.sub_core.inst_executed"));
    CHECK(sum(HotSpotColumn::kThreadsExecuted) == counters.at("sm.sub_core.thread_inst_executed"));
    CHECK(sum(HotSpotColumn::kSectors) ==
          counters.at("sm.lsu.global_load_sectors") + counters.at("sm.lsu.global_store_sectors"));
    CHECK(sum(HotSpotColumn::kHitSectors) == counters.at("sm.lsu.global_load_sector_hits"));
    CHECK(sum(HotSpotColumn::kSharedConflicts) ==
          counters.at("sm.lsu.shared_load_conflicts") + counters.at("sm.lsu.shared_store_conflicts"));
    for (std::uint32_t reason = 0; reason < kStallReasonCount; ++reason) {
      const std::string name = std::string("stalled_") + to_string(static_cast<StallReason>(reason));
      INFO(name);
      const std::size_t column = static_cast<std::size_t>(HotSpotColumn::kStalled) + reason;
      CHECK(hot_spot_columns()[column].name == name);
      CHECK(sums[column] == counters.at("sm.sub_core." + name));
    }
  }
}

TEST_CASE("cycles are attributed to the waiting instruction, those of a barrier to the barrier") {
  for (const Supply supply : {Supply::kOneAtATime, Supply::kWhole}) {
    // 0 LDG, 1 FFMA, 2 IADD3, 3 STS, 4 BAR, 5 LDS, 6 STG, 7 BRA, 8 EXIT.
    const Observed observed = observe(mixed_kernel(), {.hot_spots = true}, {}, supply);
    REQUIRE(observed.hot_spots.size() == 9);
    CHECK(of(observed, 0, HotSpotColumn::kExecuted) == 12 * 4 * 6);
    CHECK(of(observed, 8, HotSpotColumn::kExecuted) == 12 * 4);
    CHECK(of(observed, 0, HotSpotColumn::kLoads) == 12 * 4 * 6);
    CHECK(of(observed, 0, HotSpotColumn::kSectors) == 12 * 4 * 6 * 4);
    CHECK(of(observed, 3, HotSpotColumn::kSharedConflicts) == 12 * 4 * 6 * 31);
    CHECK(of(observed, 5, HotSpotColumn::kSharedConflicts) == 0);
    CHECK(stalled(observed, 2, StallReason::kLongScoreboard) ==
          observed.counters.at("sm.sub_core.stalled_long_scoreboard"));
    CHECK(stalled(observed, 2, StallReason::kLongScoreboard) > 0);
    CHECK(stalled(observed, 6, StallReason::kShortScoreboard) > 0);
    CHECK(stalled(observed, 4, StallReason::kBarrier) == observed.counters.at("sm.sub_core.stalled_barrier"));
    CHECK(stalled(observed, 4, StallReason::kBarrier) > 0);
    CHECK(stalled(observed, 8, StallReason::kDrain) == observed.counters.at("sm.sub_core.stalled_drain"));
    // Each issue takes one cycle.
    CHECK(stalled(observed, 1, StallReason::kSelected) == 12 * 4 * 6);
  }
}

// Cycles of slices by track name and slice name.
std::map<std::string, std::uint64_t> shown_cycles(const Timeline& timeline, const std::string& track_contains) {
  std::map<std::string, std::uint64_t> cycles;
  for (const Timeline::Slice& slice : timeline.slices()) {
    if (timeline.tracks()[slice.track].name.find(track_contains) != std::string::npos) {
      cycles[timeline.names()[slice.name]] += slice.to - slice.from;
    }
  }
  return cycles;
}

struct Shown {
  Timeline timeline;  // outlives the GPU
  LaunchResult result;
  std::map<std::string, std::uint64_t> statistics;
};

// The warps of SM 0 and the blocks of all SMs.
TimelineRequest everything(Cycle from, Cycle to) {
  TimelineRequest request;
  request.from = from;
  request.to = to;
  request.sms = {SmSelection::Kind::kListed, {0}};
  request.blocks = SmSelection{SmSelection::Kind::kAll, {}};
  request.channels = {0};
  return request;
}

std::unique_ptr<Shown> show(TimelineRequest request) {
  auto shown = std::make_unique<Shown>();
  SyntheticKernel kernel(mixed_kernel(), {.blocks = 12, .warps = 4, .shared_bytes = 8192});
  Machine gpu(tiny_config(), {});
  request.timeline = &shown->timeline;
  LaunchObserver observer({}, gpu, {std::move(request), {}, {}});
  shown->result = observer.run(kernel);
  shown->statistics = every_statistic(gpu.stats());
  return shown;
}

TEST_CASE("a timeline agrees with the counters, and changes none") {
  const std::unique_ptr<Shown> shown = show(everything(0, 1'000'000));
  CHECK(shown->statistics == observe(mixed_kernel(), {}).statistics);
  const auto states = shown_cycles(shown->timeline, "warp ");
  for (std::uint32_t reason = 0; reason < kStallReasonCount; ++reason) {
    const std::string name = to_string(static_cast<StallReason>(reason));
    std::uint64_t counted = 0;
    for (const auto& [path, value] : shown->statistics) {
      counted += path.starts_with("sm[0].sub_core") && path.ends_with(".stalled_" + name) ? value : 0;
    }
    INFO(name);
    CHECK((states.count(name) == 0 ? 0 : states.at(name)) == counted);
  }
  CHECK(shown_cycles(shown->timeline, "block slot").size() == 12);
  CHECK(shown_cycles(shown->timeline, "bank").count("activate") == 1);
  CHECK_FALSE(shown->timeline.values().empty());
}

TEST_CASE("a window of a timeline equals the same part of the whole timeline") {
  const std::unique_ptr<Shown> shown = show(everything(300, 700));
  std::map<Timeline::Track, Cycle> ends;
  for (const Timeline::Slice& slice : shown->timeline.slices()) {
    CHECK(slice.from <= slice.to);
    CHECK(slice.from >= ends[slice.track]);
    ends[slice.track] = slice.to;
    CHECK(shown->timeline.core_cycle(slice.track, slice.to) <= 401);
  }
  // A block that runs through the whole window spans the window.
  std::uint64_t longest = 0;
  for (const auto& [name, cycles] : shown_cycles(shown->timeline, "block slot")) {
    longest = std::max(longest, cycles);
  }
  CHECK(longest == 400);
}

// Names of tracks with events, each with those of the tracks above it.
std::set<std::string> used_tracks(const Timeline& timeline) {
  std::set<std::string> names;
  for (const Timeline::Slice& slice : timeline.slices()) {
    std::string name = timeline.tracks()[slice.track].name;
    for (Timeline::Track at = timeline.tracks()[slice.track].parent; at != Timeline::kNoTrack;
         at = timeline.tracks()[at].parent) {
      name = timeline.tracks()[at].name + "/" + name;
    }
    names.insert(name);
  }
  return names;
}

TEST_CASE("a timeline shows the SM that runs block 0 by default") {
  TimelineRequest request;
  request.to = 1'000'000;
  const std::unique_ptr<Shown> shown = show(request);
  std::string home;  // of block 0
  std::set<std::string> sms;
  for (const Timeline::Slice& slice : shown->timeline.slices()) {
    const Timeline::TrackInfo& track = shown->timeline.tracks()[slice.track];
    const std::string& sm = shown->timeline.tracks()[track.parent].name;
    sms.insert(sm);
    if (shown->timeline.names()[slice.name] == "block 0") {
      home = sm;
    }
  }
  CHECK(home.starts_with("SM "));
  CHECK(sms == std::set<std::string>{home});
  CHECK_FALSE(shown_cycles(shown->timeline, "warp slot").empty());
  CHECK(shown->statistics == observe(mixed_kernel(), {}).statistics);
  const auto shows_queue = [&](const Timeline::TrackInfo& track) { return track.name.ends_with("queues of " + home); };
  CHECK(std::ranges::count_if(shown->timeline.tracks(), shows_queue) == 1);
}

TEST_CASE("a timeline shows the sub-cores and warp slots that were requested") {
  // The kernel has one warp for each sub-core, which is in slot 0.
  const auto warps = [](std::uint32_t slot) {
    TimelineRequest request = everything(0, 1'000'000);
    request.sub_cores = std::vector<std::uint32_t>{1};
    request.warp_slots = std::vector<std::uint32_t>{slot};
    std::set<std::string> names;
    for (const std::string& name : used_tracks(show(request)->timeline)) {
      if (name.find("warp slot") != std::string::npos) {
        names.insert(name);
      }
    }
    return names;
  };
  CHECK(warps(0) == std::set<std::string>{"SM 0/sub-core 1, warp slot 0"});
  CHECK(warps(1).empty());
}

TEST_CASE("a timeline refuses numbers that the GPU does not have") {
  TimelineRequest request = everything(0, 100);
  request.sub_cores = std::vector<std::uint32_t>{99};
  CHECK_THROWS_WITH(show(request), Catch::Contains("there is no sub-core 99 to show: an SM has "));
  request = everything(0, 100);
  request.warp_slots = std::vector<std::uint32_t>{0, 99};
  CHECK_THROWS_WITH(show(request), Catch::Contains("there is no warp slot 99 to show: a sub-core has "));
  request = everything(0, 100);
  request.blocks = SmSelection{SmSelection::Kind::kListed, {0, 999}};
  CHECK_THROWS_WITH(show(request), Catch::Contains("there is no SM 999 to show: the GPU has "));
}

TEST_CASE("states on a timeline name the instruction to which hot spots attribute them") {
  TimelineRequest request = everything(0, 1'000'000);
  request.sms = {SmSelection::Kind::kAll, {}};
  const std::unique_ptr<Shown> shown = show(request);
  const std::vector<Timeline::Instruction>& code = shown->timeline.instructions();
  const Observed observed = observe(mixed_kernel(), {.hot_spots = true});
  REQUIRE(code.size() == observed.hot_spots.size());
  // Warp-cycles by instruction and reason.
  std::map<std::pair<std::uint32_t, std::string>, std::uint64_t> cycles;
  for (const Timeline::Slice& slice : shown->timeline.slices()) {
    if (shown->timeline.tracks()[slice.track].name.find("warp slot") != std::string::npos) {
      REQUIRE(slice.instruction < code.size());
      cycles[{slice.instruction, shown->timeline.names()[slice.name]}] += slice.to - slice.from;
    }
  }
  for (std::uint32_t i = 0; i < code.size(); ++i) {
    for (std::uint32_t reason = 0; reason < kStallReasonCount; ++reason) {
      const std::string name = to_string(static_cast<StallReason>(reason));
      INFO(code[i].text << ", " << name);
      CHECK(cycles[{i, name}] == observed.hot_spots[i][static_cast<std::size_t>(HotSpotColumn::kStalled) + reason]);
    }
  }
  CHECK(shown->statistics == observed.statistics);
}

TEST_CASE("a program is listed as disassembly, or by its opcodes") {
  KernelBuilder k;
  k.ffma(1, 2, 3, 4);
  k.exit();
  StaticProgram program = *k.program();
  program.function = "kernel";
  ListedProgram listed = list_program(program);
  CHECK(listed.kernel == "kernel");
  CHECK(listed.architecture == 90);
  REQUIRE(listed.instructions.size() == 2);
  CHECK(listed.instructions[0].text == "FFMA");
  CHECK(listed.instructions[1].address == 16);
  program.text = {"FFMA R1, R2, R3, R4", "EXIT"};
  CHECK(list_program(program).instructions[0].text == "FFMA R1, R2, R3, R4");
  program.source_files = {"a.cu", "b.h"};
  program.source_lines = {{1, 12}, {0, 0}};
  listed = list_program(program);
  CHECK(listed.instructions[0].source_file == "b.h");
  CHECK(listed.instructions[0].source_line == 12);
  CHECK(listed.instructions[1].source_file.empty());
}

}  // namespace
}  // namespace warpsim::test
