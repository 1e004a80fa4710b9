#include "memory/remote/page_faults.h"

#include <algorithm>

namespace warpsim {

void PageFaults::try_again(Cycle at) {
  try_at_ = at;
  for (Waiting& waiting : waiting_) {
    waiting.tries_again = waiting.waits;
  }
}

void PageFaults::report(Waiting& waiting, const MemRequest& request, Cycle now) {
  const PageFault fault{request.line / PageFault::kPageBytes * PageFault::kPageBytes, now, request.op != MemOp::kRead};
  const auto is_known = [&fault](const PageFault& known) {
    return known.page == fault.page && (known.writes || !fault.writes);
  };
  if (std::ranges::none_of(waiting.pages, is_known)) {
    waiting.pages.push_back(fault);
    reported_.push_back(fault);
  }
}

}  // namespace warpsim
