// Which thread of a program calls, and when one that waits may let time go on.
#include "cuda/streams/host_threads.h"

#include <atomic>
#include <catch2/catch.hpp>
#include <chrono>
#include <mutex>
#include <thread>

#include "cuda/calls.h"
#include "cuda/current_device.h"
#include "cuda/device/simulated_system.h"
#include "cuda/driver/driver_api.h"

namespace warpsim::cuda {
namespace {

constexpr std::chrono::minutes kLong{1};

// Until time goes on.
void wait_until_quiet(HostThreads& threads, HostThreads::Wait& wait) {
  do {
    wait.interrupted();
  } while (threads.has_time_to_stop());
}

TEST_CASE("Host threads: one thread calls at a time, and time stops for a second one") {
  std::recursive_mutex mutex;
  HostThreads threads(mutex);
  std::atomic<bool> other_called = false;
  std::thread other;
  {
    const HostThreads::Call call(threads);
    const HostThreads::Call nested(threads);
    HostThreads::Wait wait(threads);
    CHECK(threads.has_time_to_stop());
    wait_until_quiet(threads, wait);
    CHECK_FALSE(threads.has_time_to_stop());
    other = std::thread([&] {
      const HostThreads::Call own(threads);
      other_called = true;
    });
    while (!threads.has_time_to_stop()) {
      std::this_thread::yield();
    }
    CHECK_FALSE(other_called);
  }
  other.join();
  CHECK(other_called);
}

// As functions of a program's exit do. Objects of a thread end in the opposite order of their beginnings.
TEST_CASE("Host threads: a thread can call when its own objects have ended") {
  std::recursive_mutex mutex;
  HostThreads threads(mutex);
  std::atomic<bool> called = false;
  struct CallsAtEnd {
    HostThreads* threads = nullptr;
    std::atomic<bool>* called = nullptr;
    ~CallsAtEnd() {
      const HostThreads::Call call(*threads);
      *called = true;
    }
  };
  std::thread([&] {
    thread_local CallsAtEnd last;
    last.threads = &threads;
    last.called = &called;
    const HostThreads::Call call(threads);
  }).join();
  CHECK(called);
}

// The other thread works between its two calls, and sleeps after the second one.
TEST_CASE("Host threads: who waits lets a thread that works call first") {
  std::recursive_mutex mutex;
  HostThreads threads(mutex, kLong);
  std::atomic<int> calls = 0;
  std::atomic<bool> ends = false;
  std::thread other([&] {
    for (int i = 0; i < 2; ++i) {
      {
        const HostThreads::Call own(threads);
        ++calls;
      }
      const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(i == 0 ? 5 : 0);
      while (std::chrono::steady_clock::now() < end) {
      }
    }
    ends.wait(false);
  });
  while (calls == 0) {
    std::this_thread::yield();
  }
  {
    const HostThreads::Call call(threads);
    HostThreads::Wait wait(threads);
    wait_until_quiet(threads, wait);
    CHECK(calls == 2);
    wait_until_quiet(threads, wait);
  }
  ends = true;
  ends.notify_all();
  other.join();
}

TEST_CASE("Host threads: a thread that works for long is waited for once") {
  std::recursive_mutex mutex;
  HostThreads threads(mutex, std::chrono::milliseconds{30});
  std::atomic<bool> has_called = false;
  std::atomic<bool> ends = false;
  std::thread other([&] {
    { const HostThreads::Call own(threads); }
    has_called = true;
    while (!ends) {
    }
  });
  while (!has_called) {
    std::this_thread::yield();
  }
  const auto begin = std::chrono::steady_clock::now();
  for (int i = 0; i < 50; ++i) {
    const HostThreads::Call call(threads);
    HostThreads::Wait wait(threads);
    wait_until_quiet(threads, wait);
    CHECK(std::chrono::steady_clock::now() - begin >= std::chrono::milliseconds(30));
  }
  CHECK(std::chrono::steady_clock::now() - begin < std::chrono::milliseconds(30 * 50));
  ends = true;
  other.join();
}

// exchange: `rounds` times, writes the number of the round to `theirs` and waits for it in `mine`. loop: `rounds`
// times.
constexpr const char* kThreadKernels = R"(.version 8.0
.target sm_60
.address_size 64
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
.visible .entry loop(.param .u64 unused, .param .u64 unused2, .param .u64 rounds) {
  .reg .b32 %r<2>; .reg .pred %p;
  ld.param.u32 %r1, [rounds];
L: sub.u32 %r1, %r1, 1;
  setp.ne.u32 %p, %r1, 0;
  @%p bra L;
  ret;
}
)";

struct ThreadedProgram {
  explicit ThreadedProgram(std::size_t gpus) {
    const std::vector<std::string> names(gpus, WARPSIM_SOURCE_DIR "/configs/test_tiny.yaml");
    process_context().use_devices(make_devices(names, {}));
    enter_primary_context();
    void* host = nullptr;
    REQUIRE(cuMemHostAlloc(&host, 64, 0) == kSuccess);
    words = static_cast<std::uint32_t*>(host);
    std::fill_n(words, 16, 0U);
  }
  ~ThreadedProgram() {
    process_context().use_device(nullptr);
    process_context().forget_errors();
  }
  ThreadedProgram(const ThreadedProgram&) = delete;
  ThreadedProgram& operator=(const ThreadedProgram&) = delete;

  // A thread with a stream: launches, and waits for, kernels of so many rounds. Returns the first error.
  int run(int gpu, const char* name, std::uint64_t mine, std::uint64_t rounds, int launches) const {
    void* context = nullptr;
    ModuleHandle module = nullptr;
    KernelHandle kernel = nullptr;
    StreamHandle stream = nullptr;
    std::uint64_t own = reinterpret_cast<std::uint64_t>(words + mine);
    std::uint64_t other = reinterpret_cast<std::uint64_t>(words + 1 - mine);
    void* parameters[] = {&own, &other, &rounds};
    for (const int error :
         {cuDevicePrimaryCtxRetain(&context, gpu), cuCtxSetCurrent(context), cuModuleLoadData(&module, kThreadKernels),
          cuModuleGetFunction(&kernel, module, name), cuStreamCreate(&stream, 1)}) {
      if (error != kSuccess) {
        return error;
      }
    }
    for (int i = 0; i < launches; ++i) {
      const int launched = cuLaunchKernel(kernel, 1, 1, 1, 1, 1, 1, 0, stream, parameters, nullptr);
      const int ended = cuStreamSynchronize(stream);
      if (launched != kSuccess || ended != kSuccess) {
        return launched != kSuccess ? launched : ended;
      }
    }
    return kSuccess;
  }

  std::uint32_t* words = nullptr;
};

TEST_CASE("Host threads: kernels that two waiting threads have launched wait for each other, with time") {
  for (const std::size_t gpus : {std::size_t{1}, std::size_t{2}}) {
    ThreadedProgram p(gpus);
    int second = -1;
    std::thread other([&] { second = p.run(static_cast<int>(gpus) - 1, "exchange", 1, 20, 1); });
    const int first = p.run(0, "exchange", 0, 20, 1);
    other.join();
    CHECK(first == kSuccess);
    CHECK(second == kSuccess);
    CHECK(p.words[0] == 20);
    CHECK(p.words[1] == 20);
  }
}

TEST_CASE("Host threads: the kernels of two threads run beside each other, each after the wait for the one before it") {
  const auto time_of = [](bool first, bool second) {
    ThreadedProgram p(2);
    int error = kSuccess;
    std::thread other([&] { error = second ? p.run(1, "loop", 1, 4'000, 10) : kSuccess; });
    CHECK((first ? p.run(0, "loop", 0, 10'000, 5) : kSuccess) == kSuccess);
    other.join();
    CHECK(error == kSuccess);
    return process_context().device(0).queue().now_ns();
  };
  const double first_ns = time_of(true, false);
  const double second_ns = time_of(false, true);
  const double both_ns = time_of(true, true);
  CHECK(both_ns < 1.3 * std::max(first_ns, second_ns));
}

}  // namespace
}  // namespace warpsim::cuda
