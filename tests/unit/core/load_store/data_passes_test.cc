#include "core/load_store/data_passes.h"

#include <catch2/catch.hpp>

namespace warpsim {
namespace {

TEST_CASE("Passes of one warp's instructions follow each other at the interval") {
  DataPasses passes(2, 4);
  CHECK(passes.take(7, 32, 100) == 100);
  CHECK(passes.take(7, 1, 104) == 164);
  CHECK(passes.take(7, 1, 200) == 200);
}

TEST_CASE("The number of alternating warps is that of passes in the interval") {
  DataPasses passes(2, 4);
  CHECK(passes.take(1, 8, 100) == 100);
  CHECK(passes.take(2, 4, 101) == 101);
  CHECK(passes.take(3, 1, 102) == 109);  // after the second
  CHECK(passes.take(4, 1, 103) == 111);  // and after that
  CHECK(passes.take(5, 1, 113) == 113);
}

TEST_CASE("Passes that occupy the banks for the whole interval leave no turn for other warps") {
  DataPasses passes(2, 4, 2);
  CHECK(passes.take(1, 8, 100) == 100);
  CHECK(passes.take(2, 4, 101) == 116);
  CHECK(passes.take(3, 1, 102) == 124);
}

TEST_CASE("A warp that continues keeps its turn, so that the other stays free") {
  DataPasses passes(2, 4);
  passes.take(1, 8, 100);                // until 116
  CHECK(passes.take(1, 8, 101) == 116);  // until 132
  CHECK(passes.take(2, 8, 102) == 102);  // next to the first
}

TEST_CASE("The window holds the oldest instructions, independent of their warps") {
  DataPasses passes(2, 3);
  for (int i = 0; i < 3; ++i) {
    CHECK(passes.has_room(0, 100));
    passes.take(1, 10, 100);  // ends at 120, 140, 160
  }
  CHECK_FALSE(passes.has_room(0, 119));
  CHECK(passes.has_room(0, 120));
  CHECK(passes.room_at(0) == 120);
  CHECK(passes.room_at(1) == 140);  // for one instruction after another that is on its way
  CHECK(passes.room_at(3) == kNever);
}

TEST_CASE("Data from memory occupy passes in any order") {
  DataPasses passes(2, 4);
  passes.take(1, 4, 100);  // until 108
  passes.deliver(3, 101);  // the other turn until 107
  CHECK(passes.take(2, 1, 102) == 107);
  CHECK_FALSE(passes.has_room(3, 108));  // only accepted instructions count
  CHECK(passes.has_room(3, 109));
}

}  // namespace
}  // namespace warpsim
