// Copies and fills beside kernels.
#include <catch2/catch.hpp>
#include <vector>

#include "device/device_run.h"
#include "memory/remote/memory_homes.h"
#include "support/device_course.h"

namespace warpsim::test {
namespace {

// A copy of so many bytes by its grid, if kernels run.
WorkHandle submit_copy(Course& course, std::uint64_t stream, std::uint64_t bytes) {
  Work work;
  work.kind = WorkKind::kInDevice;
  work.place.stream = stream;
  work.bytes = bytes;
  work.range = {.target = 0x4000'0000, .source = 0x2000'0000, .width = bytes, .rows = 1};
  return course.device.submit(std::move(work));
}

TEST_CASE("device: a copy beside a kernel uses SMs, one alone takes its latency and rate") {
  Course alone(keeping_caches());
  const WorkHandle single = submit_copy(alone, 2, 100'000);
  alone.device.finish();
  const CopiesConfig& times = alone.config.copies;
  CHECK(single->end_ns - single->start_ns == Approx(times.in_device_ns + 100'000 / times.in_device_gb_per_s));
  CHECK(alone.machine.now_ns() == 0);

  Course beside(keeping_caches());
  beside.launch(1, 20'000);
  const WorkHandle copy = submit_copy(beside, 2, 100'000);
  beside.device.finish();
  CHECK(copy->end_ns < beside.launches[0].end_ns);
  CHECK(copy->end_ns - copy->start_ns != Approx(single->end_ns - single->start_ns));

  // With caches emptied before each launch, launches do not depend on copies.
  Course flushed;
  flushed.launch(1, 20'000);
  const WorkHandle other = submit_copy(flushed, 2, 100'000);
  flushed.device.finish();
  CHECK(other->end_ns - other->start_ns == Approx(single->end_ns - single->start_ns));
}

TEST_CASE("device: copies beside kernels do not depend on skipped time, the order of ticks and threads") {
  const auto ends_of = [](const MachineOptions& options) {
    Course course(options);
    const WorkHandle early = submit_copy(course, 2, 200'000);
    course.launch(1, 5000);
    course.launch(3, 500);
    const WorkHandle late = submit_copy(course, 4, 20'000);
    course.device.finish();
    return std::vector{early->end_ns, late->end_ns, course.launches[0].end_ns, course.launches[1].end_ns};
  };
  const std::vector<double> expected = ends_of(keeping_caches());
  MachineOptions options = keeping_caches();
  options.skip = false;
  CHECK(ends_of(options) == expected);
  options = keeping_caches();
  options.shuffle = 7;
  CHECK(ends_of(options) == expected);
  options = keeping_caches();
  options.threads = 2;
  CHECK(ends_of(options) == expected);
}

// A kernel whose warps read lines one after another that no cache has.
KernelBuilder reading_kernel(std::uint32_t rounds = 200) {
  KernelBuilder k;
  k.loop(rounds, [&] {
    k.ldg(5, {.base = 0x1000'0000, .lane_stride = 128, .block_stride = 0x10'0000, .round_stride = 0x1000}).writes(0);
    k.ffma(6, 5, 5, 6).waits(0);
  });
  k.exit();
  return k;
}

// A kernel whose warps have several lines under way.
KernelBuilder streaming_kernel() {
  KernelBuilder k;
  k.loop(10, [&] {
    for (std::uint8_t i = 0; i < 16; ++i) {
      k.ldg(static_cast<std::uint8_t>(5 + i), {.base = 0x1000'0000 + Address{i} * 0x8000,
                                               .lane_stride = 4,
                                               .warp_stride = 128,
                                               .block_stride = 1024,
                                               .round_stride = 0x8'0000})
          .writes(0);
    }
    k.nop().waits(0);
  });
  k.exit();
  return k;
}
constexpr KernelShape kStreaming{.blocks = 16, .warps = 8};

// The time of a kernel beside a copy between the host and the device of so many bytes, and that of the copy.
struct BesideHostCopy {
  double kernel_ns = 0;
  double copy_ns = 0;
};
BesideHostCopy beside_host_copy(const MachineOptions& options, WorkKind kind, std::uint64_t bytes,
                                bool copy_first = false, bool streams = false) {
  Course course(options, {"links.host.bandwidth_gb_per_s=4"});
  const auto copy = [&] {
    Work work;
    work.kind = kind;
    work.place.stream = 2;
    work.bytes = bytes;
    work.range = {.width = bytes, .rows = 1};
    (kind == WorkKind::kToDevice ? work.range.target : work.range.source) = 0x2000'0000;
    return course.device.submit(std::move(work));
  };
  WorkHandle copied = copy_first ? copy() : nullptr;
  Work work;
  work.kind = WorkKind::kKernel;
  work.place.stream = 1;
  work.kernel = std::make_unique<StreamKernel>(streams ? streaming_kernel() : reading_kernel(),
                                               streams ? kStreaming : KernelShape{.blocks = 8}, course.count++, 1);
  course.device.submit(std::move(work));
  copied = copy_first ? copied : copy();
  course.device.finish();
  return {course.launches[0].result.duration_ns, copied->end_ns - copied->start_ns};
}

TEST_CASE("device: copies between the host and the device take memory bandwidth from kernels") {
  const MemoryHomes homes;
  MachineOptions options = keeping_caches();
  options.homes = &homes;
  const auto kind = GENERATE(WorkKind::kToDevice, WorkKind::kToHost);
  const bool first = GENERATE(true, false);
  const BesideHostCopy small = beside_host_copy(options, kind, 4, first);
  const BesideHostCopy large = beside_host_copy(options, kind, 2'000'000, first);
  CHECK(large.kernel_ns > 1.01 * small.kernel_ns);
  // The copy itself takes its time.
  CHECK(large.copy_ns > 2'000'000 / 100.0);
  CHECK(beside_host_copy(keeping_caches(), kind, 2'000'000, first).copy_ns == Approx(large.copy_ns).epsilon(1e-9));
  // Launches that find empty caches do not depend on copies.
  options.flush_before_launch = true;
  CHECK(beside_host_copy(options, kind, 2'000'000, first).kernel_ns ==
        beside_host_copy(options, kind, 4, first).kernel_ns);
}

TEST_CASE("device: a copy from the host slows accesses of a kernel to memory of the host") {
  MemoryHomes homes;
  homes.set(0x1000'0000, 0x1000'0000, MemoryHomes::kHost);  // what the kernel reads
  MachineOptions options = keeping_caches();
  options.homes = &homes;
  const auto beside = [&options](WorkKind kind, std::uint64_t bytes) {
    return beside_host_copy(options, kind, bytes, false, true);
  };
  const BesideHostCopy small = beside(WorkKind::kToDevice, 4);
  const BesideHostCopy large = beside(WorkKind::kToDevice, 20'000'000);
  REQUIRE(large.copy_ns > large.kernel_ns);
  // Half of the rate is left, which limits most of the kernel's time.
  CHECK(large.kernel_ns > 1.6 * small.kernel_ns);
  CHECK(large.kernel_ns < 2.1 * small.kernel_ns);
  // A copy in the other direction leaves the answers alone.
  CHECK(beside(WorkKind::kToHost, 20'000'000).kernel_ns < 1.1 * small.kernel_ns);
  options.threads = 2;
  CHECK(beside(WorkKind::kToDevice, 20'000'000).kernel_ns == large.kernel_ns);
}

// The time of a kernel on GPU 0 that reads memory of a GPU, beside a copy between GPU 0 and GPU 1.
double beside_peer_copy(MachineOptions options, const MemoryHomes& homes, const PeerCopy& way, std::uint64_t bytes,
                        bool streams = false) {
  options.homes = &homes;
  const GpuConfig config = tiny_config({"links.peer.outstanding_requests=4096"});
  Machine machine({config, config}, options);
  double kernel_ns = 0;
  DeviceRun device(
      machine, {&config, &config},
      {.begin = {},
       .submitted = {},
       .end = [&](KernelSource&, const EndedLaunch& launch, StatGroup&) { kernel_ns = launch.result.duration_ns; }},
      100);
  Work copy;
  copy.kind = WorkKind::kToPeer;
  copy.peer = way;
  copy.place.stream = 2;
  copy.bytes = bytes;
  copy.range = {.target = 0x3000'0000, .source = 0x2000'0000, .width = bytes, .rows = 1};
  device.submit(std::move(copy));
  Work work;
  work.kind = WorkKind::kKernel;
  work.place.stream = 1;
  work.kernel = std::make_unique<StreamKernel>(streams ? streaming_kernel() : reading_kernel(40),
                                               streams ? kStreaming : KernelShape{.blocks = 8}, 0, 1);
  device.submit(std::move(work));
  device.finish();
  return kernel_ns;
}

TEST_CASE("device: copies between GPUs slow accesses to the memory of both, and over the same link") {
  MemoryHomes own;
  own.set(0x2000'0000, 0x1000'0000, 0);
  own.set(0x3000'0000, 0x1000'0000, 1);
  const PeerCopy out{0, 1, false};
  const PeerCopy in{1, 0, false};
  for (const PeerCopy& way : {out, in}) {
    const double alone = beside_peer_copy(keeping_caches(), own, way, 4);
    const double beside = beside_peer_copy(keeping_caches(), own, way, 4'000'000);
    CHECK(beside > 1.01 * alone);
    MachineOptions options = keeping_caches();
    options.threads = way.from == 0 ? 2 : 1;
    options.skip = way.from == 0;
    CHECK(beside_peer_copy(options, own, way, 4'000'000) == beside);
    // Launches that find empty caches do not depend on copies.
    CHECK(beside_peer_copy({}, own, way, 4'000'000) == beside_peer_copy({}, own, way, 4));
  }

  MemoryHomes far = own;
  far.set(0x1000'0000, 0x1000'0000, 1);  // what the kernel reads
  const double alone = beside_peer_copy(keeping_caches(), far, in, 4, true);
  CHECK(beside_peer_copy(keeping_caches(), far, in, 20'000'000, true) > 1.4 * alone);
  CHECK(beside_peer_copy(keeping_caches(), far, out, 20'000'000, true) < 1.1 * alone);
}

TEST_CASE("device: an event waits beside a copy from the host, while its bytes move") {
  const auto time_of_event = [](WorkKind kind, std::uint64_t bytes, double after_ns) {
    Course course;
    course.submit(kind, 2, bytes);
    course.device.spend(after_ns);
    const WorkHandle event = course.submit(WorkKind::kMarker, 1);
    course.device.finish();
    return event->end_ns - event->start_ns;
  };
  const DeviceQueuesConfig times = tiny_config().device_queues;
  const CopiesConfig copies = tiny_config().copies;
  const double moving_ns = copies.to_device_ns + 200;
  CHECK(time_of_event(WorkKind::kToDevice, 1'000'000, moving_ns) ==
        Approx(times.marker_ns + times.marker_beside_copy_ns));
  CHECK(time_of_event(WorkKind::kToHost, 1'000'000, moving_ns) == Approx(times.marker_ns));
  // Before its bytes move.
  CHECK(time_of_event(WorkKind::kToDevice, 1'000'000, 0) == Approx(times.marker_ns));
  const auto bytes = static_cast<std::uint64_t>(400 * copies.to_device_gb_per_s);
  const double left_ns = time_of_event(WorkKind::kToDevice, bytes, moving_ns) - times.marker_ns;
  CHECK(left_ns > 0);
  CHECK(left_ns < times.marker_beside_copy_ns);
}

TEST_CASE("device: kernels beside copies of the host do not depend on skipped time, the order of ticks and threads") {
  const MemoryHomes homes;
  const auto time = [&homes](MachineOptions options, bool first) {
    options.homes = &homes;
    return beside_host_copy(options, WorkKind::kToDevice, 500'000, first).kernel_ns;
  };
  for (const bool first : {true, false}) {
    const double expected = time(keeping_caches(), first);
    MachineOptions options = keeping_caches();
    options.skip = false;
    CHECK(time(options, first) == expected);
    options = keeping_caches();
    options.shuffle = 7;
    CHECK(time(options, first) == expected);
    options = keeping_caches();
    options.threads = 2;
    CHECK(time(options, first) == expected);
  }
}

TEST_CASE("device: a copy waits for places on SMs that kernels take") {
  Course course(keeping_caches());
  Work work;
  work.kind = WorkKind::kKernel;
  work.place.stream = 1;
  // All block slots of all SMs.
  work.kernel = std::make_unique<StreamKernel>(waiting_kernel(3000), KernelShape{.blocks = 64}, course.count++, 1);
  course.device.submit(std::move(work));
  const WorkHandle copy = submit_copy(course, 2, 4096);
  course.device.finish();
  CHECK(copy->start_ns < course.launches[0].end_ns);
  const double first_end_ns = course.launches[0].start_ns + course.launches[0].result.duration_ns / 2;
  CHECK(copy->end_ns > first_end_ns);
}

TEST_CASE("device: what is left of a copy runs on SMs when a kernel starts") {
  Course course(keeping_caches());
  const WorkHandle copy = submit_copy(course, 2, 1'000'000);
  const double expected_ns = course.config.copies.in_device_ns + 1'000'000 / course.config.copies.in_device_gb_per_s;
  course.device.spend(expected_ns / 2);
  course.launch(1, 20'000);
  course.device.finish();
  CHECK(copy->over);
  CHECK(copy->end_ns - copy->start_ns > expected_ns / 2);
  CHECK(copy->end_ns - copy->start_ns != Approx(expected_ns));
}

}  // namespace
}  // namespace warpsim::test
