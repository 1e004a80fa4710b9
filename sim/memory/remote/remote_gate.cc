#include "memory/remote/remote_gate.h"

#include <algorithm>

namespace warpsim {
namespace {

// Offers each of `count` inputs one message at a time, in turn, until none moves. Returns the cycle of the next
// attempt.
template <typename Move>
Cycle take_turns(std::size_t count, std::size_t& first, Move&& move) {
  Cycle next = kNever;
  for (bool moved = true; moved;) {
    moved = false;
    const std::size_t start = first;
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t input = (start + i) % count;
      if (move(input, next)) {
        moved = true;
        first = (input + 1) % count;
      }
    }
  }
  return next;
}

}  // namespace

RemoteGate::RemoteGate(const LinksConfig& config, const RemoteRequests::Setting& setting,
                       const Connections& connections, const AddressMap& map, LaunchStats<RemoteGateStats>& stats)
    : connections_(connections),
      rates_(config, setting.mhz),
      requests_(config, setting, connections.crossbars, rates_, stats),
      guests_(config, map, connections.guests, rates_, stats) {}

void RemoteGate::connect(WakeHandle self) {
  self_ = self;
  for (const RemoteRequests::Links& crossbar : connections_.crossbars) {
    crossbar.from_crossbar->connect_receiver(self);
    crossbar.to_crossbar->connect_sender(self);
  }
  for (const GuestRequests::Port& port : connections_.guests) {
    port.requests->connect_sender(self);
    port.responses->connect_receiver(self);
  }
}

void RemoteGate::set_peers(const std::vector<RemotePeer>& peers) {
  peers_ = peers;
  requests_.set_peers(peers);
  guests_.set_peers(peers);
  for (const RemotePeer& peer : peers) {
    if (peer.requests_out != nullptr) {
      peer.requests_out->connect_sender(self_);
      peer.responses_out->connect_sender(self_);
      peer.requests_in->connect_receiver(self_);
      peer.responses_in->connect_receiver(self_);
    }
  }
}

// Inputs: the host, then answers and requests of each GPU.
Cycle RemoteGate::take_in(Cycle now) {
  return take_turns(1 + 2 * peers_.size(), first_in_, [&](std::size_t input, Cycle& next) {
    if (input == 0) {
      return requests_.take_host_answer(now, next);
    }
    const auto gpu = static_cast<std::uint32_t>((input - 1) / 2);
    return input % 2 == 1 ? requests_.take_answer(gpu, now, next) : guests_.take_one(gpu, now, next);
  });
}

// Requests of this GPU and answers to others: one each in turn, however many ports have answers. Otherwise the answers
// for a GPU that requests much would leave no space for the own requests.
Cycle RemoteGate::send_out(Cycle now) {
  return take_turns(2, first_out_, [&](std::size_t input, Cycle& next) {
    return input == 0 ? requests_.send_one(now, next) : guests_.answer_one(now, next);
  });
}

Cycle RemoteGate::tick(Cycle now) {
  const Cycle inputs = take_in(now);
  const Cycle outputs = send_out(now);
  requests_.hand_over(now);
  return std::min({inputs, outputs, requests_.next_host_answer(now)});
}

bool RemoteGate::idle() const {
  const auto no_guest = [](const GuestRequests::Port& port) {
    return port.requests->empty() && port.responses->empty();
  };
  const auto nothing_arrives = [](const RemotePeer& peer) {
    return peer.requests_out == nullptr || (peer.requests_in->empty() && peer.responses_in->empty());
  };
  return requests_.idle() && std::ranges::all_of(connections_.guests, no_guest) &&
         std::ranges::all_of(peers_, nothing_arrives);
}

std::string RemoteGate::describe_stall() const {
  return idle() ? std::string()
                : std::to_string(requests_.outstanding()) + " requests to other memories outstanding; " +
                      std::to_string(requests_.waiting()) + " wait";
}

}  // namespace warpsim
