#include "memory/crossbar/response_ports.h"

#include <algorithm>
#include <bit>

#include "memory/ordered_service.h"

namespace warpsim {

ResponsePorts::ResponsePorts(const CrossbarConfig& config, const std::vector<Port>& ports,
                             const std::vector<std::uint32_t>& order, std::uint32_t turns,
                             LaunchStats<CrossbarStats>& stats)
    : entries_(config.port_response_entries),
      ports_(ports),
      order_(order),
      place_of_port_(ports.size()),
      turn_(turns, config.turn_cycles),
      queues_(ports.size()),
      waiting_(order.size() / 64 + 1, 0),
      stats_(&stats),
      arbitration_(config.arbitration, {static_cast<std::uint32_t>(ports.size()), true}, stats,
                   "response_arbitration") {
  const auto limiter = [&config](double rate) { return RateLimiter(config.unlimited_bandwidth ? 0 : rate); };
  std::uint32_t gpcs = 0;
  for (std::uint32_t place = 0; place < order_.size(); ++place) {
    place_of_port_[order_[place]] = place;
    gpcs = std::max(gpcs, ports_[order_[place]].gpc + 1);
  }
  port_rate_.assign(ports.size(), limiter(config.port_response_bytes_per_cycle));
  gpc_rate_.assign(gpcs, limiter(config.gpc_response_bytes_per_cycle));
}

void ResponsePorts::add(const MemResponse& response, bool copy, Cycle now) {
  queues_[response.destination].push({response, copy, now});
  const std::uint32_t place = place_of_port_[response.destination];
  waiting_[place / 64] |= std::uint64_t{1} << (place % 64);
}

Cycle ResponsePorts::send_one(std::uint32_t port, Cycle now) {
  RateLimiter& port_rate = port_rate_[port];
  RateLimiter& gpc_rate = gpc_rate_[ports_[port].gpc];
  const Waiting& waiting = queues_[port].front();
  if (!port_rate.ready(now)) {
    return port_rate.ready_at();
  }
  if (!waiting.copy && !gpc_rate.ready(now)) {
    return gpc_rate.ready_at();
  }
  Link<MemResponse>& link = *ports_[port].link;
  if (!link.can_send(now)) {
    return kNever;  // the link wakes the crossbar
  }
  const std::uint32_t bytes = bytes_of(waiting.response);
  port_rate.use(now, bytes);
  gpc_rate.use(now, waiting.copy ? 0 : bytes);
  CrossbarStats& stats = (*stats_)[waiting.response.seat];
  ++stats.responses;
  stats.response_bytes += bytes;
  link.send(waiting.response, now);
  queues_[port].pop();
  return kSent;
}

Cycle ResponsePorts::send_all(std::uint32_t place, Cycle now, bool& moved) {
  const std::uint32_t port = order_[place];
  while (!queues_[port].empty()) {
    if (const Cycle next = send_one(port, now); next != kSent) {
      return next;
    }
    moved = true;
  }
  note_empty(place);
  return kNever;
}

Cycle ResponsePorts::send_in_turns(Cycle now) {
  Cycle next = kNever;
  bool moved = false;
  const auto send_word = [&](std::size_t word, std::uint64_t mask) {
    for (std::uint64_t bits = waiting_[word] & mask; bits != 0; bits &= bits - 1) {
      const std::size_t place = word * 64 + static_cast<std::size_t>(std::countr_zero(bits));
      next = std::min(next, send_all(static_cast<std::uint32_t>(place), now, moved));
    }
  };
  const std::size_t words = waiting_.size();
  const std::size_t first = turn_.first() / 64;
  const std::uint64_t upper = ~std::uint64_t{0} << (turn_.first() % 64);
  send_word(first, upper);
  for (std::size_t i = 1; i < words; ++i) {
    send_word((first + i) % words, ~std::uint64_t{0});
  }
  send_word(first, ~upper);
  if (moved) {
    turn_.served();
  }
  return next;
}

Cycle ResponsePorts::send_by_mechanism(Cycle now) {
  const auto offer_of = [this](std::uint32_t port) -> ArbitrationMechanism::Offer {
    const Waiting& first = queues_[port].front();
    return {port, ports_[port].gpc, first.since, bytes_of(first.response),
            static_cast<std::uint32_t>(queues_[port].size())};
  };
  offers_.clear();
  for (std::size_t word = 0; word < waiting_.size(); ++word) {
    for (std::uint64_t bits = waiting_[word]; bits != 0; bits &= bits - 1) {
      offers_.push_back(offer_of(order_[word * 64 + static_cast<std::size_t>(std::countr_zero(bits))]));
    }
  }
  const auto later = [this](const ArbitrationMechanism::Offer& a, const ArbitrationMechanism::Offer& b) {
    return arbitration_.before(b, a);
  };
  Cycle next = kNever;
  serve_in_order(offers_, later, [&](ArbitrationMechanism::Offer& offer) {
    const std::uint32_t port = offer.requester;
    const LaunchSeat seat = queues_[port].front().response.seat;
    const Cycle result = send_one(port, now);
    if (result != kSent) {
      next = std::min(next, result);
      return ServiceResult::kRefused;
    }
    arbitration_.sent(offer, seat, now);
    if (queues_[port].empty()) {
      note_empty(place_of_port_[port]);
      return ServiceResult::kDone;
    }
    offer = offer_of(port);
    return ServiceResult::kAgain;
  });
  return next;
}

Cycle ResponsePorts::send(Cycle now) {
  return arbitration_ ? send_by_mechanism(now) : send_in_turns(now);
}

bool ResponsePorts::empty() const {
  return std::ranges::all_of(waiting_, [](std::uint64_t word) { return word == 0; });
}

std::string ResponsePorts::describe_stall() const {
  std::string text;
  for (std::size_t port = 0; port < queues_.size(); ++port) {
    if (!queues_[port].empty()) {
      text += std::to_string(queues_[port].size()) + " responses wait for port " + std::to_string(port) + "; ";
    }
  }
  return text;
}

}  // namespace warpsim
