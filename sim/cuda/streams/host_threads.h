// The threads of a program that call CUDA: who calls, who waits, and when time may go on.
//
// A program's own work takes no simulated time. So the devices' time stands still while a thread of the program is at
// work: a thread that waits for a device lets it run only when all other threads that call CUDA wait for a device,
// sleep, or have ended. Then what several threads do at a time does not depend on real time. A thread that works for
// long, or polls memory, is not waited for: then its next call comes at the time that the devices have reached.
// One thread calls at a time, with the mutex that is given here.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <mutex>

namespace warpsim::cuda {

class HostThreads {
  struct Thread;

 public:
  // `patience`: with threads that work.
  explicit HostThreads(std::recursive_mutex& calls, std::chrono::milliseconds patience = std::chrono::milliseconds{20})
      : calls_(calls), patience_(patience) {}
  HostThreads(const HostThreads&) = delete;
  HostThreads& operator=(const HostThreads&) = delete;

  // A call of the calling thread, which has the mutex meanwhile. Calls may nest.
  class Call {
   public:
    explicit Call(HostThreads& threads);
    ~Call();
    Call(const Call&) = delete;
    Call& operator=(const Call&) = delete;

   private:
    HostThreads& threads_;
    Thread& self_;
  };

  // In a call: the thread waits for a device.
  class Wait {
   public:
    explicit Wait(HostThreads& threads);
    ~Wait();
    Wait(const Wait&) = delete;
    Wait& operator=(const Wait&) = delete;

    // After the wait was interrupted: time goes on, or others have the mutex for a moment and the wait is to be tried
    // again.
    void interrupted();

   private:
    HostThreads& threads_;
    Thread& self_;
    std::chrono::steady_clock::time_point begin_;
  };

  // A wait is to be interrupted: another thread wants to call, or may be about to. Of programs with several threads.
  bool has_time_to_stop() const { return !time_goes_on_ || arriving_.load(std::memory_order_relaxed) != 0; }

 private:
  enum class State : std::uint8_t { kOutside, kCalling, kWaiting };
  struct Thread {
    int number = 0;  // of the system
    std::atomic<State> state = State::kOutside;
    std::atomic<bool> ended = false;
    std::atomic<std::uint64_t> calls = 0;
    std::uint64_t not_awaited = 0;  // since this call it has worked for too long
    std::uint32_t depth = 0;        // of calls
  };

  // A thread's entries: one in each list that it calls with; there are several lists in tests only.
  using Entries = std::map<const HostThreads*, std::shared_ptr<Thread>>;

  static Entries& own_entries();
  Thread& own();
  // With the mutex: no other thread is at work.
  bool others_are_quiet(bool patient);

  std::recursive_mutex& calls_;
  std::chrono::milliseconds patience_;
  std::atomic<std::uint32_t> arriving_ = 0;
  bool time_goes_on_ = false;  // for the thread that has the mutex
  std::mutex mutex_;           // of the list
  std::list<std::shared_ptr<Thread>> threads_;
};

}  // namespace warpsim::cuda
