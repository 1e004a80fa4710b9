// A CUDA program built without a toolkit: what streams do beside each other, checked by the program itself.
//
// usage: streams [timed]
//
// `timed`: also checks that work overlaps in time.
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <cstdio>
#include <mutex>
#include <string>
#include <vector>

#include "cuda/runtime/runtime_api.h"
#include "support/fat_binary_text.h"
#include "support/self_check.h"

namespace {

using warpsim::test::check;
using warpsim::test::must;

// count[0] += rounds, one by one; then flag[0] = 1.
constexpr const char* kPtx = R"(.version 8.0
.target sm_70
.address_size 64
.visible .entry work(.param .u64 count, .param .u64 flag, .param .u32 rounds) {
  .reg .b32 %r<4>; .reg .b64 %q<3>; .reg .pred %p;
  ld.param.u64 %q1, [count];
  ld.param.u64 %q2, [flag];
  ld.param.u32 %r1, [rounds];
AGAIN:
  ld.volatile.global.u32 %r2, [%q1];
  add.u32 %r2, %r2, 1;
  st.volatile.global.u32 [%q1], %r2;
  sub.u32 %r1, %r1, 1;
  setp.ne.u32 %p, %r1, 0;
  @%p bra AGAIN;
  mov.u32 %r3, 1;
  st.volatile.global.u32 [%q2], %r3;
  ret;
}
)";

constexpr int kNotReady = 600;
constexpr unsigned kNonBlocking = 1;
constexpr int kToDevice = 1;
constexpr int kToHost = 2;

char stub = 0;
std::uint32_t* counts = nullptr;  // device memory
std::uint32_t* flags = nullptr;   // pinned memory of the host

void launch(int slot, std::uint32_t rounds, StreamHandle stream) {
  std::uint32_t* count = counts + slot;
  std::uint32_t* flag = flags + slot;
  void* arguments[] = {&count, &flag, &rounds};
  must(cudaLaunchKernel(&stub, {1, 1, 1}, {1, 1, 1}, arguments, 0, stream), "launch");
}

std::uint32_t count_of(int slot) {
  std::uint32_t value = 0;
  must(cudaMemcpy(&value, counts + slot, sizeof value, kToHost), "copy of a count");
  return value;
}

StreamHandle make_stream() {
  StreamHandle stream = nullptr;
  must(cudaStreamCreateWithFlags(&stream, kNonBlocking), "stream");
  return stream;
}

EventHandle record(StreamHandle stream) {
  EventHandle event = nullptr;
  must(cudaEventCreate(&event), "event");
  must(cudaEventRecord(event, stream), "record");
  return event;
}

float between(EventHandle begin, EventHandle end) {
  float ms = -1;
  must(cudaEventSynchronize(end), "wait for an event");
  must(cudaEventElapsedTime(&ms, begin, end), "elapsed time");
  return ms;
}

// Two kernels of two streams take about as long as one.
void check_overlap(bool timed) {
  StreamHandle streams[] = {make_stream(), make_stream()};
  const EventHandle alone = record(streams[0]);
  launch(0, 2000, streams[0]);
  const float one_ms = between(alone, record(streams[0]));
  const EventHandle begin = record(streams[0]);
  must(cudaStreamWaitEvent(streams[1], begin, 0), "wait of a stream");
  launch(0, 2000, streams[0]);
  launch(1, 2000, streams[1]);
  const EventHandle joined = record(streams[1]);
  must(cudaStreamWaitEvent(streams[0], joined, 0), "wait of a stream");
  const float both_ms = between(begin, record(streams[0]));
  check(count_of(0) == 4000 && count_of(1) == 2000, "counts of two streams");
  check(!timed || (one_ms > 0 && both_ms < 1.5F * one_ms), "kernels of two streams overlap");
}

struct Signal {
  std::mutex mutex;
  std::condition_variable wake;
  std::uint32_t seen = 0;
  bool done = false;
};

void on_stream(void* data) {
  Signal& signal = *static_cast<Signal*>(data);
  const std::lock_guard lock(signal.mutex);
  signal.seen = *static_cast<volatile std::uint32_t*>(flags + 2);
  signal.done = true;
  signal.wake.notify_one();
}

// The host waits for a function of a stream without a call.
void check_host_function() {
  const StreamHandle stream = make_stream();
  Signal signal;
  launch(2, 50, stream);
  must(cudaLaunchHostFunc(stream, on_stream, &signal), "function of the host");
  std::unique_lock lock(signal.mutex);
  signal.wake.wait(lock, [&] { return signal.done; });
  check(signal.seen == 1, "the function is called after the kernel before it");
}

// The host waits for a value in pinned memory without a call.
void check_flag() {
  const StreamHandle stream = make_stream();
  launch(3, 50, stream);
  const volatile std::uint32_t* flag = flags + 3;
  while (*flag == 0) {
  }
  must(cudaStreamSynchronize(stream), "wait for a stream");
}

void check_queries(bool timed) {
  const StreamHandle stream = make_stream();
  launch(4, 500, stream);
  int code = cudaStreamQuery(stream);
  check(!timed || code == kNotReady, "a stream at work is not ready");
  while (code == kNotReady) {
    code = cudaStreamQuery(stream);
  }
  check(code == 0, "a stream is ready in the end");
  check(count_of(4) == 500, "count after queries");
}

// Pageable memory is read when the copy is requested, pinned memory when it is done.
void check_copies(bool timed) {
  const StreamHandle stream = make_stream();
  std::uint32_t* pinned = nullptr;
  must(cudaHostAlloc(reinterpret_cast<void**>(&pinned), 8, 0), "pinned memory");
  std::vector<std::uint32_t> pageable = {10};
  pinned[0] = 20;
  launch(5, 500, stream);
  must(cudaMemcpyAsync(counts + 6, pageable.data(), 4, kToDevice, stream), "copy");
  must(cudaMemcpyAsync(counts + 7, pinned, 4, kToDevice, stream), "copy");
  must(cudaMemcpyAsync(pinned + 1, counts + 5, 4, kToHost, stream), "copy");
  pageable[0] = 11;
  pinned[0] = 21;
  must(cudaStreamSynchronize(stream), "wait for a stream");
  check(count_of(6) == 10, "pageable memory is read at once");
  check(count_of(7) == 21 || (!timed && count_of(7) == 20), "pinned memory is read later");
  check(pinned[1] == 500, "a copy waits for the kernel before it");
}

}  // namespace

int main(int argc, char** argv) {
  const bool timed = argc > 1 && std::string(argv[1]) == "timed";
  static const std::string container = warpsim::test::fat_binary_of(kPtx);
  static warpsim::cuda::abi::FatBinaryWrapper wrapper = warpsim::test::wrapper_of(container);
  void** const module = __cudaRegisterFatBinary(&wrapper);
  __cudaRegisterFunction(module, &stub, nullptr, "work", -1, nullptr, nullptr, nullptr, nullptr, nullptr);
  __cudaRegisterFatBinaryEnd(module);
  must(cudaMalloc(reinterpret_cast<void**>(&counts), 64), "memory");
  must(cudaMemset(counts, 0, 64), "fill");
  must(cudaHostAlloc(reinterpret_cast<void**>(&flags), 64, 0), "pinned memory");
  must(cudaDeviceSynchronize(), "wait for the device");
  check_overlap(timed);
  check_host_function();
  check_flag();
  check_queries(timed);
  check_copies(timed);
  return warpsim::test::report_checks();
}
