// Calls of the device runtime by kernels: what arrives at DeviceLaunches, and what the kernel gets.
#include "emulator/execution/device_runtime_calls.h"

#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <cstring>
#include <set>

#include "emulator/execution/fault.h"
#include "emulator/machine_code/system_functions.h"
#include "ptx/ptx_error.h"
#include "support/ptx_launch.h"
#include "support/recorded_launches.h"

namespace warpsim::test::device_runtime_calls {
namespace {

using Catch::Contains;
using Kind = DeviceStream::Kind;

// The child is function 0 of the module.
const std::string kChild = ".visible .entry child(.param .u64 p, .param .u32 v) { ret; } ";
const std::string kSecond =
    kChild +
    ".extern .func (.param .b64 r) __cudaCDP2GetParameterBufferV2(.param .b64 f, .param .align 4 .b8 g[12], "
    ".param .align 4 .b8 b[12], .param .b32 s); "
    ".extern .func (.param .b32 r) __cudaCDP2LaunchDeviceV2(.param .b64 p, .param .b64 s); "
    ".extern .func (.param .b32 r) __cudaCDP2LaunchDeviceV2_ptsz(.param .b64 p, .param .b64 s); "
    ".extern .func (.param .b32 r) __cudaCDP2GetLastError(); .extern .func (.param .b32 r) "
    "__cudaCDP2PeekAtLastError(); ";
const std::string kFirst =
    kChild +
    ".extern .func (.param .b64 r) cudaGetParameterBuffer(.param .b64 a, .param .b64 n); "
    ".extern .func (.param .b32 r) cudaLaunchDevice(.param .b64 f, .param .b64 p, .param .align 4 .b8 g[12], "
    ".param .align 4 .b8 b[12], .param .b32 s, .param .b64 t); "
    ".extern .func (.param .b32 r) cudaDeviceSynchronize(); ";

// Launches child<<<(2, 3, 4), (5 + tid, 1, 1), 99, stream>>>(in, 7 + tid); %r0: the error.
std::string launch_on(std::uint64_t stream, const std::string& suffix = "") {
  return fmt::format(
      "{{ .param .b64 f; .param .align 4 .b8 g[12]; .param .align 4 .b8 b[12]; .param .b32 s; .param .b64 back;\n"
      "mov.u64 %rd0, child;\nst.param.b64 [f], %rd0;\nst.param.b32 [g], 2;\nst.param.b32 [g+4], 3;\n"
      "st.param.b32 [g+8], 4;\nadd.u32 %r1, %t, 5;\nst.param.b32 [b], %r1;\nst.param.b32 [b+4], 1;\n"
      "st.param.b32 [b+8], 1;\nst.param.b32 [s], 99;\n"
      "call.uni (back), __cudaCDP2GetParameterBufferV2, (f, g, b, s);\nld.param.b64 %rd1, [back]; }}\n"
      "st.u64 [%rd1], %in;\nadd.u32 %r1, %t, 7;\nst.u32 [%rd1+8], %r1;\n"
      "{{ .param .b64 p; .param .b64 s; .param .b32 back; st.param.b64 [p], %rd1; st.param.b64 [s], {};\n"
      "call.uni (back), __cudaCDP2LaunchDeviceV2{}, (p, s);\nld.param.b32 %r0, [back]; }}\n",
      stream, suffix);
}
const std::string kStoreError = "mul.wide.u32 %rd2, %t, 4;\nadd.u64 %rd2, %out, %rd2;\nst.global.u32 [%rd2], %r0;\n";

struct Launching : PtxLaunch {
  RecordedLaunches recorded{memory};
  explicit Launching(const std::string& body, const std::string& declarations = kSecond)
      : PtxLaunch(body, declarations) {
    launch.launches = &recorded;
    launch.grid_id = 17;
  }
};

template <class T>
T value_at(const DeviceLaunch& launch, std::size_t offset) {
  T value;
  std::memcpy(&value, launch.parameters.data() + offset, sizeof value);
  return value;
}

TEST_CASE("a launch from a kernel arrives with its configuration, its parameters and the launching thread") {
  Launching test(launch_on(0) + kStoreError);
  test.launch.grid = {1, 2, 1};
  test.launch.block = {2, 1, 1};
  test.run();
  REQUIRE(test.recorded.launches.size() == 4);
  for (std::uint32_t i = 0; i < 4; ++i) {
    const DeviceLaunch& launch = test.recorded.launches[i];
    CHECK(launch.kernel == 0);
    CHECK(launch.grid == Dim3{2, 3, 4});
    CHECK(launch.block == Dim3{5 + i % 2, 1, 1});
    CHECK(launch.dynamic_shared_bytes == 99);
    CHECK(launch.interface == DeviceInterface::kSecond);
    CHECK(value_at<Address>(launch, 0) == test.in);
    CHECK(value_at<std::uint32_t>(launch, 8) == 7 + i % 2);
    CHECK(launch.parent == DeviceThread{17, i / 2, i % 2});
  }
}

TEST_CASE("the streams that CUDA names by numbers are recognised, also that of the thread") {
  const auto kind_on = [](std::uint64_t stream, const std::string& suffix) {
    Launching test(launch_on(stream, suffix) + kStoreError);
    test.run();
    REQUIRE(test.recorded.launches.size() == 1);
    CHECK(test.output<std::uint32_t>(0) == 0);
    return test.recorded.launches[0].stream.kind;
  };
  CHECK(kind_on(0, "") == Kind::kBlock);
  CHECK(kind_on(0, "_ptsz") == Kind::kThread);
  CHECK(kind_on(1, "") == Kind::kBlock);
  CHECK(kind_on(2, "") == Kind::kThread);
  CHECK(kind_on(3, "") == Kind::kTail);
  CHECK(kind_on(4, "") == Kind::kFireAndForget);
}

TEST_CASE("a launch on a stream that does not exist fails, and the thread keeps the error until it asks for it") {
  const std::string ask =
      "{ .param .b32 back; call.uni (back), __cudaCDP2PeekAtLastError; ld.param.b32 %r2, [back]; }\n"
      "{ .param .b32 back; call.uni (back), __cudaCDP2GetLastError; ld.param.b32 %r3, [back]; }\n"
      "{ .param .b32 back; call.uni (back), __cudaCDP2GetLastError; ld.param.b32 %r4, [back]; }\n"
      "st.global.v4.u32 [%out], {%r0, %r2, %r3, %r4};\n";
  Launching test(launch_on(0x1234) + ask);
  test.run();
  CHECK(test.recorded.launches.empty());
  CHECK(test.outputs<std::uint32_t>(4) == std::vector<std::uint32_t>{400, 400, 400, 0});
}

TEST_CASE("the error of a launch is its result") {
  Launching test(launch_on(0) + kStoreError);
  test.recorded.answer = kDevicePendingCountExceeded;
  test.run();
  CHECK(test.output<std::uint32_t>(0) == 69);
}

TEST_CASE("the first interface launches by the kernel's address and waits") {
  const std::string body =
      "{ .param .b64 a; .param .b64 n; .param .b64 back; st.param.b64 [a], 8; st.param.b64 [n], 16;\n"
      "call.uni (back), cudaGetParameterBuffer, (a, n);\nld.param.b64 %rd1, [back]; }\n"
      "st.u64 [%rd1], 5;\nmov.u64 %rd0, child;\n"
      "{ .param .b64 f; .param .b64 p; .param .align 4 .b8 g[12]; .param .align 4 .b8 b[12]; .param .b32 s; "
      ".param .b64 t; .param .b32 back;\nst.param.b64 [f], %rd0; st.param.b64 [p], %rd1;\n"
      "st.param.b32 [g], 6; st.param.b32 [g+4], 1; st.param.b32 [g+8], 1;\n"
      "st.param.b32 [b], 32; st.param.b32 [b+4], 2; st.param.b32 [b+8], 1;\n"
      "st.param.b32 [s], 12; st.param.b64 [t], 3;\n"  // no stream: tail launches are of the second interface
      "call.uni (back), cudaLaunchDevice, (f, p, g, b, s, t);\nld.param.b32 %r0, [back];\n"
      "st.param.b64 [t], 0;\ncall.uni (back), cudaLaunchDevice, (f, p, g, b, s, t);\nld.param.b32 %r1, [back]; }\n"
      "{ .param .b32 back; call.uni (back), cudaDeviceSynchronize; ld.param.b32 %r2, [back]; }\n"
      "st.global.v4.u32 [%out], {%r0, %r1, %r2, %r2};\n";
  Launching test(body, kFirst);
  SECTION("before 9.0") {
    test.launch.capability = 80;
    test.run();
    CHECK(test.recorded.waits == 1);
    CHECK(test.outputs<std::uint32_t>(3) == std::vector<std::uint32_t>{400, 0, 0});
    REQUIRE(test.recorded.launches.size() == 1);
    const DeviceLaunch& launch = test.recorded.launches[0];
    CHECK(launch.interface == DeviceInterface::kFirst);
    CHECK(launch.grid == Dim3{6, 1, 1});
    CHECK(launch.block == Dim3{32, 2, 1});
    CHECK(launch.dynamic_shared_bytes == 12);
    CHECK(value_at<std::uint64_t>(launch, 0) == 5);
  }
  SECTION("where the runner cannot wait, the reason is named") {
    test.launch.capability = 80;
    test.recorded.why_not = "is not possible today";
    CHECK_THAT(test.fault(), Contains("cudaDeviceSynchronize(), which is not possible today"));
  }
  SECTION("from 9.0 on no level can wait") {
    test.launch.capability = 90;
    test.run();
    CHECK(test.recorded.waits == 0);
    CHECK(test.outputs<std::uint32_t>(3)[2] == kDeviceSyncDepthExceeded);
  }
}

TEST_CASE("launches are a fault where nothing runs them, and below 3.5") {
  Launching test(launch_on(0));
  test.launch.launches = nullptr;
  CHECK_THAT(test.fault(), Contains("nothing runs what kernels launch"));
  Launching old(launch_on(0));
  old.launch.capability = 30;
  CHECK_THAT(old.fault(), Contains("needs compute capability 3.5; the GPU has 3.0"));
}

TEST_CASE("only the addresses of kernels can be launched") {
  const std::string declarations = kFirst + ".visible .func callable() { ret; } ";
  Launching test(
      "mov.u64 %rd0, callable;\nmov.u32 %r0, 0;\n"
      "{ .param .b64 f; .param .b64 p; .param .align 4 .b8 g[12]; .param .align 4 .b8 b[12]; .param .b32 s; "
      ".param .b64 t; .param .b32 back; st.param.b64 [f], %rd0;\n"
      "call.uni (back), cudaLaunchDevice, (f, p, g, b, s, t);\nld.param.b32 %r0, [back]; }\n" +
          kStoreError,
      declarations);
  test.run();
  CHECK(test.output<std::uint32_t>(0) == kDeviceInvalidFunction);
}

TEST_CASE("a kernel whose address is taken does not belong to the launching kernel") {
  // 4096 bytes of shared memory of the child would be the parent's, and a recursive kernel would call itself.
  Launching test(launch_on(0) + "mov.u32 %r0, %total_smem_size;\nst.global.u32 [%out], %r0;\n",
                 ".visible .entry child(.param .u64 p, .param .u32 v) { .shared .b8 own[4096]; ret; } " +
                     kSecond.substr(kChild.size()));
  test.run();
  CHECK(test.output<std::uint32_t>(0) < 4096);
}

TEST_CASE("arguments of another size, and functions that are not supported, are refused by name") {
  Launching wrong("{ .param .b32 p; .param .b32 back; call.uni (back), cudaDeviceSynchronize, (p); }\n",
                  ".extern .func (.param .b32 r) cudaDeviceSynchronize(.param .b32 p); ");
  CHECK_THROWS_WITH(wrong.run(), Contains("expected 0 arguments") && Contains("cudaDeviceSynchronize"));
  Launching other("{ .param .b32 back; call.uni (back), cudaCGSynchronize; }\n",
                  ".extern .func (.param .b32 r) cudaCGSynchronize(); ");
  CHECK_THROWS_WITH(other.run(), Contains("function cudaCGSynchronize of CUDA's device runtime is not supported"));
}

TEST_CASE("every function of the device runtime has an address in machine code") {
  std::set<std::uint64_t> addresses;
  for (const DeviceRuntimeForm& form : device_runtime_forms()) {
    addresses.insert(system_function_address(form.name));
    CHECK(find_device_runtime_form(form.name) == &form);
  }
  CHECK(addresses.size() == device_runtime_forms().size());
  CHECK_FALSE(addresses.contains(0));
  CHECK(find_device_runtime_form("cudaLaunchKernel") == nullptr);
}

// As nvcc 13 compiles cudaLaunchDevice for 8.0: R4:R5, R6:R7, R8 to R10, R11 to R13, R14; the stream does not fit.
TEST_CASE("machine code passes arguments of the device runtime in registers and on the stack", "[machine_code]") {
  const auto call_of = [](const std::string& name) {
    for (const SystemFunction& function : system_functions()) {
      if (function.name == name) {
        return function.call;
      }
    }
    return std::string();
  };
  const std::string launch = call_of("cudaLaunchDevice");
  CHECK_THAT(launch, Contains("st.param.b32 [a0+0], %r4;st.param.b32 [a0+4], %r5;"));
  CHECK_THAT(launch, Contains("st.param.b32 [a2+0], %r8;") && Contains("st.param.b32 [a3+8], %r13;"));
  CHECK_THAT(launch, Contains("st.param.b32 [a4+0], %r14;ld.local.b32 w, [%r1+0];st.param.b32 [a5+0], w;"));
  // cudaMemset3DAsync: the extent is on the stack, the stream after it in R14:R15.
  const std::string fill = call_of("cudaMemset3DAsync");
  CHECK_THAT(fill, Contains("st.param.b32 [a1+0], %r12;ld.local.b32 w, [%r1+0];st.param.b32 [a2+0], w;"));
  CHECK_THAT(fill, Contains("ld.local.b32 w, [%r1+20];st.param.b32 [a2+20], w;st.param.b32 [a3+0], %r14;"));
}

// --- graphs ---

const std::string kGraphs =
    ".extern .func (.param .b32 r) cudaGraphLaunch(.param .b64 e, .param .b64 s); "
    ".extern .func (.param .b32 r) cudaGraphKernelNodeUpdatesApply(.param .b64 u, .param .b64 n); ";

TEST_CASE("Device runtime calls: a graph is launched into one of three streams") {
  for (const auto& [stream, kind] : {std::pair(0x0100'0000'0000'0000, GraphStream::kTail),
                                     std::pair(0x0200'0000'0000'0000, GraphStream::kFireAndForget),
                                     std::pair(0x0300'0000'0000'0000, GraphStream::kSibling)}) {
    Launching test(fmt::format("{{ .param .b64 e; .param .b64 s; .param .b32 back; st.param.b64 [e], 77; "
                               "st.param.b64 [s], {}; call.uni (back), cudaGraphLaunch, (e, s); "
                               "ld.param.b32 %r0, [back]; }}\n",
                               stream) +
                       kStoreError,
                   kGraphs);
    test.run();
    REQUIRE(test.recorded.graph_launches.size() == 1);
    CHECK(test.recorded.graph_launches.front().graph == 77);
    CHECK(test.recorded.graph_launches.front().stream == kind);
  }
}

TEST_CASE("Device runtime calls: a graph launched into a usual stream is an invalid value") {
  Launching test(
      "{ .param .b64 e; .param .b64 s; .param .b32 back; st.param.b64 [e], 77; st.param.b64 [s], 0; "
      "call.uni (back), cudaGraphLaunch, (e, s); ld.param.b32 %r0, [back]; }\n" +
          kStoreError,
      kGraphs);
  test.run();
  CHECK(test.recorded.graph_launches.empty());
  CHECK(test.output<std::uint32_t>(0) == kDeviceInvalidValue);
}

}  // namespace
}  // namespace warpsim::test::device_runtime_calls
