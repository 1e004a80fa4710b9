#include "memory/crossbar/crossbar.h"

#include <algorithm>

#include "base/check.h"

namespace warpsim {
namespace {

// Numbers of the partition's ports in the order that gives each GPC one port in turn, and at the end those of copies.
std::vector<std::uint32_t> interleaved_by_gpc(const std::vector<Crossbar::PortLinks>& ports, std::uint32_t partition) {
  std::vector<std::vector<std::uint32_t>> members;
  std::vector<std::uint32_t> copies;
  std::size_t count = 0;
  for (std::uint32_t port = 0; port < ports.size(); ++port) {
    if (ports[port].partition != partition) {
      continue;
    }
    ++count;
    if (ports[port].copies) {
      copies.push_back(port);
      continue;
    }
    if (ports[port].gpc >= members.size()) {
      members.resize(ports[port].gpc + 1);
    }
    members[ports[port].gpc].push_back(port);
  }
  std::vector<std::uint32_t> order;
  for (std::size_t rank = 0; order.size() < count - copies.size(); ++rank) {
    for (const std::vector<std::uint32_t>& gpc : members) {
      if (rank < gpc.size()) {
        order.push_back(gpc[rank]);
      }
    }
  }
  order.insert(order.end(), copies.begin(), copies.end());
  return order;
}

std::uint32_t count_turns(const std::vector<Crossbar::PortLinks>& ports, std::uint32_t partition) {
  const auto takes_turns = [partition](const auto& port) { return port.partition == partition && !port.copies; };
  return static_cast<std::uint32_t>(std::ranges::count_if(ports, takes_turns));
}

std::vector<ResponsePorts::Port> response_ports_of(const std::vector<Crossbar::PortLinks>& ports) {
  std::vector<ResponsePorts::Port> found;
  found.reserve(ports.size());
  for (const Crossbar::PortLinks& port : ports) {
    found.push_back({port.responses, port.gpc});
  }
  return found;
}

std::uint32_t count_gpcs(const std::vector<Crossbar::PortLinks>& ports) {
  std::uint32_t count = 0;
  for (const Crossbar::PortLinks& port : ports) {
    count = std::max(count, port.gpc + 1);
  }
  return count;
}

}  // namespace

Crossbar::Crossbar(const CrossbarConfig& config, const AddressMap& map, std::uint32_t partition,
                   const std::vector<PortLinks>& ports, const std::vector<SliceLinks>& slices, const Gate& gate,
                   LaunchStatsNode& parent)
    : config_(config),
      map_(&map),
      partition_(partition),
      ports_(ports),
      slices_(slices),
      has_gate_(gate.links.requests != nullptr),
      homes_(gate.homes),
      port_of_input_(interleaved_by_gpc(ports, partition)),
      turns_(count_turns(ports, partition)),
      faults_(port_of_input_.size()),
      request_inputs_(static_cast<std::uint32_t>(port_of_input_.size()), turns_, config.turn_cycles),
      response_inputs_(map.slices_per_partition(), map.slices_per_partition(), config.turn_cycles),
      gate_input_(1),
      waiting_for_slice_(slices.size() + 1, RingBuffer<std::uint32_t>(port_of_input_.size())),
      input_waits_(port_of_input_.size(), false),
      slice_of_input_(port_of_input_.size(), kNoSlice),
      stats_(parent, "crossbar", partition),
      response_ports_(config, response_ports_of(ports), port_of_input_, turns_, stats_),
      arbitration_(config.arbitration, {static_cast<std::uint32_t>(ports.size()), false}, stats_,
                   "request_arbitration") {
  const auto limiter = [&config](double rate) { return RateLimiter(config.unlimited_bandwidth ? 0 : rate); };
  const std::uint32_t gpcs = count_gpcs(ports);
  port_request_rate_.assign(ports.size(), limiter(config.port_request_bytes_per_cycle));
  gpc_request_rate_.assign(gpcs, limiter(config.gpc_request_bytes_per_cycle));
  coalescers_.assign(gpcs, L2RequestCoalescer(config.coalescer));
  for (const PortLinks& port : ports) {
    if (port.guest) {
      coalescers_[port.gpc] = L2RequestCoalescer({});
    }
  }
  if (has_gate_) {
    slices_.push_back(gate.links);
  }
}

void Crossbar::use_translations(const TranslationConfig& config, const Translations& translations) {
  translations_ = translations;
  sm_translations_ = std::make_unique<SmTranslations>(config, ports_.size());
  for (std::size_t port = 0; port < ports_.size(); ++port) {
    if (translations_.group_of_port[port] == PortPlace::kNoGroup) {
      sm_translations_->translate_all(port);
    }
  }
  // Requests that come back are further inputs behind those that take turns.
  const auto inputs = static_cast<std::uint32_t>(port_of_input_.size() + translations.groups.size());
  request_inputs_ = InputSet<MemRequest>(inputs, turns_, config_.turn_cycles);
  faults_ = PageFaults(inputs);
  waiting_for_slice_.assign(slices_.size(), RingBuffer<std::uint32_t>(inputs));
  input_waits_.assign(inputs, false);
  slice_of_input_.assign(inputs, kNoSlice);
}

void Crossbar::clear_translations() {
  if (sm_translations_ != nullptr) {
    sm_translations_->clear();
  }
}

void Crossbar::connect(WakeHandle self) {
  self_ = self;
  for (std::uint32_t input = 0; input < port_of_input_.size(); ++input) {
    const PortLinks& port = ports_[port_of_input_[input]];
    request_inputs_.connect(input, *port.requests, self);
    port.responses->connect_sender(self);
  }
  auto input = static_cast<std::uint32_t>(port_of_input_.size());
  for (const Translations::Group& group : translations_.groups) {
    request_inputs_.connect(input++, *group.translated, self);
    group.misses->connect_sender(self);
  }
  for (std::uint32_t i = 0; i < map_->slices_per_partition(); ++i) {
    const SliceLinks& slice = slices_[map_->slice_number(partition_, i)];
    response_inputs_.connect(i, *slice.responses, self);
    slice.requests->connect_sender(self);
  }
  if (has_gate_) {
    gate_input_.connect(0, *slices_.back().responses, self);
    slices_.back().requests->connect_sender(self);
  }
}

std::uint32_t Crossbar::bytes_of_request(const MemRequest& request) const {
  switch (request.op) {
    case MemOp::kRead:
      return config_.flit_bytes;
    case MemOp::kWrite:
      return config_.flit_bytes * sector_count(request.sector_mask) +
             (covers_sectors(request) ? 0 : config_.write_mask_bytes);
    case MemOp::kAtomic:
    case MemOp::kReduction:
      break;
  }
  return config_.flit_bytes * (request.single_lane ? 1 : 1 + sector_count(request.sector_mask));
}

// kFaultingSlice: of none. A guest's request was sent here because the page was here then.
std::uint32_t Crossbar::slice_for(std::uint32_t input, const PortLinks& port, const MemRequest& request) {
  std::uint32_t& slice = slice_of_input_[input];
  if (slice == kNoSlice) {
    const MemoryHomes::Home home = homes_.of(request.line, request.op != MemOp::kRead);
    if (home == MemoryHomes::kOwn || port.guest) {
      slice = map_->slice_number(partition_, map_->home_of(request.line).slice_in_partition);
    } else if (home == MemoryHomes::kFault) {
      return kFaultingSlice;
    } else {
      slice = static_cast<std::uint32_t>(slices_.size() - 1);
    }
  }
  return slice;
}

// kTaken: the slice accepts the input's request now. Of the inputs that wait for it only the first one tries again;
// with a mechanism all do, in its order.
Cycle Crossbar::wait_for_turn(std::uint32_t input, std::uint32_t slice, Cycle now) {
  RingBuffer<std::uint32_t>& waiting = waiting_for_slice_[slice];
  const bool room = slices_[slice].requests->can_send(now);
  if (arbitration_) [[unlikely]] {
    return room ? InputSet<MemRequest>::kTaken : InputSet<MemRequest>::kWaitForLink;
  }
  if (room && (waiting.empty() || waiting.front() == input)) {
    if (!waiting.empty()) {
      waiting.pop();
      input_waits_[input] = false;
      if (!waiting.empty()) {
        request_inputs_.unpark(waiting.front());
        try_again_at_ = now;
      }
    }
    return InputSet<MemRequest>::kTaken;
  }
  if (!input_waits_[input]) {
    waiting.push(input);
    input_waits_[input] = true;
  }
  if (waiting.front() != input) {
    request_inputs_.park(input);
  }
  return room ? now + 1 : InputSet<MemRequest>::kWaitForLink;
}

// Reports the faults of the input's oldest request, and of those behind it.
Cycle Crossbar::wait_for_page(std::uint32_t input, const Link<MemRequest>& link, Cycle now) {
  if (!faults_.waits(input)) {
    ++stats_[link.front().seat].faulting_requests;
  }
  faults_.wait(input, link, now, [this](const MemRequest& other) { return faults(other); });
  if (faults_.has_new()) {
    self_.engine()->request_stop();
  }
  return faults_.next_try(input);
}

// A request that waits for its slice was translated before, also if others have replaced the entry since: it keeps its
// place among those that wait.
bool Crossbar::lacks_translation(std::uint32_t input, std::uint32_t port, const MemRequest& request) {
  return sm_translations_ != nullptr && input < port_of_input_.size() && !sm_translations_->has(port, request.line) &&
         !input_waits_[input];
}

Cycle Crossbar::ask_for_translation(std::uint32_t input, std::uint32_t port, Link<MemRequest>& link, Cycle now) {
  Link<MemRequest>& misses = *translations_.groups[translations_.group_of_port[port]].misses;
  if (!sm_translations_->can_wait(port) || !misses.can_send(now)) {
    return InputSet<MemRequest>::kWaitForLink;  // the next answer makes room
  }
  MemRequest request = link.front();
  request.source = static_cast<std::uint16_t>(port);
  sm_translations_->waits(port);
  misses.send(request, now);
  link.pop(now);
  slice_of_input_[input] = kNoSlice;
  return InputSet<MemRequest>::kTaken;
}

Cycle Crossbar::take_request(std::uint32_t input, Link<MemRequest>& link, Cycle now) {
  const std::uint32_t port = port_of(input, link.front());
  const std::uint32_t gpc = ports_[port].gpc;
  RateLimiter& port_rate = port_request_rate_[port];
  RateLimiter& gpc_rate = gpc_request_rate_[gpc];
  if (!port_rate.ready(now) || !gpc_rate.ready(now)) {
    return std::max(port_rate.ready_at(), gpc_rate.ready_at());
  }
  if (faults_.any_waits() && faults_.waits(input) && !faults_.tries_now(input, now)) [[unlikely]] {
    return wait_for_page(input, link, now);
  }
  const std::uint32_t slice = slice_for(input, ports_[port], link.front());
  if (slice == kFaultingSlice) [[unlikely]] {
    return wait_for_page(input, link, now);
  }
  if (faults_.any_waits()) [[unlikely]] {
    faults_.go_on(input);
  }
  if (lacks_translation(input, port, link.front())) [[unlikely]] {
    return ask_for_translation(input, port, link, now);
  }
  if (const Cycle turn = wait_for_turn(input, slice, now); turn != InputSet<MemRequest>::kTaken) {
    return turn;
  }
  MemRequest request = link.front();
  request.source = static_cast<std::uint16_t>(port);
  if (windows_ != nullptr && windows_->any() && request.priority == LinePriority::kUnstated &&
      request.client == MemClient::kL1) [[unlikely]] {
    request.priority = windows_->priority(request.seat, request.line);
  }
  const std::uint32_t bytes = bytes_of_request(request);
  const L2RequestCoalescer::Offer offer = coalescers_[gpc].offer(request, now);
  CrossbarStats& stats = stats_[request.seat];
  ++stats.requests;
  stats.request_wait.add(now - link.next_arrival());
  port_rate.use(now, bytes);
  if (offer.verdict == L2RequestCoalescer::Verdict::kMerged) {
    ++stats.merged_requests;
    stats.merged_sectors += sector_count(request.sector_mask);
  } else {
    gpc_rate.use(now, bytes);
    stats.request_bytes += bytes;
    SliceRequest message;
    message.mem = request;
    message.merged = offer.verdict == L2RequestCoalescer::Verdict::kLead ? static_cast<std::uint16_t>(offer.entry + 1)
                                                                         : std::uint16_t{0};
    message.bytes = static_cast<std::uint16_t>(bytes);
    slices_[slice].requests->send(message, now);
  }
  link.pop(now);
  slice_of_input_[input] = kNoSlice;
  if (input >= port_of_input_.size()) [[unlikely]] {
    sm_translations_->translated(port, request.line);
    try_again_at_ = now;
  }
  return InputSet<MemRequest>::kTaken;
}

Cycle Crossbar::take_response(Link<SliceResponse>& link, Cycle now) {
  const SliceResponse& message = link.front();
  const std::uint32_t port = message.mem.destination;
  if (!response_ports_.has_room(port)) {
    return now + 1;
  }
  stats_[message.mem.seat].response_wait.add(now - link.next_arrival());
  if (message.merged != 0) {
    bool copy = false;
    coalescers_[ports_[port].gpc].collect(message.merged - 1U, message.mem, [&](const MemResponse& response) {
      response_ports_.add(response, copy, now);
      copy = true;
    });
  } else {
    response_ports_.add(message.mem, false, now);
  }
  link.pop(now);
  return InputSet<SliceResponse>::kTaken;
}

// By a mechanism one request after another goes: a requester with many does not send them all in its turn.
Cycle Crossbar::take_requests(Cycle now) {
  const auto take = [&](std::uint32_t input, Link<MemRequest>& link) { return take_request(input, link, now); };
  if (!arbitration_) [[likely]] {
    return request_inputs_.serve_all(now, take);
  }
  const auto offer_of = [this, now](std::uint32_t input, Link<MemRequest>& link) -> ArbitrationMechanism::Offer {
    const std::uint32_t port = port_of(input, link.front());
    return {port, ports_[port].gpc, link.next_arrival(), bytes_of_request(link.front()),
            static_cast<std::uint32_t>(link.arrived(now))};
  };
  const auto waits = [&](std::uint32_t input) {
    const std::uint32_t slice = slice_of_input_[input];
    return slice != kNoSlice && !slices_[slice].requests->can_send(now);
  };
  const auto goes_later = [this](const ArbitrationMechanism::Offer& a, const ArbitrationMechanism::Offer& b) {
    return arbitration_.before(b, a);
  };
  const auto serve = [&](std::uint32_t input, Link<MemRequest>& link, const ArbitrationMechanism::Offer& offer) {
    const LaunchSeat seat = link.front().seat;
    const Cycle result = take(input, link);
    if (result == InputSet<MemRequest>::kTaken) {
      arbitration_.sent(offer, seat, now);
    }
    return result;
  };
  return request_inputs_.serve_in_order(now, offers_, waits, offer_of, goes_later, serve);
}

Cycle Crossbar::tick(Cycle now) {
  const auto take = [&](std::uint32_t, Link<SliceResponse>& link) { return take_response(link, now); };
  // A set of its own: without requests to other memories, a gate does not change whose turn it is.
  const Cycle responses = std::min(response_inputs_.serve_all(now, take), gate_input_.serve_all(now, take));
  const Cycle sends = response_ports_.send(now);
  const Cycle requests = take_requests(now);
  const Cycle next = std::min({responses, sends, requests});
  return try_again_at_ == now ? std::min(next, now + 1) : next;
}

bool Crossbar::idle() const {
  return request_inputs_.empty() && response_inputs_.empty() && gate_input_.empty() && response_ports_.empty() &&
         std::all_of(coalescers_.begin(), coalescers_.end(), [](const L2RequestCoalescer& c) { return c.empty(); });
}

std::string Crossbar::describe_stall() const {
  std::string text;
  if (!request_inputs_.empty()) {
    text += "requests wait for slices or bandwidth; ";
  }
  if (!response_inputs_.empty() || !gate_input_.empty()) {
    text += "responses wait at slices; ";
  }
  return text + response_ports_.describe_stall();
}

}  // namespace warpsim
