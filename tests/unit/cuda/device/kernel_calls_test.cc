#include "cuda/device/kernel_calls.h"

#include <catch2/catch.hpp>

namespace warpsim::cuda {
namespace {

// At 2 GHz; times are those of the device.
KernelCalls calls_at_two_ghz() {
  return {2000, [](Cycle cycle) { return static_cast<double>(cycle) / 2; }};
}
constexpr KernelCalls::Times kTimes = {.call_ns = 500, .thread_ns = 20, .start_ns = 400, .interval_ns = 50};

TEST_CASE("Kernel calls: threads of a warp share a call, whose work starts one after another") {
  KernelCalls calls = calls_at_two_ghz();
  calls.set_time(200);
  CHECK(calls.add({1, 0, 0}, kTimes) == 500);
  CHECK(calls.add({1, 0, 31}, kTimes) == 550);
  CHECK(calls.ends_at(200) == 200 + 2 * 520);
  CHECK(calls.ends_at(2000) == 2000);
}

TEST_CASE("Kernel calls: another warp's call finds the device busy") {
  KernelCalls calls = calls_at_two_ghz();
  calls.set_time(200);
  calls.add({1, 0, 0}, kTimes);
  CHECK(calls.add({1, 0, 32}, kTimes) == 550);
  CHECK(calls.ends_at(200) == 200 + 2 * 500);
}

TEST_CASE("Kernel calls: a call waits until the device has taken all of its work, or not") {
  for (const bool waits : {true, false}) {
    KernelCalls calls = calls_at_two_ghz();
    calls.set_time(200);
    for (std::uint32_t thread = 0; thread < 32; ++thread) {
      calls.add({1, 0, thread}, {.call_ns = 500, .thread_ns = 1, .start_ns = 400, .interval_ns = 50, .waits = waits});
    }
    CHECK(calls.ends_at(200) == 200 + 2 * (waits ? 32 * 50 : 531));
  }
}

TEST_CASE("Kernel calls: calls that only take time follow one another") {
  KernelCalls calls = calls_at_two_ghz();
  calls.set_time(200);
  calls.spend({1, 0, 0}, 100);
  CHECK(calls.ends_at(200) == 400);
  calls.spend({1, 0, 1}, 100);
  CHECK(calls.ends_at(200) == 600);
  calls.set_time(1000);
  calls.spend({1, 0, 0}, 100);
  CHECK(calls.ends_at(1000) == 1200);
}

}  // namespace
}  // namespace warpsim::cuda
