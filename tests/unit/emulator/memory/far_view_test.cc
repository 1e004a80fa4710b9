#include "emulator/memory/far_view.h"

#include <catch2/catch.hpp>
#include <cstring>

#include "base/check.h"
#include "emulator/memory/memory_view.h"

namespace warpsim {
namespace {

struct Bench {
  alignas(FarView::kPieceBytes) std::byte memory[64] = {};
  MemoryView view;

  // A store of one byte that begins its way.
  FarView::Write send(std::size_t at, int value) {
    *view.write(memory + at, 1) = static_cast<std::byte>(value);
    const FarView::Write write = view.send(view.take_writes()).front();
    view.clear();  // the exchange
    return write;
  }
  int seen(std::size_t at) { return static_cast<int>(*view.read(memory + at, 1)); }
  int stored(std::size_t at) const { return static_cast<int>(memory[at]); }
};

TEST_CASE("Far view: a store is seen by its SM at once, in memory when it arrives") {
  Bench bench;
  const FarView::Write write = bench.send(3, 7);
  CHECK(bench.seen(3) == 7);
  CHECK(bench.seen(4) == 0);
  CHECK(bench.stored(3) == 0);
  bench.view.clear();
  CHECK(bench.seen(3) == 7);  // also after further exchanges
  bench.view.clear();
  bench.view.far().arrive(write);
  CHECK(bench.stored(3) == 7);
  CHECK(bench.view.far().empty());
  CHECK_THROWS_AS(bench.view.far().arrive(write), InternalError);
}

TEST_CASE("Far view: of two stores to a byte the SM sees the later one, until it has arrived") {
  Bench bench;
  const FarView::Write first = bench.send(3, 7);
  const FarView::Write second = bench.send(3, 8);
  const FarView::Write beside = bench.send(4, 9);
  CHECK(bench.seen(3) == 8);
  bench.view.clear();
  bench.view.far().arrive(first);
  CHECK(bench.stored(3) == 7);
  CHECK(bench.seen(3) == 8);
  bench.view.clear();
  bench.view.far().arrive(second);
  bench.memory[3] = std::byte{50};  // another GPU changes it
  CHECK(bench.seen(3) == 50);       // though a store to the same piece is on its way
  CHECK(bench.seen(4) == 9);
  bench.view.clear();
  bench.view.far().arrive(beside);
  CHECK(bench.stored(4) == 9);
}

TEST_CASE("Far view: a store over two pieces arrives whole, and a partly known word is completed from memory") {
  Bench bench;
  std::memset(bench.memory, 1, sizeof(bench.memory));
  std::memset(bench.view.write(bench.memory + 24, 8), 2, 8);
  std::memset(bench.view.write(bench.memory + 32, 8), 3, 8);
  const std::vector<FarView::Write> writes = bench.view.send(bench.view.take_writes());
  REQUIRE(writes.size() == 2);
  bench.view.clear();
  const std::byte* const read = bench.view.read(bench.memory + 16, 16);
  CHECK(read[0] == std::byte{1});
  CHECK(read[8] == std::byte{2});
  bench.view.clear();
  for (const FarView::Write& write : writes) {
    bench.view.far().arrive(write);
  }
  CHECK(bench.memory[23] == std::byte{1});
  CHECK(bench.memory[24] == std::byte{2});
  CHECK(bench.memory[39] == std::byte{3});
  CHECK(bench.memory[40] == std::byte{1});
}

TEST_CASE("Far view: bytes of an update on its way await it") {
  Bench bench;
  bench.view.far().begin_update(bench.memory + 3);
  CHECK(bench.view.has_updates());
  CHECK(bench.view.awaits_update(bench.memory + 5));
  CHECK_FALSE(bench.view.awaits_update(bench.memory + 40));
  bench.view.far().arrive_update(bench.memory + 3);
  CHECK_FALSE(bench.view.has_updates());
  CHECK(bench.view.far().empty());
}

}  // namespace
}  // namespace warpsim
