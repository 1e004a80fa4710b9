#include "engine/worker_pool.h"

#include "base/check.h"

namespace warpsim {

namespace {

// Some ten microseconds: several times as long as the caller needs between two rounds. Threads that share a processor
// must not spin.
constexpr int kSpins = 4000;

void pause() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

}  // namespace

WorkerPool::WorkerPool(std::uint32_t threads)
    : threads_(threads), spins_(threads <= std::thread::hardware_concurrency() ? kSpins : 0) {
  SIM_CHECK(threads >= 1, "a pool has at least the thread of its caller");
}

void WorkerPool::start() {
  while (workers_.size() + 1 < threads_) {
    workers_.emplace_back([this] { serve(); });
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

void WorkerPool::take_part() {
  for (std::size_t i = next_.fetch_add(1, std::memory_order_relaxed); i < count_;
       i = next_.fetch_add(1, std::memory_order_relaxed)) {
    (*work_)(i);
  }
}

void WorkerPool::serve() {
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
    take_part();
    working_.fetch_sub(1, std::memory_order_release);
  }
}

void WorkerPool::run(std::size_t count, const std::function<void(std::size_t)>& work) {
  start();
  work_ = &work;
  count_ = count;
  next_.store(0, std::memory_order_relaxed);
  working_.store(workers_.size(), std::memory_order_relaxed);
  round_.fetch_add(1, std::memory_order_release);
  round_.notify_all();
  take_part();
  for (int spin = 0; working_.load(std::memory_order_acquire) != 0; ++spin) {
    if (spin < spins_) {
      pause();
    } else {
      std::this_thread::yield();
    }
  }
}

}  // namespace warpsim
