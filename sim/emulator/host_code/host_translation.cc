#include "emulator/host_code/host_translation.h"

namespace warpsim {

const HostCode* HostTranslation::translate() {
  if (!begun_.exchange(true)) {
    code_ = HostCode::translate(function_);
    published_.store(code_.get(), std::memory_order_release);
  }
  return published_.load(std::memory_order_acquire);
}

}  // namespace warpsim
