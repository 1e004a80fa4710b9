// Threads that share the work of one caller at a time: many short pieces, again and again.
//
// The workers spin for a short time before they sleep, because the next round usually follows within microseconds.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <thread>
#include <vector>

namespace warpsim {

class WorkerPool {
 public:
  // `threads` in all, the caller's included; at least one. The others start with the first round.
  explicit WorkerPool(std::uint32_t threads);
  ~WorkerPool();
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  std::uint32_t threads() const { return threads_; }
  // Calls work(i) once for each i below `count`, on all threads, and returns when all calls have returned. `work` must
  // not throw.
  void run(std::size_t count, const std::function<void(std::size_t)>& work);

 private:
  void start();
  void serve();
  void take_part();

  std::uint32_t threads_;
  int spins_;
  std::vector<std::thread> workers_;
  // Of the present round.
  const std::function<void(std::size_t)>* work_ = nullptr;
  std::size_t count_ = 0;
  std::atomic<std::size_t> next_{0};
  std::atomic<std::size_t> working_{0};  // workers that have not finished the round
  std::atomic<std::uint64_t> round_{0};
  std::atomic<bool> ends_{false};
};

}  // namespace warpsim
