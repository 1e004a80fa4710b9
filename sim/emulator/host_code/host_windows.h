// The windows of translated functions (host_run.h) for the warps of a block: consecutive accesses of an instruction,
// also of different warps, are most often to the same allocation.
#pragma once

#include <utility>
#include <vector>

#include "emulator/host_code/host_code.h"

namespace warpsim {

class HostWindows {
 public:
  HostWindow* of(const HostCode& code) {
    if (latest_ == nullptr || latest_ != &code) {
      select(code);
    }
    return windows_;
  }

 private:
  void select(const HostCode& code);

  std::vector<std::pair<const HostCode*, std::vector<HostWindow>>> functions_;
  const HostCode* latest_ = nullptr;
  HostWindow* windows_ = nullptr;
};

// What translated code needs of a block, whose warps the same thread of the host executes in turn.
struct HostState {
  HostRun run;
  HostWindows windows;
};

}  // namespace warpsim
