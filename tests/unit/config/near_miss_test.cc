#include "config/near_miss.h"

#include <catch2/catch.hpp>

namespace warpsim {

TEST_CASE("near miss: the distance counts inserted, deleted, replaced and swapped characters") {
  CHECK(edit_distance("ways", "ways") == 0);
  CHECK(edit_distance("wyas", "ways") == 1);
  CHECK(edit_distance("way", "ways") == 1);
  CHECK(edit_distance("", "ways") == 4);
  CHECK(edit_distance("kitten", "sitting") == 3);
}

TEST_CASE("near miss: only a word that is near enough is suggested") {
  CHECK(near_miss("rnu", {"run", "info"}) == "run");
  CHECK(near_miss("correlat", {"run", "correlate"}) == "correlate");
  CHECK(near_miss("xyz", {"run", "info"}).empty());
  CHECK(did_you_mean("rnu", {"run"}) == "; did you mean 'run'?");
  CHECK(did_you_mean("banana", {"run"}).empty());
}

}  // namespace warpsim
