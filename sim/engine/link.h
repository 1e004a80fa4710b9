// A registered channel between two components, possibly of different clock domains.
//
// A message becomes visible to the receiver `latency` sender cycles after it was sent, and never in the same instant. A
// slot freed by pop() can be reused by the sender only after the instant of the pop. Hence the order in which
// components tick within an instant does not affect messages (docs/architecture.md names the one effect that it has for
// PTX).
//
// One sender, one receiver. Messages are small trivially copyable values.
#pragma once

#include <type_traits>

#include "base/ring_buffer.h"
#include "engine/engine.h"

namespace warpsim {

template <typename Message>
class Link {
  static_assert(std::is_trivially_copyable_v<Message>);

 public:
  // `capacity` messages may be in flight or waiting at the receiver.
  Link(const ClockDomain& sender, const ClockDomain& receiver, std::size_t capacity, Cycle latency)
      : sender_(&sender), receiver_(&receiver), latency_(latency), queue_(capacity) {
    SIM_CHECK(latency >= 1, "a link has a latency of at least one cycle");
    SIM_CHECK(capacity >= 1, "a link holds at least one message");
  }

  void connect_sender(WakeHandle sender) { wake_sender_ = sender; }
  void connect_receiver(WakeHandle receiver) { wake_receiver_ = receiver; }
  // For a receiver with many links: every send() also sets bit `bit` of `*flags`, which the receiver clears when it has
  // processed it, so that it can skip links to which nothing was sent. `flags` outlives the link.
  void connect_receiver(WakeHandle receiver, std::uint64_t* flags, std::uint32_t bit) {
    wake_receiver_ = receiver;
    flags_ = flags;
    flag_ = std::uint64_t{1} << bit;
  }

  // --- sender's side; `now` in sender cycles ---
  // A refused sender is woken when a slot becomes free.
  bool can_send(Cycle now) {
    if (free_slots(now) > 0) {
      return true;
    }
    if (queue_.full()) {
      sender_waits_ = true;  // pop() wakes it
    } else {
      wake_sender_.wake_at(now + 1);  // a slot was freed in this instant
    }
    return false;
  }
  std::size_t free_slots(Cycle now) const {
    const std::size_t held_back = sender_->time_of(now) <= last_pop_ ? pops_at_last_pop_ : 0;
    return queue_.capacity() - queue_.size() - held_back;
  }
  void send(const Message& message, Cycle now) {
    // edge_at_or_after alone would allow delivery in the same instant only with latency 0, which is excluded.
    const Cycle arrival =
        sender_ == receiver_ ? now + latency_ : receiver_->edge_at_or_after(sender_->time_of(now + latency_));
    queue_.push({message, arrival});
    if (flags_ != nullptr) {
      *flags_ |= flag_;
    }
    wake_receiver_.wake_at(arrival);
  }

  // --- receiver's side; `now` in receiver cycles ---
  bool has_message(Cycle now) const { return !queue_.empty() && queue_.front().arrival <= now; }
  // Arrival of the oldest message, kNever if there is none: what a receiver's tick returns to wait for it.
  Cycle next_arrival() const { return queue_.empty() ? kNever : queue_.front().arrival; }
  const Message& front() const { return queue_.front().message; }
  void pop(Cycle now) {
    const TimeFs time = receiver_->time_of(now);
    if (time == last_pop_) {
      ++pops_at_last_pop_;
    } else {
      last_pop_ = time;
      pops_at_last_pop_ = 1;
    }
    queue_.pop();
    if (sender_waits_) {
      sender_waits_ = false;
      wake_sender_.wake_at(sender_->edge_after(time));
    }
  }

  bool empty() const { return queue_.empty(); }
  std::size_t size() const { return queue_.size(); }

 private:
  struct Entry {
    Message message;
    Cycle arrival;
  };
  const ClockDomain* sender_;
  const ClockDomain* receiver_;
  Cycle latency_;
  RingBuffer<Entry> queue_;
  WakeHandle wake_sender_;
  WakeHandle wake_receiver_;
  std::uint64_t* flags_ = nullptr;
  std::uint64_t flag_ = 0;
  TimeFs last_pop_{0};
  std::size_t pops_at_last_pop_ = 0;
  bool sender_waits_ = false;
};

}  // namespace warpsim
