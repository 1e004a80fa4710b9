#include "device/stream_queues.h"

#include <catch2/catch.hpp>

#include "base/check.h"

using namespace warpsim;

namespace {

using Number = std::optional<std::uint64_t>;

StreamQueues queues(std::uint32_t resident_grids = 16, std::uint32_t hardware_queues = 16) {
  return StreamQueues({resident_grids, hardware_queues});
}

}  // namespace

TEST_CASE("stream queues: launches of a stream start one after another, those of others beside them") {
  StreamQueues device = queues();
  device.add(1, 7, 10);
  device.add(2, 7, 20);
  device.add(3, 8, 30);
  CHECK(device.ready(9) == std::nullopt);
  CHECK(device.next_submission(9) == 10.0);
  CHECK(device.ready(10) == Number(1));
  device.start(1, 10);
  CHECK(device.ready(25) == std::nullopt);
  CHECK(device.next_submission(25) == 30.0);
  CHECK(device.ready(30) == Number(3));
  device.start(3, 30);
  CHECK(device.resident() == 2);
  device.end(1);
  CHECK(device.ready(40) == Number(2));
  device.start(2, 40);
  CHECK(device.waited_ns(2) == 20);
  CHECK(device.waited_ns(3) == 0);
  device.end(2);
  device.end(3);
  CHECK(device.empty());
}

TEST_CASE("stream queues: the default stream waits for all launches before it, and those after it wait for it") {
  StreamQueues device = queues();
  device.add(1, 5, 0);
  device.add(2, 0, 0);
  device.add(3, 6, 0);
  device.start(1, 0);
  CHECK(device.ready(1) == std::nullopt);
  device.end(1);
  CHECK(device.ready(1) == Number(2));
  device.start(2, 1);
  CHECK(device.ready(2) == std::nullopt);
  device.end(2);
  CHECK(device.ready(2) == Number(3));
}

TEST_CASE("stream queues: no more grids are resident than the device can run") {
  StreamQueues device = queues(2);
  for (std::uint64_t number = 1; number <= 3; ++number) {
    device.add(number, number, 0);
  }
  device.start(1, 0);
  device.start(2, 0);
  CHECK(device.ready(0) == std::nullopt);
  device.end(1);
  CHECK(device.ready(0) == Number(3));
}

TEST_CASE("stream queues: a launch that waits holds up the streams that share its hardware queue") {
  StreamQueues device = queues(16, 1);
  device.add(1, 1, 0);
  device.add(2, 1, 0);
  device.add(3, 2, 0);
  device.start(1, 0);
  // The second one of stream 1 is at the head of the queue.
  CHECK(device.ready(0) == std::nullopt);
  device.end(1);
  device.start(2, 0);
  CHECK(device.ready(0) == Number(3));
  StreamQueues two = queues(16, 2);
  two.add(1, 1, 0);
  two.add(2, 1, 0);
  two.add(3, 2, 0);
  two.start(1, 0);
  CHECK(two.ready(0) == Number(3));
}

TEST_CASE("stream queues: launches are added in order, and end after their start") {
  StreamQueues device = queues();
  device.add(2, 0, 0);
  CHECK_THROWS_AS(device.add(1, 0, 0), InternalError);
  CHECK_THROWS_AS(device.end(2), InternalError);
}
