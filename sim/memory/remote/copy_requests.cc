#include "memory/remote/copy_requests.h"

#include <algorithm>
#include <cmath>

#include "memory/access/covered_bytes.h"
#include "memory/remote/remote_stats.h"

namespace warpsim {

namespace {

constexpr double kMhzPerGhz = 1e3;

}  // namespace

CopyRequests::CopyRequests(const AddressMap& map, const std::vector<Port>& ports, const ClockDomain& clock)
    : map_(&map), ports_(ports), clock_(&clock) {}

void CopyRequests::connect(WakeHandle self) {
  self_ = self;
  for (const Port& port : ports_) {
    port.requests->connect_sender(self);
    port.responses->connect_receiver(self);
  }
}

void CopyRequests::start(const EngineCopy& copy, Cycle at) {
  const auto same = [&copy](const Active& active) { return active.copy.number == copy.number; };
  if (copy.done >= copy.width * copy.rows || std::ranges::any_of(copies_, same)) {
    return;
  }
  const double cycles_per_byte = clock_->frequency_mhz() / kMhzPerGhz / copy.gb_per_s;
  copies_.push_back(
      {copy, static_cast<double>(at) - static_cast<double>(copy.done) * cycles_per_byte, cycles_per_byte});
  self_.wake_at(at);
}

Cycle CopyRequests::due(const Active& active) {
  return static_cast<Cycle>(std::ceil(active.begin + static_cast<double>(active.copy.done) * active.cycles_per_byte));
}

// The rest of the row within one line.
bool CopyRequests::send_one(Active& active, Cycle now) {
  EngineCopy& copy = active.copy;
  const std::uint64_t offset = copy.done % copy.width;
  const Address address = copy.address + copy.done / copy.width * copy.pitch + offset;
  const Address line = line_of(address);
  const Address end = std::min(line + kLineBytes, address + copy.width - offset);
  Link<MemRequest>& port = *ports_[map_->home_of(line).partition].requests;
  if (!port.can_send(now)) {
    return false;
  }
  MemRequest request;
  request.line = line;
  request.op = copy.writes ? MemOp::kWrite : MemOp::kRead;
  request.seat = kGuestSeat;
  request_bytes(request, address, end);
  port.send(request, now);
  copy.done += end - address;
  return true;
}

Cycle CopyRequests::tick(Cycle now) {
  Cycle next = kNever;
  for (const Port& port : ports_) {
    while (port.responses->has_message(now)) {
      port.responses->pop(now);
    }
    next = std::min(next, port.responses->next_arrival());
  }
  const auto is_over = [](const Active& active) { return active.copy.done >= active.copy.width * active.copy.rows; };
  for (Active& active : copies_) {
    while (!is_over(active) && due(active) <= now && send_one(active, now)) {
    }
    // A port that has no space wakes the component when it has.
    if (!is_over(active) && due(active) > now) {
      next = std::min(next, due(active));
    }
  }
  std::erase_if(copies_, is_over);
  return next;
}

bool CopyRequests::idle() const {
  return std::ranges::all_of(ports_,
                             [](const Port& port) { return port.requests->empty() && port.responses->empty(); });
}

std::string CopyRequests::describe_stall() const {
  return idle() ? std::string() : "requests of copies wait for the crossbar";
}

}  // namespace warpsim
