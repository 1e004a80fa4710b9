// A registered channel between two components, possibly of different clock domains.
//
// A message becomes visible to the receiver `latency` sender cycles after it was sent, and never in the same instant.
// Hence the order in which components tick within an instant does not affect messages.
//
// A slot that pop() frees can be used by the sender after the instant of the pop. With credits it travels back as long
// as a message travels there, as a credit does in hardware, and the link has that many more slots, so that its
// throughput is the same. Between two engines the link is a crossing, which always has credits: each end has a half of
// its own, and takes what the other one has sent in a window at the beginning of the next (system.h). A link with
// credits therefore gives the same results within one engine and between two.
//
// One sender, one receiver. Messages are small trivially copyable values.
#pragma once

#include <array>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/ring_buffer.h"
#include "engine/crossing.h"
#include "engine/engine.h"

namespace warpsim {

// When the sender can use a slot that was freed.
enum class FreedSlots : std::uint8_t {
  kAtOnce,      // after the instant, unless the link is a crossing
  kTravelBack,  // credits
};

template <typename Message>
class Link final : public Crossing {
  static_assert(std::is_trivially_copyable_v<Message>);

 public:
  // `capacity` messages may be in flight or waiting at the receiver.
  Link(const ClockDomain& sender, const ClockDomain& receiver, std::size_t capacity, Cycle latency,
       FreedSlots freed = FreedSlots::kAtOnce)
      : sender_(&sender), receiver_(&receiver), latency_(latency), capacity_(capacity), queue_(capacity) {
    SIM_CHECK(latency >= 1, "a link has a latency of at least one cycle");
    SIM_CHECK(capacity >= 1, "a link holds at least one message");
    if (freed == FreedSlots::kTravelBack) {
      use_credits();
    }
  }

  void connect_sender(WakeHandle sender) {
    wake_sender_ = sender;
    connect();
  }
  void connect_receiver(WakeHandle receiver) {
    wake_receiver_ = receiver;
    connect();
  }
  // For a receiver of many links: every message also sets bit `bit` of `*flags`, which the receiver clears when it has
  // taken note, so that it need not look at links to which nothing was sent. `flags` outlives the link.
  void connect_receiver(WakeHandle receiver, std::uint64_t* flags, std::uint32_t bit) {
    flags_ = flags;
    flag_ = std::uint64_t{1} << bit;
    connect_receiver(receiver);
  }

  // --- sender's side; `now` in sender cycles ---
  // A refused sender is woken when a slot becomes free.
  bool can_send(Cycle now) {
    if (free_slots(now) > 0) {
      return true;
    }
    if (has_credits_) {
      if (returned_.empty()) {
        set_waits(true);  // a returned slot wakes it
      } else {
        wake_sender_.wake_at(returned_.front());
      }
    } else if (queue_.full()) {
      set_waits(true);  // pop() wakes it
    } else {
      wake_sender_.wake_at(now + 1);  // a slot was freed in this very instant
    }
    return false;
  }
  std::size_t free_slots(Cycle now) {
    if (has_credits_) {
      while (!returned_.empty() && returned_.front() <= now) {
        returned_.pop();
        --used_;
      }
      return capacity_ - used_;
    }
    const std::size_t held_back = sender_->time_of(now) <= last_pop_ ? pops_at_last_pop_ : 0;
    return capacity_ - queue_.size() - held_back;
  }
  void send(const Message& message, Cycle now) {
    // edge_at_or_after alone would allow delivery in the same instant only with latency 0, which is excluded.
    const Cycle arrival =
        sender_ == receiver_ ? now + latency_ : receiver_->edge_at_or_after(sender_->time_of(now + latency_));
    if (has_credits_) {
      SIM_CHECK(is_used() && free_slots(now) != 0,
                "a message is sent over a link that is unused or without a free slot");
      ++used_;
    }
    if (crosses_) {
      std::vector<Entry>& sent = sent_.filled();
      if (sent.empty()) {
        wake_sender_.engine()->note_sent(*this);
      }
      sent.push_back({message, arrival});
      return;
    }
    accept({message, arrival});
    wake_receiver_.wake_at(arrival);
  }

  // --- receiver's side; `now` in receiver cycles ---
  bool has_message(Cycle now) const { return !queue_.empty() && queue_.front().arrival <= now; }
  // Arrival of the oldest message, kNever if there is none: what a receiver's tick returns to wait for it.
  Cycle next_arrival() const { return queue_.empty() ? kNever : queue_.front().arrival; }
  const Message& front() const { return queue_.front().message; }
  // Messages behind the oldest one, which has number 0.
  bool has_message(std::size_t number, Cycle now) const { return queue_.at(number).arrival <= now; }
  const Message& message(std::size_t number) const { return queue_.at(number).message; }
  void pop(Cycle now) {
    const TimeFs time = receiver_->time_of(now);
    queue_.pop();
    if (crosses_) {
      std::vector<Cycle>& freed = freed_.filled();
      if (freed.empty()) {
        wake_receiver_.engine()->note_freed(*this);
      }
      freed.push_back(returns_at(time));
      return;
    }
    if (has_credits_) {
      returned_.push(returns_at(time));
      wake_waiting_sender(returned_.front());
      return;
    }
    if (time == last_pop_) {
      ++pops_at_last_pop_;
    } else {
      last_pop_ = time;
      pops_at_last_pop_ = 1;
    }
    wake_waiting_sender(sender_->edge_after(time));
  }

  // How many messages have arrived.
  std::size_t arrived(Cycle now) const {
    std::size_t count = 0;
    while (count < queue_.size() && has_message(count, now)) {
      ++count;
    }
    return count;
  }

  // What the receiver has or will have; when a run has ended that is all.
  bool empty() const { return queue_.empty(); }
  std::size_t size() const { return queue_.size(); }

  // --- windows ---
  std::uint64_t end_messages() override { return receiver_->time_of(sent_.end_window().front().arrival).fs; }
  std::uint64_t end_slots() override { return sender_->time_of(freed_.end_window().front()).fs; }
  Engine& receiver() const override { return *wake_receiver_.engine(); }
  Engine& sender() const override { return *wake_sender_.engine(); }
  void deliver() override {
    std::vector<Entry>& sent = sent_.ended();
    wake_receiver_.wake_at(sent.front().arrival);
    for (const Entry& entry : sent) {
      accept(entry);
    }
    sent.clear();
  }
  void return_slots() override {
    std::vector<Cycle>& freed = freed_.ended();
    for (const Cycle cycle : freed) {
      returned_.push(cycle);
    }
    freed.clear();
    wake_waiting_sender(returned_.front());
  }
  std::uint64_t lookahead_fs() const override { return latency_ * sender_->period_fs(); }

 private:
  struct Entry {
    Message message;
    Cycle arrival;
  };
  // What one end hands to the other. It fills one list in a window, while the other end empties the list of the window
  // before; each end goes from one list to the next by itself.
  template <typename Item>
  class Lists {
   public:
    std::vector<Item>& filled() { return lists_[filled_]; }
    std::vector<Item>& end_window() { return lists_[std::exchange(filled_, filled_ ^ 1U)]; }
    std::vector<Item>& ended() { return lists_[std::exchange(ended_, ended_ ^ 1U)]; }

   private:
    std::array<std::vector<Item>, 2> lists_;
    alignas(64) std::uint32_t filled_ = 0;  // written by different threads
    alignas(64) std::uint32_t ended_ = 0;
  };

  void connect() {
    if (!wake_sender_.connected() || !wake_receiver_.connected() || wake_sender_.engine() == wake_receiver_.engine()) {
      return;
    }
    SIM_CHECK(!crosses_ && queue_.empty(), "a link is connected again");
    crosses_ = true;
    if (!has_credits_) {
      use_credits();
    }
    wake_sender_.engine()->add_crossing(*this);
    wake_receiver_.engine()->expect_messages();
    wake_sender_.engine()->expect_slots();
  }
  void use_credits() {
    has_credits_ = true;
    capacity_ += latency_;
    queue_ = RingBuffer<Entry>(capacity_);
    returned_ = RingBuffer<Cycle>(capacity_);
  }
  // The sender's cycle from which on a slot freed at this time can be used.
  Cycle returns_at(TimeFs freed) const { return sender_->edge_at_or_after(TimeFs{freed.fs + lookahead_fs()}); }
  void wake_waiting_sender(Cycle cycle) {
    if (sender_waits_) {
      set_waits(false);
      wake_sender_.wake_at(cycle);
    }
  }
  void set_waits(bool waits) {
    if (waits != sender_waits_ && crosses_) {
      wake_sender_.engine()->count_waiting(waits);
    }
    sender_waits_ = waits;
  }
  void accept(const Entry& entry) {
    queue_.push(entry);
    if (flags_ != nullptr) {
      *flags_ |= flag_;
    }
  }

  const ClockDomain* sender_;
  const ClockDomain* receiver_;
  Cycle latency_;
  std::size_t capacity_;
  bool has_credits_ = false;
  bool crosses_ = false;
  // Of the receiver; within one engine of both.
  RingBuffer<Entry> queue_;
  WakeHandle wake_receiver_;
  std::uint64_t* flags_ = nullptr;
  std::uint64_t flag_ = 0;
  TimeFs last_pop_{0};
  std::size_t pops_at_last_pop_ = 0;
  // Of the sender.
  WakeHandle wake_sender_;
  bool sender_waits_ = false;
  std::size_t used_ = 0;
  RingBuffer<Cycle> returned_{1};  // slots that become free at these cycles
  // From one to the other.
  Lists<Entry> sent_;
  Lists<Cycle> freed_;  // sender cycles from which on the slots can be used
};

}  // namespace warpsim
