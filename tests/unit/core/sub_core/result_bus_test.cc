#include "core/sub_core/result_bus.h"

#include <catch2/catch.hpp>

using warpsim::ResultBus;
using warpsim::ResultBusConfig;

namespace {
constexpr ResultBus::Write kBank0{0b01, 1};
constexpr ResultBus::Write kBank1{0b10, 1};
constexpr ResultBus::Write kQuad{0b11, 2};  // four registers over two banks
}  // namespace

TEST_CASE("Result bus: a load that meets a fixed-latency result on its bank is written a cycle later") {
  ResultBus bus(ResultBusConfig{}, 2);
  bus.book(kBank0, 104, 100);
  CHECK(bus.take(kBank0, 103));  // one early: free
  CHECK_FALSE(bus.take(kBank0, 104));
  CHECK(bus.take(kBank0, 105));
}

TEST_CASE("Result bus: each bank has its own port") {
  ResultBus bus(ResultBusConfig{}, 2);
  bus.book(kBank0, 104, 100);
  CHECK(bus.take(kBank1, 104));
}

TEST_CASE("Result bus: a wide result takes its ports for as many cycles as it has registers in a bank") {
  ResultBus bus(ResultBusConfig{}, 2);
  CHECK(bus.take(kQuad, 10));
  CHECK_FALSE(bus.take(kBank0, 10));
  CHECK_FALSE(bus.take(kBank1, 11));
  CHECK(bus.take(kBank1, 12));
}

TEST_CASE("Result bus: a reservation is removed after its cycle, also for a late request") {
  ResultBus bus(ResultBusConfig{}, 2);
  bus.book(kBank0, 5, 1);
  CHECK(bus.take(kBank0, 100000));
}

TEST_CASE("Result bus: an instruction without register result needs no port") {
  ResultBus bus(ResultBusConfig{}, 2);
  bus.book(kBank0, 4, 0);
  CHECK(bus.take(ResultBus::Write{}, 4));
}

TEST_CASE("Result bus: ideal ports are never occupied") {
  ResultBus bus(ResultBusConfig{.ideal = true}, 2);
  bus.book(kBank0, 4, 0);
  CHECK(bus.take(kBank0, 4));
  CHECK(bus.take(kBank0, 4));
}

TEST_CASE("Result bus: registers go to the banks of their numbers") {
  const auto odd = ResultBus::write_of({.first = 5, .count = 1}, 2);
  CHECK(odd.banks == 0b10);
  CHECK(odd.beats == 1);
  const auto quad = ResultBus::write_of({.first = 4, .count = 4}, 2);
  CHECK(quad.banks == 0b11);
  CHECK(quad.beats == 2);
  CHECK(ResultBus::write_of({.first = warpsim::kZeroRegister, .count = 1}, 2).banks == 0);
  CHECK(ResultBus::write_of({}, 2).banks == 0);
}
