#include "memory/remote/remote_requests.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <string>

#include "base/check.h"
#include "base/error.h"
#include "memory/remote/one_in_turn.h"

namespace warpsim {
namespace {

bool is_acknowledged(const MemRequest& request) {
  return request.op == MemOp::kWrite || request.op == MemOp::kReduction;
}

// Bytes of a line that a write changes and that lie beside each other, as groups. PCIe carries each in a packet of its
// own (tests/hardware/managed, advice.preferred_host gpu_writes: one byte of each word is 12 times as slow as reading).
std::uint32_t groups_of_bytes(const MemRequest& request) {
  std::uint32_t groups = 0;
  bool before = false;
  for (std::uint32_t sector = 0; sector < kSectorsPerLine; ++sector) {
    const std::uint32_t mask = (request.sector_mask >> sector & 1U) != 0 ? request.byte_mask[sector] : 0;
    const std::uint32_t begins = mask & ~((mask << 1U) | (before ? 1U : 0U));
    groups += static_cast<std::uint32_t>(std::popcount(begins));
    before = (mask >> 31U) != 0;
  }
  return groups;
}

}  // namespace

RemoteRequests::RemoteRequests(const LinksConfig& config, const Setting& setting, const std::vector<Links>& links,
                               RemoteRates& rates, LaunchStats<RemoteGateStats>& stats)
    : config_(config),
      gpu_(setting.gpu),
      homes_(setting.homes),
      rates_(&rates),
      stats_(&stats),
      host_cycles_(static_cast<Cycle>(
          std::llround((2 * config.host.latency_ns + config.host.memory_latency_ns) * setting.mhz / 1000))),
      written_(stats.seats()) {
  for (const Links& of_crossbar : links) {
    crossbars_.push_back({of_crossbar, {}});
  }
}

void RemoteRequests::set_peers(const std::vector<RemotePeer>& peers) {
  peers_ = peers;
}

// --- on their way ---

bool RemoteRequests::send_one(Cycle now, Cycle& next) {
  return move_one_in_turn(crossbars_.size(), first_crossbar_,
                          [&](std::size_t partition) { return send_from(partition, now, next); });
}

bool RemoteRequests::send_from(std::size_t partition, Cycle now, Cycle& next) {
  const Link<SliceRequest>& link = *crossbars_[partition].links.from_crossbar;
  if (!link.has_message(now)) {
    next = std::min(next, link.next_arrival());
    return false;
  }
  const MemRequest& request = link.front().mem;
  const MemoryHomes::Home home = homes_.of(request.line, request.op != MemOp::kRead);
  // A page that has moved since the crossbar sent the request here is served as before.
  const bool has_moved = home == MemoryHomes::kOwn || home == MemoryHomes::kFault;
  return home == MemoryHomes::kHost || has_moved ? send_to_host(partition, now, next)
                                                 : send_to_peer(home, partition, now, next);
}

bool RemoteRequests::send_to_peer(MemoryHomes::Home home, std::size_t partition, Cycle now, Cycle& next) {
  SIM_CHECK(home < peers_.size(), "memory of a GPU that the machine does not have");
  const RemotePeer& peer = peers_[home];
  if (peer.requests_out == nullptr) {
    throw ConfigError("GPU " + std::to_string(gpu_) + " accesses memory of GPU " + std::to_string(home) +
                      ", but one of them has no link to other GPUs (links.peer.kind)");
  }
  if (to_peers_ >= config_.peer.outstanding_requests) {
    return false;  // an answer frees one
  }
  RemoteLane lane = rates_->to_peer(peer.over_pcie);
  if (!lane.ready(now)) {
    next = std::min(next, lane.ready_at());
    return false;
  }
  if (!peer.requests_out->can_send(now)) {
    return false;
  }
  RemoteRequest request{crossbars_[partition].links.from_crossbar->front().mem, 0};
  const LaunchSeat seat = request.mem.seat;
  request.bytes = packet_bytes(config_.peer, request.mem);
  lane.use(now, request.bytes);
  link_stats(seat, peer.over_pcie).bytes_sent += request.bytes;
  request.mem.tag = begin(partition, (*stats_)[seat].peer, now);
  peer.requests_out->send(request, now);
  ++to_peers_;
  return true;
}

bool RemoteRequests::send_to_host(std::size_t partition, Cycle now, Cycle& next) {
  if (to_host_ >= config_.host.outstanding_requests) {
    return false;
  }
  RemoteLane lane = rates_->to_host();
  if (!lane.ready(now)) {
    next = std::min(next, lane.ready_at());
    return false;
  }
  const MemRequest request = crossbars_[partition].links.from_crossbar->front().mem;
  const std::uint32_t more = request.op == MemOp::kWrite ? std::max(groups_of_bytes(request), 1U) - 1 : 0;
  const std::uint32_t bytes = packet_bytes(config_.host, request) + more * config_.host.request_header_bytes;
  lane.use(now, bytes);
  (*stats_)[request.seat].pcie.bytes_sent += bytes;
  at_host_.push({begin(partition, (*stats_)[request.seat].host, now), now + host_cycles_});
  ++to_host_;
  return true;
}

// The first request of the crossbar becomes an outstanding one. Returns its number.
std::uint32_t RemoteRequests::begin(std::size_t partition, RemoteMemoryStats& stats, Cycle now) {
  Link<SliceRequest>& link = *crossbars_[partition].links.from_crossbar;
  const Entry entry{link.front(), partition, now, link.front().mem.sector_mask};
  const MemRequest& request = entry.message.mem;
  stats.count(request);
  stats.request_wait.add(now - link.next_arrival());
  link.pop(now);
  if (is_acknowledged(request) && request.wants_ack) {
    MemResponse posted{.tag = request.tag, .op = request.op, .sector_mask = request.sector_mask};
    posted.posted = true;
    answer(entry, posted);
  }
  return entries_.take(entry);
}

// --- on their way back ---

bool RemoteRequests::take_answer(std::uint32_t gpu, Cycle now, Cycle& next) {
  const RemotePeer& peer = peers_[gpu];
  if (peer.responses_in == nullptr) {
    return false;
  }
  if (!peer.responses_in->has_message(now)) {
    next = std::min(next, peer.responses_in->next_arrival());
    return false;
  }
  RemoteLane lane = rates_->from_peer(peer.over_pcie);
  if (!lane.ready(now)) {
    next = std::min(next, lane.ready_at());
    return false;
  }
  const RemoteResponse response = peer.responses_in->front();
  peer.responses_in->pop(now);
  lane.use(now, response.bytes);
  link_stats(entries_[response.mem.tag].message.mem.seat, peer.over_pcie).bytes_received += response.bytes;
  arrived(response.mem.tag, response.mem.sector_mask, ServedBy::kPeer, now);
  return true;
}

bool RemoteRequests::take_host_answer(Cycle now, Cycle& next) {
  if (at_host_.empty()) {
    return false;
  }
  RemoteLane lane = rates_->from_host();
  const AtHost first = at_host_.front();
  if (first.ready > now || !lane.ready(now)) {
    next = std::min(next, std::max(first.ready, lane.ready_at()));
    return false;
  }
  at_host_.pop();
  const MemRequest& request = entries_[first.entry].message.mem;
  const std::uint32_t bytes =
      packet_bytes(config_.host, MemResponse{.op = request.op, .sector_mask = request.sector_mask});
  lane.use(now, bytes);
  (*stats_)[request.seat].pcie.bytes_received += bytes;
  arrived(first.entry, request.sector_mask, ServedBy::kHost, now);
  return true;
}

void RemoteRequests::answer(const Entry& entry, const MemResponse& answer) {
  SliceResponse response;
  response.mem = answer;
  response.mem.tag = entry.message.mem.tag;
  response.mem.destination = entry.message.mem.source;
  response.mem.seat = entry.message.mem.seat;
  response.merged = entry.message.merged;
  crossbars_[entry.partition].answers.push(response);
}

void RemoteRequests::arrived(std::uint32_t number, std::uint8_t sectors, ServedBy served_by, Cycle now) {
  Entry& entry = entries_[number];
  const MemRequest& request = entry.message.mem;
  entry.sectors_left = without(entry.sectors_left, sectors);
  if (!is_acknowledged(request) || request.wants_ack) {
    answer(entry, {.op = request.op, .sector_mask = sectors, .served_by = served_by});
  }
  if (entry.sectors_left != 0) {
    return;
  }
  RemoteGateStats& stats = (*stats_)[request.seat];
  (served_by == ServedBy::kHost ? stats.host : stats.peer).latency.add(now - entry.since);
  if (request.op != MemOp::kRead) {
    written_.add(request, now);
  }
  --(served_by == ServedBy::kHost ? to_host_ : to_peers_);
  entries_.give_back(number);
}

void RemoteRequests::hand_over(Cycle now) {
  for (auto& [links, answers] : crossbars_) {
    while (!answers.empty() && links.to_crossbar->can_send(now)) {
      links.to_crossbar->send(answers.front(), now);
      answers.pop();
    }
  }
}

std::size_t RemoteRequests::waiting() const {
  std::size_t count = 0;
  for (const Crossbar& crossbar : crossbars_) {
    count += crossbar.links.from_crossbar->size();
  }
  return count;
}

bool RemoteRequests::idle() const {
  const auto no_answers = [](const Crossbar& crossbar) { return crossbar.answers.empty(); };
  return outstanding() == 0 && waiting() == 0 && std::ranges::all_of(crossbars_, no_answers);
}

}  // namespace warpsim
