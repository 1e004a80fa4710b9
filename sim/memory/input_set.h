// The input links of a switch. Tracks which of many links have messages, so that the cost of a tick depends on messages
// and not on links, and serves them in rotating order.
//
// Invariant: a link is in the active set exactly while it is not empty (as of the last tick), and its oldest message is
// not served before due_[i]: its arrival, or the later cycle that serving it has named.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <memory>
#include <vector>

#include "engine/link.h"
#include "memory/ordered_service.h"
#include "memory/turn.h"

namespace warpsim {

template <typename Message>
class InputSet {
 public:
  // Results of serving a link, besides the cycle at which to try again.
  static constexpr Cycle kTaken = 0;             // the message was popped
  static constexpr Cycle kWaitForLink = kNever;  // an output refused it and wakes the owner when it has space

  explicit InputSet(std::uint32_t count) : InputSet(count, count) {}
  // The turn goes around the first `turns` links and passes on every `turn_cycles` (turn.h); the others are always
  // served after the last of these, so that they change no turn while they have no messages.
  InputSet(std::uint32_t count, std::uint32_t turns, std::uint32_t turn_cycles = 1)
      : links_(count),
        turn_(turns, turn_cycles),
        due_(count, kNever),
        words_(count / 64 + 1),
        active_(words_, 0),
        parked_(words_, 0),
        sent_(words_, 0) {}

  void connect(std::uint32_t input, Link<Message>& link, WakeHandle receiver) {
    links_[input] = &link;
    link.connect_receiver(receiver, &sent_[input / 64], input % 64);
  }
  bool empty() const {
    for (std::size_t w = 0; w < words_; ++w) {
      if ((active_[w] | sent_[w]) != 0) {
        return false;
      }
    }
    return true;
  }

  // A parked link is not offered until it is unparked, also by `serve`: its message waits for that of another link.
  void park(std::uint32_t input) { parked_[input / 64] |= bit(input); }
  void unpark(std::uint32_t input) { parked_[input / 64] &= ~bit(input); }

  // Offers every visible message to `serve(input, link)`, which pops it and returns kTaken, or returns when to try
  // again: a cycle before which it would refuse it for sure. Returns the next cycle at which something can happen.
  template <typename Serve>
  Cycle serve_all(Cycle now, Serve&& serve) {
    note_sends();
    Cycle next = kNever;
    bool moved = false;
    const auto offer = [&](std::uint32_t input) {
      Link<Message>& link = *links_[input];
      while (due_[input] <= now) {
        const Cycle result = serve(input, link);
        if (result != kTaken) {
          next = std::min(next, result);
          due_[input] = result == kWaitForLink ? due_[input] : result;
          return;
        }
        moved = true;
        due_[input] = link.next_arrival();
      }
      next = std::min(next, due_[input]);
      if (due_[input] == kNever) {
        active_[input / 64] &= ~bit(input);
      }
    };
    const std::size_t first = turn_.first() / 64;
    const std::uint64_t upper = ~std::uint64_t{0} << (turn_.first() % 64);
    offer_word(first, upper, offer);
    for (std::size_t i = 1; i < words_; ++i) {
      offer_word((first + i) % words_, ~std::uint64_t{0}, offer);
    }
    offer_word(first, ~upper, offer);
    if (moved) {
      turn_.served();
    }
    return next;
  }

  // The same, one message at a time in an order: offer_of(input, link) is what is compared of each input whose message
  // was not refused yet, goes_later(a, b) says that b goes before a, and serve(input, link, offer) is called for the
  // first. Inputs for which waits(input) is true are left out; an output wakes the owner for them. A refusal does not
  // change the order. Parking is not possible. `offers` is storage.
  template <typename Offer>
  struct Offered {
    Offer offer;
    std::uint32_t input;
  };
  template <typename Offer, typename Waits, typename OfferOf, typename GoesLater, typename Serve>
  Cycle serve_in_order(Cycle now, std::vector<Offered<Offer>>& offers, Waits&& waits, OfferOf&& offer_of,
                       GoesLater&& goes_later, Serve&& serve) {
    note_sends();
    Cycle next = kNever;
    offers.clear();
    for (std::size_t word = 0; word < words_; ++word) {
      for (std::uint64_t bits = active_[word]; bits != 0; bits &= bits - 1) {
        const auto input = static_cast<std::uint32_t>(word * 64 + static_cast<std::size_t>(std::countr_zero(bits)));
        if (due_[input] > now) {
          next = std::min(next, due_[input]);
        } else if (!waits(input)) {
          offers.push_back({offer_of(input, *links_[input]), input});
        }
      }
    }
    const auto later = [&](const Offered<Offer>& a, const Offered<Offer>& b) { return goes_later(a.offer, b.offer); };
    warpsim::serve_in_order(offers, later, [&](Offered<Offer>& offered) {
      const std::uint32_t input = offered.input;
      const Cycle result = serve(input, *links_[input], offered.offer);
      if (result != kTaken) {
        next = std::min(next, result);
        due_[input] = result == kWaitForLink ? due_[input] : result;
        return ServiceResult::kRefused;
      }
      due_[input] = links_[input]->next_arrival();
      if (due_[input] <= now) {
        offered.offer = offer_of(input, *links_[input]);
        return ServiceResult::kAgain;
      }
      next = std::min(next, due_[input]);
      if (due_[input] == kNever) {
        active_[input / 64] &= ~bit(input);
      }
      return ServiceResult::kDone;
    });
    return next;
  }

 private:
  void note_sends() {
    for (std::size_t w = 0; w < words_; ++w) {
      std::uint64_t bits = sent_[w];
      sent_[w] = 0;
      active_[w] |= bits;
      for (; bits != 0; bits &= bits - 1) {
        const std::size_t input = w * 64 + static_cast<std::size_t>(std::countr_zero(bits));
        due_[input] = links_[input]->next_arrival();
      }
    }
  }
  template <typename Offer>
  void offer_word(std::size_t word, std::uint64_t mask, Offer&& offer) {
    const auto offered = [&] { return active_[word] & ~parked_[word] & mask; };
    for (std::uint64_t bits = offered(); bits != 0; bits = offered()) {  // an offer may have unparked others
      const std::uint64_t lowest = bits & (~bits + 1);
      mask &= ~(lowest | (lowest - 1));
      offer(static_cast<std::uint32_t>(word * 64 + static_cast<std::size_t>(std::countr_zero(bits))));
    }
  }
  static constexpr std::uint64_t bit(std::uint32_t input) { return std::uint64_t{1} << (input % 64); }

  std::vector<Link<Message>*> links_;
  Turn turn_;
  std::vector<Cycle> due_;
  std::size_t words_;
  std::vector<std::uint64_t> active_;
  std::vector<std::uint64_t> parked_;
  std::vector<std::uint64_t> sent_;  // written by the links
};

}  // namespace warpsim
