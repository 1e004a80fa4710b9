#include "cuda/streams/stream_attributes.h"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "cuda/calls.h"
#include "cuda/driver/driver_api.h"
#include "cuda/runtime/runtime_api.h"
#include "cuda/runtime/runtime_graph_api.h"
#include "cuda/streams/launch_attributes.h"

namespace warpsim::cuda {
namespace {

const std::string kTiny = WARPSIM_SOURCE_DIR "/configs/test_tiny.yaml";
const std::string kOlder = WARPSIM_SOURCE_DIR "/configs/v100.yaml";
constexpr int kUnsupported = 215;  // cudaErrorUnsupportedLimit
constexpr int kLimitOfL2 = 6;
constexpr int kL2Bytes = 38;  // attributes
constexpr int kPersistingBytes = 108;
constexpr int kWindowBytes = 109;

// Each thread reads one word of a line of its own.
constexpr const char* kReader = R"(.version 8.0
.target sm_60
.address_size 64
.visible .entry read(.param .u64 data) {
  .reg .b32 %r<8>; .reg .b64 %q<4>; .reg .pred %p;
  ld.param.u64 %q1, [data];
  mov.u32 %r1, %ctaid.x;
  mov.u32 %r2, %ntid.x;
  mov.u32 %r3, %tid.x;
  mad.lo.u32 %r4, %r1, %r2, %r3;
  mul.wide.u32 %q2, %r4, 128;
  add.u64 %q3, %q1, %q2;
  ld.global.cg.u32 %r5, [%q3];
  setp.eq.u32 %p, %r5, 77;
  @%p st.global.u32 [%q3], %r4;
  ret;
}
)";

abi::LaunchAttribute window_attribute(const void* begin, std::size_t bytes, float ratio = 1, int hit = 2,
                                      int miss = 1) {
  abi::LaunchAttribute attribute = {};
  attribute.value.window = {const_cast<void*>(begin), bytes, ratio, hit, miss};
  return attribute;
}

struct WindowProgram {
  explicit WindowProgram(const std::string& gpu = kTiny, const DeviceOptions& options = {}) {
    process_context().use_devices(make_devices({gpu}, options));
    cudaGetLastError();
    REQUIRE(cudaStreamCreate(&stream) == kSuccess);
  }
  ~WindowProgram() {
    process_context().use_device(nullptr);
    process_context().forget_errors();
  }
  WindowProgram(const WindowProgram&) = delete;
  WindowProgram& operator=(const WindowProgram&) = delete;
  int set(const abi::LaunchAttribute& attribute) {
    const int error = cudaStreamSetAttribute(stream, kAttributeWindow, &attribute.value);
    cudaGetLastError();
    return error;
  }
  StreamHandle stream = nullptr;
};

// Reads of a window and of other memory. Times are in microseconds.
struct Reads : WindowProgram {
  explicit Reads(DeviceOptions options = {}) : WindowProgram(kTiny, larger(options)) {
    REQUIRE(cuModuleLoadData(&module, kReader) == kSuccess);
    REQUIRE(cuModuleGetFunction(&kernel, module, "read") == kSuccess);
    REQUIRE(cudaDeviceGetAttribute(&l2_bytes, kL2Bytes, 0) == kSuccess);
    window_lines = static_cast<unsigned>(l2_bytes) / 4 / 128;
    REQUIRE(cudaMalloc(&window, window_lines * 128) == kSuccess);
    REQUIRE(cudaMalloc(&other, static_cast<std::size_t>(l2_bytes) * 4) == kSuccess);
    REQUIRE(cudaEventCreate(&before) == kSuccess);
    REQUIRE(cudaEventCreate(&after) == kSuccess);
  }
  // An L2 of enough lines and ways, in one partition: reads across partitions take nearly as long as those from DRAM.
  static DeviceOptions& larger(DeviceOptions& options) {
    options.overrides = {"l2.num_sets=256", "l2.num_ways=16", "address_map.num_partitions=1"};
    return options;
  }
  float read(void* data, unsigned lines, abi::LaunchAttribute* attribute = nullptr) {
    void* arguments[] = {&data};
    REQUIRE(cudaEventRecord(before, stream) == kSuccess);
    abi::DriverLaunchConfig config = {};
    config.grid = {lines / 32, 1, 1};
    config.block = {32, 1, 1};
    config.stream = stream;
    config.attributes = attribute;
    config.attribute_count = attribute == nullptr ? 0 : 1;
    REQUIRE(cuLaunchKernelEx(&config, kernel, arguments, nullptr) == kSuccess);
    REQUIRE(cudaEventRecord(after, stream) == kSuccess);
    REQUIRE(cudaStreamSynchronize(stream) == kSuccess);
    float ms = 0;
    REQUIRE(cudaEventElapsedTime(&ms, before, after) == kSuccess);
    return ms * 1000;
  }
  void pass() { read(other, static_cast<unsigned>(l2_bytes) * 2 / 128); }
  ModuleHandle module = nullptr;
  KernelHandle kernel = nullptr;
  int l2_bytes = 0;
  unsigned window_lines = 0;
  void* window = nullptr;
  void* other = nullptr;
  EventHandle before = nullptr;
  EventHandle after = nullptr;
};

}  // namespace

TEST_CASE("stream attributes: windows that CUDA refuses do not change the stream's") {
  WindowProgram program;
  int largest = 0;
  REQUIRE(cudaDeviceGetAttribute(&largest, kWindowBytes, 0) == kSuccess);
  CHECK(largest == 128 << 20);
  const auto most = static_cast<std::size_t>(largest);
  CHECK(program.set(window_attribute(&program, 4096, 0.5F)) == kSuccess);
  CHECK(program.set(window_attribute(&program, most, 1)) == kSuccess);
  CHECK(program.set(window_attribute(nullptr, 4096, 0.25F, 1, 0)) == kSuccess);
  CHECK(program.set(window_attribute(&program, most + 1)) == kInvalidValue);
  CHECK(program.set(window_attribute(&program, 4096, 1.5F)) == kInvalidValue);
  CHECK(program.set(window_attribute(&program, 4096, -0.5F)) == kInvalidValue);
  CHECK(program.set(window_attribute(&program, 4096, 1, 2, 2)) == kInvalidValue);
  abi::LaunchAttribute got = {};
  REQUIRE(cudaStreamGetAttribute(program.stream, kAttributeWindow, &got.value) == kSuccess);
  CHECK(got.value.window.bytes == 4096);
  CHECK(got.value.window.hit_ratio == 0.25F);
  StreamHandle copy = nullptr;
  REQUIRE(cudaStreamCreate(&copy) == kSuccess);
  REQUIRE(cudaStreamCopyAttributes(copy, program.stream) == kSuccess);
  got = {};
  REQUIRE(cudaStreamGetAttribute(copy, kAttributeWindow, &got.value) == kSuccess);
  CHECK(got.value.window.bytes == 4096);
  CHECK(cudaStreamGetAttribute(program.stream, 4, &got.value) == kInvalidValue);
  CHECK(cudaStreamSetAttribute(program.stream, kAttributeCooperative, &got.value) == kInvalidValue);
  cudaGetLastError();
}

TEST_CASE("stream attributes: the set-aside part of L2 is in sixteenths") {
  WindowProgram program;
  int bytes = 0;
  int most = 0;
  REQUIRE(cudaDeviceGetAttribute(&bytes, kL2Bytes, 0) == kSuccess);
  REQUIRE(cudaDeviceGetAttribute(&most, kPersistingBytes, 0) == kSuccess);
  CHECK(most == bytes / 2);
  std::size_t limit = 0;
  REQUIRE(cudaDeviceGetLimit(&limit, kLimitOfL2) == kSuccess);
  CHECK(limit == static_cast<std::size_t>(bytes) / 4);
  REQUIRE(cudaDeviceSetLimit(kLimitOfL2, 1) == kSuccess);
  REQUIRE(cudaDeviceGetLimit(&limit, kLimitOfL2) == kSuccess);
  CHECK(limit == static_cast<std::size_t>(bytes) / 16);
  CHECK(cudaDeviceSetLimit(kLimitOfL2, static_cast<std::size_t>(most) + 1) == kInvalidValue);
  REQUIRE(cudaDeviceGetLimit(&limit, kLimitOfL2) == kSuccess);
  CHECK(limit == static_cast<std::size_t>(bytes) / 16);
  cudaGetLastError();
}

TEST_CASE("stream attributes: a GPU before 8.0 refuses windows and the limit") {
  DeviceOptions options;
  options.functional_only = true;
  WindowProgram program(kOlder, options);
  int value = 1;
  REQUIRE(cudaDeviceGetAttribute(&value, kPersistingBytes, 0) == kSuccess);
  CHECK(value == 0);
  CHECK(program.set(window_attribute(&program, 4096)) == kInvalidValue);
  CHECK(cudaDeviceSetLimit(kLimitOfL2, 4096) == kUnsupported);
  std::size_t limit = 0;
  CHECK(cudaDeviceGetLimit(&limit, kLimitOfL2) == kUnsupported);
  cudaGetLastError();
}

TEST_CASE("stream attributes: lines of a persisting window stay in L2 while a kernel reads other memory") {
  const auto threads = GENERATE(1U, 2U);
  DeviceOptions options;
  options.threads = threads;
  Reads program(options);
  int most = 0;
  REQUIRE(cudaDeviceGetAttribute(&most, kPersistingBytes, 0) == kSuccess);
  REQUIRE(cudaDeviceSetLimit(kLimitOfL2, static_cast<std::size_t>(most)) == kSuccess);
  program.read(program.window, program.window_lines);
  program.pass();
  const float missing = program.read(program.window, program.window_lines);
  const float present = program.read(program.window, program.window_lines);
  CAPTURE(missing, present);
  REQUIRE(present < 0.8F * missing);

  // By the attribute of a launch.
  abi::LaunchAttribute attribute = window_attribute(program.window, program.window_lines * 128);
  attribute.id = kAttributeWindow;
  program.read(program.window, program.window_lines, &attribute);
  program.pass();
  const float kept = program.read(program.window, program.window_lines);
  CHECK(kept < (present + missing) / 2);
  // They persist until the program ends that.
  program.pass();
  CHECK(program.read(program.window, program.window_lines) < (present + missing) / 2);
  REQUIRE(cudaCtxResetPersistingL2Cache() == kSuccess);
  program.pass();
  CHECK(program.read(program.window, program.window_lines) > (present + missing) / 2);

  // By the attribute of the stream.
  REQUIRE(program.set(window_attribute(program.window, program.window_lines * 128)) == kSuccess);
  program.read(program.window, program.window_lines);
  program.pass();
  CHECK(program.read(program.window, program.window_lines) < (present + missing) / 2);
  // A window with normal accesses ends it.
  REQUIRE(program.set(window_attribute(program.window, program.window_lines * 128, 1, 0, 0)) == kSuccess);
  program.read(program.window, program.window_lines);
  program.pass();
  CHECK(program.read(program.window, program.window_lines) > (present + missing) / 2);
}

TEST_CASE("stream attributes: a captured launch keeps the window that its stream had, and a node may get another") {
  Reads program;
  REQUIRE(program.set(window_attribute(program.window, 4096)) == kSuccess);
  GraphHandle graph = nullptr;
  REQUIRE(cudaStreamBeginCapture(program.stream, 0) == kSuccess);
  void* arguments[] = {&program.window};
  REQUIRE(cuLaunchKernel(program.kernel, 4, 1, 1, 32, 1, 1, 0, program.stream, arguments, nullptr) == kSuccess);
  REQUIRE(cudaStreamEndCapture(program.stream, &graph) == kSuccess);
  REQUIRE(program.set(window_attribute(program.window, 0)) == kSuccess);
  NodeHandle node = nullptr;
  std::size_t count = 1;
  REQUIRE(cudaGraphGetNodes(graph, &node, &count) == kSuccess);
  abi::LaunchAttribute got = {};
  REQUIRE(cudaGraphKernelNodeGetAttribute(node, kAttributeWindow, &got.value) == kSuccess);
  CHECK(got.value.window.bytes == 4096);
  CHECK(got.value.window.hit_property == 2);
  const abi::LaunchAttribute other = window_attribute(program.window, 8192, 0.5F);
  REQUIRE(cudaGraphKernelNodeSetAttribute(node, kAttributeWindow, &other.value) == kSuccess);
  REQUIRE(cudaGraphKernelNodeGetAttribute(node, kAttributeWindow, &got.value) == kSuccess);
  CHECK(got.value.window.bytes == 8192);
}

}  // namespace warpsim::cuda
