#include "emulator/memory/freed_memory.h"

#include <catch2/catch.hpp>

namespace warpsim {
namespace {

TEST_CASE("freed memory: a byte is found in the range that holds it") {
  FreedMemory freed;
  freed.add({0x1000, 100, 1024, "table"});
  freed.add({0x2000, 0, 1024, {}});
  CHECK(freed.find(0xfff) == nullptr);
  CHECK(freed.find(0x1063)->name == "table");
  CHECK(freed.find(0x1064) == nullptr);
  CHECK(freed.find(0x2000)->bytes == 0);
  CHECK(freed.find(0x2001) == nullptr);
}

TEST_CASE("freed memory: the oldest range leaves first") {
  FreedMemory freed;
  freed.add({0x3000, 10, 1024, {}});
  freed.add({0x1000, 20, 1024, {}});
  CHECK(freed.take_oldest()->begin == 0x3000);
  CHECK(freed.find(0x3000) == nullptr);
  CHECK(freed.take_oldest()->begin == 0x1000);
  CHECK_FALSE(freed.take_oldest());
}

TEST_CASE("freed memory: the limits are bytes and ranges") {
  FreedMemory freed;
  freed.set_limit(30);
  freed.add({0x1000, 30, 1024, {}});
  CHECK_FALSE(freed.is_over_limit());
  freed.add({0x2000, 1, 1024, {}});
  CHECK(freed.is_over_limit());
  FreedMemory many;
  for (std::size_t i = 0; i < FreedMemory::kMostRanges; ++i) {
    many.add({0x1000 + i * 1024, 1, 1024, {}});
  }
  CHECK_FALSE(many.is_over_limit());
  many.add({0x1000 + FreedMemory::kMostRanges * 1024, 1, 1024, {}});
  CHECK(many.is_over_limit());
}

TEST_CASE("freed memory: ranges that are reused are removed") {
  FreedMemory freed;
  freed.add({0x1000, 0x100, 0, {}});
  freed.add({0x2000, 0x100, 0, {}});
  freed.forget(0x10ff, 1);
  CHECK(freed.find(0x1000) == nullptr);
  freed.forget(0x2100, 0x100);
  CHECK(freed.find(0x20ff) != nullptr);
  freed.forget(0x1f00, 0x101);
  CHECK(freed.find(0x20ff) == nullptr);
  CHECK_FALSE(freed.take_oldest());
}

}  // namespace
}  // namespace warpsim
