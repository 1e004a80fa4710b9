// Streams that wait for values in memory, in the device's queues.
#include <catch2/catch.hpp>

#include "device/device_run.h"
#include "support/machine.h"

namespace warpsim::test {
namespace {

struct ValueBench {
  ValueBench()
      : config(tiny_config({"host_calls.stream_wait_ns=0", "host_calls.small_fill_ns=0"})), machine(config, {}) {}
  WorkHandle fill(std::uint64_t stream, std::function<void()> effect = {}) {
    Work work;
    work.kind = WorkKind::kFill;
    work.place.stream = stream;
    work.effect = std::move(effect);
    return device.submit(std::move(work));
  }
  WorkHandle wait(std::uint64_t stream, std::function<bool()> passes) {
    Work work;
    work.kind = WorkKind::kValueWait;
    work.place.stream = stream;
    work.passes = std::move(passes);
    return device.submit(std::move(work));
  }
  WorkHandle kernel(std::uint64_t stream) {
    KernelBuilder k;
    k.loop(2000, [&] { k.ffma(5, 5, 5, 5).stall(4); });
    k.exit();
    Work work;
    work.kind = WorkKind::kKernel;
    work.place.stream = stream;
    work.kernel = std::make_unique<SyntheticKernel>(k, KernelShape{});
    return device.submit(std::move(work));
  }

  GpuConfig config;
  Machine machine;
  DeviceRun device{machine, config, {.begin = {}, .submitted = {}, .end = [](auto&&...) {}}};
};

}  // namespace

TEST_CASE("value waits: a stream waits until the work of another one has written the value") {
  ValueBench bench;
  bool written = false;
  const WorkHandle wait = bench.wait(1, [&] { return written; });
  const WorkHandle after = bench.fill(1);
  bench.fill(2);
  const WorkHandle writer = bench.fill(2, [&] { written = true; });
  bench.device.finish();
  CHECK_FALSE(bench.device.is_stuck());
  CHECK(wait->start_ns == writer->end_ns);
  CHECK(after->start_ns == writer->end_ns);
}

TEST_CASE("value waits: a wait whose value was right in its turn takes no time, and is not looked at before") {
  ValueBench bench;
  bool looked = false;
  bool first_over = false;
  const WorkHandle first = bench.fill(1, [&] { first_over = true; });
  const WorkHandle wait = bench.wait(1, [&] {
    looked = looked || !first_over;
    return true;
  });
  bench.device.finish();
  CHECK_FALSE(looked);
  CHECK(wait->start_ns == first->end_ns);
  CHECK(wait->end_ns == first->end_ns);
}

TEST_CASE("value waits: while a kernel runs the value is looked at from time to time") {
  ValueBench bench;
  const WorkHandle kernel = bench.kernel(2);
  const WorkHandle wait = bench.wait(1, [&] { return bench.device.now_ns() >= 5000; });
  bench.device.finish();
  const double poll_ns = bench.config.device_queues.value_poll_ns;
  CHECK(wait->start_ns >= 5000);
  CHECK(wait->start_ns < 5000 + poll_ns);
  CHECK(wait->start_ns < kernel->end_ns);
}

TEST_CASE("value waits: a wait that nothing ends lets the host go on, until the value is there") {
  ValueBench bench;
  bool written = false;
  bench.wait(1, [&] { return written; });
  const WorkHandle after = bench.fill(1);
  bench.device.wait(after);
  CHECK(bench.device.is_stuck());
  CHECK(bench.device.only_waits());
  CHECK_FALSE(after->over);
  written = true;
  bench.device.wait(after);
  CHECK_FALSE(bench.device.is_stuck());
  CHECK_FALSE(bench.device.only_waits());
  CHECK(after->over);
}

TEST_CASE("value waits: a wait holds up what is behind it in its hardware queue") {
  ValueBench bench;
  GpuConfig config = tiny_config({"specifications.hardware_queues=1"});
  Machine machine(config, {});
  DeviceRun device(machine, config, {.begin = {}, .submitted = {}, .end = [](auto&&...) {}});
  bool written = false;
  Work wait;
  wait.kind = WorkKind::kValueWait;
  wait.place.stream = 1;
  wait.passes = [&] { return written; };
  device.submit(std::move(wait));
  Work fill;
  fill.kind = WorkKind::kFill;
  fill.place.stream = 2;
  const WorkHandle other = device.submit(std::move(fill));
  device.finish();
  CHECK(device.is_stuck());
  CHECK_FALSE(other->over);
  written = true;
  device.finish();
  CHECK(other->over);
}

}  // namespace warpsim::test
