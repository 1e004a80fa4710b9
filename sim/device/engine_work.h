// Work of one or several GPUs that does not run on SMs: copies on their engines and links, and what takes a known time
// (copies within a device, fills, events, functions of the host).
//
// Time is the caller's. State: the work that runs.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "core/gpu/gpu_config.h"
#include "device/copy_engines.h"
#include "device/peer_copies.h"
#include "device/work.h"
#include "memory/remote/link_shares.h"

namespace warpsim {

class EngineWork {
 public:
  // By GPU; they outlive this.
  explicit EngineWork(const std::vector<const GpuConfig*>& configs);

  // It needs `prepare_ns` before it begins.
  void start(std::uint64_t number, const Work& work, double now_ns, double prepare_ns = 0);
  // Takes work of known duration back, and returns when it would have ended; none: it is not that.
  std::optional<double> take_back(std::uint64_t number);
  void put_back(std::uint64_t number, double end_ns) { timed_.emplace(end_ns, number); }
  // Of a copy between a GPU and the host or another GPU, if it runs.
  std::optional<CopyProgress> progress(std::uint64_t number, const Work& work, double now_ns);
  // What the copies that run leave of a GPU's links to accesses of kernels.
  LinkShares link_shares(std::uint32_t gpu) const;
  // When the first work ends, if none starts before.
  std::optional<double> next_end() const;
  // One that has ended at `now_ns`, which is not after next_end(), and its end.
  struct Ended {
    std::uint64_t number = 0;
    double end_ns = 0;
  };
  std::optional<Ended> take_ended(double now_ns);

 private:
  double marker_ns(std::uint32_t gpu, double now_ns);
  double duration_of(const Work& work) const;

  std::vector<const GpuConfig*> configs_;
  std::vector<CopyEngines> engines_;  // by GPU
  PeerCopies peer_copies_;
  std::set<std::pair<double, std::uint64_t>> timed_;  // work of known duration: its end, its number
};

}  // namespace warpsim
