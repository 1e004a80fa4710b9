#include "device/managed/managed_memory.h"

#include <catch2/catch.hpp>

#include "support/machine.h"

namespace warpsim {
namespace {

constexpr Address kManagedBegin = 0x6800'0000'0000;
constexpr std::uint64_t kManagedPiece = ManagedPages::kPieceBytes;
constexpr std::uint64_t kManagedBlock = ManagedPages::kBlockBytes;
constexpr std::uint32_t kManagedHost = ManagedPages::kHost;

struct ManagedSetup {
  explicit ManagedSetup(bool page_faults = true) {
    config.managed_memory.page_faults = page_faults;
    memory.add(kManagedBegin, 2 * kManagedBlock);
  }
  GpuConfig config = test::tiny_config();
  ManagedPages pages{kManagedBegin, std::uint64_t{1} << 30U};
  ManagedMemory memory{
      pages,
      {&config, &config},
      {.capacity = [](std::uint32_t) { return std::uint64_t{1} << 30U; }, .leaves_host = {}, .are_linked = {}}};
  std::uint32_t holders(std::uint64_t piece) const { return pages.piece(piece).holders; }
};

TEST_CASE("managed memory: the host's first touch takes no time, its faults move regions") {
  ManagedSetup m;
  CHECK(m.memory.host_touches({{0, true}}, 0) == 0);
  CHECK(m.holders(0) == ManagedPages::bit(kManagedHost));
  m.memory.prefetch({kManagedBegin, kManagedBlock}, 0);
  CHECK(m.memory.bytes_at(0) == kManagedBlock);
  const ManagedMemoryConfig& config = m.config.managed_memory;
  // Piece 0 alone, then 1, which moves with it; 2 moves 2 and 3.
  CHECK(m.memory.host_touches({{0, false}}, 0) ==
        Approx(config.host_fault_ns + kManagedPiece / config.to_host_gb_per_s));
  CHECK(m.memory.host_touches({{1, false}, {2, false}, {3, false}}, 0) ==
        Approx(2 * config.host_fault_ns + 3 * kManagedPiece / config.to_host_gb_per_s));
  CHECK(m.holders(3) == ManagedPages::bit(kManagedHost));
  CHECK(m.holders(4) == ManagedPages::bit(0));
}

TEST_CASE("managed memory: a prefetch takes the time of what is not there") {
  ManagedSetup m;
  m.memory.host_touches({{0, true}, {1, true}}, 0);
  const ManagedMemoryConfig& config = m.config.managed_memory;
  CHECK(m.memory.prefetch_ns({kManagedBegin, 4 * kManagedPiece}, 1, 0) ==
        Approx(config.prefetch_ns + 2 * kManagedPiece / config.prefetch_to_gpu_gb_per_s +
               2 * kManagedPiece / config.prefetch_new_gb_per_s));
  m.memory.prefetch({kManagedBegin, 4 * kManagedPiece}, 1);
  CHECK(m.holders(3) == ManagedPages::bit(1));
  CHECK(m.memory.prefetch_ns({kManagedBegin, 4 * kManagedPiece}, 1, 0) == Approx(config.prefetch_ns));
  CHECK(m.memory.prefetch_ns({kManagedBegin, kManagedPiece}, kManagedHost, 0) ==
        Approx(config.prefetch_ns + kManagedPiece / config.prefetch_to_host_gb_per_s));
}

TEST_CASE("managed memory: the host reads a copy without a fault, and its write gives up the other one") {
  ManagedSetup m;
  m.memory.set_read_mostly({kManagedBegin, kManagedPiece}, true);
  m.memory.host_touches({{0, true}}, 0);
  m.memory.prefetch({kManagedBegin, kManagedPiece}, 0);
  CHECK(m.pages.piece(0).has_copies());
  CHECK(m.memory.host_touches({{0, false}}, 0) == 0);
  CHECK(m.memory.host_touches({{0, true}}, 0) == m.config.managed_memory.host_fault_ns);
  CHECK(m.holders(0) == ManagedPages::bit(kManagedHost));
  m.memory.prefetch({kManagedBegin, kManagedPiece}, 0);
  m.memory.set_read_mostly({kManagedBegin, kManagedPiece}, false);
  CHECK_FALSE(m.pages.piece(0).has_copies());
}

TEST_CASE("managed memory: engines bring pages to their GPU, once") {
  ManagedSetup m;
  m.memory.host_touches({{0, true}}, 0);
  CHECK(m.memory.bring({kManagedBegin, kManagedPiece}, 0, false) > 0);
  CHECK(m.holders(0) == ManagedPages::bit(0));
  CHECK(m.memory.bring({kManagedBegin, kManagedPiece}, 0, true) == 0);
}

TEST_CASE("managed memory: without page faults all of it moves to the GPU, and allocations move back as a whole") {
  ManagedSetup m(false);
  m.memory.add(kManagedBegin + 4 * kManagedBlock, kManagedBlock);
  m.memory.host_touches({{0, true}, {5, true}}, 0);
  CHECK(m.memory.host_has_any());
  CHECK(m.memory.bring_all(0) == 2 * kManagedPiece);
  CHECK_FALSE(m.memory.host_has_any());
  const ManagedMemoryConfig& config = m.config.managed_memory;
  CHECK(m.memory.host_touches({{7, false}, {8, false}}, 0) ==
        Approx(config.host_fault_ns + 2 * kManagedBlock / config.to_host_gb_per_s));
  CHECK(m.holders(40) == ManagedPages::bit(kManagedHost));
  CHECK(m.holders(4 * ManagedPages::kPiecesOfBlock) == ManagedPages::bit(0));
}

TEST_CASE("managed memory: freed memory is in no place") {
  ManagedSetup m;
  m.memory.prefetch({kManagedBegin, kManagedBlock}, 0);
  m.memory.remove(kManagedBegin);
  CHECK(m.memory.bytes_at(0) == 0);
  CHECK(m.holders(0) == 0);
}

}  // namespace
}  // namespace warpsim
