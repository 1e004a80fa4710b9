// Copies between the memories of GPUs.
//
// Modelled: a latency for each copy, then its bytes at a rate: those that a GPU sends share its rate, those that it
// receives, too, and both together what its links can carry. Copies through the host's memory have a rate of their own.
// Not modelled: that accesses of kernels slow copies down. Evidence: tests/hardware/peers. Time is the caller's. State:
// the copies that run and their bytes left.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "device/copy_progress.h"
#include "device/work.h"

namespace warpsim {

class PeerCopies {
 public:
  // What a GPU can do, in 10^9 bytes a second.
  struct Rates {
    double send_ns = 0;
    double receive_ns = 0;
    double staged_ns = 0;
    double one_way = 1;
    double both = 1;  // sent and received together
    double staged = 1;
  };
  // By GPU.
  explicit PeerCopies(std::vector<Rates> gpus) : gpus_(std::move(gpus)) {}

  // In a stream of the work's GPU.
  void start(std::uint64_t number, const Work& work, double now_ns);
  // Of a copy, if it runs.
  std::optional<CopyProgress> progress(std::uint64_t number, double now_ns);
  // Rate of all that a GPU sends, or receives, over its links.
  double gb_per_s(std::uint32_t gpu, bool sends) const;
  // When the first of the copies ends, if none starts before.
  std::optional<double> next_end() const;
  // The copy that has ended at `now_ns`, which is not after next_end().
  std::optional<std::uint64_t> take_ended(double now_ns);

 private:
  struct Copy {
    PeerCopy way;
    double latency_ns = 0;  // left
    double bytes = 0;       // left
  };
  double rate(const Copy& copy) const;
  double left_ns(const Copy& copy) const { return copy.latency_ns + copy.bytes / rate(copy); }
  void advance(double now_ns);

  std::vector<Rates> gpus_;
  std::map<std::uint64_t, Copy> copies_;  // by number
  double at_ns_ = 0;                      // what is left is as of this time
};

}  // namespace warpsim
