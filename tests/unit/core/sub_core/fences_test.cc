#include "core/sub_core/fences.h"

#include <catch2/catch.hpp>

#include "unit/core/sub_core/sub_core_bench.h"

namespace warpsim::test {
namespace {

class Fence {
 public:
  explicit Fence(const Overrides& overrides = {}) : parts(overrides), warp(&parts.start(fence(), 100)) {}

  // Issued at 100.
  void begin(bool block_scope, bool system_scope = false) {
    IssueInfo info = warp->info();
    info.block_scope = block_scope;
    info.system_scope = system_scope;
    parts.fences.begin(0, *warp, info, 100);
    parts.states.wait(0, StallReason::kMembar, 101);
  }
  void add_write() { parts.lsu.writes().add(0, 1); }
  void acknowledge(Cycle now) {
    parts.lsu.writes().remove(0, 1);
    parts.fences.writes_acknowledged(0, *warp, now);
  }
  // A write to another memory is on its way; it has arrived.
  void post(Cycle now) {
    parts.lsu.writes().post(0, 1);
    parts.fences.writes_acknowledged(0, *warp, now);
  }
  void arrive(Cycle now) {
    parts.lsu.writes().arrive(0, 1);
    parts.fences.writes_arrived(0, *warp, now);
  }
  // The cycle in which the fence is over; 0: not before 400.
  Cycle over(Cycle from) {
    for (Cycle now = from; now < 400; ++now) {
      parts.complete(now, now);
      if (!warp->held()) {
        return now;
      }
    }
    return 0;
  }

  SubCoreParts parts;
  ResidentWarp* warp;

 private:
  static KernelBuilder fence() {
    KernelBuilder k;
    k.membar_device();
    k.exit();
    return k;
  }
};

TEST_CASE("A fence of the block does not wait for writes") {
  Fence fence;
  fence.add_write();
  fence.begin(true);
  CHECK(fence.over(100) == 110);
}

TEST_CASE("A wider fence takes its latency if all writes are acknowledged") {
  Fence fence;
  fence.begin(false);
  CHECK(fence.over(100) == 200);
}

TEST_CASE("A wider fence waits for the last acknowledgement, and its warp is examined then") {
  Fence fence;
  fence.add_write();
  fence.begin(false);
  CHECK(fence.over(100) == 0);
  fence.acknowledge(420);
  CHECK_FALSE(fence.warp->held());
  CHECK(fence.parts.is_due(0, 420));
}

TEST_CASE("A fence of the GPU does not wait for writes on their way to another memory, one of the system does") {
  Fence gpu;
  gpu.add_write();
  gpu.post(90);
  gpu.begin(false);
  CHECK(gpu.over(100) == 200);
  Fence system;
  system.add_write();
  system.post(90);
  system.begin(false, true);
  CHECK(system.over(100) == 0);
  system.arrive(420);
  CHECK_FALSE(system.warp->held());
}

TEST_CASE("A fence of the system waits for the last write, whichever memory it is in") {
  Fence fence;
  fence.add_write();
  fence.add_write();
  fence.begin(false, true);
  CHECK(fence.over(100) == 0);
  fence.post(410);
  fence.arrive(420);
  CHECK(fence.warp->held());
  fence.acknowledge(430);
  CHECK_FALSE(fence.warp->held());
}

TEST_CASE("A fence of the system has a latency of its own") {
  Fence fence({"sm.sub_core.membar_system_cycles=150"});
  fence.begin(false, true);
  CHECK(fence.over(100) == 250);
}

TEST_CASE("A time after the last acknowledgement is part of the fence") {
  Fence late({"sm.sub_core.membar_acknowledged_cycles=30"});
  late.add_write();
  late.begin(false);
  CHECK(late.over(100) == 0);
  late.acknowledge(400);
  CHECK(late.warp->held());
  late.parts.complete(400, 430);
  CHECK_FALSE(late.warp->held());

  Fence early({"sm.sub_core.membar_acknowledged_cycles=30"});
  early.add_write();
  early.begin(false);
  early.acknowledge(190);
  CHECK(early.over(190) == 220);
}

}  // namespace
}  // namespace warpsim::test
