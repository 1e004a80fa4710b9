#include "mechanisms/mechanism_name.h"

#include <catch2/catch.hpp>

namespace warpsim {

TEST_CASE("Names of mechanisms are lower-case words") {
  CHECK(is_mechanism_name("tree_plru"));
  CHECK(is_mechanism_name("a1"));
  CHECK_FALSE(is_mechanism_name("1a"));
  CHECK_FALSE(is_mechanism_name("_a"));
  CHECK_FALSE(is_mechanism_name("Tree"));
  CHECK_FALSE(is_mechanism_name("a:b"));
  CHECK_FALSE(is_mechanism_name(""));
  CHECK_FALSE(is_mechanism_name(nullptr));
}

}  // namespace warpsim
