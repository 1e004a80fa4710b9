#include "core/sub_core/shared_pipe.h"

#include <catch2/catch.hpp>

namespace warpsim {
namespace {

TEST_CASE("A shared pipe starts an instruction at once or after those issued before") {
  SharedPipe pipe;
  CHECK(pipe.take(2, 10) == 10);
  CHECK(pipe.take(2, 10) == 12);
  CHECK(pipe.take(5, 11) == 14);
  CHECK(pipe.take(2, 19) == 19);
  CHECK(pipe.take(2, 100) == 100);
}

}  // namespace
}  // namespace warpsim
