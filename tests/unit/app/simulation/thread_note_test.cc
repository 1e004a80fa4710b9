#include "app/simulation/thread_note.h"

#include <catch2/catch.hpp>

namespace warpsim {
namespace {

TEST_CASE("a note on threads: none as long as each has a processor") {
  CHECK(thread_note(1, 1, 1).empty());
  CHECK(thread_note(1, 8, 8).empty());
  CHECK(thread_note(2, 4, 8).empty());
  CHECK(thread_note(8, 1, 8).empty());
}

TEST_CASE("a note on threads names jobs, threads and processors") {
  const std::string end = ": results do not change, but the simulation may take longer";
  CHECK(thread_note(1, 9, 8) == "note: 9 threads for 8 processors" + end);
  CHECK(thread_note(3, 3, 8) == "note: 3 jobs with 3 threads each for 8 processors" + end);
  CHECK(thread_note(2, 1, 1) == "note: 2 jobs with 1 thread each for 1 processor" + end);
  CHECK(thread_note(100'000, 256, 8) == "note: 100000 jobs with 256 threads each for 8 processors" + end);
}

}  // namespace
}  // namespace warpsim
