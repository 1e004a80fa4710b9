#include "device/work.h"

#include <catch2/catch.hpp>
#include <set>
#include <string>

using namespace warpsim;

TEST_CASE("work: nothing is over since the beginning, and each kind has a name of its own") {
  CHECK(is_over(nullptr));
  const WorkHandle work = std::make_shared<WorkState>();
  CHECK_FALSE(is_over(work));
  work->over = true;
  CHECK(is_over(work));
  std::set<std::string> names;
  for (int kind = 0; kind <= static_cast<int>(WorkKind::kInstant); ++kind) {
    names.insert(name_of(static_cast<WorkKind>(kind)));
  }
  CHECK(names.size() == 11);
}
