// Lets a device work on while no thread of the program calls CUDA.
//
// A device with time advances within calls. A program may wait for it without a call: for a function that a stream
// calls, or for a value in memory that kernels and host share. So a thread watches: if there was no call for some time
// and the device has such work left, it advances the device in steps that grow. All other programs run without it, and
// their simulated times do not depend on real time.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <thread>

namespace warpsim::cuda {

class IdleRunner {
 public:
  struct Actions {
    std::function<bool()> needed;       // whether the device must advance without a call
    std::function<void(double)> drift;  // the host does something else for so many ns of its time
  };
  // `calls` serialises the calls of the program; the actions are called with it. Outlives this.
  IdleRunner(std::recursive_mutex& calls, Actions actions);
  ~IdleRunner();
  IdleRunner(const IdleRunner&) = delete;
  IdleRunner& operator=(const IdleRunner&) = delete;

  // At the end of a call, with the mutex.
  void call_made();
  // No action is called afterwards. Also by the thread itself.
  void stop();

 private:
  void watch();

  std::recursive_mutex& calls_mutex_;
  Actions actions_;
  std::atomic<std::uint64_t> calls_ = 0;
  std::mutex mutex_;  // of what follows
  std::condition_variable wake_;
  bool watching_ = false;  // work was left that needs it
  bool stopped_ = false;
  std::thread thread_;
};

}  // namespace warpsim::cuda
