// Events of several processes. The other process is played by a second object of the same event.
#include "cuda/ipc/ipc_events.h"

#include <catch2/catch.hpp>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <thread>

#include "cuda/calls.h"
#include "cuda/device/simulated_device.h"
#include "cuda/driver/driver_api.h"
#include "cuda/ipc/ipc_api.h"
#include "cuda/ipc/shared_event.h"
#include "cuda/memory/memory_calls.h"
#include "cuda/runtime/runtime_api.h"
#include "cuda/runtime/runtime_graph_api.h"

namespace warpsim::cuda {
namespace {

constexpr unsigned kOfProcesses = 6;
constexpr std::chrono::milliseconds kWhile{20};

struct Shared {
  explicit Shared(const DeviceOptions& options = {}) {
    process_context().use_device(
        std::make_unique<SimulatedDevice>(WARPSIM_SOURCE_DIR "/configs/test_tiny.yaml", options));
    cudaGetLastError();
    REQUIRE(cudaEventCreateWithFlags(&event, kOfProcesses) == kSuccess);
    REQUIRE(cudaStreamCreateWithFlags(&stream, 1) == kSuccess);
    other = std::make_unique<SharedEvent>(process_context().event(event).shared->handle());
  }
  ~Shared() {
    process_context().use_device(nullptr);
    process_context().forget_errors();
  }
  Shared(const Shared&) = delete;
  Shared& operator=(const Shared&) = delete;

  // Does this a while later, while the calling thread goes on.
  static std::thread later(const std::function<void()>& what) {
    return std::thread([what] {
      std::this_thread::sleep_for(kWhile);
      what();
    });
  }

  EventHandle event = nullptr;
  StreamHandle stream = nullptr;
  std::unique_ptr<SharedEvent> other;
};

TEST_CASE("IPC events: the host waits for a record of another process, which takes no time of the device") {
  for (const bool functional_only : {false, true}) {
    Shared shared({.functional_only = functional_only});
    CHECK(cudaEventQuery(shared.event) == kSuccess);  // no record yet
    const std::uint64_t number = shared.other->begin_record();
    CHECK(cudaEventQuery(shared.event) == kNotReady);
    const double before_ns = process_context().device().queue().now_ns();
    std::thread thread = Shared::later([&] { shared.other->end_record(number); });
    CHECK(cudaEventSynchronize(shared.event) == kSuccess);
    CHECK(shared.other->state(number) == SharedEvent::State::kDone);
    CHECK(process_context().device().queue().now_ns() - before_ns < 1e5);
    CHECK(cudaEventQuery(shared.event) == kSuccess);
    thread.join();
  }
}

TEST_CASE("IPC events: a stream waits for the latest record, of any process") {
  for (const bool functional_only : {false, true}) {
    Shared shared({.functional_only = functional_only});
    void* data = nullptr;
    std::uint32_t* pinned = nullptr;
    REQUIRE(cudaMalloc(&data, 4) == kSuccess);
    REQUIRE(cudaHostAlloc(reinterpret_cast<void**>(&pinned), 4, 0) == kSuccess);
    *pinned = 1;
    REQUIRE(cudaEventRecord(shared.event, shared.stream) == kSuccess);
    const std::uint64_t number = shared.other->begin_record();
    std::thread thread = Shared::later([&, number] {
      *pinned = 2;
      shared.other->end_record(number);
    });
    REQUIRE(cudaStreamWaitEvent(shared.stream, shared.event, 0) == kSuccess);
    REQUIRE(cudaMemcpyAsync(data, pinned, 4, 1, shared.stream) == kSuccess);
    REQUIRE(cudaStreamSynchronize(shared.stream) == kSuccess);
    thread.join();
    std::uint32_t copied = 0;
    REQUIRE(cudaMemcpy(&copied, data, 4, 2) == kSuccess);
    CHECK(copied == 2);
    // An own record is waited for as with any event.
    REQUIRE(cudaEventRecord(shared.event, shared.stream) == kSuccess);
    CHECK(shared.other->latest() == number + 1);
    CHECK(cudaStreamWaitEvent(nullptr, shared.event, 0) == kSuccess);
    CHECK(cudaEventSynchronize(shared.event) == kSuccess);
    CHECK(shared.other->state(number + 1) == SharedEvent::State::kDone);
  }
}

TEST_CASE("IPC events: a wait of a stream takes no time of the device while the program does nothing") {
  Shared shared;
  const std::uint64_t number = shared.other->begin_record();
  REQUIRE(cudaStreamWaitEvent(shared.stream, shared.event, 0) == kSuccess);
  std::this_thread::sleep_for(std::chrono::milliseconds(150));  // after 100 ms the device works on without a call
  CHECK(cudaStreamQuery(shared.stream) == kNotReady);
  shared.other->end_record(number);
  CHECK(cudaStreamSynchronize(shared.stream) == kSuccess);
  CHECK(process_context().device().queue().now_ns() < 1e5);
}

TEST_CASE("IPC events: a record that will never be done is an error of who waits") {
  for (const bool functional_only : {false, true}) {
    Shared shared({.functional_only = functional_only});
    const std::uint64_t number = shared.other->begin_record();
    std::thread thread = Shared::later([&] { shared.other->lose_record(number); });
    CHECK(cudaEventSynchronize(shared.event) == kLaunchFailure);
    CHECK(cudaDeviceSynchronize() == kLaunchFailure);
    thread.join();
  }
  Shared shared;
  shared.other->lose_record(shared.other->begin_record());
  cudaStreamWaitEvent(shared.stream, shared.event, 0);
  CHECK(cudaStreamSynchronize(shared.stream) == kLaunchFailure);
}

TEST_CASE("IPC events: when a device fails, others do not wait for its records") {
  Shared shared;
  EventHandle never = nullptr;
  REQUIRE(cudaEventCreateWithFlags(&never, kOfProcesses) == kSuccess);
  SharedEvent content(process_context().event(never).shared->handle());
  const std::uint64_t number = shared.other->begin_record();
  REQUIRE(cudaStreamWaitEvent(shared.stream, shared.event, 0) == kSuccess);
  REQUIRE(cudaEventRecord(never, shared.stream) == kSuccess);
  CHECK(content.state(1) == SharedEvent::State::kPending);
  shared.other->lose_record(number);
  CHECK(cudaStreamSynchronize(shared.stream) == kLaunchFailure);
  CHECK(content.state(1) == SharedEvent::State::kLost);
}

TEST_CASE("IPC events: graphs do not take them, captured streams do") {
  Shared shared({.functional_only = true});
  GraphHandle graph = nullptr;
  NodeHandle node = nullptr;
  ExecHandle exec = nullptr;
  REQUIRE(cudaGraphCreate(&graph, 0) == kSuccess);
  REQUIRE(cudaGraphAddEventWaitNode(&node, graph, nullptr, 0, shared.event) == kSuccess);
  REQUIRE(cudaGraphInstantiateWithFlags(&exec, graph, 0) == kSuccess);
  CHECK(cudaGraphLaunch(exec, shared.stream) == kNotSupported);

  StreamHandle second = nullptr;
  REQUIRE(cudaStreamCreateWithFlags(&second, 1) == kSuccess);
  REQUIRE(cudaStreamBeginCapture(shared.stream, 0) == kSuccess);
  REQUIRE(cudaEventRecord(shared.event, shared.stream) == kSuccess);
  CHECK(cudaStreamWaitEvent(second, shared.event, 0) == kSuccess);
  REQUIRE(cudaEventRecord(shared.event, second) == kSuccess);
  CHECK(cudaStreamWaitEvent(shared.stream, shared.event, 0) == kSuccess);
  CHECK(cudaStreamEndCapture(shared.stream, &graph) == kSuccess);
  CHECK(shared.other->latest() == 0);
}

TEST_CASE("IPC events: flags, and what has no handle") {
  Shared shared;
  EventHandle plain = nullptr;
  abi::IpcHandle handle = {};
  CHECK(cudaEventCreateWithFlags(&plain, 4) == kInvalidValue);
  CHECK(cudaEventCreateWithFlags(&plain, 8) == kInvalidValue);
  CHECK(cuEventCreate(&plain, 4) == kInvalidValue);
  REQUIRE(cudaEventCreateWithFlags(&plain, 2) == kSuccess);
  CHECK(cudaIpcGetEventHandle(&handle, plain) == kInvalidHandle);
  CHECK(cudaIpcGetEventHandle(nullptr, shared.event) == kInvalidValue);
  REQUIRE(cudaIpcGetEventHandle(&handle, shared.event) == kSuccess);
  CHECK(cudaIpcOpenEventHandle(&plain, handle) == kInvalidContext);
  float ms = 0;
  CHECK(cudaEventElapsedTime(&ms, shared.event, shared.event) == kInvalidHandle);
}

}  // namespace
}  // namespace warpsim::cuda
