#include "core/launch/host_interface.h"

#include <catch2/catch.hpp>

#include "base/error.h"
#include "support/machine.h"

namespace warpsim::test {

TEST_CASE("Host interface: times and rates are read from the description") {
  const GpuConfig config = tiny_config({"host_calls.launch_ns=70", "copies.to_host_gb_per_s=3.5"});
  CHECK(config.host_calls.launch_ns == 70);
  CHECK(config.copies.to_host_gb_per_s == 3.5);
  CHECK(config.device_queues.marker_ns == 100);
}

TEST_CASE("Host interface: a rate is more than 0, and the queue has an entry") {
  CHECK_THROWS_AS(tiny_config({"copies.fill_gb_per_s=0"}), ConfigError);
  CHECK_THROWS_AS(tiny_config({"host_calls.queue_entries=0"}), ConfigError);
  CHECK_THROWS_AS(tiny_config({"device_queues.marker_ns=-1"}), ConfigError);
}

}  // namespace warpsim::test
