#include "core/data_passes.h"

#include <catch2/catch.hpp>

namespace warpsim {
namespace {

TEST_CASE("Passes of one warp's instructions follow each other at the interval") {
  DataPasses passes(2, 4);
  CHECK(passes.take(7, 32, 100) == 100);
  CHECK(passes.take(7, 1, 104) == 164);
  CHECK(passes.take(7, 1, 200) == 200);
}

TEST_CASE("As many warps take turns as passes fit into the interval") {
  DataPasses passes(2, 4);
  CHECK(passes.take(1, 8, 100) == 100);
  CHECK(passes.take(2, 4, 101) == 101);
  CHECK(passes.take(3, 1, 102) == 109);  // behind the second
  CHECK(passes.take(4, 1, 103) == 111);  // and behind that
  CHECK(passes.take(5, 1, 113) == 113);
}

TEST_CASE("Passes that keep the banks for the whole interval leave other warps no turn between them") {
  DataPasses passes(2, 4, 2);
  CHECK(passes.take(1, 8, 100) == 100);
  CHECK(passes.take(2, 4, 101) == 116);
  CHECK(passes.take(3, 1, 102) == 124);
}

TEST_CASE("A warp that continues takes the turn that it had, so that the other stays free") {
  DataPasses passes(2, 4);
  passes.take(1, 8, 100);                // until 116
  CHECK(passes.take(1, 8, 101) == 116);  // until 132
  CHECK(passes.take(2, 8, 102) == 102);  // beside the first
}

TEST_CASE("The window holds the oldest instructions, whichever warp they are of") {
  DataPasses passes(2, 3);
  for (int i = 0; i < 3; ++i) {
    CHECK(passes.has_room(0, 100));
    passes.take(1, 10, 100);  // ends at 120, 140, 160
  }
  CHECK_FALSE(passes.has_room(0, 119));
  CHECK(passes.has_room(0, 120));
  CHECK(passes.room_at(0) == 120);
  CHECK(passes.room_at(1) == 140);  // for one after another that is on its way
  CHECK(passes.room_at(3) == kNever);
}

TEST_CASE("Data from memory take passes of others, in no order") {
  DataPasses passes(2, 4);
  passes.take(1, 4, 100);  // until 108
  passes.deliver(3, 101);  // the other turn until 107
  CHECK(passes.take(2, 1, 102) == 107);
  CHECK_FALSE(passes.has_room(3, 108));  // only what was taken counts
  CHECK(passes.has_room(3, 109));
}

}  // namespace
}  // namespace warpsim
