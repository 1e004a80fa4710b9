#include "engine/worker_pool.h"

#include <algorithm>
#include <csignal>

#include "base/check.h"
#include "base/host_float_state.h"
#include "base/program_threads.h"

namespace warpsim {

namespace {

// Some ten microseconds: several times as long as the caller needs between two rounds. Threads that share a processor
// must not spin.
constexpr int kSpins = 4000;

// A thread whose part is done looks at the parts of so many others. More of them would slow down those that still work:
// each look takes the part's line away from its thread. The caller, who must wait anyway, looks at all.
constexpr std::size_t kNeighbours = 3;

// Of a part's word.
constexpr std::uint32_t kTagShift = 40;
constexpr std::uint32_t kEndShift = 20;
constexpr std::uint64_t kNumberMask = (std::uint64_t{1} << kEndShift) - 1;
constexpr std::uint64_t kTagMask = (std::uint64_t{1} << (64 - kTagShift)) - 1;

std::uint64_t next_of(std::uint64_t left) {
  return left & kNumberMask;
}
std::uint64_t end_of(std::uint64_t left) {
  return left >> kEndShift & kNumberMask;
}
std::uint64_t tag_of(std::uint64_t left) {
  return left >> kTagShift;
}

void pause() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

// Those that a program handles on its own threads: all but the ones that an instruction causes.
sigset_t signals_of_program() {
  sigset_t signals = {};
  sigfillset(&signals);
  for (const int own : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP}) {
    sigdelset(&signals, own);
  }
  return signals;
}

}  // namespace

WorkerPool::WorkerPool(std::uint32_t threads)
    : threads_(threads),
      spins_(threads <= std::thread::hardware_concurrency() ? kSpins : 0),
      left_(threads),
      even_parts_(threads) {
  SIM_CHECK(threads >= 1, "a pool has at least the thread of its caller");
}

void WorkerPool::start() {
  if (workers_.size() + 1 == threads_) {
    return;
  }
  // New threads have the signals blocked that their creator has blocked.
  sigset_t before = {};
  const sigset_t blocked = signals_of_program();
  pthread_sigmask(SIG_BLOCK, &blocked, &before);
  while (workers_.size() + 1 < threads_) {
    workers_.emplace_back([this, thread = workers_.size() + 1] {
      mark_own_thread();
      serve(thread);
    });
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

WorkerPool::~WorkerPool() {
  ends_.store(true, std::memory_order_relaxed);
  round_.fetch_add(1, std::memory_order_release);
  round_.notify_all();
  for (std::thread& worker : workers_) {
    worker.join();
  }
}

// Returns the number of calls. A thread that comes late finds a part of a later round, or nothing left.
std::size_t WorkerPool::work_off(std::size_t part, std::size_t thread, Round round) {
  std::atomic<std::uint64_t>& word = left_[part].left;
  std::size_t calls = 0;
  std::uint64_t seen = word.load(std::memory_order_acquire);
  while (tag_of(seen) == (round & kTagMask) && next_of(seen) != end_of(seen)) {
    if (word.compare_exchange_weak(seen, seen + 1, std::memory_order_acq_rel, std::memory_order_acquire)) {
      (*work_)((*parts_)[part][next_of(seen)], thread);
      ++calls;
      seen = word.load(std::memory_order_acquire);
    }
  }
  return calls;
}

void WorkerPool::take_part(std::size_t thread, Round round) {
  const std::size_t others = thread == 0 ? left_.size() : std::min(kNeighbours + 1, left_.size());
  std::size_t calls = 0;
  for (std::size_t i = 0; i < others; ++i) {
    calls += work_off((thread + i) % left_.size(), thread, round);
  }
  if (calls != 0) {
    done_.fetch_add(calls, std::memory_order_release);
  }
}

void WorkerPool::serve(std::size_t thread) {
  const HostFloatState float_state;
  Round seen = 0;
  while (true) {
    for (int spin = 0; spin < spins_ && round_.load(std::memory_order_acquire) == seen; ++spin) {
      pause();
    }
    round_.wait(seen, std::memory_order_acquire);
    seen = round_.load(std::memory_order_acquire);
    if (ends_.load(std::memory_order_relaxed)) {
      return;
    }
    take_part(thread, seen);
  }
}

// The numbers of a part are as far from each other as there are parts: neighbours, which often take equally long, are
// in different ones.
void WorkerPool::run(std::size_t count, const std::function<void(std::size_t)>& work) {
  for (std::vector<std::uint32_t>& part : even_parts_) {
    part.clear();
  }
  for (std::size_t i = 0; i < count; ++i) {
    even_parts_[i % threads_].push_back(static_cast<std::uint32_t>(i));
  }
  run(even_parts_, [&work](std::size_t number, std::size_t /*thread*/) { work(number); });
}

void WorkerPool::run(const Parts& parts, const Work& work) {
  SIM_CHECK(parts.size() == threads_, "a round has parts for a different number of threads");
  start();
  parts_ = &parts;
  work_ = &work;
  done_.store(0, std::memory_order_relaxed);
  const Round round = round_.load(std::memory_order_relaxed) + 1;
  std::size_t count = 0;
  for (std::size_t part = 0; part < parts.size(); ++part) {
    SIM_CHECK(parts[part].size() <= kNumberMask, "a round has more calls than a part can count");
    count += parts[part].size();
    left_[part].left.store((round & kTagMask) << kTagShift | parts[part].size() << kEndShift,
                           std::memory_order_release);
  }
  round_.store(round, std::memory_order_release);
  round_.notify_all();
  take_part(0, round);
  for (int spin = 0; done_.load(std::memory_order_acquire) != count; ++spin) {
    if (spin < spins_) {
      pause();
    } else {
      std::this_thread::yield();
    }
  }
}

}  // namespace warpsim
