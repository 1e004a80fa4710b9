#include "cuda/device/launch_notes.h"

#include <catch2/catch.hpp>

namespace warpsim::cuda {
namespace {

using std::chrono::seconds;

TEST_CASE("launch notes: after 60 s, then each time the launch has taken twice as long") {
  const LaunchNotes::Clock::time_point began{};
  LaunchNotes notes(began);
  const KernelProgress progress{"k", 5'000'000, 3, 8};
  CHECK(notes.note(began + seconds(59), progress).empty());
  CHECK(notes.note(began + seconds(61), progress) ==
        "warpsim: kernel k has run for 61 s: 5000000 warp instructions, 3 of 8 blocks started; --max-instructions "
        "bounds it\n");
  CHECK(notes.note(began + seconds(119), progress).empty());
  CHECK_FALSE(notes.note(began + seconds(500), progress).empty());
  CHECK(notes.note(began + seconds(959), progress).empty());
  CHECK_FALSE(notes.note(began + seconds(960), progress).empty());
}

}  // namespace
}  // namespace warpsim::cuda
