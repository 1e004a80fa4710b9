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

TEST_CASE("engine work: copies leave the rest of a link to accesses, at least a part of it") {
  auto config = ConfigTree::load(WARPSIM_SOURCE_DIR "/configs/test_tiny.yaml", {}).read<GpuConfig>();
  config.links.peer.least_share_beside_copies = 0.4;
  config.links.host.least_share_beside_copies = 0.5;
  config.copies.to_device_gb_per_s = 4;  // of 16
  config.copies.to_host_gb_per_s = 12;
  config.copies.both_gb_per_s = 16;
  config.peer_copies.efficiency = 0.5;
  config.peer_copies.both_efficiency = 1;
  EngineWork engines({&config, &config});
  CHECK(engines.link_shares(0) == LinkShares{});
  engines.start(1, work_on(0, WorkKind::kToDevice, 10000), 0);
  engines.start(2, work_on(0, WorkKind::kToHost, 10000), 0);
  CHECK(engines.link_shares(0).from_host == Approx(0.75));
  CHECK(engines.link_shares(0).to_host == Approx(0.5));
  CHECK(engines.link_shares(1) == LinkShares{});
  Work peer = work_on(0, WorkKind::kToPeer, 6400);
  peer.peer = {0, 1, false};
  engines.start(3, peer, 0);
  CHECK(engines.link_shares(0).to_peers == Approx(0.5));
  CHECK(engines.link_shares(0).from_peers == 1);
  CHECK(engines.link_shares(1) == LinkShares{.from_peers = 0.5});
  CHECK(engines.progress(3, peer, 0)->gb_per_s == Approx(32));
  peer.peer.staged = true;
  CHECK_FALSE(engines.progress(3, peer, 0));

  // Without NVLink copies between GPUs take the way to the host.
  config.links.peer.kind = PeerLinkKind::kPcie;
  CHECK(engines.link_shares(1).from_host == Approx(0.5));
}

}  // namespace
}  // namespace warpsim
