#include "emulator/races/race_shadow.h"

#include <catch2/catch.hpp>

namespace warpsim {
namespace {

TEST_CASE("race shadow: the bytes of a word share a cell, and words have their own") {
  GlobalShadow shadow;
  ShadowCell* const cell = shadow.cell(0x7000'0000'0ffc);
  REQUIRE(cell != nullptr);
  CHECK(cell->write.time == 0);
  cell->write.time = 5;
  CHECK(shadow.cell(0x7000'0000'0fff) == cell);
  CHECK(shadow.cell(0x7000'0000'1000)->write.time == 0);
  CHECK(shadow.cell(0x7000'0000'0ffe)->write.time == 5);
}

TEST_CASE("race shadow: accesses beyond its pages are counted") {
  GlobalShadow shadow(2);
  REQUIRE(shadow.cell(0) != nullptr);
  REQUIRE(shadow.cell(4096) != nullptr);
  CHECK(shadow.words_left_out() == 0);
  CHECK(shadow.cell(8192) == nullptr);
  CHECK(shadow.cell(12'288) == nullptr);
  CHECK(shadow.words_left_out() == 2);
  CHECK(shadow.cell(4095) != nullptr);
}

}  // namespace
}  // namespace warpsim
