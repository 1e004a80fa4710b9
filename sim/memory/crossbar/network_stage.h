// A network that a description chooses (warpsim/network.h), between the crossbar's switches and the slices.
//
//   crossbar -> here -> slice   requests
//   slice -> here -> crossbar   responses
// Modelled: a message leaves at the cycle that the network gives, when its link has space; messages that wait for a
// link are sent in the order of their arrival. A limited number of messages to a slice, or from it, is on the way or
// waits. State: these messages; the network's own. Descriptions without a network do not have this component.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "engine/component.h"
#include "engine/link.h"
#include "mechanisms/mechanism_choice.h"
#include "memory/input_set.h"
#include "memory/slice_message.h"
#include "stats/launch_stats.h"

namespace warpsim {

// Messages on their way to one link, first arrival first.
template <typename Message>
class NetworkQueue {
 public:
  void add(const Message& message, Cycle arrival) {
    const Entry entry{arrival, next_++, message};
    entries_.insert(std::upper_bound(entries_.begin(), entries_.end(), entry, goes_last), entry);
  }
  std::size_t size() const { return entries_.size(); }
  bool empty() const { return entries_.empty(); }
  // Sends what has arrived; returns when to try again.
  Cycle send(Link<Message>& link, Cycle now) {
    while (!entries_.empty() && entries_.back().arrival <= now) {
      if (!link.can_send(now)) {
        return kNever;  // the link wakes the owner
      }
      link.send(entries_.back().message, now);
      entries_.pop_back();
    }
    return entries_.empty() ? kNever : entries_.back().arrival;
  }

 private:
  struct Entry {
    Cycle arrival;
    std::uint64_t number;
    Message message;
  };
  static bool goes_last(const Entry& a, const Entry& b) {
    return a.arrival != b.arrival ? a.arrival > b.arrival : a.number > b.number;
  }

  std::vector<Entry> entries_;  // the next one is the last
  std::uint64_t next_ = 0;
};

class NetworkStage final : public Component {
 public:
  using Choice = MechanismChoice<mechanism::Network>;

  // Of one slice: links to and from it, and those to and from the crossbar.
  struct SliceLinks {
    Link<SliceRequest>* from_crossbar;
    Link<SliceRequest>* to_slice;
    Link<SliceResponse>* from_slice;
    Link<SliceResponse>* to_crossbar;
  };
  // Where the ports of the crossbar are.
  struct Place {
    std::vector<std::uint32_t> gpc_of_port;
    std::vector<std::uint32_t> partition_of_gpc;
    std::uint32_t partitions = 1;
  };
  // Throws ConfigError if the network's constructor throws. `entries`: messages on the way to a slice, and from it.
  NetworkStage(const Choice& choice, const Place& place, const std::vector<SliceLinks>& slices, std::uint32_t entries,
               LaunchStatsNode& parent);
  void connect(WakeHandle self);

  // Throws ConfigError if the network lets a message arrive in the past.
  Cycle tick(Cycle now) override;
  bool idle() const override;
  std::string describe_stall() const override { return idle() ? "" : "messages are in the network; "; }

 private:
  Cycle arrival(const mechanism::NetworkMessage& message, LaunchSeat seat, Cycle now);
  Cycle take_request(std::uint32_t slice, Link<SliceRequest>& link, Cycle now);
  Cycle take_response(std::uint32_t slice, Link<SliceResponse>& link, Cycle now);

  std::string name_;
  Place place_;
  std::vector<SliceLinks> slices_;
  std::uint32_t entries_;
  MechanismCounters counters_;
  std::unique_ptr<mechanism::Network> network_;
  InputSet<SliceRequest> requests_in_;
  InputSet<SliceResponse> responses_in_;
  std::vector<NetworkQueue<SliceRequest>> requests_;    // by slice
  std::vector<NetworkQueue<SliceResponse>> responses_;  // by slice
};

}  // namespace warpsim
