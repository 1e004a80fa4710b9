#include "emulator/races/check_options.h"

#include <catch2/catch.hpp>

#include "base/error.h"

namespace warpsim {
namespace {

TEST_CASE("check options: words name what is checked") {
  for (const char* words : {"races", "uninitialised", "all", "none"}) {
    CHECK(text_of(check_options_of(words, "--check")) == words);
  }
  CHECK(text_of(check_options_of("uninitialised,races", "--check")) == "all");
  CHECK(text_of(CheckOptions{}) == "uninitialised");
}

TEST_CASE("check options: unknown words are refused with the expected ones") {
  for (const char* words : {"", "race", "races,", "all,races", ",races", "races, uninitialised"}) {
    INFO(words);
    CHECK_THROWS_WITH(
        check_options_of(words, "--check"),
        "--check '" + std::string(words) + "': expected races, uninitialised or both with a comma, all, or none");
  }
}

}  // namespace
}  // namespace warpsim
