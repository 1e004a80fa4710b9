#include "device/device_run.h"

#include <catch2/catch.hpp>
#include <map>
#include <vector>

#include "support/machine.h"

namespace warpsim::test {
namespace {

// A kernel on a stream.
class StreamKernel final : public KernelSource {
 public:
  StreamKernel(const KernelBuilder& builder, const KernelShape& shape, std::uint32_t index, std::uint64_t stream)
      : kernel_(builder, shape), launch_(kernel_.launch()) {
    launch_.launch_index = index;
    launch_.stream = stream;
  }
  const KernelLaunch& launch() const override { return launch_; }
  std::unique_ptr<BlockSource> start_block(std::uint64_t linear_index, std::uint32_t sm) override {
    return kernel_.start_block(linear_index, sm);
  }
  Concurrency concurrency() const override { return Concurrency::kFree; }

 private:
  SyntheticKernel kernel_;
  KernelLaunch launch_;
};

KernelBuilder waiting_kernel(std::uint32_t rounds) {
  KernelBuilder k;
  k.loop(rounds, [&] { k.ffma(5, 5, 5, 5); });
  k.exit();
  return k;
}

// Runs kernels of one block and so many rounds on these streams.
struct Course {
  explicit Course(const MachineOptions& options = {}, const Overrides& overrides = {})
      : config(tiny_config(overrides)),
        machine(config, options),
        device(
            machine, config,
            {.begin = {}, .submitted = {}, .end = [this](KernelSource& kernel, const DeviceLaunch& launch, StatGroup&) {
               ended.push_back(kernel.launch().launch_index);
               launches[kernel.launch().launch_index] = launch;
             }}) {}
  void launch(std::uint64_t stream, std::uint32_t rounds = 2000) {
    device.launch(std::make_unique<StreamKernel>(waiting_kernel(rounds), KernelShape{}, count++, stream));
  }

  GpuConfig config;
  Machine machine;
  std::map<std::uint32_t, DeviceLaunch> launches;
  std::vector<std::uint32_t> ended;
  std::uint32_t count = 0;
  DeviceRun device;
};

}  // namespace

TEST_CASE("device: launches of two streams run beside each other") {
  const bool flush = GENERATE(true, false);
  Course course(MachineOptions{.flush_before_launch = flush});
  course.launch(1);
  course.launch(2);
  course.launch(1, 10);
  course.device.finish();
  REQUIRE(course.launches.size() == 3);
  // The host needs 1000 ns for each.
  CHECK(course.launches[0].start_ns == Approx(1000));
  CHECK(course.launches[1].submitted_ns == 2000);
  CHECK(course.launches[1].start_ns < course.launches[0].end_ns);
  CHECK(course.launches[1].start_ns == Approx(2000).margin(50));
  CHECK(course.launches[0].beside == 1);
  CHECK(course.launches[1].beside == 2);
  CHECK(course.launches[2].start_ns >= course.launches[0].end_ns);
  CHECK(course.launches[2].start_ns == Approx(course.launches[0].end_ns).margin(100));
  CHECK(course.launches[2].submitted_ns == 3000);
  CHECK(course.ended == std::vector<std::uint32_t>{0, 2, 1});
}

TEST_CASE("device: a launch takes as long as alone if nothing is shared") {
  Course alone;
  alone.launch(1);
  alone.device.finish();
  Course both;
  both.launch(1);
  both.launch(2);
  both.device.finish();
  for (const std::uint32_t index : {0U, 1U}) {
    CHECK(both.launches[index].result.elapsed_cycles == Approx(alone.launches[0].result.elapsed_cycles).margin(100));
  }
}

TEST_CASE("device: launches of the default stream run one after another") {
  Course course;
  course.launch(0);
  course.launch(0);
  course.device.finish();
  CHECK(course.launches[1].start_ns >= course.launches[0].end_ns);
  CHECK(course.launches[1].beside == 0);
}

TEST_CASE("device: a copy waits for the launches before it, and the host for the copy") {
  Course course(MachineOptions{.flush_before_launch = false});
  course.launch(1);
  course.device.copy({0x10000, 4096});
  CHECK(course.ended == std::vector<std::uint32_t>{0});
  course.launch(2);
  course.device.finish();
  const LaunchQueueConfig& host = course.config.launch_queue;
  const double copied = course.launches[0].end_ns + host.copy_latency_ns + 4096 / host.copy_gb_per_s;
  CHECK(course.launches[1].submitted_ns == Approx(copied + host.submit_ns));
}

TEST_CASE("device: the host waits if many launches wait") {
  Course course({}, {"launch_queue.submit_ns=0"});
  for (int i = 0; i < 300; ++i) {
    course.launch(1, 20);
  }
  CHECK(course.ended.size() >= 300 - 130);
  course.device.finish();
  CHECK(course.ended.size() == 300);
  CHECK(course.launches[299].start_ns >= course.launches[298].end_ns);
  CHECK(course.launches[299].submitted_ns > 0);
}

TEST_CASE("device: a launch that reaches the limit of cycles is the last one") {
  Course course(MachineOptions{.max_cycles = 500});
  course.launch(1);
  course.device.finish();
  CHECK(course.device.is_limited());
  CHECK(course.launches[0].result.status == LaunchResult::Status::kCycleLimit);
}

TEST_CASE("device: times do not depend on threads, skipping and order") {
  const auto times = [](const MachineOptions& options) {
    Course course(options);
    for (std::uint32_t i = 0; i < 6; ++i) {
      course.launch(i % 3, 300 * (i + 1));
    }
    course.device.finish();
    std::vector<double> all;
    for (const auto& [index, launch] : course.launches) {
      all.insert(all.end(), {launch.submitted_ns, launch.start_ns, launch.end_ns});
    }
    return all;
  };
  const std::vector<double> expected = times({});
  CHECK(times(MachineOptions{.skip = false}) == expected);
  CHECK(times(MachineOptions{.threads = 2}) == expected);
  CHECK(times(MachineOptions{.shuffle = 3}) == expected);
}

}  // namespace warpsim::test
