#include "cuda/device/launch_selection.h"

#include <catch2/catch.hpp>
#include <cstring>
#include <string>
#include <vector>

#include "cuda/device/simulated_device.h"
#include "cuda/profiling/nvtx_ranges.h"
#include "frontend/wtrace/wtrace_reader.h"
#include "stats/database.h"
#include "support/temporary_folder.h"

namespace warpsim::cuda {
namespace {

// Each thread: out[i] = 3 out[i] + 1. And a kernel that waits until out[0] is not 0.
constexpr const char* kStep = R"(.version 8.0
.target sm_60
.address_size 64
.visible .entry step(.param .u64 out) {
  .reg .b32 %r<4>; .reg .b64 %q<4>;
  ld.param.u64 %q1, [out];
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %q2, %r1, 4;
  add.u64 %q3, %q1, %q2;
  ld.global.u32 %r2, [%q3];
  mad.lo.u32 %r3, %r2, 3, 1;
  st.global.u32 [%q3], %r3;
  ret;
}
.visible .entry waits(.param .u64 out) {
  .reg .b32 %r<4>; .reg .b64 %q<4>; .reg .pred %p;
  ld.param.u64 %q1, [out];
AGAIN:
  ld.volatile.global.u32 %r1, [%q1];
  setp.eq.u32 %p, %r1, 0;
  @%p bra AGAIN;
  ret;
}
)";

struct ProfiledProgram {
  NvtxRanges ranges;
  SimulatedDevice device;
  ModuleId module = 0;
  Address out = 0;
  WorkHandle work;  // of the last launch

  explicit ProfiledProgram(const DeviceOptions& options)
      : device(WARPSIM_SOURCE_DIR "/configs/test_tiny.yaml", options) {
    device.use_ranges(ranges);
    REQUIRE(device.load_module(kStep, "step.ptx", module));
    out = device.memory().allocate(4096);
    std::memset(device.memory().host(out, 4096), 0, 4096);
  }
  void launch(const std::string& name = "step") {
    KernelId kernel = 0;
    REQUIRE(device.find_kernel(module, name, kernel));
    Launch launch;
    launch.grid = {1, 1, 1};
    launch.block = {64, 1, 1};
    launch.parameters = std::as_bytes(std::span(&out, 1));
    REQUIRE(device.launch(kernel, launch, &work));
  }
  std::uint32_t value(std::uint32_t thread) {
    std::uint32_t value = 0;
    std::memcpy(&value, device.memory().host(out + 4 * thread, 4), 4);
    return value;
  }
};

TEST_CASE("Launch selection: the window and the ranges decide") {
  NvtxRanges ranges;
  LaunchSelection all({});
  CHECK(all.takes());
  all.set_open(false);
  CHECK_FALSE(all.takes());
  LaunchSelection later({.profile_from_start = false});
  CHECK_FALSE(later.takes());
  later.set_open(true);
  CHECK(later.takes());
  LaunchSelection named({.ranges = {"step", "library@call"}});
  CHECK_FALSE(named.takes());  // no ranges are known
  named.use_ranges(ranges);
  CHECK_FALSE(named.takes());
  ranges.push(ranges.create_domain("library"), "step");
  CHECK_FALSE(named.takes());
  ranges.push(ranges.create_domain("library"), "call");
  CHECK(named.takes());
  ranges.pop(ranges.create_domain("library"));
  CHECK_FALSE(named.takes());
  const std::uint64_t started = ranges.start(0, "step");
  CHECK(named.takes());
  named.set_open(false);
  CHECK_FALSE(named.takes());
  ranges.end(started);
}

TEST_CASE("Launch selection: launches outside of the window have their effects in order, and take no time") {
  const TemporaryFolder folder;
  const std::string file = folder.at("r.db");
  double selected_ns = 0;
  {
    ProfiledProgram program({.results = file, .run_name = "part", .selection = {.profile_from_start = false}});
    program.ranges.push(0, "before");
    program.launch();
    program.ranges.pop(0);
    program.device.set_profiled(true);
    program.ranges.push(0, "middle");
    program.launch();
    const WorkHandle taken = program.work;
    program.ranges.pop(0);
    program.device.set_profiled(false);
    program.launch();
    const WorkHandle last = program.work;
    CHECK_FALSE(last->over);  // it waits in the stream
    program.device.finish_work();
    CHECK(program.value(63) == 13);  // 3 (3 x 1 + 1) + 1
    selected_ns = taken->end_ns - taken->start_ns;
    CHECK(selected_ns > 0);
    CHECK(last->end_ns == last->start_ns);
    CHECK(last->start_ns >= taken->end_ns);
    CHECK(program.device.closing_notes() ==
          std::vector<std::string>{"launches outside of the profiled part of the program, which took no time and were "
                                   "not recorded: 2"});
  }
  double alone_ns = 0;
  {
    ProfiledProgram program({});
    program.launch();
    program.device.finish_work();
    alone_ns = program.work->end_ns - program.work->start_ns;
    CHECK(program.device.closing_notes().empty());
  }
  CHECK(selected_ns == Approx(alone_ns));
  const Database database(file, Database::Mode::kReadOnly);
  CHECK(database.integer("SELECT count(*) FROM launch") == 1);
  CHECK(database.integer("SELECT count(*) FROM device_work WHERE kind = 'kernel'") == 1);
  CHECK(database.integer("SELECT count(*) FROM ranges WHERE name = 'middle' AND launches = 1 AND kernel_us > 0") == 1);
  CHECK(database.integer("SELECT count(*) FROM host_range") == 1);  // others have no stored launch, and are not kept
  CHECK(database.integer("SELECT count(*) FROM run_note WHERE note LIKE 'launches outside of%: 2'") == 1);
  CHECK(database.integer("SELECT count(*) FROM run WHERE status = 'complete'") == 1);
}

TEST_CASE("Launch selection: a launch outside of the window that cannot end fails as others do") {
  ProfiledProgram program({.selection = {.profile_from_start = false}});
  program.launch("waits");
  program.device.finish_work();
  const Outcome failure = program.device.take_failure();
  CHECK(failure.failure == Failure::kTimeout);
  CHECK_THAT(failure.message, Catch::Contains("kernel waits: a deadlock"));
}

TEST_CASE("Launch selection: without time and trace there is nothing to select") {
  ProfiledProgram program({.functional_only = true});
  program.device.set_profiled(false);
  program.ranges.push(0, "step");
  program.launch();
  program.ranges.pop(0);
  program.device.finish_work();
  CHECK(program.value(0) == 1);
  CHECK(program.device.closing_notes().empty());
  CHECK(program.ranges.kept_ranges().empty());
}

TEST_CASE("Launch selection: a trace has the launches of the window") {
  const TemporaryFolder folder;
  const std::string file = folder.at("a.wtrace");
  {
    ProfiledProgram program({.trace = file, .selection = {.ranges = {"wanted"}}});
    program.launch();
    program.ranges.push(0, "wanted");
    program.launch();
    program.ranges.pop(0);
    program.launch();
    program.device.finish_work();
    CHECK(program.value(0) == 13);
  }
  const auto trace = open_wtrace(file);
  CHECK(std::get<std::unique_ptr<KernelSource>>(*trace->next())->launch().kernel == "step");
  CHECK_FALSE(trace->next());
}

}  // namespace
}  // namespace warpsim::cuda
