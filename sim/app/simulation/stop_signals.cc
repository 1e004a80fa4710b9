#include "app/simulation/stop_signals.h"

namespace warpsim {

int StopSignals::pending() {
  if (signal_ == 0) {
    // Otherwise another thread queries at this moment.
    if (const std::unique_lock<std::mutex> lock(mutex_, std::try_to_lock); lock.owns_lock()) {
      signal_ = wait_.pending();
    }
  }
  return signal_;
}

}  // namespace warpsim
