#include "emulator/host_code/host_windows.h"

#include <algorithm>

namespace warpsim {

void HostWindows::select(const HostCode& code) {
  auto found = std::ranges::find(functions_, &code, &std::pair<const HostCode*, std::vector<HostWindow>>::first);
  if (found == functions_.end()) {
    found = functions_.insert(functions_.end(), {&code, std::vector<HostWindow>(code.windows())});
  }
  latest_ = &code;
  windows_ = found->second.data();  // stays there when further functions are added
}

}  // namespace warpsim
