#include "cuda/device/launch_notes.h"

#include <fmt/format.h>

namespace warpsim::cuda {

std::string LaunchNotes::note(Clock::time_point now, const KernelProgress& progress) {
  const Clock::duration taken = now - began_;
  if (taken < next_) {
    return {};
  }
  while (next_ <= taken) {
    next_ *= 2;
  }
  return fmt::format(
      "warpsim: kernel {} has run for {} s: {} warp instructions, {} of {} blocks started; --max-instructions bounds "
      "it\n",
      progress.kernel, std::chrono::duration_cast<std::chrono::seconds>(taken).count(), progress.warp_instructions,
      progress.blocks_started, progress.blocks);
}

}  // namespace warpsim::cuda
