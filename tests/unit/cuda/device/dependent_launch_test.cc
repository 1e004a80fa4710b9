// A producer and a consumer by programmatic dependent launch, with timing: the consumer runs while the producer does,
// and reads what that has written.
#include <catch2/catch.hpp>
#include <cstring>
#include <string>
#include <vector>

#include "cuda/device/simulated_device.h"

namespace warpsim::cuda {
namespace {

const std::string kTiny = WARPSIM_SOURCE_DIR "/configs/test_tiny.yaml";

// produce: out[i] = i + 1 after a while. consume: out[256 + i] = out[i], before that out[512] = 1.
constexpr const char* kCode = R"(.version 8.0
.target sm_90
.address_size 64
.visible .entry produce(.param .u64 out, .param .u32 rounds) {
  .reg .b32 %r<8>; .reg .b64 %q<4>; .reg .pred %p;
  griddepcontrol.launch_dependents;
  ld.param.u64 %q1, [out];
  ld.param.u32 %r5, [rounds];
  mov.u32 %r1, %ctaid.x;
  mov.u32 %r2, %ntid.x;
  mov.u32 %r3, %tid.x;
  mad.lo.u32 %r4, %r1, %r2, %r3;
  mul.wide.u32 %q2, %r4, 4;
  add.u64 %q3, %q1, %q2;
AGAIN:
  sub.u32 %r5, %r5, 1;
  setp.ne.u32 %p, %r5, 0;
  @%p bra AGAIN;
  add.u32 %r4, %r4, 1;
  st.global.u32 [%q3], %r4;
  ret;
}
.visible .entry consume(.param .u64 out, .param .u32 waits) {
  .reg .b32 %r<8>; .reg .b64 %q<4>; .reg .pred %p;
  ld.param.u64 %q1, [out];
  ld.param.u32 %r5, [waits];
  mov.u32 %r1, %ctaid.x;
  mov.u32 %r2, %ntid.x;
  mov.u32 %r3, %tid.x;
  mad.lo.u32 %r4, %r1, %r2, %r3;
  mul.wide.u32 %q2, %r4, 4;
  add.u64 %q3, %q1, %q2;
  st.global.u32 [%q1+2048], 1;
  setp.eq.u32 %p, %r5, 0;
  @%p bra READ;
  griddepcontrol.wait;
READ:
  ld.global.u32 %r6, [%q3];
  st.global.u32 [%q3+1024], %r6;
  ret;
}
)";

struct Pair {
  SimulatedDevice device;
  ModuleId module = 0;
  Address out = 0;
  WorkHandle produced;
  WorkHandle consumed;

  explicit Pair(DeviceOptions options = {}) : device(kTiny, std::move(options)) {
    REQUIRE(device.load_module(kCode, "pair.ptx", module));
    out = device.memory().allocate(4096);
  }
  void run(std::uint64_t waits, bool programmatic = true) {
    produced = launch("produce", 3000, false);
    consumed = launch("consume", waits, programmatic);
    device.queue().wait(nullptr);
    REQUIRE(device.take_failure());
  }
  WorkHandle launch(const std::string& name, std::uint64_t argument, bool programmatic) {
    KernelId kernel = 0;
    REQUIRE(device.find_kernel(module, name, kernel));
    const std::vector<std::uint64_t> parameters = {out, argument};
    Launch launch;
    launch.grid = {4, 1, 1};
    launch.block = {64, 1, 1};
    launch.programmatic = programmatic;
    launch.parameters = std::as_bytes(std::span(parameters)).first(12);
    WorkHandle work;
    REQUIRE(device.launch(kernel, launch, &work));
    return work;
  }
  // Words that the consumer has read right.
  int right() {
    int count = 0;
    for (std::uint32_t i = 0; i < 256; ++i) {
      std::uint32_t value = 0;
      std::memcpy(&value, device.memory().host(out, 4096) + 4 * (256 + i), sizeof(value));
      count += value == i + 1 ? 1 : 0;
    }
    return count;
  }
};

}  // namespace

TEST_CASE("Dependent launch: a consumer that waits runs beside its producer and reads what that has written") {
  Pair pair;
  pair.run(1);
  CHECK(pair.right() == 256);
  CHECK(pair.consumed->start_ns < pair.produced->end_ns - 1000);
  CHECK(pair.consumed->end_ns > pair.produced->end_ns);
}

TEST_CASE("Dependent launch: a consumer that does not wait reads what was there before") {
  Pair pair;
  pair.run(0);
  CHECK(pair.right() == 0);
  CHECK(pair.consumed->end_ns == pair.produced->end_ns);
}

TEST_CASE("Dependent launch: without the attribute, without time and with empty caches kernels run one after another") {
  Pair plain;
  plain.run(0, false);
  CHECK(plain.right() == 256);
  CHECK(plain.consumed->start_ns >= plain.produced->end_ns);
  Pair functional({.functional_only = true});
  functional.run(0);
  CHECK(functional.right() == 256);
  Pair flushed({.flush_caches = true});
  flushed.run(0);
  CHECK(flushed.right() == 256);
  CHECK(flushed.consumed->start_ns >= flushed.produced->end_ns);
}

TEST_CASE("Dependent launch: results and times do not depend on threads, skipping and order") {
  const auto times = [](DeviceOptions options) {
    Pair pair(std::move(options));
    pair.run(1);
    CHECK(pair.right() == 256);
    return std::vector<double>{pair.produced->end_ns, pair.consumed->start_ns, pair.consumed->end_ns};
  };
  const std::vector<double> expected = times({});
  CHECK(times({.threads = 3}) == expected);
  CHECK(times({.skip = false}) == expected);
  CHECK(times({.shuffle = 5}) == expected);
}

}  // namespace warpsim::cuda
