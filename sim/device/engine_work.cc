#include "device/engine_work.h"

#include <algorithm>

namespace warpsim {

namespace {

double ns_of(std::uint64_t bytes, double gb_per_s) {
  return static_cast<double>(bytes) / gb_per_s;
}

std::vector<PeerCopies::Rates> peer_copies_of(const std::vector<const GpuConfig*>& configs) {
  std::vector<PeerCopies::Rates> gpus;
  for (const GpuConfig* const config : configs) {
    const PeerCopiesConfig& copies = config->peer_copies;
    const double link_gb_per_s = config->links.peer.bandwidth_gb_per_s;
    gpus.push_back({.send_ns = copies.send_ns,
                    .receive_ns = copies.receive_ns,
                    .staged_ns = copies.staged_ns,
                    .one_way = link_gb_per_s * copies.efficiency,
                    .both = 2 * link_gb_per_s * copies.both_efficiency,
                    .staged = config->copies.to_host_gb_per_s * copies.staged_efficiency});
  }
  return gpus;
}

}  // namespace

EngineWork::EngineWork(const std::vector<const GpuConfig*>& configs)
    : configs_(configs), peer_copies_(peer_copies_of(configs)) {
  for (const GpuConfig* const config : configs) {
    engines_.emplace_back(config->copies);
  }
}

// A marker's time is written to the host's memory, which waits for reads of that by a copy.
double EngineWork::marker_ns(std::uint32_t gpu, double now_ns) {
  const DeviceQueuesConfig& times = configs_[gpu]->device_queues;
  return times.marker_ns +
         std::min(times.marker_beside_copy_ns, engines_[gpu].moving_ns(CopyEngines::Direction::kToDevice, now_ns));
}

double EngineWork::duration_of(const Work& work) const {
  const GpuConfig& config = *configs_[work.place.gpu];
  const CopiesConfig& copies = config.copies;
  switch (work.kind) {
    case WorkKind::kInDevice:
      return copies.in_device_ns + ns_of(work.bytes, copies.in_device_gb_per_s);
    case WorkKind::kFill:
      return work.bytes <= copies.small_fill_bytes ? copies.small_fill_ns
                                                   : copies.fill_ns + ns_of(work.bytes, copies.fill_gb_per_s);
    case WorkKind::kHostFunction:
      return config.device_queues.host_function_ns;
    default:
      return 0;
  }
}

void EngineWork::start(std::uint64_t number, const Work& work, double now_ns, double prepare_ns) {
  CopyEngines& engines = engines_[work.place.gpu];
  switch (work.kind) {
    case WorkKind::kToDevice:
      engines.start(CopyEngines::Direction::kToDevice, number, work.bytes, now_ns, prepare_ns);
      return;
    case WorkKind::kToHost:
      engines.start(CopyEngines::Direction::kToHost, number, work.bytes, now_ns, prepare_ns);
      return;
    case WorkKind::kToPeer:
      peer_copies_.start(number, work, now_ns);
      return;
    case WorkKind::kMarker:
      timed_.emplace(now_ns + marker_ns(work.place.gpu, now_ns), number);
      return;
    default:
      timed_.emplace(now_ns + prepare_ns + duration_of(work), number);
  }
}

std::optional<CopyProgress> EngineWork::progress(std::uint64_t number, const Work& work, double now_ns) {
  if (work.kind == WorkKind::kToPeer) {
    return work.peer.staged ? std::nullopt : peer_copies_.progress(number, now_ns);
  }
  return engines_[work.place.gpu].progress(number, now_ns);
}

// Copies and accesses share a link evenly, so that accesses keep at least about a half; where they wait for answers
// less.
LinkShares EngineWork::link_shares(std::uint32_t gpu) const {
  const LinksConfig& links = configs_[gpu]->links;
  const CopyEngines& engines = engines_[gpu];
  const double sent = peer_copies_.gb_per_s(gpu, true);
  const double received = peer_copies_.gb_per_s(gpu, false);
  const bool over_pcie = links.peer.kind == PeerLinkKind::kPcie;
  const auto share = [](const LinkConfig& link, double copied) {
    return std::max(1 - copied / link.bandwidth_gb_per_s, link.least_share_beside_copies);
  };
  return {
      .to_peers = share(links.peer, sent),
      .from_peers = share(links.peer, received),
      .to_host = share(links.host, engines.gb_per_s(CopyEngines::Direction::kToHost) + (over_pcie ? sent : 0)),
      .from_host = share(links.host, engines.gb_per_s(CopyEngines::Direction::kToDevice) + (over_pcie ? received : 0))};
}

std::optional<double> EngineWork::take_back(std::uint64_t number) {
  const auto found = std::ranges::find(timed_, number, [](const auto& entry) { return entry.second; });
  if (found == timed_.end()) {
    return std::nullopt;
  }
  const double end_ns = found->first;
  timed_.erase(found);
  return end_ns;
}

std::optional<double> EngineWork::next_end() const {
  std::optional<double> next = peer_copies_.next_end();
  const auto consider = [&next](const std::optional<double>& end_ns) {
    next = next && end_ns ? std::min(*next, *end_ns) : (next ? next : end_ns);
  };
  for (const CopyEngines& engines : engines_) {
    consider(engines.next_end());
  }
  consider(timed_.empty() ? std::nullopt : std::optional(timed_.begin()->first));
  return next;
}

std::optional<EngineWork::Ended> EngineWork::take_ended(double now_ns) {
  if (!timed_.empty() && timed_.begin()->first <= now_ns) {
    const auto [end_ns, number] = *timed_.begin();
    timed_.erase(timed_.begin());
    return Ended{number, end_ns};
  }
  std::optional<std::uint64_t> copy;
  const auto take_one = [&](auto& engines) {
    const std::optional<double> end_ns = engines.next_end();
    copy = end_ns && *end_ns <= now_ns ? engines.take_ended(now_ns) : std::nullopt;
    return copy.has_value();
  };
  if (std::ranges::any_of(engines_, take_one) || take_one(peer_copies_)) {
    return Ended{*copy, now_ns};
  }
  return std::nullopt;
}

}  // namespace warpsim
