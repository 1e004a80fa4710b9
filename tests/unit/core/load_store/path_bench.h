// The parts of the memory pipeline without the unit that connects them, in the times of the tiny GPU: shared memory
// answers 20 cycles after issue, L1 30, of which an instruction spends 5 before it starts; data from memory are usable
// 10 cycles after their arrival; passes of one instruction are two cycles apart.
#pragma once

#include <catch2/catch.hpp>
#include <deque>
#include <map>
#include <vector>

#include "core/load_store/global_memory_path.h"
#include "core/load_store/memory_port.h"
#include "core/load_store/memory_queues.h"
#include "core/load_store/return_path.h"
#include "core/load_store/shared_memory_path.h"
#include "support/machine.h"

namespace warpsim::test {

struct PathBench {
  explicit PathBench(const Overrides& overrides = {}, std::size_t link_entries = 8)
      : gpu(tiny_config(overrides)),
        config(gpu.sm.load_store),
        to_memory(clock, clock, link_entries, 1),
        stats(root, "lsu"),
        queues(config, 4, events),
        textures(config.textures, config.address_latency_cycles),
        passes(config.pass_interval_cycles, config.pass_window_entries, config.shared_banks.pass_cycles),
        port(config, 7, to_memory),
        returns(config, gpu.sm.l1, passes, events, stats),
        constants(gpu.sm.constant_caches, 4, events, to_gpc, root),
        async(gpu.sm.asynchronous, 1, 7, {&to_memory, &to_cluster, &from_cluster}, events, root),
        shared(config, {passes, constants, async, textures, events}, stats),
        global(config, {gpu.sm.l1, gpu.sm.read_only_cache}, {passes, port, returns, textures, events}, stats, root) {
    global.configure_l1(std::uint64_t{16} * 1024);
  }

  // The next instruction, by number, of warp 0 of a sub-core: lanes `stride` bytes apart.
  MemoryInstruction instruction(OpKind kind, MemorySpace space, Address base = 0x1000, std::int64_t stride = 4) {
    IssueInfo info;
    info.kind = kind;
    info.space = space;
    info.bytes_per_lane = 4;
    info.source_registers = 1;
    infos.push_back(info);
    MemoryInstruction made;
    made.info = &infos.back();
    made.addresses = {LaneAddresses::Kind::kStrided, base, stride, nullptr};
    made.active = kAllLanes;
    made.instruction = static_cast<std::uint32_t>(infos.size() - 1);
    return made;
  }
  // Its properties, which may still be changed.
  IssueInfo& info(const MemoryInstruction& of) { return infos[of.instruction]; }
  // Issued at 100, from the SM's queue.
  static QueuedAccess queued(MemoryInstruction instruction) {
    instruction.issued = 100;
    return {instruction, {}, instruction.info->space, 105, 110};
  }
  // Events so far, and those until `until`, by instruction.
  std::map<std::uint32_t, Cycle> events_of(SmEvent::Kind kind, Cycle until = 1000) {
    std::map<std::uint32_t, Cycle> found;
    for (Cycle now = 0; now <= until; ++now) {
      events.drain(now, [&](const SmEvent& event) {
        if (event.kind == kind) {
          found[event.payload] = now;
        }
      });
    }
    return found;
  }
  std::map<std::uint32_t, Cycle> results() { return events_of(SmEvent::Kind::kResultWritten); }
  // Sends all requests and lines of stores from cycle `now` on, at most one per cycle, and returns them.
  std::vector<MemRequest> sent(Cycle now) {
    std::vector<MemRequest> requests;
    while (port.has_requests() || !port.stores().empty() || global.has_replaced_lines()) {
      port.send(global.replaced_lines(), now);
      if (port.sent_at(now++)) {
        REQUIRE(to_memory.has_message(now));
        requests.push_back(to_memory.front());
        to_memory.pop(now);
      }
    }
    return requests;
  }
  static MemResponse response_to(const MemRequest& request) {
    return {request.tag, request.source, request.op, request.sector_mask, ServedBy::kL2Near};
  }
  std::uint64_t operator[](const std::string& counter) const { return counters_of(root[0]).at(counter); }

  GpuConfig gpu;
  LoadStoreConfig config;
  ClockDomain clock{"core", 1000};
  Link<MemRequest> to_memory;
  Link<GpcRequest> to_gpc{clock, clock, 8, 1};
  Link<ClusterMessage> to_cluster{clock, clock, 8, 1};
  Link<ClusterMessage> from_cluster{clock, clock, 8, 1};
  LaunchStats<StatGroup> root{"root"};
  LaunchStats<LoadStoreStats> stats;
  SmEvents events;
  std::deque<IssueInfo> infos;
  MemoryQueues queues;
  TexturePath textures;
  DataPasses passes;
  MemoryPort port;
  ReturnPath returns;
  ConstantCaches constants;
  AsyncUnit async;
  SharedMemoryPath shared;
  GlobalMemoryPath global;
};

}  // namespace warpsim::test
