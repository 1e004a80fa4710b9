#include "core/async/cluster_network.h"

#include <algorithm>

namespace warpsim {

void ClusterNetwork::connect(WakeHandle self) {
  for (const SmLinks& link : links_) {
    link.from_sm->connect_receiver(self);
    link.to_sm->connect_sender(self);
  }
}

ClusterNetwork::Cluster& ClusterNetwork::find(const ClusterMessage& message) {
  const auto found = std::ranges::find(clusters_, message.cluster, &Cluster::number);
  if (found != clusters_.end()) {
    return *found;
  }
  Cluster& cluster = clusters_.emplace_back();
  cluster.number = message.cluster;
  cluster.members.resize(message.size);
  return cluster;
}

// Copies the message to all addressed blocks that are present. Sends nothing and returns false if one has no room.
bool ClusterNetwork::send(const ClusterMessage& message, const Cluster& cluster, std::uint32_t blocks, Cycle now) {
  for (const bool really : {false, true}) {
    for (std::uint32_t rank = 0; rank < cluster.members.size(); ++rank) {
      const Member& member = cluster.members[rank];
      if ((blocks >> rank & 1U) == 0 || !member.present) {
        continue;
      }
      Link<ClusterMessage>& link = *links_[member.sm].to_sm;
      if (really) {
        ClusterMessage copy = message;
        copy.rank = static_cast<std::uint8_t>(rank);
        copy.slot = member.slot;
        link.send(copy, now);
      } else if (link.free_slots(now) < cluster.members.size()) {
        return false;
      }
    }
  }
  return true;
}

bool ClusterNetwork::deliver(const ClusterMessage& message, Cycle now) {
  using Kind = ClusterMessage::Kind;
  Cluster& cluster = find(message);
  constexpr std::uint32_t kAll = 0xffffffffU;
  switch (message.kind) {
    case Kind::kJoin:
      cluster.members[message.rank] = {message.sm, message.slot, true};
      ++cluster.joined;
      return true;
    case Kind::kLeave:
      cluster.members[message.rank].present = false;
      if (++cluster.left == cluster.members.size()) {
        clusters_.erase(clusters_.begin() + (&cluster - clusters_.data()));
      }
      return true;
    case Kind::kArrived: {
      if (cluster.arrived + 1 < cluster.members.size()) {
        ++cluster.arrived;
        return true;
      }
      ClusterMessage release = message;
      release.kind = Kind::kRelease;
      if (!send(release, cluster, kAll, now)) {
        return false;
      }
      cluster.arrived = 0;
      return true;
    }
    default:
      return send(message, cluster, message.blocks, now);
  }
}

Cycle ClusterNetwork::tick(Cycle now) {
  Cycle wake = kNever;
  for (const SmLinks& link : links_) {
    if (link.from_sm->has_message(now) && deliver(link.from_sm->front(), now)) {
      link.from_sm->pop(now);
    }
    if (!link.from_sm->empty()) {
      wake = std::min(wake, std::max(link.from_sm->next_arrival(), now + 1));
    }
  }
  return wake;
}

bool ClusterNetwork::idle() const {
  return std::ranges::all_of(links_, [](const SmLinks& link) { return link.from_sm->empty(); });
}

std::string ClusterNetwork::describe_stall() const {
  return clusters_.empty() ? std::string{} : std::to_string(clusters_.size()) + " clusters resident";
}

}  // namespace warpsim
