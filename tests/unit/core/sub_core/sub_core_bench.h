// Sub-cores of the tiny GPU outside an SM: a whole one, or its parts without the class that connects them. Instructions
// and constants are always available.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/check.h"
#include "core/sub_core/sub_core.h"
#include "support/machine.h"

namespace warpsim::test {

// What a sub-core uses of its SM, and blocks of one warp. There are two seats for launches.
class SmBench {
 public:
  explicit SmBench(const Overrides& overrides)
      : gpu(tiny_config(perfect_front_end() + overrides)),
        instructions(gpu.sm.instruction_cache, events, to_gpc, root),
        constants(gpu.sm.constant_caches, 1, events, to_gpc, root),
        barriers(gpu.sm.barriers, kBlockSlots, events, root),
        warpgroups(gpu.sm.execution.warpgroup, kBlockSlots, events, root),
        async(gpu.sm.asynchronous, kBlockSlots, 0, {&to_memory, &to_cluster, &from_cluster}, events, root),
        units(gpu.sm.execution),
        issue_slots(gpu.sm.sub_core.issue),
        lsu(gpu.sm.load_store, {gpu.sm.l1, gpu.sm.read_only_cache}, 1, 0, events, constants, async, to_memory, root) {
    root.add_seat();
  }

  // The start of the warp of one more block.
  WarpStart next_start(const KernelBuilder& builder, LaunchSeat seat, Cycle now) {
    Block& block = blocks_.emplace_back();
    block.kernel = std::make_unique<SyntheticKernel>(builder, KernelShape{});
    block.source = block.kernel->start_block(0, 0);
    block.table = make_issue_table(*builder.program(), gpu.sm.execution, gpu.sm.sub_core.dependences, 2, seat);
    const auto block_slot = static_cast<std::uint32_t>(blocks_.size() - 1);
    barriers.start_block(block_slot, 1, seat);
    warpgroups.start_block(block_slot, 1, seat);
    BlockAssignment assignment;
    assignment.slot = block_slot;
    assignment.seat = seat;
    async.start_block(assignment, 1, now);
    WarpStart start;
    start.source = block.source.get();
    start.table = &block.table;
    start.program = block.kernel->launch().program.get();
    start.code.layout = code_layout_of(90);
    start.code.instruction_count = static_cast<std::uint32_t>(start.program->instructions.size());
    start.block_slot = block_slot;
    start.seat = seat;
    return start;
  }
  // By kind and name: "sub_core.inst_executed".
  std::uint64_t count(LaunchSeat seat, const std::string& counter) { return counters_of(root[seat]).at(counter); }

  GpuConfig gpu;
  LaunchStats<StatGroup> root{"gpu"};
  ClockDomain clock{"core", 1000};
  Link<MemRequest> to_memory{clock, clock, 8, 1};
  Link<GpcRequest> to_gpc{clock, clock, 8, 1};
  Link<ClusterMessage> to_cluster{clock, clock, 8, 1};
  Link<ClusterMessage> from_cluster{clock, clock, 8, 1};
  SmEvents events;
  SmInstructionCache instructions;
  ConstantCaches constants;
  BlockBarriers barriers;
  WarpgroupEngine warpgroups;
  AsyncUnit async;
  GridDependences grids{kBlockSlots, events};
  LaunchWaits launches{events};
  SharedPipe adu;
  SharedUnits units;
  IssueSlots issue_slots;
  LoadStoreUnit lsu;
  L1Events l1_events;
  std::array<Cycle, kMaxSubCores> wakes{};

 private:
  static constexpr std::uint32_t kBlockSlots = 8;

  struct Block {
    std::unique_ptr<SyntheticKernel> kernel;
    std::unique_ptr<BlockSource> source;
    IssueTable table;
  };
  std::deque<Block> blocks_;
};

struct SubCoreBench : SmBench {
  explicit SubCoreBench(const Overrides& overrides = {})
      : SmBench(overrides),
        sub_core(0, gpu.sm.sub_core, gpu.sm.execution,
                 {events, lsu, constants, instructions, barriers, warpgroups, async, grids, launches, adu, units,
                  issue_slots, l1_events, wakes},
                 root) {}

  // A warp of a launch with this seat.
  void start(const KernelBuilder& builder, LaunchSeat seat, Cycle now) {
    sub_core.start_warp(next_start(builder, seat, now), now);
  }
  void run(Cycle from, Cycle until) {
    for (Cycle now = from; now < until; ++now) {
      events.drain(now, [&](const SmEvent& event) { sub_core.handle(event, now); });
      if (lsu.tick(now) != 0) {
        sub_core.queue_freed(now);
      }
      sub_core.tick(now);
      sub_core.clear_exited();
    }
  }

  SubCore sub_core;
};

// The parts, one above the other as in the sub-core.
struct SubCoreParts : SmBench {
  explicit SubCoreParts(const Overrides& overrides = {})
      : SmBench(overrides),
        config(gpu.sm.sub_core),
        stats(root, "sub_core", 0),
        scheduler(config.scheduler),
        warps(config.warp_slots, stats),
        states(config.warp_slots, wakes[0]),
        fetch(0, config.fetch, instructions, stats),
        results(config.result_bus, config.register_file.banks),
        warp_events(0, events),
        streams(0, config, fetch, states, warp_events, launches),
        readiness(fetch, states),
        fences(0, config, lsu.writes(), streams, warp_events, states),
        completion({results, fences, streams, warp_events, states, async}) {}

  // A warp before its first instruction, which is decoded, in the next slot.
  ResidentWarp& start(const KernelBuilder& builder, Cycle now, HotSpotTable* hot_spots = nullptr) {
    const std::uint32_t slot = started_++;
    WarpStart start = next_start(builder, 0, now);
    start.hot_spots = hot_spots;
    ResidentWarp& warp = warps.start(slot, start, now);
    states.admit(slot, warp.stats->stalled, now);
    scheduler.warp_arrived(slot, start.block_arrival, now);
    const bool begun = streams.begin(slot, warp, now - kDecoded);
    SIM_CHECK(begun, "a warp of a test has instructions");
    warp.stall_until = now;
    for (Cycle at = now - kDecoded; at < now; ++at) {
      fetch.tick(at, scheduler);
    }
    return warp;
  }
  // Goes on without dispatch.
  void skip(std::uint32_t slot, Cycle now) {
    ResidentWarp& warp = warps[slot];
    streams.advance(slot, warp, warp.info(), now);
  }
  // The events that take place in [from, until], by cycle.
  std::multimap<Cycle, SmEvent::Kind> events_in(Cycle from, Cycle until) {
    std::multimap<Cycle, SmEvent::Kind> found;
    for (Cycle now = from; now <= until; ++now) {
      events.drain(now, [&](const SmEvent& event) { found.emplace(now, event.kind); });
    }
    return found;
  }
  // Completes what these events complete.
  void complete(Cycle from, Cycle until) {
    for (Cycle now = from; now <= until; ++now) {
      events.drain(now, [&](const SmEvent& event) { completion.handle(event, warps[event.warp], now); });
    }
  }
  bool is_ready(std::uint32_t slot) const { return (states.ready() >> slot & 1U) != 0; }
  // Examined in the next tick, at or before `now`.
  bool is_due(std::uint32_t slot, Cycle now) { return (states.take_due(now) >> slot & 1U) != 0; }

  SubCoreConfig config;
  LaunchStats<SubCoreStats> stats;
  WarpScheduler scheduler;
  WarpTable warps;
  WarpStates states;
  InstructionFetch fetch;
  ResultBus results;
  WarpEvents warp_events;
  WarpStreams streams;
  WarpReadiness readiness;
  Fences fences;
  Completion completion;

 private:
  static constexpr Cycle kDecoded = 10;  // by then the first instructions of a warp are decoded

  std::uint32_t started_ = 0;
};

}  // namespace warpsim::test
