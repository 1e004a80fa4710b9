#include "core/load_store/pending_writes.h"

#include <catch2/catch.hpp>

using warpsim::PendingWrites;

TEST_CASE("Pending writes: a warp has none when all of its own are acknowledged, independent of other warps") {
  PendingWrites writes(4);
  writes.add(1, 2);
  writes.add(3, 1);
  CHECK(writes.none(0));
  writes.remove(1, 1);
  CHECK_FALSE(writes.none(1));
  CHECK(writes.done().empty());
  writes.remove(1, 1);
  CHECK(writes.none(1));
  CHECK(writes.done() == std::vector<std::uint32_t>{1});
  CHECK(writes.total() == 1);
  writes.clear_done();
  CHECK(writes.done().empty());
}

TEST_CASE("Pending writes: acknowledging more than was written is an internal error") {
  PendingWrites writes(1);
  writes.add(0, 1);
  CHECK_THROWS_AS(writes.remove(0, 2), warpsim::InternalError);
}

TEST_CASE("Pending writes: one on its way to another memory is none of the GPU any more, but one of the system") {
  PendingWrites writes(2);
  writes.add(1, 4);
  writes.post(1, 4);
  CHECK(writes.none(1));
  CHECK_FALSE(writes.none_anywhere(1));
  CHECK(writes.none_anywhere(0));
  CHECK(writes.done() == std::vector<std::uint32_t>{1});
  CHECK(writes.arrived().empty());
  CHECK(writes.total() == 4);
  writes.clear_done();
  writes.arrive(1, 1);
  CHECK_FALSE(writes.none_anywhere(1));
  CHECK(writes.arrived().empty());
  writes.arrive(1, 3);
  CHECK(writes.none_anywhere(1));
  CHECK(writes.arrived() == std::vector<std::uint32_t>{1});
  CHECK(writes.done().empty());
  CHECK(writes.total() == 0);
  CHECK_THROWS_AS(writes.arrive(1, 1), warpsim::InternalError);
}
