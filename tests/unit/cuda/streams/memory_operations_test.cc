// Waits for values in memory and writes of them, in streams and graphs, on a device with time.
#include "cuda/streams/memory_operations.h"

#include <catch2/catch.hpp>
#include <chrono>
#include <memory>
#include <thread>
#include <vector>

#include "cuda/calls.h"
#include "cuda/current_device.h"
#include "cuda/device/simulated_device.h"
#include "cuda/driver/driver_api.h"
#include "cuda/driver/driver_graph_api.h"
#include "cuda/streams/memory_operation_api.h"

namespace warpsim::cuda {
namespace {

// publish: after a while word = 5, and the kernel goes on ten times as long.
constexpr const char* kKernels = R"(.version 8.0
.target sm_60
.address_size 64
.visible .entry publish(.param .u64 word, .param .u64 rounds) {
  .reg .b64 %q<4>; .reg .pred %p;
  ld.param.u64 %q1, [word];
  ld.param.u64 %q2, [rounds];
  mul.lo.u64 %q3, %q2, 10;
FIRST:
  sub.u64 %q2, %q2, 1;
  setp.ne.u64 %p, %q2, 0;
  @%p bra FIRST;
  st.global.u32 [%q1], 5;
SECOND:
  sub.u64 %q3, %q3, 1;
  setp.ne.u64 %p, %q3, 0;
  @%p bra SECOND;
  ret;
}
)";

constexpr unsigned kGeq = 0;
constexpr unsigned kEq = 1;
constexpr unsigned kAnd = 2;
constexpr unsigned kNor = 3;
constexpr unsigned kFlush = 1U << 30U;
constexpr int kDriverNotReady = 600;
constexpr int kDriverNotSupported = 801;

struct Values {
  ModuleHandle module = nullptr;
  KernelHandle publish = nullptr;
  std::uint64_t word = 0;  // in device memory
  std::uint32_t* pinned = nullptr;
  StreamHandle first = nullptr;
  StreamHandle second = nullptr;

  explicit Values(const DeviceOptions& options = {}) {
    process_context().use_device(
        std::make_unique<SimulatedDevice>(WARPSIM_SOURCE_DIR "/configs/test_tiny.yaml", options));
    enter_primary_context();
    REQUIRE(cuModuleLoadData(&module, kKernels) == kSuccess);
    REQUIRE(cuModuleGetFunction(&publish, module, "publish") == kSuccess);
    REQUIRE(cuMemAlloc_v2(&word, 64) == kSuccess);
    REQUIRE(cuMemsetD8_v2(word, 0, 64) == kSuccess);
    void* host = nullptr;
    REQUIRE(cuMemHostAlloc(&host, 64, 0) == kSuccess);
    pinned = static_cast<std::uint32_t*>(host);
    std::fill_n(pinned, 16, 0U);
    REQUIRE(cuStreamCreate(&first, 1) == kSuccess);
    REQUIRE(cuStreamCreate(&second, 1) == kSuccess);
    REQUIRE(cuCtxSynchronize() == kSuccess);
  }
  ~Values() { process_context().use_device(nullptr); }
  Values(const Values&) = delete;
  Values& operator=(const Values&) = delete;

  std::uint64_t address() const { return reinterpret_cast<std::uint64_t>(pinned); }
  void launch(StreamHandle stream, std::uint64_t rounds) {
    void* arguments[] = {&word, &rounds};
    REQUIRE(cuLaunchKernel(publish, 1, 1, 1, 32, 1, 1, 0, stream, arguments, nullptr) == kSuccess);
  }
  // From the end of a stream's wait for the value of a kernel in another one to the end of the kernel.
  float ms_after_wait(std::uint64_t rounds) {
    EventHandle seen = nullptr;
    EventHandle ended = nullptr;
    REQUIRE(cuEventCreate(&seen, 0) == kSuccess);
    REQUIRE(cuEventCreate(&ended, 0) == kSuccess);
    launch(second, rounds);
    REQUIRE(cuEventRecord(ended, second) == kSuccess);
    REQUIRE(cuStreamWaitValue32_v2(first, word, 5, kEq) == kSuccess);
    REQUIRE(cuEventRecord(seen, first) == kSuccess);
    REQUIRE(cuCtxSynchronize() == kSuccess);
    float ms = 0;
    REQUIRE(cuEventElapsedTime(&ms, seen, ended) == kSuccess);
    return ms;
  }
  std::uint32_t read(std::uint64_t from) {
    std::uint32_t value = 0;
    REQUIRE(cuMemcpyDtoH_v2(&value, from, sizeof value) == kSuccess);
    return value;
  }
};

abi::MemoryOperation operation(int type, std::uint64_t address, std::uint64_t value, unsigned flags = 0) {
  abi::MemoryOperation made = {};
  made.value = {type, address, value, flags, 0};
  return made;
}

TEST_CASE("Memory operations: a stream waits until another one has written the value") {
  Values values;
  REQUIRE(cuStreamWaitValue32_v2(values.first, values.word, 7, kGeq) == kSuccess);
  REQUIRE(cuMemcpyDtoHAsync_v2(values.pinned, values.word + 4, 4, values.first) == kSuccess);
  REQUIRE(cuMemsetD32Async(values.word + 4, 11, 1, values.second) == kSuccess);
  CHECK(cuStreamQuery(values.first) == kDriverNotReady);
  REQUIRE(cuStreamWriteValue32_v2(values.second, values.word, 7, 0) == kSuccess);
  REQUIRE(cuStreamSynchronize(values.first) == kSuccess);
  CHECK(values.pinned[0] == 11);
  CHECK(values.read(values.word) == 7);
}

TEST_CASE("Memory operations: a kernel that runs ends a wait with the value that it writes") {
  Values values;
  const float ms = values.ms_after_wait(2000);
  // The kernel runs for ten of eleven parts of its time afterwards; one loop takes more than 4 cycles of 1 ns.
  CHECK(ms > 10 * 2000 * 4e-6);
}

TEST_CASE("Memory operations: the end of a wait for a kernel does not depend on threads, skipping and order") {
  const auto time = [](const DeviceOptions& options) {
    Values values(options);
    return values.ms_after_wait(700);
  };
  DeviceOptions threads;
  threads.threads = 3;
  DeviceOptions every_cycle;
  every_cycle.skip = false;
  DeviceOptions shuffled;
  shuffled.shuffle = 9;
  const float expected = time({});
  CHECK(expected > 0);
  CHECK(time(threads) == expected);
  CHECK(time(every_cycle) == expected);
  CHECK(time(shuffled) == expected);
}

TEST_CASE("Memory operations: the host can write the value while it waits for the stream in another thread") {
  Values values;
  REQUIRE(cuStreamWaitValue32_v2(values.first, values.address(), 1, kGeq) == kSuccess);
  REQUIRE(cuStreamWriteValue32_v2(values.first, values.address() + 4, 9, 0) == kSuccess);
  CHECK(cuStreamQuery(values.first) == kDriverNotReady);
  std::thread writer([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    __atomic_store_n(values.pinned, 1U, __ATOMIC_RELEASE);
  });
  CHECK(cuStreamSynchronize(values.first) == kSuccess);
  writer.join();
  CHECK(values.pinned[1] == 9);
}

TEST_CASE("Memory operations: another thread can end the wait of the host by a call") {
  Values values;
  REQUIRE(cuStreamWaitValue32_v2(values.first, values.word, 1, kGeq) == kSuccess);
  std::thread writer([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    CHECK(cuStreamWriteValue32_v2(values.second, values.word, 1, 0) == kSuccess);
  });
  CHECK(cuCtxSynchronize() == kSuccess);
  writer.join();
}

TEST_CASE("Memory operations: the conditions of waits") {
  struct Row {
    bool wide;
    unsigned condition;
    std::uint64_t found;
    std::uint64_t value;
    bool passes;
  };
  const Row rows[] = {
      {false, kGeq, 5, 5, true},
      {false, kGeq, 4, 5, false},
      {false, kGeq, 2, 0xfffffff0, true},  // cyclic
      {false, kGeq, 0x80000005, 5, false},
      {false, kEq, 5, 5, true},
      {false, kEq, 6, 5, false},
      {false, kAnd, 6, 4, true},
      {false, kAnd, 6, 9, false},
      {false, kNor, 0xfffffff0, 0x0f, false},
      {false, kNor, 0xfffffff0, 0x0e, true},
      {true, kGeq, 0x100000000, 0xffffffff, true},
      {true, kGeq, 0xffffffff, 0x100000000, false},
      {true, kEq, 0x100000005, 5, false},
      {true, kAnd, 0x100000000, 0x100000000, true},
      {true, kNor, 0xffffffff, 0, true},
      {true, kNor, 0xffffffffffffffff, 0, false},
  };
  for (const Row& row : rows) {
    CAPTURE(row.wide, row.condition, row.found, row.value);
    Values values;
    std::memcpy(values.pinned, &row.found, sizeof row.found);
    if (row.wide) {
      REQUIRE(cuStreamWaitValue64_v2(values.first, values.address(), row.value, row.condition) == kSuccess);
    } else {
      REQUIRE(cuStreamWaitValue32_v2(values.first, values.address(), static_cast<std::uint32_t>(row.value),
                                     row.condition) == kSuccess);
    }
    CHECK(cuStreamQuery(values.first) == (row.passes ? kSuccess : kDriverNotReady));
  }
}

TEST_CASE("Memory operations: a batch is done in its order") {
  Values values;
  abi::MemoryOperation barrier = {};
  barrier.plain = {abi::kMemoryBarrier, 1};
  abi::MemoryOperation batch[] = {operation(abi::kWriteValue32, values.word, 3), barrier,
                                  operation(abi::kWaitValue32, values.address(), 1),
                                  operation(abi::kWriteValue64, values.word + 8, 0x100000002)};
  REQUIRE(cuStreamBatchMemOp_v2(values.first, 4, batch, 0) == kSuccess);
  CHECK(cuStreamQuery(values.first) == kDriverNotReady);
  CHECK(values.read(values.word) == 3);
  CHECK(values.read(values.word + 12) == 0);
  *values.pinned = 1;
  REQUIRE(cuStreamSynchronize(values.first) == kSuccess);
  CHECK(values.read(values.word + 8) == 2);
  CHECK(values.read(values.word + 12) == 1);
}

TEST_CASE("Memory operations: errors") {
  Values values;
  std::uint64_t managed = 0;
  REQUIRE(cuMemAllocManaged(&managed, 64, 1) == kSuccess);
  std::uint32_t local = 0;
  CHECK(cuStreamWaitValue32_v2(values.first, values.word + 2, 1, 0) == kInvalidValue);
  CHECK(cuStreamWaitValue64_v2(values.first, values.word + 4, 1, 0) == kInvalidValue);
  CHECK(cuStreamWaitValue32_v2(values.first, values.word, 1, 4) == kInvalidValue);
  CHECK(cuStreamWaitValue32_v2(values.first, managed, 1, 0) == kInvalidValue);
  CHECK(cuStreamWriteValue32_v2(values.first, reinterpret_cast<std::uint64_t>(&local), 1, 0) == kInvalidValue);
  CHECK(cuStreamWaitValue32_v2(values.first, values.word, 1, kFlush) == kDriverNotSupported);
  CHECK(cuStreamWriteValue32_v2(values.first, values.word, 1, 1) == kInvalidValue);
  CHECK(cuStreamWriteValue32(values.first, values.word, 1, 1) == kSuccess);
  std::vector<abi::MemoryOperation> many(256, operation(abi::kWriteValue32, values.word, 1));
  CHECK(cuStreamBatchMemOp_v2(values.first, 256, many.data(), 0) == kInvalidValue);
  CHECK(cuStreamBatchMemOp_v2(values.first, 255, many.data(), 0) == kSuccess);
  CHECK(cuStreamBatchMemOp_v2(values.first, 1, many.data(), 1) == kInvalidValue);
  abi::MemoryOperation other = {};
  other.plain = {abi::kMemoryBarrier, 0};
  CHECK(cuStreamBatchMemOp(values.first, 1, &other, 0) == kInvalidValue);
  CHECK(cuStreamBatchMemOp_v2(values.first, 1, &other, 0) == kSuccess);
  other.plain = {abi::kFlushWrites, 0};
  CHECK(cuStreamBatchMemOp_v2(values.first, 1, &other, 0) == kDriverNotSupported);
  other.plain = {9, 0};
  CHECK(cuStreamBatchMemOp_v2(values.first, 1, &other, 0) == kInvalidValue);
  // Those of the first interface are no longer announced, as on an H100 with driver 580.
  for (const auto& [attribute, expected] : {std::pair{92, 0}, {93, 0}, {94, 0}, {122, 1}, {123, 1}}) {
    int value = -1;
    CHECK(cuDeviceGetAttribute(&value, attribute, 0) == kSuccess);
    CHECK(value == expected);
  }
  REQUIRE(cuCtxSynchronize() == kSuccess);
}

TEST_CASE("Memory operations: without time a stream waits for a value, too, which the host or another stream writes") {
  DeviceOptions options;
  options.functional_only = true;
  Values values(options);
  CHECK(cuStreamWaitValue32_v2(values.first, values.word, 7, kGeq) == kSuccess);
  CHECK(cuStreamWriteValue32_v2(values.first, values.word + 4, 1, 0) == kSuccess);
  CHECK(cuStreamQuery(values.first) == kDriverNotReady);
  CHECK(values.read(values.word + 4) == 0);
  CHECK(cuStreamWriteValue32_v2(values.second, values.word, 7, 0) == kSuccess);
  CHECK(cuStreamQuery(values.first) == kSuccess);
  CHECK(values.read(values.word + 4) == 1);
  CHECK(cuStreamWaitValue32_v2(values.first, values.address(), 3, kGeq) == kSuccess);
  CHECK(cuStreamQuery(values.first) == kDriverNotReady);
  *values.pinned = 3;
  CHECK(cuStreamSynchronize(values.first) == kSuccess);
}

TEST_CASE("Memory operations: nodes of graphs, made and captured") {
  Values values;
  GraphHandle graph = nullptr;
  REQUIRE(cuGraphCreate(&graph, 0) == kSuccess);
  abi::MemoryOperation batch[] = {operation(abi::kWaitValue32, values.address(), 1),
                                  operation(abi::kWriteValue32, values.word, 4)};
  const abi::BatchNodeParameters parameters = {nullptr, 2, batch, 0};
  NodeHandle node = nullptr;
  REQUIRE(cuGraphAddBatchMemOpNode(&node, graph, nullptr, 0, &parameters) == kSuccess);
  int type = 0;
  REQUIRE(cuGraphNodeGetType(node, &type) == kSuccess);
  CHECK(type == 12);
  abi::BatchNodeParameters read = {};
  REQUIRE(cuGraphBatchMemOpNodeGetParams(node, &read) == kSuccess);
  REQUIRE(read.count == 2);
  CHECK(read.operations[1].value.value == 4);
  ExecHandle exec = nullptr;
  REQUIRE(cuGraphInstantiateWithFlags(&exec, graph, 0) == kSuccess);
  batch[1].value.value = 6;
  REQUIRE(cuGraphExecBatchMemOpNodeSetParams(exec, node, &parameters) == kSuccess);
  REQUIRE(cuGraphLaunch(exec, values.first) == kSuccess);
  CHECK(cuStreamQuery(values.first) == kDriverNotReady);
  *values.pinned = 1;
  REQUIRE(cuStreamSynchronize(values.first) == kSuccess);
  CHECK(values.read(values.word) == 6);
  REQUIRE(cuGraphBatchMemOpNodeGetParams(node, &read) == kSuccess);
  CHECK(read.operations[1].value.value == 4);
  REQUIRE(cuGraphBatchMemOpNodeSetParams(node, &parameters) == kSuccess);
  REQUIRE(cuGraphBatchMemOpNodeGetParams(node, &read) == kSuccess);
  CHECK(read.operations[1].value.value == 6);
  const abi::BatchNodeParameters empty = {nullptr, 0, batch, 0};
  CHECK(cuGraphBatchMemOpNodeSetParams(node, &empty) == kInvalidValue);

  GraphHandle captured = nullptr;
  REQUIRE(cuStreamBeginCapture_v2(values.first, 0) == kSuccess);
  REQUIRE(cuStreamWriteValue32_v2(values.first, values.word, 8, 0) == kSuccess);
  REQUIRE(cuStreamEndCapture(values.first, &captured) == kSuccess);
  CHECK(values.read(values.word) == 6);
  REQUIRE(cuGraphInstantiateWithFlags(&exec, captured, 0) == kSuccess);
  REQUIRE(cuGraphLaunch(exec, values.first) == kSuccess);
  REQUIRE(cuStreamSynchronize(values.first) == kSuccess);
  CHECK(values.read(values.word) == 8);
}

}  // namespace
}  // namespace warpsim::cuda
