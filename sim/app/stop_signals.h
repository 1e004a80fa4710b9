// A request from outside to end: Ctrl-C, a batch system, a terminal that closes.
#pragma once

#include <atomic>
#include <mutex>

#include "sweep/child_process.h"

namespace warpsim {

// While it lives, such a signal does not end the process: work that asks ends by itself. Made before threads are
// started, so that they do not take the signal either. May be asked by several threads.
class StopSignals {
 public:
  // The number of the signal that has come, or 0.
  int pending();

 private:
  std::mutex mutex_;
  SignalWait wait_;
  std::atomic<int> signal_ = 0;
};

}  // namespace warpsim
