// Kernels that launch kernels on a simulated device, without and with timing.
#include "cuda/device/device_runtime.h"

#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <cstring>
#include <string>
#include <vector>

#include "cuda/code/device_runtime_code.h"
#include "cuda/device/error_codes.h"
#include "cuda/device/simulated_device.h"
#include "frontend/wtrace/wtrace_reader.h"
#include "support/temporary_folder.h"
#include "unit/sass/cubin_file.h"

namespace warpsim::cuda::device_runtime_tests {
namespace {

const std::string kTiny = WARPSIM_SOURCE_DIR "/configs/test_tiny.yaml";
const std::string kA100 = WARPSIM_SOURCE_DIR "/configs/a100.yaml";

constexpr const char* kDeclarations = R"(.version 8.0
.target sm_80
.address_size 64
.extern .func (.param .b64 r) cudaGetParameterBuffer(.param .b64 a, .param .b64 n);
.extern .func (.param .b32 r) cudaLaunchDevice(.param .b64 f, .param .b64 p, .param .align 4 .b8 g[12],
    .param .align 4 .b8 b[12], .param .b32 s, .param .b64 t);
.extern .func (.param .b64 r) __cudaCDP2GetParameterBufferV2(.param .b64 f, .param .align 4 .b8 g[12],
    .param .align 4 .b8 b[12], .param .b32 s);
.extern .func (.param .b32 r) __cudaCDP2LaunchDeviceV2(.param .b64 p, .param .b64 s);
)";

// Launches kernel<<<1, threads, 0, stream>>>(%out, %v); %e: the error. Of the second interface.
std::string launch_of(const std::string& kernel, const std::string& stream, int threads = 1) {
  return fmt::format(R"({{ .param .b64 f; .param .align 4 .b8 g[12]; .param .align 4 .b8 b[12]; .param .b32 s;
    .param .b64 back; .reg .b64 %a; mov.u64 %a, {0}; st.param.b64 [f], %a;
    st.param.b32 [g], 1; st.param.b32 [g+4], 1; st.param.b32 [g+8], 1;
    st.param.b32 [b], {2}; st.param.b32 [b+4], 1; st.param.b32 [b+8], 1; st.param.b32 [s], 0;
    call.uni (back), __cudaCDP2GetParameterBufferV2, (f, g, b, s); ld.param.b64 %buffer, [back]; }}
    st.u64 [%buffer], %out; st.u32 [%buffer+8], %v;
    {{ .param .b64 p; .param .b64 s; .param .b32 back; st.param.b64 [p], %buffer; st.param.b64 [s], {1};
    call.uni (back), __cudaCDP2LaunchDeviceV2, (p, s); ld.param.b32 %e, [back]; }}
)",
                     kernel, stream, threads);
}

// kernel(out, v): out points to a count and a log.
std::string kernel_of(const std::string& name, const std::string& body) {
  return fmt::format(
      R"(.visible .entry {}(.param .u64 out, .param .u32 v) {{
    .reg .b64 %out, %buffer, %x; .reg .b32 %v, %e, %n, %t, %w; .reg .pred %p;
    ld.param.u64 %out, [out]; ld.param.u32 %v, [v];
{}
    ret;
}}
)",
      name, body);
}

// Appends %v to the log.
constexpr const char* kLog = R"(
    atom.global.add.u32 %n, [%out], 1; mul.wide.u32 %x, %n, 4; add.u64 %x, %out, %x; st.global.u32 [%x+4], %v;
)";

struct Device {
  SimulatedDevice device;
  ModuleId module = 0;
  Address out = 0;
  static constexpr std::uint64_t kBytes = 4096;

  Device(const std::string& ptx, const DeviceOptions& options, const std::string& gpu = kTiny) : device(gpu, options) {
    const Outcome loaded = device.load_module(kDeclarations + ptx, "t.ptx", module);
    INFO(loaded.message);
    REQUIRE(loaded);
    out = device.memory().allocate(kBytes);
  }
  Outcome launch(const std::string& name, std::uint32_t v, const Dim3& grid = {1, 1, 1},
                 const Dim3& block = {1, 1, 1}) {
    KernelId kernel = 0;
    const Outcome found = device.find_kernel(module, name, kernel);
    INFO(found.message);
    REQUIRE(found);
    std::byte parameters[12];
    std::memcpy(parameters, &out, 8);
    std::memcpy(parameters + 8, &v, 4);
    Launch launch;
    launch.grid = grid;
    launch.block = block;
    launch.cluster = {1, 1, 1};
    launch.parameters = parameters;
    const Outcome outcome = device.launch(kernel, launch);
    if (!outcome) {
      return outcome;
    }
    device.finish_work();
    return device.take_failure();
  }
  double now_ns() { return device.queue().now_ns(); }
  std::vector<std::uint32_t> log() {
    const std::byte* const bytes = device.memory().host(out, kBytes);
    std::uint32_t count = 0;
    std::memcpy(&count, bytes, 4);
    std::vector<std::uint32_t> values(count);
    std::memcpy(values.data(), bytes + 4, 4 * values.size());
    return values;
  }
};

using Log = std::vector<std::uint32_t>;
const DeviceOptions kUntimed{.functional_only = true};

// 2 v in a tail launch, 2 v + 1 on the block's stream, for v below 8: a tree.
std::string tree() {
  return kernel_of("node", std::string(kLog) + "setp.ge.u32 %p, %v, 8; @%p ret; add.u32 %v, %v, %v;\n" +
                               launch_of("node", "3") + "add.u32 %v, %v, 1;\n" + launch_of("node", "0"));
}

TEST_CASE("a kernel launches itself: children, then tail launches, each with its descendants") {
  const Log expected{1, 3, 7, 15, 14, 6, 13, 12, 2, 5, 11, 10, 4, 9, 8};
  Device untimed(tree(), kUntimed);
  const Outcome outcome = untimed.launch("node", 1);
  INFO(outcome.message);
  REQUIRE(outcome);
  CHECK(untimed.log() == expected);
  Device timed(tree(), {});
  REQUIRE(timed.launch("node", 1));
  CHECK(timed.log() == expected);
  // 15 grids one after another, each with its launch overhead.
  Device one(tree(), {});
  REQUIRE(one.launch("node", 8));
  CHECK(timed.now_ns() > 5 * one.now_ns());
}

TEST_CASE("the order of launches from kernels depends neither on threads nor on the order of SMs") {
  // 12 blocks of 64 threads on two SMs, which loop for different times; lane 0 of each warp launches.
  const std::string ptx = kernel_of("child", kLog) + kernel_of("parent", R"(
    mov.u32 %v, %ctaid.x; mov.u32 %t, %tid.x; mul.lo.u32 %w, %v, 7; rem.u32 %w, %w, 5; add.u32 %w, %w, 1;
    mul.lo.u32 %w, %w, 40;
AGAIN: sub.u32 %w, %w, 1; setp.ne.u32 %p, %w, 0; @%p bra AGAIN;
    mad.lo.u32 %v, %v, 64, %t; and.b32 %t, %t, 31; setp.ne.u32 %p, %t, 0; @%p ret;
)" + launch_of("child", "4"));
  const auto log_with = [&](const DeviceOptions& options) {
    Device device(ptx, options);
    REQUIRE(device.launch("parent", 0, {12, 1, 1}, {64, 1, 1}));
    return device.log();
  };
  const Log usual = log_with({});
  REQUIRE(usual.size() == 24);
  CHECK_FALSE(std::ranges::is_sorted(usual));  // the loops decide
  CHECK(log_with({.threads = 2}) == usual);
  CHECK(log_with({.shuffle = 1}) == usual);
  CHECK(log_with({.threads = 3, .shuffle = 2}) == usual);
  CHECK(log_with({.skip = false}) == usual);
}

TEST_CASE("a child sees what its parent wrote before the launch, and a tail launch what children wrote") {
  const std::string ptx =
      kernel_of("add", "ld.global.u32 %n, [%out+8]; add.u32 %n, %n, %v; st.global.u32 [%out+8], %n;\n") +
      kernel_of("twice", "ld.global.u32 %n, [%out+8]; add.u32 %n, %n, %n; st.global.u32 [%out+8], %n;\n") +
      kernel_of("parent", launch_of("twice", "3") + "st.global.u32 [%out+8], 100;\n" + launch_of("add", "0") +
                              launch_of("add", "4"));
  for (const bool timed : {false, true}) {
    Device device(ptx, {.functional_only = !timed});
    REQUIRE(device.launch("parent", 5));
    std::uint32_t value = 0;
    std::memcpy(&value, device.device.memory().host(device.out + 8, 4), 4);
    CHECK(value == 220);
  }
}

TEST_CASE("launches that the GPU does not allow fail in the kernel") {
  // The tiny GPU has blocks of 256 threads.
  Device device(
      kernel_of("child", kLog) + kernel_of("parent", launch_of("child", "0", 257) + "mov.u32 %v, %e;\n" + kLog),
      kUntimed);
  REQUIRE(device.launch("parent", 0));
  CHECK(device.log() == Log{kInvalidConfiguration});
}

TEST_CASE("the limit of pending launches is the device's") {
  const std::string ptx = kernel_of("child", kLog) + kernel_of("parent", R"(
    mov.u32 %t, %v; mov.u32 %v, 7;
AGAIN:
)" + launch_of("child", "0") + R"(
    sub.u32 %t, %t, 1; setp.ne.u32 %p, %t, 0; @%p bra AGAIN;
    mov.u32 %v, %e;
)" + kLog);
  Device device(ptx, kUntimed);
  device.device.set_limit(kPendingLaunchLimit, 4);
  REQUIRE(device.launch("parent", 5));
  CHECK(device.log() == Log{kDevicePendingCountExceeded, 7, 7, 7, 7});
}

TEST_CASE("a fault of a child is the launch's, and names the child's line") {
  Device device(kernel_of("child", "st.global.u32 [0], %v;\n") + kernel_of("parent", launch_of("child", "0")),
                kUntimed);
  const Outcome outcome = device.launch("parent", 0);
  CHECK(outcome.failure == Failure::kIllegalAddress);
  CHECK(outcome.message.find("kernel child") != std::string::npos);
}

TEST_CASE("a kernel cannot wait in a loop for its children, and the message says that they wait for it") {
  Device device(
      kernel_of("child", "st.global.u32 [%out], 1;\n") +
          kernel_of("parent", launch_of("child", "4") +
                                  "AGAIN: ld.volatile.global.u32 %n, [%out]; setp.eq.u32 %p, %n, 0; @%p bra AGAIN;\n"),
      kUntimed);
  const Outcome outcome = device.launch("parent", 0);
  CHECK(outcome.failure == Failure::kTimeout);
  CHECK(outcome.message.find("launches from kernels that wait for the end of their parent: 1") != std::string::npos);
}

// Of the first interface: launches child<<<1, 1>>>(out, v), waits, and appends the number that is logged then.
std::string waiting_parent() {
  return kernel_of("child", kLog) + R"(.extern .func (.param .b32 r) cudaDeviceSynchronize();
)" + kernel_of("parent", R"({ .param .b64 a; .param .b64 n; .param .b64 back; st.param.b64 [a], 8; st.param.b64 [n], 16;
    call.uni (back), cudaGetParameterBuffer, (a, n); ld.param.b64 %buffer, [back]; }
    st.u64 [%buffer], %out; st.u32 [%buffer+8], %v; mov.u64 %x, child;
    { .param .b64 f; .param .b64 p; .param .align 4 .b8 g[12]; .param .align 4 .b8 b[12]; .param .b32 s; .param .b64 t;
    .param .b32 back; st.param.b64 [f], %x; st.param.b64 [p], %buffer;
    st.param.b32 [g], 1; st.param.b32 [g+4], 1; st.param.b32 [g+8], 1;
    st.param.b32 [b], 1; st.param.b32 [b+4], 1; st.param.b32 [b+8], 1; st.param.b32 [s], 0; st.param.b64 [t], 0;
    call.uni (back), cudaLaunchDevice, (f, p, g, b, s, t); ld.param.b32 %e, [back]; }
    { .param .b32 back; call.uni (back), cudaDeviceSynchronize; ld.param.b32 %e, [back]; }
    ld.global.u32 %v, [%out+4]; add.u32 %v, %v, 1000;
)" + std::string(kLog));
}

TEST_CASE("a kernel before 9.0 waits for its launches and reads their results") {
  const DeviceOptions with_breakpoint = {.breakpoints = {{.kernel = "other", .line = 1}}};
  for (const DeviceOptions& options : {kUntimed, DeviceOptions{}, DeviceOptions{.threads = 2}, with_breakpoint}) {
    Device device(waiting_parent(), options, kA100);
    REQUIRE(device.launch("parent", 5));
    CHECK(device.log() == Log{5, 1005});
  }
}

TEST_CASE("waiting for launches is refused where no grid can run within another one, with the reason") {
  const auto message_with = [](const DeviceOptions& options) {
    Device device(waiting_parent(), options, kA100);
    const Outcome outcome = device.launch("parent", 5);
    CHECK(outcome.failure == Failure::kIllegalInstruction);
    return outcome.message;
  };
  CHECK_THAT(message_with({.functional_only = true, .checks = {.races = true}}), Catch::Contains("search for races"));
  CHECK_THAT(message_with({.functional_only = true, .breakpoints = {{.kernel = "other", .line = 1}}}),
             Catch::Contains("breakpoints"));
}

TEST_CASE("code that waits for launches does not load from 9.0 on") {
  SimulatedDevice device(kTiny, kUntimed);
  ModuleId module = 0;
  const Outcome outcome = device.load_module(kDeclarations + waiting_parent(), "t.ptx", module);
  CHECK(outcome.failure == Failure::kDeviceSynchronise);
  CHECK(code_of(outcome.failure) == 225);  // cudaErrorUnsupportedDevSideSync
  CHECK(outcome.message.find("compute capability 9.0 does not have") != std::string::npos);
}

TEST_CASE("a recorded trace has the grids that kernels launched") {
  const TemporaryFolder folder;
  const std::string path = folder.at("t.wtrace");
  {
    Device device(tree(), {.trace = path});
    REQUIRE(device.launch("node", 4));
  }
  const std::unique_ptr<CommandSource> trace = open_wtrace(path);
  std::size_t launches = 0;
  while (const auto command = trace->next()) {
    launches += std::holds_alternative<std::unique_ptr<KernelSource>>(*command) ? 1 : 0;
  }
  CHECK(launches == 3);
}

TEST_CASE("kernels of machine code launch kernels, whatever is linked as the device runtime", "[machine_code]") {
  const auto* const file = GENERATE("launches.sm_80.cubin", "launches.sm_90.cubin", "launches_linked.sm_80.cubin",
                                    "launches_linked.sm_90.cubin");
  const bool timed = GENERATE(false, true);
  CAPTURE(file, timed);
  SimulatedDevice device(kTiny, {.functional_only = !timed});
  ModuleId module = 0;
  const Outcome loaded = device.load_module(sass::test::load_cubin(file), file, module);
  INFO(loaded.message);
  REQUIRE(loaded);
  CHECK(device.refusal(module).empty());
  KernelId kernel = 0;
  REQUIRE(device.find_kernel(module, "parent", kernel));
  const Address log = device.memory().allocate(64);
  const Address filled = device.memory().allocate(64);
  const Address parameters[] = {log, filled};
  Launch launch;
  launch.grid = launch.block = launch.cluster = {1, 1, 1};
  launch.parameters = std::as_bytes(std::span(parameters));
  const Outcome outcome = device.launch(kernel, launch);
  INFO(outcome.message);
  REQUIRE(outcome);
  device.finish_work();
  REQUIRE(device.take_failure());
  std::uint32_t values[4];
  std::memcpy(values, device.memory().host(log, sizeof values), sizeof values);
  CHECK(Log(values, values + 4) == Log{3, 5, 6, 7});
  // 3 bytes of 4 rows, 8 bytes apart.
  const std::byte* const bytes = device.memory().host(filled, 64);
  for (std::size_t i = 0; i < 64; ++i) {
    CHECK(std::to_integer<int>(bytes[i]) == (i < 32 && i % 8 < 3 ? 0x33 : 0));
  }
}

TEST_CASE("the device runtime's library is recognised by the driver's functions that it refers to") {
  CHECK(is_device_runtime_code("..cudaGetParameterBuffer..cnpGetParameterBuffer.."));
  CHECK_FALSE(is_device_runtime_code("..cudaGetParameterBuffer..cudaLaunchDevice.."));
  CHECK_FALSE(is_device_runtime({}));
}

}  // namespace
}  // namespace warpsim::cuda::device_runtime_tests
