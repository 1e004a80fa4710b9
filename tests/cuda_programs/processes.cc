// A CUDA program built without a toolkit: a parent and two children share memory and events, and check what they get.
//
// usage: processes [timed | few]
//
// `few`: fewer updates beside each other, for a device with time.
// `timed`: also checks what needs a device with time: waits for work that is not done yet, and for a process that ends
// before it has done it.
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "cuda/ipc/ipc_api.h"
#include "cuda/memory/memory_pool_api.h"
#include "cuda/runtime/runtime_api.h"
#include "support/fat_binary_text.h"
#include "support/self_check.h"

namespace {

using warpsim::cuda::abi::IpcHandle;
using warpsim::test::check;
using warpsim::test::must;

// add: data[thread] += value; and `rounds` times count[0] += 1. wait: until flag[0] is not 0; then flag[1] = flag[0].
constexpr const char* kPtx = R"(.version 7.0
.target sm_70
.address_size 64
.visible .entry add(.param .u64 data, .param .u64 count, .param .u32 value, .param .u32 rounds) {
  .reg .b32 %r<8>; .reg .b64 %q<8>; .reg .pred %p;
  ld.param.u64 %q1, [data];
  ld.param.u64 %q2, [count];
  ld.param.u32 %r1, [value];
  ld.param.u32 %r2, [rounds];
  mov.u32 %r3, %tid.x;
  mul.wide.u32 %q3, %r3, 4;
  add.u64 %q1, %q1, %q3;
  ld.global.u32 %r4, [%q1];
  add.u32 %r4, %r4, %r1;
  st.global.u32 [%q1], %r4;
AGAIN:
  atom.global.add.u32 %r5, [%q2], 1;
  sub.u32 %r2, %r2, 1;
  setp.ne.u32 %p, %r2, 0;
  @%p bra AGAIN;
  ret;
}
.visible .entry wait(.param .u64 flag) {
  .reg .b32 %r<3>; .reg .b64 %q<2>; .reg .pred %p;
  ld.param.u64 %q1, [flag];
WAIT:
  ld.volatile.global.u32 %r1, [%q1];
  setp.eq.u32 %p, %r1, 0;
  @%p bra WAIT;
  st.volatile.global.u32 [%q1+4], %r1;
  ret;
}
)";

constexpr int kToDevice = 1;
constexpr int kToHost = 2;
constexpr int kInvalidValue = 1;
constexpr int kInvalidContext = 201;
constexpr int kMapFailed = 205;
constexpr int kInvalidHandle = 400;
constexpr int kLaunchFailure = 719;
constexpr unsigned kShared = 0x6;  // between processes, without times
constexpr unsigned kNonBlocking = 1;
constexpr unsigned kLazy = 1;
constexpr std::uint32_t kThreads = 64;
constexpr std::uint32_t kRounds = 500;
constexpr int kChildren = 2;
// Small allocations share pages of the host.
constexpr std::size_t kBytes = kThreads * 4;

char add_stub = 0;
char wait_stub = 0;

// What the processes tell each other, apart from CUDA.
struct Board {
  std::atomic<int> arrived;
  std::atomic<int> phase;
  IpcHandle data;
  IpcHandle count;
  IpcHandle flag;
  IpcHandle freed;
  IpcHandle begun;
  std::array<IpcHandle, kChildren> added;
  IpcHandle slow;
  std::atomic<bool> good_until_death;
};
Board* board = nullptr;

void meet() {
  const int phase = board->phase;
  if (++board->arrived == kChildren + 1) {
    board->arrived = 0;
    ++board->phase;
  }
  while (board->phase == phase) {
    usleep(200);
  }
}

void register_code() {
  static const std::string container = warpsim::test::fat_binary_of(kPtx);
  static warpsim::cuda::abi::FatBinaryWrapper wrapper = warpsim::test::wrapper_of(container);
  void** const module = __cudaRegisterFatBinary(&wrapper);
  __cudaRegisterFunction(module, &add_stub, nullptr, "add", -1, nullptr, nullptr, nullptr, nullptr, nullptr);
  __cudaRegisterFunction(module, &wait_stub, nullptr, "wait", -1, nullptr, nullptr, nullptr, nullptr, nullptr);
  __cudaRegisterFatBinaryEnd(module);
}

StreamHandle make_stream() {
  StreamHandle stream = nullptr;
  must(cudaStreamCreateWithFlags(&stream, kNonBlocking), "stream");
  return stream;
}

EventHandle make_event() {
  EventHandle event = nullptr;
  must(cudaEventCreateWithFlags(&event, kShared), "event of several processes");
  return event;
}

void* zeros() {
  void* data = nullptr;
  must(cudaMalloc(&data, kBytes), "memory");
  must(cudaMemset(data, 0, kBytes), "zeros");
  return data;
}

IpcHandle handle_of(void* data) {
  IpcHandle handle = {};
  must(cudaIpcGetMemHandle(&handle, data), "handle of memory");
  return handle;
}

IpcHandle handle_of_event(EventHandle event) {
  IpcHandle handle = {};
  must(cudaIpcGetEventHandle(&handle, event), "handle of an event");
  return handle;
}

void* opened(const IpcHandle& handle) {
  void* data = nullptr;
  must(cudaIpcOpenMemHandle(&data, handle, kLazy), "memory of the parent");
  return data;
}

EventHandle opened_event(const IpcHandle& handle) {
  EventHandle event = nullptr;
  must(cudaIpcOpenEventHandle(&event, handle), "event of the parent");
  return event;
}

void add(void* data, void* count, std::uint32_t value, std::uint32_t rounds, StreamHandle stream) {
  void* arguments[] = {&data, &count, &value, &rounds};
  must(cudaLaunchKernel(&add_stub, {1, 1, 1}, {kThreads, 1, 1}, arguments, 0, stream), "launch");
}

std::uint32_t rounds_beside_others = 20'000;

// All processes do this at the same time.
void update_beside_others(void* count) {
  add(zeros(), count, 0, rounds_beside_others, make_stream());
}

std::vector<std::uint32_t> words_of(const void* data) {
  std::vector<std::uint32_t> words(kThreads);
  must(cudaMemcpy(words.data(), data, kBytes, kToHost), "copy to the host");
  return words;
}

bool are(const std::vector<std::uint32_t>& words, std::uint32_t factor, std::uint32_t plus) {
  bool right = true;
  for (std::uint32_t i = 0; i < words.size(); ++i) {
    right = right && words[i] == factor * i + plus;
  }
  return right;
}

void check_errors_of_child() {
  void* data = nullptr;
  check(cudaIpcOpenMemHandle(&data, board->data, 0) == kInvalidValue, "the flag must be given");
  check(cudaIpcOpenMemHandle(&data, board->freed, kLazy) == kMapFailed, "memory that was freed");
  check(cudaIpcOpenMemHandle(&data, board->begun, kLazy) == kInvalidValue, "an event is no memory");
  IpcHandle wrong = board->data;
  std::memset(wrong.bytes + 8, 1, 8);
  check(cudaIpcOpenMemHandle(&data, wrong, kLazy) == kMapFailed, "a handle of a process that does not exist");
  EventHandle event = nullptr;
  check(cudaIpcOpenEventHandle(&event, board->data) == kInvalidValue, "memory is no event");
  data = zeros();
  check(cudaIpcCloseMemHandle(data) == kInvalidValue, "own memory is not closed");
  must(cudaFree(data), "free");
}

void child(int number, bool timed) {
  register_code();
  meet();  // the parent has exported everything
  void* const data = opened(board->data);
  void* const count = opened(board->count);
  void* const flag = opened(board->flag);
  check(opened(board->data) == data, "the same handle gives the same address");
  must(cudaIpcCloseMemHandle(data), "close, once of two times");
  check(cudaFree(data) == kInvalidValue, "memory of another process is not freed");
  IpcHandle again = {};
  check(cudaIpcGetMemHandle(&again, data) == kInvalidValue, "memory of another process is not given on");
  check_errors_of_child();
  const EventHandle begun = opened_event(board->begun);
  const EventHandle added = opened_event(board->added[static_cast<std::size_t>(number)]);
  check(cudaIpcGetEventHandle(&again, added) == kInvalidHandle, "an event of another process is not given on");
  check(cudaEventQuery(added) == 0, "an event that was never recorded is done");
  meet();  // both have looked at it
  meet();  // the parent has recorded `begun`
  const StreamHandle stream = make_stream();
  update_beside_others(count);
  must(cudaStreamWaitEvent(stream, begun, 0), "wait for the parent");
  if (number == 1) {  // one after another in the same words, and beside each other in the count
    const EventHandle first = opened_event(board->added[0]);
    meet();
    must(cudaStreamWaitEvent(stream, first, 0), "wait for the other child");
  }
  add(data, count, static_cast<std::uint32_t>(number + 1), kRounds, stream);
  must(cudaEventRecord(added, stream), "record");
  if (number == 0) {
    meet();
  }
  meet();  // all records are made
  // A kernel that waits for what another process writes.
  if (number == 0) {
    void* arguments[] = {const_cast<void**>(&flag)};
    must(cudaLaunchKernel(&wait_stub, {1, 1, 1}, {1, 1, 1}, arguments, 0, stream), "launch");
    must(cudaStreamSynchronize(stream), "wait for the kernel");
  }
  must(cudaDeviceSynchronize(), "wait");
  must(cudaIpcCloseMemHandle(data), "close");
  check(cudaIpcCloseMemHandle(data) == kInvalidValue, "memory is closed as often as it was opened");
  must(cudaEventDestroy(added), "destroy");
  meet();
  if (timed && number == 1) {
    add(count, count, 0, 1U << 30U, stream);
    must(cudaEventRecord(opened_event(board->slow), stream), "record");
    board->good_until_death = warpsim::test::failures == 0;
    meet();
    std::fflush(stdout);
    kill(getpid(), SIGKILL);
  } else if (timed) {
    meet();
  }
  meet();
}

void check_errors_of_parent(void* data) {
  void* opened_again = nullptr;
  check(cudaIpcOpenMemHandle(&opened_again, board->data, kLazy) == kInvalidContext, "an own handle of memory");
  EventHandle event = nullptr;
  check(cudaIpcOpenEventHandle(&event, board->begun) == kInvalidContext, "an own handle of an event");
  const IpcHandle again = handle_of(static_cast<std::byte*>(data) + 8);
  check(std::memcmp(&again, &board->data, sizeof again) == 0, "an allocation has one handle");
  IpcHandle handle = {};
  void* other = nullptr;
  must(cudaHostAlloc(&other, 64, 0), "pinned memory");
  check(cudaIpcGetMemHandle(&handle, other) == kInvalidValue, "pinned memory has no handle");
  must(cudaMallocManaged(&other, 64, 1), "managed memory");
  check(cudaIpcGetMemHandle(&handle, other) == kInvalidValue, "managed memory has no handle");
  check(cudaIpcGetMemHandle(&handle, &handle) == kInvalidValue, "other addresses have no handle");
  check(cudaIpcGetMemHandle(nullptr, data) == kInvalidValue, "a handle needs a place");
  check(cudaEventCreateWithFlags(&event, 4) == kInvalidValue, "an event of several processes takes no times");
  must(cudaEventCreateWithFlags(&event, 2), "event");
  check(cudaIpcGetEventHandle(&handle, event) == kInvalidHandle, "an event of one process has no handle");
  constexpr int kPoolsSupported = 115;
  int has_pools = 0;
  must(cudaDeviceGetAttribute(&has_pools, kPoolsSupported, 0), "the attribute of pools");
  if (has_pools != 0) {
    must(cudaMallocAsync(&other, 64, nullptr), "memory of a pool");
    check(cudaIpcGetMemHandle(&handle, other) == kInvalidValue, "memory of a pool has no handle");
  }
}

void parent(bool timed, const std::array<pid_t, kChildren>& children) {
  register_code();
  void* const data = zeros();
  void* const count = zeros();
  void* const flag = zeros();
  void* const freed = zeros();
  std::vector<std::uint32_t> words(kThreads);
  for (std::uint32_t i = 0; i < kThreads; ++i) {
    words[i] = 3 * i;
  }
  must(cudaMemcpy(data, words.data(), kBytes, kToDevice), "copy");
  board->data = handle_of(data);
  board->count = handle_of(count);
  board->flag = handle_of(flag);
  board->freed = handle_of(freed);
  must(cudaFree(freed), "free");
  check(are(words_of(data), 3, 0), "a handle does not change the contents");
  const EventHandle begun = make_event();
  board->begun = handle_of_event(begun);
  const std::array<EventHandle, kChildren> added = {make_event(), make_event()};
  for (std::size_t i = 0; i < kChildren; ++i) {
    board->added[i] = handle_of_event(added[i]);
  }
  const EventHandle slow = make_event();
  board->slow = handle_of_event(slow);
  check_errors_of_parent(data);
  meet();
  meet();
  const StreamHandle stream = make_stream();
  add(data, count, 10, kRounds, stream);
  must(cudaEventRecord(begun, stream), "record");
  meet();
  update_beside_others(count);
  meet();
  meet();  // all records are made
  const StreamHandle other = make_stream();
  for (const EventHandle event : added) {
    must(cudaStreamWaitEvent(other, event, 0), "wait for a child");
  }
  add(data, count, 100, kRounds, other);
  must(cudaStreamSynchronize(other), "wait for a stream");
  for (const EventHandle event : added) {
    must(cudaEventSynchronize(event), "wait for an event");
    check(cudaEventQuery(event) == 0, "an event is done after a wait for it");
  }
  check(are(words_of(data), 3, 113), "each process has added to the words");
  const std::uint32_t value = 7;
  must(cudaMemcpy(flag, &value, sizeof value, kToDevice), "copy");
  must(cudaDeviceSynchronize(), "wait");
  meet();
  check(words_of(flag)[1] == value, "a kernel of a child has seen the value");
  const std::uint32_t rounds = (kChildren + 2) * kRounds + (kChildren + 1) * rounds_beside_others;
  check(words_of(count)[0] == rounds * kThreads, "no update of several processes is lost");
  if (timed) {
    meet();
    check(cudaEventQuery(slow) != 0, "a record of long work is not done");
    check(cudaEventSynchronize(slow) == kLaunchFailure, "a wait for a process that has ended is an error");
    check(board->good_until_death, "the checks of that process");
    ++board->arrived;  // for it
  }
  meet();
  for (const pid_t process : children) {
    int status = 0;
    waitpid(process, &status, 0);
    const bool killed = timed && process == children[1];
    check(killed ? WIFSIGNALED(status) : WIFEXITED(status) && WEXITSTATUS(status) == 0, "the end of a child");
  }
}

}  // namespace

int main(int words, char** argv) {
  const bool timed = words > 1 && std::string(argv[1]) == "timed";
  if (words > 1) {
    rounds_beside_others = 1000;
  }
  void* const shared = mmap(nullptr, sizeof(Board), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  board = new (shared) Board();
  std::array<pid_t, kChildren> children = {};
  for (int number = 0; number < kChildren; ++number) {
    children[static_cast<std::size_t>(number)] = fork();
    if (children[static_cast<std::size_t>(number)] == 0) {
      child(number, timed);
      return warpsim::test::failures == 0 ? 0 : 1;
    }
  }
  parent(timed, children);
  return warpsim::test::report_checks();
}
