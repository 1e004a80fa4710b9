// A termination request: Ctrl-C, a batch system, a terminal that closes.
#pragma once

#include <atomic>
#include <mutex>

#include "sweep/child_process.h"

namespace warpsim {

// During its lifetime such a signal does not end the process: work that queries this object ends in an orderly way.
// Must be created before threads are started, so that they do not receive the signal. Several threads may query it.
class StopSignals {
 public:
  // The number of the received signal, or 0.
  int pending();

 private:
  std::mutex mutex_;
  SignalWait wait_;
  std::atomic<int> signal_ = 0;
};

}  // namespace warpsim
