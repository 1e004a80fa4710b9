#include "engine/worker_pool.h"

#include "base/check.h"

namespace warpsim {

namespace {

// Some ten microseconds: several times as long as the caller needs between two rounds. Threads that share a processor
// must not spin.
constexpr int kSpins = 4000;

constexpr std::uint32_t kUpper = 32;  // bits of a number

void pause() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

}  // namespace

WorkerPool::WorkerPool(std::uint32_t threads)
    : threads_(threads), spins_(threads <= std::thread::hardware_concurrency() ? kSpins : 0), parts_(threads) {
  SIM_CHECK(threads >= 1, "a pool has at least the thread of its caller");
}

void WorkerPool::start() {
  while (workers_.size() + 1 < threads_) {
    workers_.emplace_back([this, thread = workers_.size() + 1] { serve(thread); });
  }
}

WorkerPool::~WorkerPool() {
  ends_.store(true, std::memory_order_relaxed);
  round_.fetch_add(1, std::memory_order_release);
  round_.notify_all();
  for (std::thread& worker : workers_) {
    worker.join();
  }
}

// Returns the number of calls.
std::size_t WorkerPool::work_off(Part& part) {
  std::size_t calls = 0;
  std::uint64_t left = part.left.load(std::memory_order_acquire);
  while (static_cast<std::uint32_t>(left) < left >> kUpper) {
    if (part.left.compare_exchange_weak(left, left + 1, std::memory_order_acquire)) {
      (*work_)(static_cast<std::uint32_t>(left));
      ++calls;
      left = part.left.load(std::memory_order_acquire);
    }
  }
  return calls;
}

// A thread that comes late finds nothing, or numbers of a later round.
void WorkerPool::take_part(std::size_t thread) {
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    if (const std::size_t calls = work_off(parts_[(thread + i) % parts_.size()]); calls != 0) {
      done_.fetch_add(calls, std::memory_order_release);
    }
  }
}

void WorkerPool::serve(std::size_t thread) {
  std::uint64_t seen = 0;
  while (true) {
    for (int spin = 0; spin < spins_ && round_.load(std::memory_order_acquire) == seen; ++spin) {
      pause();
    }
    round_.wait(seen, std::memory_order_acquire);
    seen = round_.load(std::memory_order_acquire);
    if (ends_.load(std::memory_order_relaxed)) {
      return;
    }
    take_part(thread);
  }
}

void WorkerPool::run(std::size_t count, const std::function<void(std::size_t)>& work) {
  start();
  work_ = &work;
  done_.store(0, std::memory_order_relaxed);
  for (std::size_t thread = 0; thread < parts_.size(); ++thread) {
    const std::uint64_t begin = count * thread / parts_.size();
    const std::uint64_t end = count * (thread + 1) / parts_.size();
    parts_[thread].left.store(begin | end << kUpper, std::memory_order_release);
  }
  round_.fetch_add(1, std::memory_order_release);
  round_.notify_all();
  take_part(0);
  for (int spin = 0; done_.load(std::memory_order_acquire) != count; ++spin) {
    if (spin < spins_) {
      pause();
    } else {
      std::this_thread::yield();
    }
  }
}

}  // namespace warpsim
