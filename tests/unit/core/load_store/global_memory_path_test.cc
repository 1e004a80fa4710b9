#include "core/load_store/global_memory_path.h"

#include <catch2/catch.hpp>
#include <tuple>
#include <utility>
#include <vector>

#include "unit/core/load_store/path_bench.h"

// Instructions are issued at 100 and start at 105 or later. Four lines are looked up per cycle, one of them may miss.
namespace warpsim::test {
namespace {

MemoryInstruction global_access(PathBench& bench, OpKind kind, Address base = 0x1000, std::int64_t stride = 4) {
  return bench.instruction(kind, MemorySpace::kGlobal, base, stride);
}
// A load brings the lines of an access into L1, before cycle 100.
void bring_lines(PathBench& bench, Address base, std::int64_t stride) {
  QueuedAccess load = PathBench::queued(global_access(bench, OpKind::kLoad, base, stride));
  load.instruction.issued = 0;
  bench.global.start(load, 5);
  for (Cycle now = 6; bench.global.busy(); ++now) {
    bench.global.work(now);
  }
  for (const MemRequest& request : bench.sent(50)) {
    bench.global.data_arrived(PathBench::response_to(request), 90);
  }
}

}  // namespace

TEST_CASE("Global memory path: a load that misses sends its sectors and ends when they have arrived") {
  PathBench bench;
  const MemoryInstruction load = global_access(bench, OpKind::kLoad);
  bench.global.start(PathBench::queued(load), 105);
  CHECK_FALSE(bench.global.busy());
  CHECK(bench.global.free_at() == 106);
  const std::vector<MemRequest> requests = bench.sent(106);
  REQUIRE(requests.size() == 1);
  CHECK(requests[0].op == MemOp::kRead);
  CHECK(requests[0].line == 0x1000);
  CHECK(requests[0].sector_mask == 0xf);
  CHECK(bench.events.empty());
  bench.global.data_arrived(PathBench::response_to(requests[0]), 150);
  CHECK(bench.results().at(0) == 160);
  CHECK(bench["lsu.global_load_sector_misses"] == 4);
}

TEST_CASE("Global memory path: a load that hits takes the L1 latency and sends nothing") {
  PathBench bench;
  bring_lines(bench, 0x1000, 4);
  bench.global.start(PathBench::queued(global_access(bench, OpKind::kLoad)), 105);
  CHECK_FALSE(bench.port.has_requests());
  CHECK(bench.results().at(1) == 130);
  CHECK(bench["lsu.global_load_sector_hits"] == 4);
}

TEST_CASE("Global memory path: one miss per cycle, up to four hits") {
  PathBench misses;
  misses.global.start(PathBench::queued(global_access(misses, OpKind::kLoad, 0x1000, 16)), 105);  // four lines
  CHECK(misses.global.busy());
  CHECK(misses.global.next_work() == 106);
  misses.global.work(106);
  misses.global.work(107);
  CHECK(misses.global.busy());
  misses.global.work(108);
  CHECK_FALSE(misses.global.busy());
  CHECK(misses.sent(109).size() == 4);
  PathBench hits;
  bring_lines(hits, 0x1000, 16);
  hits.global.start(PathBench::queued(global_access(hits, OpKind::kLoad, 0x1000, 16)), 105);
  CHECK_FALSE(hits.global.busy());
}

TEST_CASE("Global memory path: halves of a line are looked up and requested one after the other") {
  PathBench bench({"sm.l1.line_bytes=64"});
  bench.global.start(PathBench::queued(global_access(bench, OpKind::kLoad)), 105);  // 128 bytes
  CHECK(bench.global.busy());
  bench.global.work(106);
  CHECK_FALSE(bench.global.busy());
  const std::vector<MemRequest> requests = bench.sent(107);
  REQUIRE(requests.size() == 2);
  CHECK(requests[0].line == 0x1000);
  CHECK(requests[0].sector_mask == 0x3);
  CHECK(requests[1].line == 0x1000);
  CHECK(requests[1].sector_mask == 0xc);
  CHECK(bench["lsu.global_load_sector_misses"] == 4);
  bench.global.data_arrived(PathBench::response_to(requests[1]), 150);
  CHECK(bench.events.empty());
  bench.global.data_arrived(PathBench::response_to(requests[0]), 160);
  CHECK(bench.results().at(0) == 170);
}

TEST_CASE("Global memory path: four lookups per cycle are two accesses of two halves") {
  PathBench bench({"sm.l1.line_bytes=64"});
  bring_lines(bench, 0x1000, 16);
  bench.global.start(PathBench::queued(global_access(bench, OpKind::kLoad, 0x1000, 16)), 105);  // four lines of 128
  CHECK(bench.global.busy());
  bench.global.work(106);
  CHECK_FALSE(bench.global.busy());
  CHECK_FALSE(bench.port.has_requests());
}

TEST_CASE("Global memory path: stores change each half, loads past L1 and atomics do not look halves up") {
  PathBench bench({"sm.l1.line_bytes=64"});
  bench.global.start(PathBench::queued(global_access(bench, OpKind::kStore)), 105);
  bench.global.work(106);
  CHECK_FALSE(bench.global.busy());
  const std::vector<MemRequest> joined = bench.sent(107);
  REQUIRE(joined.size() == 1);  // stores of a warp to 128 bytes that wait together
  CHECK(joined[0].sector_mask == 0xf);
  bench.global.start(PathBench::queued(global_access(bench, OpKind::kLoad)), 108);
  CHECK(bench["lsu.global_load_sector_hits"] == 4);
  bench.global.start(PathBench::queued(global_access(bench, OpKind::kReduction)), 115);
  const std::vector<MemRequest> reduction = bench.sent(120);
  REQUIRE(reduction.size() == 1);
  CHECK(reduction[0].sector_mask == 0xf);
}

TEST_CASE("Global memory path: a listener hears of each lookup of L1 once, and of lines that are replaced") {
  struct Recorder final : L1Listener {
    void looked_up(const Lookup& lookup, Cycle now) override { lookups.emplace_back(lookup.line, lookup.hit, now); }
    void replaced(std::uint32_t warp, Address line, LaunchSeat /*seat*/) override { losses.emplace_back(warp, line); }
    std::vector<std::tuple<Address, bool, Cycle>> lookups;
    std::vector<std::pair<std::uint32_t, Address>> losses;
  };
  PathBench bench({"sm.l1.sets=1", "sm.l1.capacity_kib=1"});  // eight lines
  bench.global.configure_l1(0);
  Recorder recorder;
  bench.global.listen(recorder);
  bring_lines(bench, 0x1000, 8);  // two lines, one miss a cycle
  using Lookups = std::vector<std::tuple<Address, bool, Cycle>>;
  CHECK(recorder.lookups == Lookups{{0x1000, false, 5}, {0x1080, false, 6}});
  recorder.lookups.clear();
  bench.global.start(PathBench::queued(global_access(bench, OpKind::kLoad)), 105);
  CHECK(recorder.lookups == Lookups{{0x1000, true, 105}});
  QueuedAccess other = PathBench::queued(global_access(bench, OpKind::kLoad, 0x2000, 32));  // eight lines
  other.instruction.warp = 2;
  bench.global.start(other, 110);
  for (Cycle now = 111; bench.global.busy(); ++now) {
    bench.global.work(now);
  }
  CHECK(recorder.losses.empty());
  for (const MemRequest& request : bench.sent(130)) {
    bench.global.data_arrived(PathBench::response_to(request), 150);
  }
  using Losses = std::vector<std::pair<std::uint32_t, Address>>;
  CHECK(recorder.losses == Losses{{0, 0x1080}, {0, 0x1000}});  // in the order of their last use
}

TEST_CASE("Global memory path: a line that the port has no space for waits until it has") {
  PathBench bench({"sm.load_store.store_buffer.lines=1"});
  bench.global.start(PathBench::queued(global_access(bench, OpKind::kStore, 0x1000, 8)), 105);  // two lines
  CHECK(bench.global.next_work() == 106);
  bench.global.work(106);
  CHECK(bench.global.busy());
  CHECK(bench.global.next_work() == kNever);  // blocked
  CHECK(bench.sent(106).size() == 1);
  bench.global.work(107);
  CHECK_FALSE(bench.global.busy());
  CHECK(bench.sent(108).size() == 1);
}

TEST_CASE("Global memory path: lines of a store occupy the stage longer than lines that join waiting ones") {
  PathBench bench({"sm.load_store.store_buffer.line_cycles=3", "sm.load_store.store_buffer.wait_cycles=50"});
  bench.global.start(PathBench::queued(global_access(bench, OpKind::kStore, 0x1000, 8)), 105);  // two lines
  CHECK(bench.global.next_work() == 108);
  bench.global.work(108);
  CHECK_FALSE(bench.global.busy());
  CHECK(bench.global.free_at() == 111);
  // Both lines are looked up at once; the store itself takes as long as a line.
  bench.global.start(PathBench::queued(global_access(bench, OpKind::kStore, 0x1004, 8)), 111);
  CHECK_FALSE(bench.global.busy());
  CHECK(bench.global.free_at() == 114);
  CHECK(bench["lsu.joined_store_lines"] == 2);
  const std::vector<MemRequest> requests = bench.sent(114);
  REQUIRE(requests.size() == 2);
  CHECK(requests[0].byte_mask[0] == 0xffffffffU);
}

TEST_CASE("Global memory path: lanes that index local memory differently access different lines") {
  PathBench bench;
  MemoryInstruction load = bench.instruction(OpKind::kLoad, MemorySpace::kLocal);
  std::vector<Address> offsets(kWarpSize, 0);
  for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
    offsets[lane] = lane % 4 * 4 + 1;  // a byte of each of the first four words
  }
  bench.info(load).bytes_per_lane = 1;
  load.addresses = {LaneAddresses::Kind::kList, 0, 0, offsets.data()};
  bench.global.start(PathBench::queued(load), 105);
  for (Cycle now = 106; bench.global.busy(); ++now) {
    bench.global.work(now);
  }
  CHECK(bench["lsu.local_load_sectors"] == 16);
  CHECK(bench.sent(120).size() == 4);
}

TEST_CASE("Global memory path: a store is written through and ends when it has left the stage") {
  PathBench bench;
  const MemoryInstruction store = global_access(bench, OpKind::kStore);
  bench.info(store).acknowledged = true;
  bench.port.expect_write(store);
  bench.global.start(PathBench::queued(store), 105);
  CHECK(bench.port.writes().total() == 4);  // the sectors; no longer the instruction
  const std::vector<MemRequest> requests = bench.sent(106);
  REQUIRE(requests.size() == 1);
  CHECK(requests[0].op == MemOp::kWrite);
  CHECK(requests[0].wants_ack);
  CHECK(requests[0].byte_mask[3] == 0xffffffffU);
  CHECK(bench.results().at(0) == 106);
}

TEST_CASE("Global memory path: a store ends for its warp some cycles after its last line") {
  PathBench bench({"sm.load_store.store_release_cycles=20"});
  bench.global.start(PathBench::queued(global_access(bench, OpKind::kStore)), 105);
  CHECK(bench.results().at(0) == 125);
}

TEST_CASE("Global memory path: data of an atomic take the stage") {
  PathBench bench;
  bench.global.start(PathBench::queued(global_access(bench, OpKind::kAtomic)), 105);
  const std::vector<MemRequest> requests = bench.sent(110);
  REQUIRE(requests.size() == 1);
  CHECK(requests[0].op == MemOp::kAtomic);
  bench.global.data_arrived(PathBench::response_to(requests[0]), 150);
  CHECK(bench.global.free_at() == 151);  // one pass
  CHECK(bench.results().at(0) == 160);
}

TEST_CASE("Global memory path: an atomic removes its sectors from L1") {
  PathBench bench;
  bring_lines(bench, 0x1000, 4);
  bench.global.start(PathBench::queued(global_access(bench, OpKind::kReduction)), 105);
  bench.sent(107);
  bench.global.start(PathBench::queued(global_access(bench, OpKind::kLoad)), 120);
  CHECK(bench.sent(121).size() == 1);
}

TEST_CASE("Global memory path: local accesses of all lanes are adjacent") {
  PathBench bench;
  QueuedAccess load = PathBench::queued(bench.instruction(OpKind::kLoad, MemorySpace::kLocal, 0x20, 0));
  load.windows.local_backing = 0x40000;
  bench.global.start(load, 105);
  const std::vector<MemRequest> requests = bench.sent(106);
  REQUIRE(requests.size() == 1);
  CHECK(requests[0].line == 0x40000 + 0x20 * 32);
  CHECK(requests[0].sector_mask == 0xf);
  CHECK(bench["lsu.local_load_requests"] == 1);
}

TEST_CASE("Global memory path: replaced dirty lines of local memory wait to be written back") {
  PathBench bench({"sm.l1.policy.local=written_back", "sm.l1.sets=1"});
  bench.global.configure_l1(128);  // one line
  for (const Address offset : {Address{0}, Address{0x100}}) {
    QueuedAccess store = PathBench::queued(bench.instruction(OpKind::kStore, MemorySpace::kLocal, offset, 0));
    store.windows.local_backing = 0x40000;
    CHECK_FALSE(bench.global.has_replaced_lines());
    bench.global.start(store, 105 + offset);
  }
  REQUIRE(bench.global.has_replaced_lines());
  CHECK(bench.global.replaced_lines().front().line == 0x40000);
  CHECK_FALSE(bench.port.has_requests());
}

namespace {

// A texture instruction of all lanes, with its sectors or texels.
MemoryInstruction texture_access(PathBench& bench, TextureAccess access, TexelAccess texels,
                                 const std::vector<Address>& list) {
  MemoryInstruction made = bench.instruction(OpKind::kTexture, MemorySpace::kTexture);
  bench.info(made).texture = access;
  bench.info(made).result_registers = 1;
  texels.count = static_cast<std::uint32_t>(list.size());
  made.addresses = LaneAddresses::of_texels(texels, list.data());
  return made;
}

}  // namespace

TEST_CASE("Global memory path: a fetch of texels in L1 takes the latency of the texture units") {
  PathBench bench;
  bring_lines(bench, 0x1000, 4);
  const std::vector<Address> list = {0x1001, 0x1022};
  const MemoryInstruction fetch = texture_access(bench, TextureAccess::kFetch, {.texel_bytes = 4}, list);
  bench.global.start(PathBench::queued(fetch), 105);
  CHECK_FALSE(bench.port.has_requests());
  CHECK(bench.results().at(1) == 160);
  CHECK(bench["lsu.texel_requests"] == 8);
  CHECK(bench["lsu.texel_sectors"] == 2);
  CHECK(bench["lsu.texel_sector_misses"] == 0);
}

TEST_CASE("Global memory path: a fetch of texels that L1 lacks ends the time of the texture units after a load would") {
  PathBench bench;
  const std::vector<Address> list = {0x1001, 0x1022, 0x1001};
  const MemoryInstruction fetch = texture_access(bench, TextureAccess::kFetch, {.texel_bytes = 4}, list);
  bench.global.start(PathBench::queued(fetch), 105);
  const std::vector<MemRequest> requests = bench.sent(106);
  REQUIRE(requests.size() == 1);
  CHECK(requests[0].op == MemOp::kRead);
  CHECK(requests[0].sector_mask == 0b11);
  bench.global.data_arrived(PathBench::response_to(requests[0]), 150);
  // A load has its data at 160; a fetch takes 60 cycles where a load takes 30, and its second pass one more.
  CHECK(bench.results().at(0) == 191);
  CHECK(bench["lsu.texel_sectors"] == 3);
  CHECK(bench["lsu.texel_sector_misses"] == 2);
}

TEST_CASE("Global memory path: a fetch of more lines than fit at once looks up all of them") {
  PathBench bench({}, 64);
  std::vector<Address> list;
  for (Address i = 0; i < 40; ++i) {
    list.push_back(0x10000 + 128 * i + (i == 0 ? LaneAddresses::kFirstOfGroup : 0));
  }
  const MemoryInstruction fetch = texture_access(bench, TextureAccess::kFetch, {.texel_bytes = 4}, list);
  bench.global.start(PathBench::queued(fetch), 105);
  std::vector<Address> lines;
  Cycle now = 106;
  while (bench.global.busy() || bench.port.has_requests()) {
    for (const MemRequest& request : bench.sent(now)) {
      lines.push_back(request.line);
      bench.global.data_arrived(PathBench::response_to(request), ++now);
    }
    bench.global.work(++now);
    REQUIRE(now < 1000);
  }
  REQUIRE(lines.size() == 40);
  CHECK(lines[39] == 0x10000 + 128 * 39);
  CHECK(bench.results().count(0) == 1);
  CHECK(bench["lsu.texel_sector_misses"] == 40);
}

TEST_CASE("Global memory path: a store to a surface sends the bytes of its texels") {
  PathBench bench;
  const std::vector<Address> list = {0x1004, 0x1028};
  const TexelAccess access{.texel_bytes = 4, .group_lanes = 8, .by_lane = true};
  bench.global.start(PathBench::queued(texture_access(bench, TextureAccess::kStore, access, list)), 105);
  const std::vector<MemRequest> requests = bench.sent(106);
  REQUIRE(requests.size() == 1);
  CHECK(requests[0].op == MemOp::kWrite);
  CHECK(requests[0].byte_mask[0] == 0xf0);
  CHECK(requests[0].byte_mask[1] == 0xf00);
  CHECK(bench.results().count(0) == 1);
}

TEST_CASE("Global memory path: the texture units hold back the next access when their queue is full") {
  PathBench bench({"sm.load_store.textures.queue_entries=1", "sm.load_store.textures.fetch.interval_cycles=8"});
  bring_lines(bench, 0x1000, 4);
  const std::vector<Address> list = {0x1001};
  const MemoryInstruction fetch = texture_access(bench, TextureAccess::kFetch, {.texel_bytes = 4}, list);
  bench.global.start(PathBench::queued(fetch), 105);  // until 113
  CHECK(bench.global.free_at() == 106);
  bench.global.start(PathBench::queued(fetch), 106);  // until 121
  CHECK(bench.global.free_at() == 113);
}

TEST_CASE("Global memory path: a load waits while others hold all lines of L1, until one of them is complete") {
  PathBench bench({"sm.l1.misses_take_lines=true", "sm.l1.mshr_entries=1000", "sm.l1.sets=64"});
  bench.global.configure_l1(1);  // as many lines as sets
  const std::uint32_t lines = bench.gpu.sm.l1.sets;
  REQUIRE(lines % 32 == 0);
  std::vector<MemRequest> first;
  Cycle now = 105;
  const auto start = [&](Address base) {
    bench.global.start(PathBench::queued(global_access(bench, OpKind::kLoad, base, kLineBytes)), now);
    for (const Cycle end = now + 100; bench.global.busy() && now < end;) {
      bench.global.work(++now);
      for (const MemRequest& request : bench.sent(now)) {
        first.push_back(request);
      }
    }
    return !bench.global.busy();
  };
  for (std::uint32_t line = 0; line < lines; line += 32) {
    REQUIRE(start(0x100000 + line * kLineBytes));
  }
  REQUIRE(first.size() == lines);
  CHECK_FALSE(start(0x800000));
  CHECK(first.size() == lines);
  for (std::uint32_t i = 0; i < 31; ++i) {
    bench.global.data_arrived(PathBench::response_to(first[i]), ++now);
  }
  bench.global.work(++now);
  CHECK_FALSE(bench.port.has_requests());  // the load that waits for its last line holds all of them
  bench.global.data_arrived(PathBench::response_to(first[31]), ++now);
  for (int i = 0; i < 40; ++i) {
    bench.global.work(++now);
    bench.sent(now);
  }
  CHECK_FALSE(bench.global.busy());
}

}  // namespace warpsim::test
