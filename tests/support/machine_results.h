// A small results database: the output of ResultsWriter for a machine of two SMs, for tests of tables, views and
// documents.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "stats/results_writer.h"

namespace warpsim::test {

struct SubCoreStats : StatGroup {
  using StatGroup::StatGroup;
  Counter executed{*this, "inst_executed", Unit::kInstructions, "warp instructions executed"};
  Counter active{*this, "cycles_active", Unit::kCycles, "cycles with a warp"};
  Counter selected{*this, "stalled_selected", Unit::kWarpCycles, "issued"};
  Counter wait{*this, "stalled_wait", Unit::kWarpCycles, "waited"};
  Counter barrier{*this, "stalled_barrier", Unit::kWarpCycles, "at a barrier"};
};
struct LsuStats : StatGroup {
  using StatGroup::StatGroup;
  Counter load_sectors{*this, "global_load_sectors", Unit::kSectors, "sectors"};
  Counter load_hits{*this, "global_load_sector_hits", Unit::kSectors, "of these, hits"};
  Histogram l1{*this, "load_latency_l1", Unit::kCycles, "loads served by L1"};
  Histogram dram{*this, "load_latency_dram", Unit::kCycles, "loads served by DRAM"};
  Histogram queueing{*this, "queueing", Unit::kCycles, "wait"};
};
struct ConstantStats : StatGroup {
  using StatGroup::StatGroup;
  Histogram latency{*this, "load_latency", Unit::kCycles, "constant loads"};
};
struct SmStats : StatGroup {
  using StatGroup::StatGroup;
  Counter active{*this, "cycles_active", Unit::kCycles, "cycles with a block"};
  SubCoreStats first{*this, "sub_core", 0};
  SubCoreStats second{*this, "sub_core", 1};
  LsuStats lsu{*this, "lsu"};
  ConstantStats constants{*this, "constant_caches"};
};

struct SourceStats : StatGroup {
  using StatGroup::StatGroup;
  Counter requests{*this, "requests", Unit::kRequests, "looked up"};
};
struct SliceStats : StatGroup {
  using StatGroup::StatGroup;
  SourceStats from_l1{*this, "from_l1"};
};
struct ChannelStats : StatGroup {
  using StatGroup::StatGroup;
  Counter read{*this, "bytes_read", Unit::kBytes, "read"};
};

// Two SMs with two sub-cores each, of which only SM 1 is active, a slice and a channel.
struct Machine {
  Machine() {
    busy.active += 100;
    busy.first.executed += 30;
    busy.first.active += 80;
    busy.first.selected += 30;
    busy.first.wait += 15;
    busy.first.barrier += 90;
    busy.second.executed += 10;
    busy.second.active += 20;
    busy.second.selected += 10;
    busy.lsu.load_sectors += 8;
    busy.lsu.load_hits += 2;
    busy.lsu.l1.add(40, 3);
    busy.lsu.dram.add(640, 1);
    busy.lsu.queueing.add(0, 4);
    busy.constants.latency.add(30);
    slice.from_l1.requests += 8;
    channel.read += 256;
  }
  StatGroup root{"gpu"};
  SmStats idle{root, "sm", 0};
  SmStats busy{root, "sm", 1};
  SliceStats slice{root, "l2_slice", 0};
  ChannelStats channel{root, "dram_channel", 0};
};

inline RunRecord run_record(const std::string& name) {
  RunRecord run;
  run.name = name;
  run.gpu = "Tiny";
  run.config_file = "tiny.yaml";
  run.config_hash = "0123";
  run.trace = "traces/" + name;
  run.trace_hash = "4567";
  run.cache_control = "all";
  run.config = {{"l2.num_ways", "24", "--set"}, {"name", "Tiny", "tiny.yaml:1"}};
  run.command = "warpsim run " + name;
  run.started = "2025-01-01T00:00:00Z";
  return run;
}

inline LaunchRecord launch_record(std::uint32_t index) {
  LaunchRecord launch;
  launch.launch_index = index;
  launch.kernel = "_Z3addPfi";
  launch.grid = {4, 1, 1};
  launch.block = {64, 2, 1};
  launch.registers_per_thread = 16;
  launch.elapsed_cycles = 200;
  launch.duration_ns = 100;
  launch.attributes = {{"max_warps_per_sm", 8.0},
                       {"theoretical_occupancy_pct", 50.0},
                       {"occupancy_limiter", std::string("registers")},
                       {"blocks_per_sm", 1.0}};
  launch.host_seconds = 0.5;
  launch.component_cycles = 100;
  launch.component_cycles_ticked = 25;
  return launch;
}

// A database with the runs "a" (two launches) and "b" (one), and a hardware run "a".
inline void write_example(const std::string& path) {
  const Machine machine;
  ResultsWriter writer(path);
  RunRecord second = run_record("b");
  second.config[0].text = "16";
  second.config_hash = "00000000000000dd";
  const std::vector<std::int64_t> ids = writer.begin_runs({run_record("a"), second}, false);
  Sampler sampler(machine.root);
  sampler.begin();
  sampler.take(200, true);
  HotSpotTable hot_spots(1);
  hot_spots[0].add(HotSpotColumn::kExecuted, 40);
  hot_spots[0].add_stall(2, 15);
  hot_spots[0].add_load(40);
  const ListedProgram program{"_Z3addPfi", 90, {{0, "FADD R1, R2, R3"}}};
  writer.add_launch(ids[0], launch_record(0), machine.root, {&sampler.series(), &hot_spots, &program});
  writer.add_launch(ids[0], launch_record(1), machine.root);
  writer.add_launch(ids[1], launch_record(0), machine.root);
  WorkRecord work;
  work.number = 1;
  work.kind = "kernel";
  work.launch_index = 0;
  work.end_ns = 1000;
  writer.add_work(ids[0], {work});
  writer.add_ranges(ids[0],
                    {.ranges = {{.number = 1, .thread = 1, .is_pushed = true, .name = "step"}}, .launches = {{1, 0}}});
  writer.finish_run(ids[0], RunStatus::kComplete, {"no SASS listing"}, 1.0);
  writer.finish_run(ids[1], RunStatus::kLimited, {}, 1.0);
  HardwareLaunch hardware;
  hardware.kernel = "add";
  hardware.metrics = {{"gpc__cycles_elapsed.max", 180.0}, {"something__else.sum", 1.0}, {"sm__cycles_active.avg", {}}};
  writer.put_hardware_run("a", "Real", {hardware});
}

}  // namespace warpsim::test
