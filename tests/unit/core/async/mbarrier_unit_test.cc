#include "core/async/mbarrier_unit.h"

#include <catch2/catch.hpp>
#include <map>
#include <vector>

namespace warpsim::test {
namespace {

using Kind = AsyncOperation::Kind;

// Barriers of one block, with waiting instructions distinguished by their number.
struct BarrierBench {
  SmEvents events;
  LaunchStats<StatGroup> root{"root"};
  MbarrierUnit unit{{20, 10, 5}, 2, events, root};
  std::map<std::uint32_t, std::vector<AsyncOperation>> waits;
  std::map<std::uint32_t, Cycle> results;

  void initialise(std::uint32_t barrier, std::int32_t arrivals, bool phase = false) {
    unit.initialise(0, {.kind = Kind::kInitialise, .parity = phase, .barrier = barrier, .arrivals = arrivals});
  }
  void arrive(std::uint32_t barrier, std::int32_t arrivals, Cycle now, std::int32_t bytes = 0) {
    unit.arrive(0, {.kind = Kind::kArrive, .barrier = barrier, .arrivals = arrivals, .bytes = bytes}, now);
  }
  void wait(std::uint32_t number, std::vector<AsyncOperation> parts, Cycle now) {
    for (AsyncOperation& part : parts) {
      part.last = &part == &parts.back();
    }
    waits[number] = std::move(parts);
    MemoryInstruction instruction;
    instruction.operations = waits[number].data();
    instruction.instruction = number;
    instruction.issued = now;
    unit.wait(instruction, now);
  }
  void run(Cycle until) {
    for (Cycle now = drained_; now <= until; ++now) {
      events.drain(now, [&](const SmEvent& event) { results[event.payload] = now; });
    }
    drained_ = until + 1;
  }

 private:
  Cycle drained_ = 0;
};

AsyncOperation phase_of(std::uint32_t barrier, bool parity) {
  return {.kind = Kind::kWait, .parity = parity, .barrier = barrier};
}

TEST_CASE("A phase ends with its last arrival, and waiting instructions continue after the wake latency") {
  BarrierBench bench;
  bench.initialise(64, 3);
  bench.wait(1, {phase_of(64, false)}, 100);
  bench.arrive(64, 2, 110);
  bench.run(200);
  CHECK(bench.results.empty());
  CHECK(bench.unit.anyone_waits());
  bench.arrive(64, 1, 210);
  bench.run(300);
  CHECK(bench.results.at(1) == 220);
  CHECK_FALSE(bench.unit.anyone_waits());
}

TEST_CASE("A phase does not end before the expected bytes are written, in either order") {
  BarrierBench bench;
  bench.initialise(64, 1);
  bench.wait(1, {phase_of(64, false)}, 100);
  bench.unit.complete(0, 64, 1000, 105);  // before they are expected
  bench.arrive(64, 1, 110, 4096);
  bench.unit.complete(0, 64, 3000, 120);
  bench.run(200);
  CHECK(bench.results.empty());
  bench.unit.complete(0, 64, 96, 210);
  bench.run(300);
  CHECK(bench.results.at(1) == 215);
}

TEST_CASE("Waiting for a completed phase takes the latency of a check") {
  BarrierBench bench;
  bench.initialise(64, 1, true);  // as if the previous phase had just ended
  bench.wait(1, {phase_of(64, false)}, 100);
  bench.run(200);
  CHECK(bench.results.at(1) == 120);
}

TEST_CASE("Phases alternate: the second wait for a parity is for the phase after next") {
  BarrierBench bench;
  bench.initialise(64, 1);
  bench.arrive(64, 1, 100);
  bench.wait(1, {phase_of(64, false)}, 110);
  bench.wait(2, {phase_of(64, true)}, 110);
  bench.run(140);
  CHECK(bench.results.count(1) == 1);
  CHECK(bench.results.count(2) == 0);
  bench.arrive(64, 1, 150);
  bench.run(200);
  CHECK(bench.results.at(2) == 160);
}

TEST_CASE("Arrivals that drop out are not expected in later phases") {
  BarrierBench bench;
  bench.initialise(64, 3);
  bench.arrive(64, 1, 100);
  bench.unit.arrive(0, {.kind = Kind::kDrop, .barrier = 64, .arrivals = 2}, 110);
  bench.wait(1, {phase_of(64, true)}, 120);
  bench.arrive(64, 1, 200);
  bench.run(300);
  CHECK(bench.results.at(1) == 210);
}

TEST_CASE("Lanes that wait at different barriers continue together") {
  BarrierBench bench;
  bench.initialise(64, 1);
  bench.initialise(72, 1);
  bench.wait(1, {phase_of(64, false), phase_of(72, false)}, 100);
  bench.arrive(72, 1, 110);
  bench.run(150);
  CHECK(bench.results.empty());
  bench.arrive(64, 1, 160);
  bench.run(200);
  CHECK(bench.results.at(1) == 170);
}

TEST_CASE("Barriers of another block at the same offset are separate, and a new block starts without any") {
  BarrierBench bench;
  bench.initialise(64, 1);
  bench.wait(1, {phase_of(64, false)}, 100);
  bench.unit.arrive(1, {.kind = Kind::kArrive, .barrier = 64, .arrivals = 1}, 110);
  bench.run(200);
  CHECK(bench.results.empty());
  bench.unit.start_block(1, 0);
  bench.arrive(64, 1, 210);
  bench.run(300);
  CHECK(bench.results.at(1) == 220);
}

TEST_CASE("No instruction waits at an uninitialised barrier") {
  BarrierBench bench;
  bench.wait(1, {phase_of(64, false)}, 100);
  bench.run(200);
  CHECK(bench.results.at(1) == 120);
}

TEST_CASE("Waits that nothing can end are released, each once") {
  BarrierBench bench;
  bench.initialise(64, 1);
  bench.initialise(72, 1);
  bench.wait(1, {phase_of(64, false), phase_of(72, false)}, 100);
  bench.wait(2, {phase_of(64, false)}, 100);
  CHECK(bench.unit.give_up(0, 500) == 2);
  bench.run(600);
  CHECK(bench.results.at(1) == 510);
  CHECK(bench.results.at(2) == 510);
  CHECK(bench.unit.give_up(0, 600) == 0);
}

}  // namespace
}  // namespace warpsim::test
