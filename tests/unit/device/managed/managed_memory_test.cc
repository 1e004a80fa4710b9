#include "device/managed/managed_memory.h"

#include <catch2/catch.hpp>

#include "support/machine.h"

namespace warpsim {
namespace {

constexpr Address kBegin = 0x6800'0000'0000;
constexpr std::uint64_t kPiece = ManagedPages::kPieceBytes;
constexpr std::uint64_t kBlock = ManagedPages::kBlockBytes;
constexpr std::uint32_t kHost = ManagedPages::kHost;

struct Memory {
  explicit Memory(bool page_faults = true) {
    config.managed_memory.page_faults = page_faults;
    memory.add(kBegin, 2 * kBlock);
  }
  GpuConfig config = test::tiny_config();
  ManagedPages pages{kBegin, std::uint64_t{1} << 30U};
  ManagedMemory memory{
      pages,
      {&config, &config},
      {.capacity = [](std::uint32_t) { return std::uint64_t{1} << 30U; }, .leaves_host = {}, .are_linked = {}}};
  std::uint32_t holders(std::uint64_t piece) const { return pages.piece(piece).holders; }
};

TEST_CASE("managed memory: the host's first touch takes no time, its faults move regions") {
  Memory m;
  CHECK(m.memory.host_touches({{0, true}}, 0) == 0);
  CHECK(m.holders(0) == ManagedPages::bit(kHost));
  m.memory.prefetch({kBegin, kBlock}, 0);
  CHECK(m.memory.bytes_at(0) == kBlock);
  const ManagedMemoryConfig& config = m.config.managed_memory;
  // Piece 0 alone, then 1, which moves with it; 2 moves 2 and 3.
  CHECK(m.memory.host_touches({{0, false}}, 0) == Approx(config.host_fault_ns + kPiece / config.to_host_gb_per_s));
  CHECK(m.memory.host_touches({{1, false}, {2, false}, {3, false}}, 0) ==
        Approx(2 * config.host_fault_ns + 3 * kPiece / config.to_host_gb_per_s));
  CHECK(m.holders(3) == ManagedPages::bit(kHost));
  CHECK(m.holders(4) == ManagedPages::bit(0));
}

TEST_CASE("managed memory: a prefetch takes the time of what is not there") {
  Memory m;
  m.memory.host_touches({{0, true}, {1, true}}, 0);
  const ManagedMemoryConfig& config = m.config.managed_memory;
  CHECK(m.memory.prefetch_ns({kBegin, 4 * kPiece}, 1, 0) ==
        Approx(config.prefetch_ns + 2 * kPiece / config.prefetch_to_gpu_gb_per_s +
               2 * kPiece / config.prefetch_new_gb_per_s));
  m.memory.prefetch({kBegin, 4 * kPiece}, 1);
  CHECK(m.holders(3) == ManagedPages::bit(1));
  CHECK(m.memory.prefetch_ns({kBegin, 4 * kPiece}, 1, 0) == Approx(config.prefetch_ns));
  CHECK(m.memory.prefetch_ns({kBegin, kPiece}, kHost, 0) ==
        Approx(config.prefetch_ns + kPiece / config.prefetch_to_host_gb_per_s));
}

TEST_CASE("managed memory: the host reads a copy without a fault, and its write gives up the other one") {
  Memory m;
  m.memory.set_read_mostly({kBegin, kPiece}, true);
  m.memory.host_touches({{0, true}}, 0);
  m.memory.prefetch({kBegin, kPiece}, 0);
  CHECK(m.pages.piece(0).has_copies());
  CHECK(m.memory.host_touches({{0, false}}, 0) == 0);
  CHECK(m.memory.host_touches({{0, true}}, 0) == m.config.managed_memory.host_fault_ns);
  CHECK(m.holders(0) == ManagedPages::bit(kHost));
  m.memory.prefetch({kBegin, kPiece}, 0);
  m.memory.set_read_mostly({kBegin, kPiece}, false);
  CHECK_FALSE(m.pages.piece(0).has_copies());
}

TEST_CASE("managed memory: engines bring pages to their GPU, once") {
  Memory m;
  m.memory.host_touches({{0, true}}, 0);
  CHECK(m.memory.bring({kBegin, kPiece}, 0, false) > 0);
  CHECK(m.holders(0) == ManagedPages::bit(0));
  CHECK(m.memory.bring({kBegin, kPiece}, 0, true) == 0);
}

TEST_CASE("managed memory: without page faults all of it moves to the GPU, and allocations move back as a whole") {
  Memory m(false);
  m.memory.add(kBegin + 4 * kBlock, kBlock);
  m.memory.host_touches({{0, true}, {5, true}}, 0);
  CHECK(m.memory.host_has_any());
  CHECK(m.memory.bring_all(0) == 2 * kPiece);
  CHECK_FALSE(m.memory.host_has_any());
  const ManagedMemoryConfig& config = m.config.managed_memory;
  CHECK(m.memory.host_touches({{7, false}, {8, false}}, 0) ==
        Approx(config.host_fault_ns + 2 * kBlock / config.to_host_gb_per_s));
  CHECK(m.holders(40) == ManagedPages::bit(kHost));
  CHECK(m.holders(4 * ManagedPages::kPiecesOfBlock) == ManagedPages::bit(0));
}

TEST_CASE("managed memory: freed memory is in no place") {
  Memory m;
  m.memory.prefetch({kBegin, kBlock}, 0);
  m.memory.remove(kBegin);
  CHECK(m.memory.bytes_at(0) == 0);
  CHECK(m.holders(0) == 0);
}

}  // namespace
}  // namespace warpsim
