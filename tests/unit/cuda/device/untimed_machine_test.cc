// Programs without timing whose kernels wait: for the host, for kernels of other streams and GPUs.
#include "cuda/device/untimed_machine.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <chrono>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "cuda/calls.h"
#include "cuda/current_device.h"
#include "cuda/device/simulated_system.h"
#include "cuda/device/untimed_queue.h"
#include "cuda/driver/driver_api.h"

namespace warpsim::cuda {
namespace {

const std::string kTinyGpu = WARPSIM_SOURCE_DIR "/configs/test_tiny.yaml";
constexpr int kDriverNotReady = 600;
constexpr int kDriverTimeout = 702;
constexpr int kDriverIllegalAddress = 700;

// wait: until word != 0, then result += word. set: word = value. exchange: `rounds` times, writes the number of the
// round to `theirs` and waits for it in `mine`. loop: `rounds` times nothing, then result += 1. wrong: writes to 0.
constexpr const char* kKernels = R"(.version 8.0
.target sm_60
.address_size 64
.visible .entry wait(.param .u64 word, .param .u64 result) {
  .reg .b64 %q<3>; .reg .b32 %r<3>; .reg .pred %p;
  ld.param.u64 %q1, [word]; ld.param.u64 %q2, [result];
L: ld.volatile.global.u32 %r1, [%q1];
  setp.eq.u32 %p, %r1, 0;
  @%p bra L;
  red.global.add.u32 [%q2], %r1;
  ret;
}
.visible .entry set(.param .u64 word, .param .u64 value) {
  .reg .b64 %q<3>; .reg .b32 %r<3>;
  ld.param.u64 %q1, [word]; ld.param.u32 %r1, [value];
  st.global.u32 [%q1], %r1;
  ret;
}
.visible .entry exchange(.param .u64 mine, .param .u64 theirs, .param .u64 rounds) {
  .reg .b64 %q<3>; .reg .b32 %r<4>; .reg .pred %p;
  ld.param.u64 %q1, [mine]; ld.param.u64 %q2, [theirs]; ld.param.u32 %r3, [rounds];
  mov.u32 %r1, 0;
R: add.u32 %r1, %r1, 1;
  st.volatile.global.u32 [%q2], %r1;
  membar.sys;
L: ld.volatile.global.u32 %r2, [%q1];
  setp.lt.u32 %p, %r2, %r1;
  @%p bra L;
  setp.lt.u32 %p, %r1, %r3;
  @%p bra R;
  ret;
}
.visible .entry loop(.param .u64 rounds, .param .u64 result) {
  .reg .b64 %q<3>; .reg .b32 %r<3>; .reg .pred %p;
  ld.param.u32 %r1, [rounds]; ld.param.u64 %q2, [result];
L: sub.u32 %r1, %r1, 1;
  setp.ne.u32 %p, %r1, 0;
  @%p bra L;
  red.global.add.u32 [%q2], 1;
  ret;
}
.visible .entry wrong() {
  .reg .b64 %q;
  mov.u64 %q, 0;
  st.global.u32 [%q], 1;
  ret;
}
)";

struct Program {
  explicit Program(std::size_t gpus = 1) {
    DeviceOptions options;
    options.functional_only = true;
    process_context().use_devices(make_devices(std::vector<std::string>(gpus, kTinyGpu), options));
    enter_primary_context();
    REQUIRE(cuModuleLoadData(&module, kKernels) == kSuccess);
    REQUIRE(cuMemAlloc_v2(&words, 64) == kSuccess);
    REQUIRE(cuMemsetD8_v2(words, 0, 64) == kSuccess);
    void* host = nullptr;
    REQUIRE(cuMemHostAlloc(&host, 64, 0) == kSuccess);
    pinned = static_cast<std::uint32_t*>(host);
    std::fill_n(pinned, 16, 0U);
    REQUIRE(cuStreamCreate(&first, 1) == kSuccess);
    REQUIRE(cuStreamCreate(&second, 1) == kSuccess);
  }
  ~Program() {
    process_context().use_device(nullptr);
    process_context().forget_errors();
  }
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  int launch(const char* name, std::vector<std::uint64_t> parameters, StreamHandle stream, bool cooperative = false) {
    KernelHandle kernel = nullptr;
    REQUIRE(cuModuleGetFunction(&kernel, module, name) == kSuccess);
    std::vector<void*> pointers;
    for (std::uint64_t& parameter : parameters) {
      pointers.push_back(&parameter);
    }
    return cooperative ? cuLaunchCooperativeKernel(kernel, 1, 1, 1, 1, 1, 1, 0, stream, pointers.data())
                       : cuLaunchKernel(kernel, 1, 1, 1, 1, 1, 1, 0, stream, pointers.data(), nullptr);
  }
  std::uint64_t word(std::uint64_t index) const { return words + 4 * index; }
  std::uint64_t host_word(std::uint64_t index) const { return reinterpret_cast<std::uint64_t>(pinned + index); }
  // Not by a call that waits.
  std::uint32_t read(std::uint64_t index) const {
    std::uint32_t value = 0;
    std::memcpy(&value, process_context().device(0).memory().host(word(index), 4), 4);
    return value;
  }

  ModuleHandle module = nullptr;
  std::uint64_t words = 0;  // in device memory
  std::uint32_t* pinned = nullptr;
  StreamHandle first = nullptr;
  StreamHandle second = nullptr;
};

TEST_CASE("Untimed machine: a kernel waits for the host, and its stream for the kernel") {
  Program p;
  EventHandle event = nullptr;
  REQUIRE(cuEventCreate(&event, 2) == kSuccess);
  CHECK(p.launch("wait", {p.host_word(0), p.word(0)}, p.first) == kSuccess);
  CHECK(cuMemcpyDtoDAsync_v2(p.word(1), p.word(0), 4, p.first) == kSuccess);
  CHECK(cuEventRecord(event, p.first) == kSuccess);
  CHECK(cuStreamWaitEvent(p.second, event, 0) == kSuccess);
  CHECK(p.launch("set", {p.word(2), 8}, p.second) == kSuccess);
  for (int i = 0; i < 3; ++i) {
    CHECK(cuStreamQuery(p.first) == kDriverNotReady);
    CHECK(cuEventQuery(event) == kDriverNotReady);
    CHECK(cuStreamQuery(p.second) == kDriverNotReady);
  }
  CHECK(p.read(1) == 0);
  CHECK(p.read(2) == 0);
  p.pinned[0] = 5;
  CHECK(cuStreamSynchronize(p.first) == kSuccess);
  CHECK(p.read(1) == 5);
  CHECK(cuStreamSynchronize(p.second) == kSuccess);
  CHECK(p.read(2) == 8);
  CHECK(cuCtxSynchronize() == kSuccess);
}

TEST_CASE("Untimed machine: while the host does not call, kernels go on") {
  Program p;
  CHECK(p.launch("wait", {p.host_word(0), p.host_word(1)}, p.first) == kSuccess);
  std::atomic_ref<std::uint32_t>(p.pinned[0]).store(6);
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (std::atomic_ref<std::uint32_t>(p.pinned[1]).load() == 0 && std::chrono::steady_clock::now() < end) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  CHECK(std::atomic_ref<std::uint32_t>(p.pinned[1]).load() == 6);
}

TEST_CASE("Untimed machine: kernels of two streams wait for each other") {
  Program p;
  CHECK(p.launch("wait", {p.word(0), p.word(1)}, p.first) == kSuccess);
  CHECK(p.launch("set", {p.word(0), 4}, p.second) == kSuccess);
  CHECK(cuStreamSynchronize(p.first) == kSuccess);
  CHECK(p.read(1) == 4);
  CHECK(p.launch("exchange", {p.word(2), p.word(3), 500}, p.first) == kSuccess);
  CHECK(p.launch("exchange", {p.word(3), p.word(2), 500}, p.second) == kSuccess);
  CHECK(cuCtxSynchronize() == kSuccess);
  CHECK(p.read(2) == 500);
  CHECK(p.read(3) == 500);
}

TEST_CASE("Untimed machine: kernels of two GPUs wait for each other, also if each has its host thread") {
  Program p(2);
  const auto exchange = [&p](int gpu, std::uint64_t mine, std::uint64_t theirs) {
    void* context = nullptr;
    ModuleHandle module = nullptr;
    KernelHandle kernel = nullptr;
    std::uint64_t rounds = 300;
    void* parameters[] = {&mine, &theirs, &rounds};
    const bool right = cuDevicePrimaryCtxRetain(&context, gpu) == kSuccess && cuCtxSetCurrent(context) == kSuccess &&
                       cuModuleLoadData(&module, kKernels) == kSuccess &&
                       cuModuleGetFunction(&kernel, module, "exchange") == kSuccess &&
                       cuLaunchKernel(kernel, 1, 1, 1, 1, 1, 1, 0, nullptr, parameters, nullptr) == kSuccess;
    return right ? cuCtxSynchronize() : -1;
  };
  int of_second = -1;
  std::thread other([&] { of_second = exchange(1, p.host_word(1), p.host_word(0)); });
  const int of_first = exchange(0, p.host_word(0), p.host_word(1));
  other.join();
  CHECK(of_first == kSuccess);
  CHECK(of_second == kSuccess);
  CHECK(p.pinned[0] == 300);
  CHECK(p.pinned[1] == 300);
}

TEST_CASE("Untimed machine: a long kernel goes on after the call that launches it") {
  Program p;
  CHECK(p.launch("loop", {20'000'000, p.word(0)}, p.first) == kSuccess);
  CHECK(p.launch("set", {p.word(1), 3}, p.second) == kSuccess);
  CHECK(p.read(0) == 0);
  CHECK(p.read(1) == 3);
  CHECK(cuStreamSynchronize(p.first) == kSuccess);
  CHECK(p.read(0) == 1);
}

TEST_CASE("Untimed machine: a cooperative kernel waits for the one before it on its GPU") {
  Program p;
  CHECK(p.launch("wait", {p.host_word(0), p.word(0)}, p.first, true) == kSuccess);
  CHECK(p.launch("set", {p.word(1), 3}, p.second, true) == kSuccess);
  CHECK(cuStreamQuery(p.second) == kDriverNotReady);
  p.pinned[0] = 1;
  CHECK(cuStreamSynchronize(p.second) == kSuccess);
  CHECK(p.read(0) == 1);
}

TEST_CASE("Untimed machine: a wait for what nothing will bring is an error of who waits") {
  Program p;
  CHECK(p.launch("wait", {p.word(0), p.word(1)}, p.first) == kSuccess);
  CHECK(p.launch("set", {p.word(0), 4}, p.first) == kSuccess);
  CHECK(cuStreamQuery(p.second) == kSuccess);
  CHECK(cuCtxSynchronize() == kDriverTimeout);
}

TEST_CASE("Untimed machine: a failure throws away what waits") {
  Program p;
  CHECK(p.launch("wait", {p.host_word(0), p.word(1)}, p.first) == kSuccess);
  CHECK(p.launch("set", {p.word(2), 4}, p.first) == kSuccess);
  CHECK(p.launch("wrong", {}, p.second) == kSuccess);
  CHECK(cuCtxSynchronize() == kDriverIllegalAddress);
  CHECK(process_context().device(0).queue().idle());
  CHECK(p.read(2) == 0);
}

TEST_CASE("Untimed machine: a kernel that still waits at the end of the program is thrown away") {
  Program p;
  CHECK(p.launch("wait", {p.host_word(0), p.word(1)}, p.first) == kSuccess);
  CHECK_FALSE(process_context().device(0).queue().idle());
}

}  // namespace
}  // namespace warpsim::cuda
