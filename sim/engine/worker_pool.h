// Threads that share the work of one caller at a time: many short pieces, again and again.
//
// The workers spin for a short time before they sleep, because the next round usually follows within microseconds. Each
// thread begins with a part of its own, which the caller may choose so that what it works on stays in its processor's
// caches; then it takes over what some others have not begun. The caller takes over from all, so no round waits for a
// thread that the system does not execute.
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
  // The same for numbers that are divided already: thread t, of which there are as many as parts, begins with those of
  // part t, in their order. Calls work(number, thread).
  using Parts = std::vector<std::vector<std::uint32_t>>;
  using Work = std::function<void(std::size_t, std::size_t)>;
  void run(const Parts& parts, const Work& work);

 private:
  using Round = std::uint64_t;
  // What is left of a thread's part in a round: 24 bits of the round's number, then how many numbers the part has, then
  // how many were taken.
  struct alignas(64) Part {
    std::atomic<std::uint64_t> left{0};
  };
  void start();
  void serve(std::size_t thread);
  void take_part(std::size_t thread, Round round);
  std::size_t work_off(std::size_t part, std::size_t thread, Round round);

  std::uint32_t threads_;
  int spins_;
  std::vector<std::thread> workers_;
  std::vector<Part> left_;  // by thread; the caller's is the first
  Parts even_parts_;        // of a round whose numbers nobody has divided
  // Of the present round; read after a number was taken.
  const Parts* parts_ = nullptr;
  const Work* work_ = nullptr;
  std::atomic<bool> ends_{false};
  // Each on a line of its own: all threads wait for the one and add to the other.
  alignas(64) std::atomic<Round> round_{0};
  alignas(64) std::atomic<std::size_t> done_{0};  // calls of the present round that have returned
};

}  // namespace warpsim
