#include "memory/access/access_window.h"

#include <catch2/catch.hpp>

namespace warpsim {
namespace {

constexpr Address kWindow = 0x10'0000;
constexpr std::uint64_t kWindowBytes = 1U << 20U;

// Step i has 60 + 60 i per thousand.
std::vector<std::uint32_t> unequal_steps() {
  std::vector<std::uint32_t> steps;
  for (std::uint32_t step = 0; step < AccessWindows::kSteps; ++step) {
    steps.push_back(60 + 60 * step);
  }
  return steps;
}

AccessWindow window_of(double ratio) {
  return {kWindow, kWindowBytes, ratio, LinePriority::kPersisting, LinePriority::kFirst};
}

double hits(const AccessWindows& windows, LaunchSeat seat) {
  std::uint32_t found = 0;
  for (Address line = kWindow; line < kWindow + kWindowBytes; line += kLineBytes) {
    found += windows.priority(seat, line) == LinePriority::kPersisting ? 1 : 0;
  }
  return found / static_cast<double>(kWindowBytes / kLineBytes);
}

}  // namespace

TEST_CASE("Access windows: lines outside of the window, and of other launches, have no priority") {
  AccessWindows windows(unequal_steps());
  CHECK_FALSE(windows.any());
  windows.set(3, window_of(1));
  CHECK(windows.any());
  CHECK(windows.priority(3, kWindow - kLineBytes) == LinePriority::kUnstated);
  CHECK(windows.priority(3, kWindow) != LinePriority::kUnstated);
  CHECK(windows.priority(3, kWindow + kWindowBytes - kLineBytes) != LinePriority::kUnstated);
  CHECK(windows.priority(3, kWindow + kWindowBytes) == LinePriority::kUnstated);
  CHECK(windows.priority(2, kWindow) == LinePriority::kUnstated);
  windows.set(3, {});
  CHECK(windows.priority(3, kWindow) == LinePriority::kUnstated);
}

TEST_CASE("Access windows: the share of hits is that of the ratio's sixteenth, and the same lines are hits again") {
  AccessWindows windows(unequal_steps());
  const auto [ratio, share] =
      GENERATE(table<double, double>({{0, .06}, {0.06, .06}, {0.0625, .12}, {0.5, .54}, {0.9375, .96}, {1, .96}}));
  windows.set(0, window_of(ratio));
  windows.set(1, window_of(ratio));
  CHECK(hits(windows, 0) == Approx(share).margin(0.015));
  CHECK(windows.priority(0, kWindow + 5 * kLineBytes) == windows.priority(1, kWindow + 5 * kLineBytes));
}

TEST_CASE("Access windows: hits of a smaller ratio are hits of a larger one") {
  AccessWindows windows(unequal_steps());
  windows.set(0, window_of(0.25));
  windows.set(1, window_of(0.75));
  for (Address line = kWindow; line < kWindow + kWindowBytes; line += kLineBytes) {
    if (windows.priority(0, line) == LinePriority::kPersisting) {
      REQUIRE(windows.priority(1, line) == LinePriority::kPersisting);
    }
  }
}

TEST_CASE("Access windows: a line that is partly in the window is in it") {
  AccessWindows windows(std::vector<std::uint32_t>(AccessWindows::kSteps, 1000));
  windows.set(0, {kWindow + 100, 2 * kLineBytes, 1, LinePriority::kNormal, LinePriority::kFirst});
  CHECK(windows.priority(0, kWindow) == LinePriority::kNormal);
  CHECK(windows.priority(0, kWindow + 2 * kLineBytes) == LinePriority::kNormal);
  CHECK(windows.priority(0, kWindow + 3 * kLineBytes) == LinePriority::kUnstated);
}

}  // namespace warpsim
