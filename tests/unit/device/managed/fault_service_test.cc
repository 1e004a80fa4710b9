#include "device/managed/fault_service.h"

#include <catch2/catch.hpp>

namespace warpsim {
namespace {

constexpr Address kServiceBegin = 0x6800'0000'0000;
constexpr std::uint64_t kServicePieces = ManagedPages::kPiecesOfBlock;
constexpr std::uint32_t kServiceHost = ManagedPages::kHost;

ManagedMemoryConfig costs() {
  ManagedMemoryConfig config;
  config.page_faults = true;
  config.wake_ns = 3000;
  config.poll_ns = 500;
  config.awake_ns = 1000;
  config.batch_ns = 1000;
  config.batch_faults = 16;
  config.fault_ns = 100;
  config.block_ns = 2000;
  config.copy_ns = 1000;
  config.to_gpu_gb_per_s = 10;
  config.new_gb_per_s = 20;
  config.map_ns = 4000;
  config.write_to_copies_ns = 2000;
  config.density_percent = 51;
  config.evict_ns = 2000;
  config.evict_gb_per_s = 20;
  return config;
}

struct Driver {
  ManagedPages pages{kServiceBegin, std::uint64_t{1} << 30U};
  ManagedRanges ranges{pages};
  std::uint64_t capacity = std::uint64_t{1} << 30U;
  PageMoves moves{
      pages, ranges, {.capacity = [this](std::uint32_t) { return capacity; }, .leaves_host = {}, .are_linked = {}}};
  FaultService service{0, costs(), pages, ranges, moves};

  Driver() { ranges.add(kServiceBegin, 4 * ManagedPages::kBlockBytes); }
  // Serves what waits; returns the batch.
  FaultBatch serve() {
    const double start_ns = service.next_time().value();
    CHECK_FALSE(service.advance(start_ns).has_value());
    const double end_ns = service.next_time().value();
    const std::optional<FaultBatch> batch = service.advance(end_ns);
    REQUIRE(batch.has_value());
    CHECK(batch->start_ns == start_ns);
    CHECK(batch->end_ns == end_ns);
    return *batch;
  }
};

TEST_CASE("fault service: the first fault wakes the driver, one that follows does not") {
  Driver d;
  CHECK_FALSE(d.service.next_time().has_value());
  d.service.add({{kServiceBegin, 10'000, true}});
  FaultBatch batch = d.serve();
  CHECK(batch.start_ns == 13'000);
  // A batch, a fault, a block, 64 KiB that nobody had touched.
  CHECK(batch.end_ns == Approx(13'000 + 1000 + 100 + 2000 + 65536 / 20.0));
  CHECK(batch.bytes_new == ManagedPages::kPieceBytes);
  CHECK(batch.bytes_from_others == 0);
  CHECK(d.pages.piece(0).holders == ManagedPages::bit(0));
  const double end_ns = batch.end_ns;
  d.service.add({{kServiceBegin + ManagedPages::kPieceBytes, end_ns + 900, false}});
  CHECK(d.service.next_time() == end_ns + 1400);
  batch = d.serve();
  d.service.add({{kServiceBegin + ManagedPages::kBlockBytes, batch.end_ns + 1100, false}});
  CHECK(d.service.next_time() == batch.end_ns + 1100 + 3000);
}

TEST_CASE("fault service: a batch has all blocks, and data of the host take longer") {
  Driver d;
  for (std::uint64_t piece = 0; piece < kServicePieces; ++piece) {
    d.moves.move(piece, kServiceHost);
  }
  d.service.add({{kServiceBegin, 0, false},
                 {kServiceBegin + 4096, 5, false},
                 {kServiceBegin, 7, false},
                 {kServiceBegin + ManagedPages::kBlockBytes, 9, false}});
  const FaultBatch batch = d.serve();
  CHECK(batch.faults == 3);
  CHECK(batch.bytes_from_others == ManagedPages::kPieceBytes);
  CHECK(batch.bytes_new == ManagedPages::kPieceBytes);
  CHECK(batch.end_ns - batch.start_ns == Approx(1000 + 3 * 100 + 2 * 2000 + 1000 + 65536 / 10.0 + 65536 / 20.0));
  CHECK(d.pages.piece(0).holders == ManagedPages::bit(0));
  CHECK(d.pages.piece(kServicePieces).holders == ManagedPages::bit(0));
}

TEST_CASE("fault service: readers of mostly read pages get copies, a write gives up the others") {
  Driver d;
  d.moves.move(0, kServiceHost);
  d.ranges.advice_of(0).read_mostly = true;
  d.service.add({{kServiceBegin, 0, false}});
  d.serve();
  CHECK(d.pages.piece(0).holders == (ManagedPages::bit(0) | ManagedPages::bit(kServiceHost)));
  d.service.add({{kServiceBegin, 100'000, true}});
  const FaultBatch batch = d.serve();
  CHECK(d.pages.piece(0).holders == ManagedPages::bit(0));
  CHECK(batch.end_ns - batch.start_ns == Approx(1000 + 100 + 2000 + 2000));
}

TEST_CASE("fault service: pages with a preferred place are accessed there") {
  Driver d;
  d.moves.move(0, kServiceHost);
  d.ranges.advice_of(0).preferred = kServiceHost;
  d.ranges.advice_of(1).preferred = kServiceHost;  // nobody has touched it
  d.service.add({{kServiceBegin, 0, true}, {kServiceBegin + ManagedPages::kPieceBytes, 0, true}});
  const FaultBatch batch = d.serve();
  CHECK(batch.bytes_from_others + batch.bytes_new == 0);
  for (const std::uint64_t piece : {0, 1}) {
    CHECK(d.pages.piece(piece).holders == ManagedPages::bit(kServiceHost));
    CHECK(ManagedPages::access(d.pages.piece(piece), 0, true).way == ManagedPages::Way::kRemote);
  }
}

TEST_CASE("fault service: a full GPU gives up other blocks first, which takes time") {
  Driver d;
  d.capacity = ManagedPages::kBlockBytes;
  for (std::uint64_t piece = 0; piece < kServicePieces; ++piece) {
    d.moves.move(piece, 0);
  }
  d.moves.note_service(0, 0);
  d.service.add({{kServiceBegin + ManagedPages::kBlockBytes, 0, true}});
  const FaultBatch batch = d.serve();
  CHECK(batch.bytes_evicted == ManagedPages::kBlockBytes);
  CHECK(batch.end_ns - batch.start_ns ==
        Approx(1000 + 100 + 2000 + 65536 / 20.0 + 2000 + ManagedPages::kBlockBytes / 20.0));
  CHECK(d.pages.piece(0).is_held_by(kServiceHost));
}

TEST_CASE("fault service: faults beyond a batch's limit are left for the next one") {
  Driver d;
  std::vector<FaultService::Fault> faults;
  for (std::uint64_t i = 0; i < 20; ++i) {
    faults.push_back({kServiceBegin + i * 4096, 0, false});
  }
  d.service.add(faults);
  CHECK(d.serve().faults == 16);
  CHECK_FALSE(d.service.next_time().has_value());  // the GPU reports what still faults
}

}  // namespace
}  // namespace warpsim
