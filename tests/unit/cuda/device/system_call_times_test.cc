#include "cuda/device/system_call_times.h"

#include <catch2/catch.hpp>

#include "core/launch/system_calls_config.h"

namespace warpsim::cuda {
namespace {

// At 2 GHz.
SystemCallTimes times_at_two_ghz() {
  SystemCallsConfig config;
  config.printf = {.call_cycles = 1000, .thread_cycles = 10, .first_call_cycles = 300, .serial_cycles = 400};
  config.malloc = {.call_cycles = 800, .thread_cycles = 20, .first_call_cycles = 0, .serial_cycles = 500};
  config.free = {.call_cycles = 600, .thread_cycles = 10, .first_call_cycles = 0, .serial_cycles = 200};
  return {config, 2000, [](Cycle cycle) { return static_cast<double>(cycle) / 2; }};
}

TEST_CASE("System calls: a call takes time for each thread of the warp") {
  SystemCallTimes times = times_at_two_ghz();
  CHECK(times.ends_at(SystemCall::kAllocate, 1, 1, 100) == 100 + 800);
  CHECK(times.ends_at(SystemCall::kAllocate, 1, 32, 5000) == 5000 + 800 + 31 * 20);
}

TEST_CASE("System calls: calls before the end of a grid's first one take longer") {
  SystemCallTimes times = times_at_two_ghz();
  CHECK(times.ends_at(SystemCall::kPrint, 1, 1, 0) == 1300);
  CHECK(times.ends_at(SystemCall::kPrint, 1, 1, 1000) == 2300);
  CHECK(times.ends_at(SystemCall::kPrint, 1, 1, 5000) == 6000);
  CHECK(times.ends_at(SystemCall::kPrint, 2, 1, 7000) == 8300);
}

TEST_CASE("System calls: warps execute the serial part of a call one after another") {
  SystemCallTimes times = times_at_two_ghz();
  for (Cycle warp = 0; warp < 4; ++warp) {
    CHECK(times.ends_at(SystemCall::kPrint, 1, 1, 0) == 1300 + warp * 400);
  }
  // The serial parts before it are over.
  CHECK(times.ends_at(SystemCall::kPrint, 1, 1, 10000) == 11000);
}

TEST_CASE("System calls: malloc and free wait for each other, not for printf") {
  SystemCallTimes times = times_at_two_ghz();
  CHECK(times.ends_at(SystemCall::kAllocate, 1, 1, 0) == 800);
  CHECK(times.ends_at(SystemCall::kRelease, 1, 1, 0) == 1000);
  CHECK(times.ends_at(SystemCall::kPrint, 1, 1, 0) == 1300);
}

}  // namespace
}  // namespace warpsim::cuda
