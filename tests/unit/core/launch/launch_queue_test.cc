#include "core/launch/launch_queue.h"

#include <catch2/catch.hpp>

namespace warpsim {
namespace {

constexpr LaunchQueueConfig kConfig{.submit_ns = 100, .marker_ns = 30};

LaunchQueue make_queue() {
  CopiesConfig copies;
  copies.to_device_ns = 40;
  copies.to_device_gb_per_s = 4;
  return {kConfig, copies};
}

TEST_CASE("Launch queue: short launches end one duration after their submission", "[core]") {
  LaunchQueue queue = make_queue();
  CHECK(queue.submit(20) == 120);
  CHECK(queue.submit(100) == 300);
  CHECK(queue.submit(20) == 320);
}

TEST_CASE("Launch queue: launches longer than their submission follow each other without a pause", "[core]") {
  LaunchQueue queue = make_queue();
  CHECK(queue.submit(150) == 250);
  CHECK(queue.submit(150) == 400);
  CHECK(queue.submit(150) == 550);
}

TEST_CASE("Launch queue: a marker records the end of the entries before it", "[core]") {
  LaunchQueue queue = make_queue();
  CHECK(queue.mark() == 0);
  CHECK(queue.submit(20) == 120);
  CHECK(queue.mark() == 120);
  // The host is the limit again: the marker ends when the second launch has been submitted.
  CHECK(queue.submit(20) == 220);
}

TEST_CASE("Launch queue: a marker between waiting launches delays the later one", "[core]") {
  LaunchQueue queue = make_queue();
  queue.submit(500);
  const double before = queue.mark();
  CHECK(before == 600);
  queue.submit(50);
  CHECK(queue.mark() - before == 30 + 50);
}

TEST_CASE("Launch queue: the host waits for a copy after the launches before it", "[core]") {
  LaunchQueue queue = make_queue();
  CHECK(queue.submit(500) == 600);
  CHECK(queue.copy(1000) == 600 + 40 + 250);
  CHECK(queue.end() == 890);
  CHECK(queue.submit(50) == 890 + 100 + 50);
}

}  // namespace
}  // namespace warpsim
