// The device with timing: launches, copies and events on one clock, failures, and what is stored.
#include "cuda/device/timed_machine.h"

#include <catch2/catch.hpp>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "codegen/code_generator.h"
#include "cuda/device/run_results.h"
#include "cuda/device/simulated_device.h"
#include "frontend/lowering/code_of_others.h"
#include "frontend/wtrace/wtrace_reader.h"
#include "stats/database.h"
#include "support/temporary_folder.h"

namespace warpsim::cuda {
namespace {

const std::string kSmallGpu = WARPSIM_SOURCE_DIR "/configs/test_tiny.yaml";

// out[i] = its own number, `rounds` times.
constexpr const char* kCount = R"(.version 8.0
.target sm_60
.address_size 64
.extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 a);
.global .align 1 .b8 text[2] = {10, 0};
.visible .entry k(.param .u64 out, .param .u32 rounds) {
  .reg .b32 %r<8>; .reg .b64 %q<4>; .reg .pred %p;
  ld.param.u64 %q1, [out];
  ld.param.u32 %r5, [rounds];
  mov.u32 %r1, %ctaid.x;
  mov.u32 %r2, %ntid.x;
  mov.u32 %r3, %tid.x;
  mad.lo.u32 %r4, %r1, %r2, %r3;
  mul.wide.u32 %q2, %r4, 4;
  add.u64 %q3, %q1, %q2;
AGAIN:
  st.global.u32 [%q3], %r4;
  sub.u32 %r5, %r5, 1;
  setp.ne.u32 %p, %r5, 0;
  @%p bra AGAIN;
  ret;
}
.visible .entry load(.param .u64 out, .param .u32 rounds) {
  .reg .b32 %r<4>; .reg .b64 %q<4>;
  ld.param.u64 %q1, [out];
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %q2, %r1, 64;
  add.u64 %q3, %q1, %q2;
  ld.global.u32 %r2, [%q3];
  st.global.u32 [%q3+4], %r2;
  ret;
}
.visible .entry time(.param .u64 out, .param .u32 rounds) {
  .reg .b64 %q<4>;
  ld.param.u64 %q1, [out];
  mov.u64 %q2, %globaltimer;
  st.global.u64 [%q1], %q2;
  ret;
}
.visible .entry prints(.param .u64 out, .param .u32 rounds) {
  .reg .b64 %a; .reg .b32 %r<2>; .reg .pred %p; .param .b64 f; .param .b64 a; .param .b32 r;
  ld.param.u32 %r1, [rounds];
  setp.eq.u32 %p, %r1, 0;
  @%p ret;
  mov.u64 %a, text;
  cvta.global.u64 %a, %a;
  st.param.b64 [f], %a;
  st.param.b64 [a], 0;
  call.uni (r), vprintf, (f, a);
  ret;
}
.visible .entry stuck(.param .u64 out, .param .u32 rounds) {
  .reg .b32 %r<4>; .reg .pred %p;
  mov.u32 %r1, %tid.x;
  setp.eq.u32 %p, %r1, 0;
  @%p bar.sync 1, 64;
  ret;
}
.visible .entry spins(.param .u64 out, .param .u32 rounds) {
  .reg .b32 %r<4>; .reg .b64 %q<4>; .reg .pred %p;
  ld.param.u64 %q1, [out];
AGAIN:
  ld.volatile.global.u32 %r1, [%q1];
  setp.eq.u32 %p, %r1, 0;
  @%p bra AGAIN;
  ret;
}
)";

struct Timed {
  SimulatedDevice device;
  ModuleId module = 0;
  Address out = 0;
  WorkHandle work;  // of the last launch

  explicit Timed(DeviceOptions options = {}, const std::string& gpu = kSmallGpu) : device(gpu, options) {
    REQUIRE(device.load_module(kCount, "count.ptx", module));
    out = device.memory().allocate(4096);
  }
  Outcome launch(std::uint64_t rounds, const std::string& name = "k") {
    KernelId kernel = 0;
    REQUIRE(device.find_kernel(module, name, kernel));
    const std::vector<std::uint64_t> parameters = {out, rounds};
    Launch launch;
    launch.grid = {4, 1, 1};
    launch.block = {64, 1, 1};
    launch.parameters = std::as_bytes(std::span(parameters)).first(12);
    const Outcome outcome = device.launch(kernel, launch, &work);
    if (!outcome) {
      return outcome;
    }
    device.queue().wait(nullptr);
    return device.take_failure();
  }
  double now_ns() { return device.queue().now_ns(); }
  WorkHandle copy(std::uint64_t bytes) {
    Work copied;
    copied.kind = WorkKind::kToDevice;
    copied.bytes = bytes;
    return device.queue().submit(std::move(copied));
  }
  WorkHandle mark() {
    Work marker;
    marker.kind = WorkKind::kMarker;
    return device.queue().submit(std::move(marker));
  }
  std::uint32_t word(std::size_t index) {
    std::uint32_t value = 0;
    std::memcpy(&value, device.memory().host(out, 4096) + 4 * index, sizeof(value));
    return value;
  }
};

TEST_CASE("Timed device: a launch computes, and takes longer for more work") {
  Timed few;
  REQUIRE(few.launch(1));
  CHECK(few.word(255) == 255);
  Timed many;
  REQUIRE(many.launch(500));
  CHECK(many.word(255) == 255);
  CHECK(few.now_ns() > 0);
  CHECK(many.now_ns() > few.now_ns() + 500);
}

TEST_CASE("Timed device: a skipped kernel has no effect, and is reported once") {
  Timed timed({.skipped_kernels = {"k"}});
  REQUIRE(timed.launch(500));
  REQUIRE(timed.launch(500));
  CHECK(timed.word(255) == 0);
  CHECK(timed.work == nullptr);
  CHECK(timed.device.take_findings() == std::vector<std::string>{"kernel k: skipped, as requested"});
  REQUIRE(timed.launch(1, "load"));
  CHECK(timed.now_ns() > 0);
}

TEST_CASE("Timed device: copies and events are on the launches' clock") {
  Timed timed;
  const GpuConfig& config = timed.device.config();
  const WorkHandle copied = timed.copy(1'000'000);
  timed.device.queue().wait(copied);
  CHECK(copied->end_ns == Approx(config.host_calls.copy_ns + config.copies.to_device_ns + 1e5));
  REQUIRE(timed.launch(1));
  const WorkHandle before = timed.mark();
  const WorkHandle after = timed.mark();
  timed.device.queue().wait(after);
  CHECK(timed.work->start_ns == Approx(copied->end_ns + config.host_calls.wake_ns + config.host_calls.launch_ns));
  CHECK(before->end_ns > timed.work->end_ns);
  CHECK(after->end_ns == Approx(before->end_ns + config.device_queues.marker_ns));
}

TEST_CASE("Timed device: the clock of kernels also runs while no kernel does") {
  Timed timed;
  const auto time = [&] {
    REQUIRE(timed.launch(1, "time"));
    return static_cast<double>(timed.word(1)) * 0x1p32 + timed.word(0);
  };
  const double first = time();
  const double begin_ns = timed.work->start_ns;
  CHECK(first >= begin_ns);
  CHECK(first <= timed.work->end_ns);
  timed.device.queue().wait(timed.copy(1'000'000));
  const double second = time();
  CHECK(second - first > 1e5);
  CHECK(second - first == Approx(timed.work->start_ns - begin_ns).margin(600));
}

TEST_CASE("Timed device: warps print one after another in a part of the time") {
  Timed timed;
  const auto duration_ns = [&](std::uint64_t rounds) {
    REQUIRE(timed.launch(rounds, "prints"));
    return timed.work->end_ns - timed.work->start_ns;
  };
  const double silent_ns = duration_ns(0);
  const SystemCallConfig& cost = timed.device.config().system_calls.printf;
  // 8 warps of 32 threads, at a cycle per nanosecond.
  const double alone_ns = cost.call_cycles + 31 * cost.thread_cycles + cost.first_call_cycles;
  CHECK(duration_ns(1) - silent_ns == Approx(alone_ns + 7 * cost.serial_cycles).margin(300));
  CHECK(timed.device.take_printed() == std::string(256, '\n'));
}

TEST_CASE("Timed device: blocks of machine code allocate memory alike in any order of SMs") {
  std::ifstream file(WARPSIM_SOURCE_DIR "/tests/data/sass/examples/device_heap.sm_90.cubin", std::ios::binary);
  const std::string cubin((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  struct Allocated {
    std::vector<Address> pointers;  // by block
    double duration_ns;
  };
  const auto allocate = [&](DeviceOptions options) {
    options.overrides = {"device_memory_mib=64"};
    SimulatedDevice device("h100", options);
    ModuleId module = 0;
    KernelId kernel = 0;
    VariableInfo kept;
    REQUIRE(device.load_module(cubin, "device_heap.cubin", module));
    REQUIRE(device.find_kernel(module, "_Z8allocatev", kernel));
    REQUIRE(device.find_variable(module, "kept", kept));
    Launch launch;
    launch.grid = {20, 1, 1};
    launch.block = {32, 1, 1};
    WorkHandle work;
    REQUIRE(device.launch(kernel, launch, &work));
    device.queue().wait(nullptr);
    REQUIRE(device.take_failure());
    Allocated allocated = {std::vector<Address>(20), work->end_ns - work->start_ns};
    std::memcpy(allocated.pointers.data(), device.memory().host(kept.address, kept.bytes), kept.bytes);
    return allocated;
  };
  const Allocated usual = allocate({});
  const SystemCallConfig& cost =
      SimulatedDevice("h100", {.overrides = {"device_memory_mib=64"}}).config().system_calls.malloc;
  CHECK(usual.duration_ns * 1.98 == Approx(cost.call_cycles + 19 * cost.serial_cycles).epsilon(0.02));
  for (const DeviceOptions& options :
       {DeviceOptions{.threads = 2}, DeviceOptions{.shuffle = 1}, DeviceOptions{.shuffle = 2}}) {
    const Allocated other = allocate(options);
    CHECK(other.pointers == usual.pointers);
    CHECK(other.duration_ns == usual.duration_ns);
  }
}

TEST_CASE("Timed device: without timing nothing takes time") {
  Timed timed({.functional_only = true});
  REQUIRE(timed.launch(1));
  CHECK(timed.copy(1'000'000)->over);
  CHECK(timed.word(255) == 255);
  CHECK(timed.now_ns() == 0);
}

TEST_CASE("Timed device: data written by the host are in L2, and data read by a launch stay") {
  const auto time_of_loads = [](bool written) {
    Timed timed;
    if (written) {
      timed.device.note_written(timed.out, 4096);
    }
    std::vector<double> durations;
    for (int i = 0; i < 2; ++i) {
      REQUIRE(timed.launch(1, "load"));
      durations.push_back(timed.work->end_ns - timed.work->start_ns);
    }
    return durations;
  };
  const std::vector<double> from_dram = time_of_loads(false);
  const std::vector<double> from_l2 = time_of_loads(true);
  CHECK(from_l2[0] < from_dram[0]);
  CHECK(from_dram[1] < from_dram[0]);
}

TEST_CASE("Timed device: code of an older architecture is lowered, with the same results") {
  for (const char* gpu : {"v100", "p100", "gtx980"}) {
    INFO(gpu);
    Timed timed({.force_target = true}, WARPSIM_SOURCE_DIR "/configs/" + std::string(gpu) + ".yaml");
    REQUIRE(timed.launch(3));
    REQUIRE(timed.launch(3));
    CHECK(timed.word(255) == 255);
    CHECK(timed.now_ns() > 0);
  }
}

TEST_CASE("Timed device: a deadlock and a cycle limit fail, and so do all later calls") {
  Timed stuck;
  const Outcome deadlock = stuck.launch(1, "stuck");
  INFO(deadlock.message);
  CHECK(deadlock.failure == Failure::kTimeout);
  CHECK(deadlock.message.find("stuck") != std::string::npos);
  CHECK(stuck.launch(1).failure != Failure::kNone);
  Timed endless({.max_cycles = 20000});
  const Outcome limit = endless.launch(1'000'000);
  CHECK(limit.failure == Failure::kLimited);
  CHECK(limit.message.find("20000 cycles") != std::string::npos);
  CHECK(limit.message.find("warp 0 of block (0, 0, 0)") != std::string::npos);
  Timed counted({.max_instructions = 5000});
  const Outcome instructions = counted.launch(1'000'000);
  CHECK(instructions.failure == Failure::kLimited);
  CHECK(instructions.message.find("after 5000 warp instructions") != std::string::npos);
}

TEST_CASE("Timed device: a loop that waits forever is found, with timing and during recording") {
  const TemporaryFolder folder;
  for (const std::string& trace : {std::string(), folder.at("s.wtrace")}) {
    Timed spinning({.trace = trace, .max_instructions = 3'000'000});
    const Outcome outcome = spinning.launch(1, "spins");
    INFO(outcome.message);
    CHECK(outcome.failure == Failure::kTimeout);
    CHECK(outcome.message.find("reads 4 bytes at 0x") != std::string::npos);
  }
}

TEST_CASE("Timed device: a program's launches and copies are recorded when it ends") {
  const TemporaryFolder folder;
  const std::string file = folder.at("t.wtrace");
  {
    Timed recording({.trace = file});
    recording.device.note_written(recording.out, 64);
    REQUIRE(recording.launch(2));
    CHECK(recording.word(255) == 255);
    CHECK(recording.now_ns() == 0);
    CHECK_FALSE(is_wtrace(file));
  }
  const std::unique_ptr<CommandSource> trace = open_wtrace(file);
  CHECK(std::get<CopyToDevice>(*trace->next()).bytes == 64);
  CHECK(std::get<std::unique_ptr<KernelSource>>(*trace->next())->launch().kernel == "k");
  CHECK_FALSE(trace->next());
  const std::string broken = folder.at("b.wtrace");
  {
    Timed recording({.trace = broken});
    CHECK(recording.launch(2, "stuck").failure == Failure::kTimeout);
    CHECK(recording.launch(2).failure != Failure::kNone);
  }
  CHECK_FALSE(is_wtrace(broken));
}

TEST_CASE("Timed device: launches and the end of the run are stored") {
  const TemporaryFolder folder;
  const std::string file = folder.at("r.db");
  const auto run_with = [&](const std::string& name, const std::vector<std::string>& kernels) {
    Timed timed({.results = file, .run_name = name, .command = "test"});
    for (const std::string& kernel : kernels) {
      timed.launch(2, kernel);
    }
  };
  run_with("good", {"k", "k"});
  run_with("bad", {"k", "stuck"});
  const Database database(file, Database::Mode::kReadOnly);
  CHECK(database.integer("SELECT count(*) FROM run WHERE name = 'good' AND status = 'complete'") == 1);
  CHECK(database.integer("SELECT count(*) FROM run WHERE name = 'bad' AND status = 'incomplete'") == 1);
  CHECK(database.integer("SELECT count(*) FROM launch JOIN run USING (run_id) WHERE run.name = 'good'") == 2);
}

}  // namespace
}  // namespace warpsim::cuda
