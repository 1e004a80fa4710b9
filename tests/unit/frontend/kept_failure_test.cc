#include "frontend/workload/kept_failure.h"

#include <catch2/catch.hpp>
#include <stdexcept>

namespace warpsim {
namespace {

TEST_CASE("Kept failure: later reads get the first failure and are not executed", "[frontend]") {
  KeptFailure failure;
  int reads = 0;
  CHECK(failure.keep([&] { return ++reads; }) == 1);
  CHECK_THROWS_WITH(failure.keep([&]() -> int { throw std::runtime_error("line 7"); }), "line 7");
  CHECK_THROWS_WITH(failure.keep([&] { return ++reads; }), "line 7");
  CHECK(reads == 1);
}

}  // namespace
}  // namespace warpsim
