#include "base/random_name.h"

#include <catch2/catch.hpp>
#include <set>

namespace warpsim {
namespace {

TEST_CASE("random name: it has the requested number of hexadecimal digits") {
  CHECK(random_hex(0).empty());
  for (const std::size_t digits : {1U, 8U, 13U, 32U}) {
    const std::string name = random_hex(digits);
    CHECK(name.size() == digits);
    CHECK(name.find_first_not_of("0123456789abcdef") == std::string::npos);
  }
}

TEST_CASE("random name: no two are the same") {
  std::set<std::string> names;
  for (int i = 0; i < 1000; ++i) {
    names.insert(random_hex(16));
  }
  CHECK(names.size() == 1000);
}

}  // namespace
}  // namespace warpsim
