#include "device/copy_engines.h"

#include <catch2/catch.hpp>

#include "base/check.h"

using namespace warpsim;

namespace {

using Direction = CopyEngines::Direction;

CopiesConfig config() {
  CopiesConfig copies;
  copies.to_device_ns = 100;
  copies.to_host_ns = 60;
  copies.to_device_gb_per_s = 10;
  copies.to_host_gb_per_s = 10;
  copies.both_gb_per_s = 16;  // 8 for each direction
  return copies;
}

}  // namespace

TEST_CASE("copy engines: a copy takes its latency and its bytes at the rate") {
  CopyEngines engines(config());
  CHECK(engines.next_end() == std::nullopt);
  engines.start(Direction::kToDevice, 7, 1000, 50);
  CHECK(engines.next_end() == Approx(50 + 100 + 100));
  CHECK(engines.take_ended(249) == std::nullopt);
  CHECK(engines.take_ended(250) == std::optional<std::uint64_t>(7));
  CHECK(engines.next_end() == std::nullopt);
}

TEST_CASE("copy engines: both directions share the link while both copy") {
  CopyEngines engines(config());
  engines.start(Direction::kToDevice, 1, 4000, 0);  // alone until 200: 1000 bytes, 3000 left
  engines.start(Direction::kToHost, 2, 800, 200);   // 60 + 100 ns at 8 GB/s: until 360
  CHECK(engines.next_end() == Approx(360));
  CHECK(engines.take_ended(360) == std::optional<std::uint64_t>(2));
  // 160 ns at 8 GB/s: 1280 bytes; the rest, 1720, alone again.
  CHECK(engines.next_end() == Approx(360 + 172));
  CHECK(engines.take_ended(532) == std::optional<std::uint64_t>(1));
}

TEST_CASE("copy engines: a direction copies one after another") {
  CopyEngines engines(config());
  engines.start(Direction::kToHost, 1, 10, 0);
  CHECK_THROWS_AS(engines.start(Direction::kToHost, 2, 10, 0), InternalError);
}
