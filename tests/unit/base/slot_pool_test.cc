#include "base/slot_pool.h"

#include <catch2/catch.hpp>

namespace warpsim {
namespace {

TEST_CASE("A slot pool grows while nothing is free and reuses the slot that was returned last") {
  SlotPool<int> pool;
  CHECK(pool.take(10) == 0);
  CHECK(pool.take(11) == 1);
  CHECK(pool.take(12) == 2);
  pool.give_back(0);
  pool.give_back(2);
  CHECK(pool[2] == 12);  // until it is reused
  CHECK(pool.take(20) == 2);
  CHECK(pool.take(21) == 0);
  CHECK(pool.take(22) == 3);
  CHECK(pool[0] == 21);
  CHECK(pool[1] == 11);
  CHECK(pool[2] == 20);
  CHECK(pool[3] == 22);
}

}  // namespace
}  // namespace warpsim
