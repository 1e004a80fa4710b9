#include "cuda/memory/pool_space.h"

#include <catch2/catch.hpp>
#include <memory>
#include <optional>
#include <vector>

#include "support/sizes.h"

namespace warpsim::cuda {
namespace {

using test::kMiB;

bool nothing(const PoolSpace::Freed& /*freed*/) {
  return false;
}
bool anything(const PoolSpace::Freed& /*freed*/) {
  return true;
}

struct Space {
  PoolSpace space;
  std::uint64_t most = 10 * PoolSpace::kChunk;

  std::optional<std::uint64_t> take(std::uint64_t bytes, const PoolSpace::MayUse& may_use = nothing,
                                    std::vector<WorkHandle>* waits = nullptr) {
    const auto grow = [this](std::uint64_t more) { return space.reserved() + more <= most; };
    return space.take(bytes, may_use, grow, waits);
  }
};

TEST_CASE("pool space: blocks lie beside each other in chunks of 32 MiB, as on an H100") {
  Space s;
  CHECK(s.take(100) == 0);
  CHECK(s.space.reserved() == PoolSpace::kChunk);
  CHECK(s.space.used() == 100);
  CHECK(s.take(100) == 0x200);
  CHECK(s.take(5 * kMiB) == 0x400);
  CHECK(s.take(5 * kMiB) == 0x500400);
  CHECK(s.take(20 * kMiB) == 0xa00400);
  CHECK(s.take(7 * kMiB) == 0x1e00400);
  CHECK(s.space.reserved() == 2 * PoolSpace::kChunk);
  CHECK(s.take(kMiB) == 0x2500400);
  CHECK(s.take(33 * kMiB) == 0x2600400);
  CHECK(s.space.reserved() == 3 * PoolSpace::kChunk);
  CHECK(s.take(64 * kMiB) == 0x4700400);
  CHECK(s.space.reserved() == 5 * PoolSpace::kChunk);
  CHECK(s.space.used() == 135 * kMiB + 200);
}

TEST_CASE("pool space: what was freed is used again by those who may, in parts and together") {
  Space s;
  REQUIRE(s.take(40 * kMiB) == 0);
  const auto work = std::make_shared<WorkState>();
  s.space.free(0, {{0, 3}, 1, work});
  CHECK(s.space.used() == 0);
  CHECK(s.take(10 * kMiB) == 40 * kMiB);
  std::vector<WorkHandle> waits;
  const auto of_third = [](const PoolSpace::Freed& freed) { return freed.stream.number == 3; };
  CHECK(s.take(10 * kMiB, of_third, &waits) == 0);
  CHECK(waits == std::vector<WorkHandle>{work});
  CHECK(s.take(10 * kMiB, of_third) == 10 * kMiB);
  s.space.free(0, {{0, 3}, 2, work});
  s.space.free(10 * kMiB, {{0, 3}, 3, work});
  CHECK(s.take(40 * kMiB, of_third) == 0);
  CHECK(s.space.reserved() == 2 * PoolSpace::kChunk);
}

TEST_CASE("pool space: it prefers places that have memory") {
  Space s;
  REQUIRE(s.take(PoolSpace::kChunk) == 0);
  REQUIRE(s.take(PoolSpace::kChunk) == PoolSpace::kChunk);
  REQUIRE(s.take(kMiB) == 2 * PoolSpace::kChunk);
  s.space.free(0, {});
  s.space.see(anything);
  CHECK(s.space.trim(0, 0) == PoolSpace::kChunk);
  CHECK(s.take(kMiB) == 2 * PoolSpace::kChunk + kMiB);
  CHECK(s.take(PoolSpace::kChunk - kMiB) == 0);
  CHECK(s.space.reserved() == 3 * PoolSpace::kChunk);
}

TEST_CASE("pool space: memory goes back when its release is seen, to a limit") {
  Space s;
  for (int i = 0; i < 5; ++i) {
    REQUIRE(s.take(20 * kMiB));
  }
  CHECK(s.space.reserved() == 4 * PoolSpace::kChunk);
  for (std::uint64_t i = 0; i < 5; ++i) {
    s.space.free(i * 20 * kMiB, {{0, i}, 1, {}});
  }
  CHECK(s.space.trim(0, 0) == 0);
  s.space.see([](const PoolSpace::Freed& freed) { return freed.stream.number != 0; });
  CHECK_FALSE(s.space.empty());
  CHECK(s.space.trim(0, 50 * kMiB) == 2 * PoolSpace::kChunk);
  CHECK(s.space.reserved() == 2 * PoolSpace::kChunk);
  CHECK(s.space.trim(40 * kMiB, 0) == PoolSpace::kChunk);
  CHECK(s.space.trim(0, 0) == 0);  // the first block
  s.space.see(anything);
  CHECK(s.space.empty());
  CHECK(s.space.trim(0, 0) == PoolSpace::kChunk);
  CHECK(s.space.reserved() == 0);
}

TEST_CASE("pool space: it does not grow beyond what it gets") {
  Space s;
  s.most = 2 * PoolSpace::kChunk;
  CHECK_FALSE(s.take(3 * PoolSpace::kChunk));
  CHECK(s.space.reserved() == 0);
  REQUIRE(s.take(PoolSpace::kChunk + 1) == 0);
  CHECK_FALSE(s.take(PoolSpace::kChunk));
  CHECK(s.space.used() == PoolSpace::kChunk + 1);
  CHECK(s.take(PoolSpace::kChunk - 512) == PoolSpace::kChunk + 512);
}

}  // namespace
}  // namespace warpsim::cuda
