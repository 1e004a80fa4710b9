#include "device/peer_copies.h"

#include <algorithm>

namespace warpsim {

namespace {

constexpr double kRoundingNs = 1e-3;  // below it, a rest is an error of rounding

}  // namespace

// A share of what each of the two GPUs can do.
double PeerCopies::rate(const Copy& copy) const {
  const auto count = [this](const auto& matches) {
    return static_cast<double>(std::ranges::count_if(
        copies_, [&](const auto& entry) { return !entry.second.way.staged && matches(entry.second.way); }));
  };
  if (copy.way.staged) {
    return std::min(gpus_[copy.way.from].staged, gpus_[copy.way.to].staged);
  }
  const auto share = [&](std::uint32_t gpu, bool sends) {
    const double sent = count([gpu](const PeerCopy& way) { return way.from == gpu; });
    const double received = count([gpu](const PeerCopy& way) { return way.to == gpu; });
    return std::min(gpus_[gpu].one_way / (sends ? sent : received), gpus_[gpu].both / (sent + received));
  };
  return std::min(share(copy.way.from, true), share(copy.way.to, false));
}

void PeerCopies::advance(double now_ns) {
  const double passed_ns = now_ns - at_ns_;
  std::map<std::uint64_t, double> rates;
  for (const auto& [number, copy] : copies_) {
    rates[number] = rate(copy);
  }
  for (auto& [number, copy] : copies_) {
    const double latency_ns = std::min(passed_ns, copy.latency_ns);
    copy.latency_ns -= latency_ns;
    copy.bytes = std::max(0.0, copy.bytes - (passed_ns - latency_ns) * rates[number]);
  }
  at_ns_ = now_ns;
}

void PeerCopies::start(std::uint64_t number, const Work& work, double now_ns) {
  advance(now_ns);
  const std::uint32_t gpu = work.place.gpu;
  const Rates& config = gpus_[gpu];
  const double latency_ns = work.peer.staged        ? config.staged_ns
                            : work.peer.from == gpu ? config.send_ns
                                                    : config.receive_ns;
  copies_[number] = {work.peer, latency_ns, static_cast<double>(work.bytes)};
}

std::optional<CopyProgress> PeerCopies::progress(std::uint64_t number, double now_ns) {
  const auto found = copies_.find(number);
  if (found == copies_.end()) {
    return std::nullopt;
  }
  advance(std::max(now_ns, at_ns_));
  return CopyProgress{found->second.bytes, found->second.latency_ns, rate(found->second)};
}

double PeerCopies::gb_per_s(std::uint32_t gpu, bool sends) const {
  double sum = 0;
  for (const auto& [number, copy] : copies_) {
    if (!copy.way.staged && (sends ? copy.way.from : copy.way.to) == gpu) {
      sum += rate(copy);
    }
  }
  return sum;
}

std::optional<double> PeerCopies::next_end() const {
  std::optional<double> next;
  for (const auto& [number, copy] : copies_) {
    const double end_ns = at_ns_ + left_ns(copy);
    next = std::min(next.value_or(end_ns), end_ns);
  }
  return next;
}

std::optional<std::uint64_t> PeerCopies::take_ended(double now_ns) {
  advance(now_ns);
  for (const auto& [number, copy] : copies_) {
    if (left_ns(copy) < kRoundingNs) {
      const std::uint64_t ended = number;
      copies_.erase(number);
      return ended;
    }
  }
  return std::nullopt;
}

}  // namespace warpsim
