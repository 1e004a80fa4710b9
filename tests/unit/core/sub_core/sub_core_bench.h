// One sub-core of the tiny GPU with everything that it uses of its SM, and two seats for launches. Instructions and
// constants are always available.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include "core/sub_core/sub_core.h"
#include "support/machine.h"

namespace warpsim::test {

class SubCoreBench {
 public:
  explicit SubCoreBench(const Overrides& overrides = {}) : SubCoreBench(tiny_config(perfect_front_end() + overrides)) {}

  // One more block of one warp, of a launch with this seat. Returns the warp's slot.
  std::uint32_t start(const KernelBuilder& builder, LaunchSeat seat, Cycle now) {
    Block& block = blocks_.emplace_back();
    block.kernel = std::make_unique<SyntheticKernel>(builder, KernelShape{});
    block.source = block.kernel->start_block(0, 0);
    block.table = make_issue_table(*builder.program(), gpu.sm.execution, gpu.sm.sub_core.dependences, 2);
    const auto block_slot = static_cast<std::uint32_t>(blocks_.size() - 1);
    barriers_.start_block(block_slot, 1);
    BlockAssignment assignment;
    assignment.slot = block_slot;
    async_.start_block(assignment, 1, now);
    WarpStart start;
    start.source = block.source.get();
    start.table = &block.table;
    start.program = builder.program().get();
    start.code.layout = code_layout_of(90);
    start.code.instruction_count = static_cast<std::uint32_t>(builder.program()->instructions.size());
    start.block_slot = block_slot;
    start.seat = seat;
    return sub_core.start_warp(start, now);
  }
  void run(Cycle from, Cycle until) {
    for (Cycle now = from; now < until; ++now) {
      events_.drain(now, [&](const SmEvent& event) { sub_core.handle(event, now); });
      if (lsu_.tick(now) != 0) {
        sub_core.queue_freed(now);
      }
      sub_core.tick(now);
      sub_core.clear_exited();
    }
  }
  std::uint64_t count(LaunchSeat seat, const std::string& counter) { return counters_of(root[seat]).at(counter); }

  GpuConfig gpu;
  LaunchStats<StatGroup> root{"gpu"};

 private:
  static constexpr std::uint32_t kBlockSlots = 4;

  struct Block {
    std::unique_ptr<SyntheticKernel> kernel;
    std::unique_ptr<BlockSource> source;
    IssueTable table;
  };

  explicit SubCoreBench(const GpuConfig& config)
      : gpu(config),
        instructions_(gpu.sm.instruction_cache, events_, to_gpc_, root[0]),
        constants_(gpu.sm.constant_caches, 1, events_, to_gpc_, root[0]),
        barriers_(gpu.sm.barriers, kBlockSlots, events_, root[0]),
        warpgroups_(gpu.sm.execution.warpgroup, kBlockSlots, events_, root[0]),
        async_(gpu.sm.asynchronous, kBlockSlots, 0, {&to_memory_, &to_cluster_, &from_cluster_}, events_, root[0]),
        units_(gpu.sm.execution),
        issue_slots_(gpu.sm.sub_core.issue),
        lsu_(gpu.sm.load_store, {gpu.sm.l1, gpu.sm.read_only_cache}, 1, 0, events_, constants_, async_, to_memory_,
             root[0]),
        sub_core(0, gpu.sm.sub_core, gpu.sm.execution,
                 {events_, lsu_, constants_, instructions_, barriers_, warpgroups_, async_, adu_, units_, issue_slots_,
                  wakes_},
                 root) {
    root.add_seat();
  }

  std::deque<Block> blocks_;
  ClockDomain clock_{"core", 1000};
  Link<MemRequest> to_memory_{clock_, clock_, 8, 1};
  Link<GpcRequest> to_gpc_{clock_, clock_, 8, 1};
  Link<ClusterMessage> to_cluster_{clock_, clock_, 8, 1};
  Link<ClusterMessage> from_cluster_{clock_, clock_, 8, 1};
  SmEvents events_;
  SmInstructionCache instructions_;
  ConstantCaches constants_;
  BlockBarriers barriers_;
  WarpgroupEngine warpgroups_;
  AsyncUnit async_;
  SharedPipe adu_;
  SharedUnits units_;
  IssueSlots issue_slots_;
  LoadStoreUnit lsu_;
  std::array<Cycle, kMaxSubCores> wakes_{};

 public:
  SubCore sub_core;
};

}  // namespace warpsim::test
