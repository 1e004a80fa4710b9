// Latencies are those of memory_fixture.h: 50 cycles for a near hit.
#include "memory/crossbar/network_stage.h"

#include <catch2/catch.hpp>

#include "base/error.h"
#include "unit/memory/memory_scripts.h"

namespace warpsim::testing {
namespace {

// Requests take 7 cycles, responses 11; counts both.
class Slow final : public mechanism::Network {
 public:
  Slow(const Settings& /*settings*/, const Site& site, mechanism::Counters& counters)
      : gpcs_(site.gpcs), messages_(counters.add("messages", mechanism::CounterUnit::kRequests, "messages")) {}
  mechanism::Cycle arrival(const mechanism::NetworkMessage& message, mechanism::Cycle now) override {
    REQUIRE(message.gpc < gpcs_);
    REQUIRE(message.bytes > 0);
    ++messages_;
    return now + (message.response ? 11 : 7);
  }

 private:
  std::uint32_t gpcs_;
  mechanism::Counter messages_;
};

class Late final : public mechanism::Network {
 public:
  Late(const Settings& /*settings*/, const Site& /*site*/, mechanism::Counters& /*counters*/) {}
  mechanism::Cycle arrival(const mechanism::NetworkMessage& /*message*/, mechanism::Cycle now) override {
    return now - 1;
  }
};

template <typename Network>
MemoryConfig with_network() {
  MemoryConfig config = roomy();
  config.crossbar.network = {"test", mechanism::entry_of<Network>("test", "a network for a test").make_factory()};
  return config;
}

TEST_CASE("NetworkStage: the network's time, and a cycle to it each way, are added") {
  MemoryWorld world(with_network<Slow>());
  const Address line = world.line_in(0);
  world.latency(0, read_of(line));
  CHECK(world.latency(0, read_of(line)) == 50 + 1 + 7 + 1 + 11);
  CHECK(world.total("network.messages") == 4);
}

TEST_CASE("NetworkStage: all requests are answered, with a queue of one message too") {
  for (const bool skip : {true, false}) {
    MemoryConfig config = with_network<Slow>();
    config.crossbar.slice_queue_entries = 1;
    MemoryWorld world(config, 4, skip);
    world.run(mixed_scripts(100), 1000, 200000);
    CHECK(world.total("network.messages") > 500);
  }
}

TEST_CASE("NetworkStage: a network that answers with the past is refused") {
  MemoryWorld world(with_network<Late>());
  CHECK_THROWS_WITH(world.latency(0, read_of(world.line_in(0))),
                    Catch::Contains("network 'test' lets a message of cycle"));
}

}  // namespace
}  // namespace warpsim::testing
