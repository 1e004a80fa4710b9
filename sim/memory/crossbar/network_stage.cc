#include "memory/crossbar/network_stage.h"

#include <fmt/format.h>

#include "base/error.h"

namespace warpsim {

NetworkStage::NetworkStage(const Choice& choice, const Place& place, const std::vector<SliceLinks>& slices,
                           std::uint32_t entries, LaunchStatsNode& parent)
    : name_(choice.name()),
      place_(place),
      slices_(slices),
      entries_(entries),
      counters_(parent, "network"),
      requests_in_(static_cast<std::uint32_t>(slices.size())),
      responses_in_(static_cast<std::uint32_t>(slices.size())),
      requests_(slices.size()),
      responses_(slices.size()) {
  network_ = choice.make({static_cast<std::uint32_t>(place_.partition_of_gpc.size()),
                          static_cast<std::uint32_t>(slices.size()), place_.partitions, place_.partition_of_gpc.data()},
                         counters_);
}

void NetworkStage::connect(WakeHandle self) {
  for (std::uint32_t slice = 0; slice < slices_.size(); ++slice) {
    requests_in_.connect(slice, *slices_[slice].from_crossbar, self);
    responses_in_.connect(slice, *slices_[slice].from_slice, self);
    slices_[slice].to_slice->connect_sender(self);
    slices_[slice].to_crossbar->connect_sender(self);
  }
}

Cycle NetworkStage::arrival(const mechanism::NetworkMessage& message, LaunchSeat seat, Cycle now) {
  counters_.select(seat);
  const Cycle at = network_->arrival(message, now);
  if (at <= now) {
    throw ConfigError(
        fmt::format("network '{}' lets a message of cycle {} arrive at {}, expected a later cycle", name_, now, at));
  }
  return at;
}

Cycle NetworkStage::take_request(std::uint32_t slice, Link<SliceRequest>& link, Cycle now) {
  if (requests_[slice].size() == entries_) {
    return InputSet<SliceRequest>::kWaitForLink;  // sending one makes room
  }
  const SliceRequest& request = link.front();
  requests_[slice].add(
      request, arrival({false, place_.gpc_of_port[request.mem.source], slice, request.bytes}, request.mem.seat, now));
  link.pop(now);
  return InputSet<SliceRequest>::kTaken;
}

Cycle NetworkStage::take_response(std::uint32_t slice, Link<SliceResponse>& link, Cycle now) {
  if (responses_[slice].size() == entries_) {
    return InputSet<SliceResponse>::kWaitForLink;
  }
  const SliceResponse& response = link.front();
  responses_[slice].add(response,
                        arrival({true, place_.gpc_of_port[response.mem.destination], slice, bytes_of(response.mem)},
                                response.mem.seat, now));
  link.pop(now);
  return InputSet<SliceResponse>::kTaken;
}

Cycle NetworkStage::tick(Cycle now) {
  Cycle next = kNever;
  for (std::size_t slice = 0; slice < slices_.size(); ++slice) {
    if (!requests_[slice].empty()) {
      next = std::min(next, requests_[slice].send(*slices_[slice].to_slice, now));
    }
    if (!responses_[slice].empty()) {
      next = std::min(next, responses_[slice].send(*slices_[slice].to_crossbar, now));
    }
  }
  const Cycle requests = requests_in_.serve_all(now, [&](std::uint32_t slice, Link<SliceRequest>& link) {
    const Cycle result = take_request(slice, link, now);
    next = result == InputSet<SliceRequest>::kTaken ? now + 1 : next;
    return result;
  });
  const Cycle responses = responses_in_.serve_all(now, [&](std::uint32_t slice, Link<SliceResponse>& link) {
    const Cycle result = take_response(slice, link, now);
    next = result == InputSet<SliceResponse>::kTaken ? now + 1 : next;
    return result;
  });
  return std::min({next, requests, responses});
}

bool NetworkStage::idle() const {
  const auto is_empty = [](const auto& queue) { return queue.empty(); };
  return requests_in_.empty() && responses_in_.empty() && std::ranges::all_of(requests_, is_empty) &&
         std::ranges::all_of(responses_, is_empty);
}

}  // namespace warpsim
