#include "device/engine_work.h"

#include <catch2/catch.hpp>

#include "config/config_tree.h"

namespace warpsim {
namespace {

Work work_on(std::uint32_t gpu, WorkKind kind, std::uint64_t bytes) {
  Work work;
  work.kind = kind;
  work.place.gpu = gpu;
  work.bytes = bytes;
  return work;
}

TEST_CASE("engine work: each GPU has its engines, and the first end of all is next") {
  const auto config = ConfigTree::load(WARPSIM_SOURCE_DIR "/configs/test_tiny.yaml", {}).read<GpuConfig>();
  EngineWork engines({&config, &config});
  engines.start(1, work_on(0, WorkKind::kToDevice, 10000), 0);  // 1 us and 10000 bytes at 10 GB/s
  engines.start(2, work_on(1, WorkKind::kToDevice, 20000), 0);  // beside it
  engines.start(3, work_on(1, WorkKind::kMarker, 0), 0);
  CHECK(*engines.next_end() == Approx(100));
  CHECK_FALSE(engines.take_ended(99));
  CHECK(engines.take_ended(100)->number == 3);
  CHECK(*engines.next_end() == Approx(2000));
  CHECK(engines.take_ended(2000)->number == 1);
  Work peer = work_on(0, WorkKind::kToPeer, 6400);
  peer.peer = {0, 1, false};
  engines.start(4, peer, 2000);  // 0.2 us and 6400 bytes at 64 GB/s
  CHECK(*engines.next_end() == Approx(2300));
  const auto ended = engines.take_ended(2300);
  CHECK((ended && ended->number == 4 && ended->end_ns == Approx(2300)));
  CHECK(*engines.next_end() == Approx(3000));
}

}  // namespace
}  // namespace warpsim
