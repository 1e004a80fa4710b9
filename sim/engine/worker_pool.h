// Threads that share the work of one caller at a time: many short pieces, again and again.
//
// The workers spin for a short time before they sleep, because the next round usually follows within microseconds. Each
// thread begins with a part of its own, the same in each round, so that what it works on stays in its processor's
// caches; then it takes over what others have not begun. So no round waits for a thread that the system does not
// execute.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <thread>
#include <vector>

namespace warpsim {

// That a user may request.
inline constexpr std::uint64_t kMostThreads = 256;

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
  // What is left of a thread's part: the next number, and in the upper half the end.
  struct alignas(64) Part {
    std::atomic<std::uint64_t> left{0};
  };
  void start();
  void serve(std::size_t thread);
  void take_part(std::size_t thread);
  std::size_t work_off(Part& part);

  std::uint32_t threads_;
  int spins_;
  std::vector<std::thread> workers_;
  std::vector<Part> parts_;                                 // by thread; the caller's is the first
  const std::function<void(std::size_t)>* work_ = nullptr;  // of the present round; read after a number was taken
  std::atomic<std::size_t> done_{0};                        // calls of the present round that have returned
  std::atomic<std::uint64_t> round_{0};
  std::atomic<bool> ends_{false};
};

}  // namespace warpsim
