#include "core/machine/launch_windows.h"

#include <algorithm>
#include <utility>

#include "base/error.h"

namespace warpsim {
namespace {

// Longer intervals would make fewer and longer windows, but warps that issue bulk copies or access other blocks of a
// cluster wait for the end of each: this is less than such an instruction takes at least (assumed).
constexpr Cycle kLongestExchangeInterval = 12;

}  // namespace

using Concurrency = KernelSource::Concurrency;

bool LaunchWindows::run_on_threads(const KernelSource& source) const {
  const Concurrency concurrency = source.concurrency();
  return threads_ > 1 && (concurrency == Concurrency::kFree || concurrency == Concurrency::kExchanged);
}

void LaunchWindows::set(const std::vector<Member>& launches, const std::vector<std::unique_ptr<Gpu>>& gpus,
                        const FarMemory& far) {
  const std::vector<Member> before = std::exchange(exchanged_, {});
  bool threads = true;
  std::uint64_t longest_fs = kNeverFs.fs;
  for (const Member& launch : launches) {
    const Concurrency concurrency = launch.source->concurrency();
    threads = threads && run_on_threads(*launch.source);
    if (concurrency == Concurrency::kOrdered) {
      longest_fs = std::min(longest_fs, launch.gpu->core_clock().period_fs());
    } else if (concurrency == Concurrency::kExchanged) {
      exchanged_.push_back(launch);
    }
  }
  for (const auto& gpu : gpus) {
    gpu->use_cluster_links(false);
  }
  system_.set_concurrent(threads);
  system_.limit_windows(longest_fs);
  system_.set_ordered(longest_fs != kNeverFs.fs);
  set_meetings(before, far);
  // The links of the cluster networks are short. Launches without clusters send nothing over them.
  for (const Member& launch : launches) {
    if (launch.source->launch().cluster.count() > 1) {
      launch.gpu->use_cluster_links(true);
    }
  }
}

// At an interval that is not longer than the shortest way between SMs outside of clusters, whether or not a launch uses
// the links of a cluster, so that those do not change what its threads see.
void LaunchWindows::set_meetings(const std::vector<Member>& before, const FarMemory& far) {
  if (exchanged_.empty()) {
    system_.set_meetings(0, {});
    return;
  }
  const std::uint64_t cycle_fs = exchanged_.front().gpu->core_clock().period_fs();
  const Cycle interval = std::clamp<Cycle>(system_.lookahead_fs() / cycle_fs, 1, kLongestExchangeInterval);
  for (const Member& launch : exchanged_) {
    if (launch.gpu->core_clock().period_fs() != cycle_fs) {
      throw ConfigError("PTX kernels run at the same time only on GPUs with equal core clocks");
    }
    const auto is_same = [&launch](const Member& other) { return other.source == launch.source; };
    if (std::ranges::none_of(before, is_same)) {  // once for each launch
      launch.source->set_exchange_interval(interval);
      if (far.exists()) {
        launch.source->set_delay([&far, gpu = launch.gpu->number()](Address address) { return far.way(gpu, address); });
      }
    }
  }
  system_.set_meetings(interval * cycle_fs, [this](TimeFs at) {
    for (const Member& launch : exchanged_) {
      launch.source->exchange(launch.gpu->core_clock().edge_at_or_after(at));
    }
  });
}

}  // namespace warpsim
