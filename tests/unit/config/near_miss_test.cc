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

TEST_CASE("near miss: only a similar word is suggested") {
  CHECK(near_miss("rnu", {"run", "info"}) == "run");
  CHECK(near_miss("correlat", {"run", "correlate"}) == "correlate");
  CHECK(near_miss("xyz", {"run", "info"}).empty());
  CHECK(did_you_mean("rnu", {"run"}) == "; did you mean 'run'?");
  CHECK(did_you_mean("banana", {"run"}).empty());
}

TEST_CASE("near miss: a word of a key, or a key with more words, is suggested") {
  CHECK(near_miss("ways", {"keeps_lines", "num_ways", "num_sets"}) == "num_ways");
  CHECK(near_miss("num_ways_of_a_set", {"num_sets_x", "num_ways"}) == "num_ways");
  // A whole word comes before a part of one, the shorter key before the longer one.
  CHECK(near_miss("ways", {"sideways_paths", "num_hardware_ways", "num_ways"}) == "num_ways");
  CHECK(near_miss("kib", {"capacity_kib", "kibibytes"}) == "capacity_kib");
  // Similar words are still found first, and short words are in too many others.
  CHECK(near_miss("num_way", {"num_ways", "way_num_way"}) == "num_ways");
  CHECK(near_miss("l2", {"fill_l2_bytes"}).empty());
}

}  // namespace warpsim
