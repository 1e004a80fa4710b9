#include "engine/link.h"

#include <catch2/catch.hpp>
#include <vector>

#include "unit/engine/link_ends.h"

namespace warpsim {
namespace {

const ClockDomain kCore("core", 1000);
const ClockDomain kHalf("half", 500);
const ClockDomain kThreeQuarters("three quarters", 750);

TEST_CASE("A message arrives after the link's latency and not before") {
  Link<int> link(kCore, kCore, 4, 3);
  link.send(42, 10);
  CHECK_FALSE(link.has_message(12));
  REQUIRE(link.has_message(13));
  CHECK(link.next_arrival() == 13);
  CHECK(link.front() == 42);
  link.pop(13);
  CHECK(link.empty());
  CHECK(link.next_arrival() == kNever);
}

TEST_CASE("A latency counts in cycles of the sender, arrival is the receiver's next edge") {
  // Sender 1 ns, receiver 2 ns per cycle: sent at 10 ns, 3 ns on the way, arrives at 13 ns; next edge 7 at 14 ns.
  Link<int> to_slow(kCore, kHalf, 4, 3);
  to_slow.send(1, 10);
  CHECK(to_slow.next_arrival() == 7);
  // The other direction: sent at edge 5 = 10 ns, 3 cycles of 2 ns, arrives at 16 ns = edge 16.
  Link<int> to_fast(kHalf, kCore, 4, 3);
  to_fast.send(1, 5);
  CHECK(to_fast.next_arrival() == 16);
  // 1.333 ns per cycle: sent at 1 ns, a latency of 1 ns ends at 2 ns; edges at 1.333 and 2.667 ns.
  Link<int> odd(kCore, kThreeQuarters, 4, 1);
  odd.send(1, 1);
  CHECK(odd.next_arrival() == 2);
}

TEST_CASE("A link of latency zero, or without capacity, is an internal error") {
  CHECK_THROWS_AS(Link<int>(kCore, kCore, 1, 0), InternalError);
  CHECK_THROWS_AS(Link<int>(kCore, kCore, 0, 1), InternalError);
}

TEST_CASE("A link accepts messages up to its capacity, including those in flight") {
  Link<int> link(kCore, kCore, 2, 5);
  CHECK(link.can_send(0));
  link.send(1, 0);
  CHECK(link.free_slots(0) == 1);
  link.send(2, 0);
  CHECK_FALSE(link.can_send(0));
  CHECK_FALSE(link.can_send(4));
}

TEST_CASE("A slot freed in an instant can be used only after that instant, independent of the order of ticks") {
  Link<int> link(kCore, kCore, 1, 1);
  link.send(1, 0);
  link.pop(1);
  CHECK_FALSE(link.can_send(1));
  CHECK(link.can_send(2));
}

struct Outcome {
  std::vector<Cycle> sent;
  std::vector<Cycle> taken;
  friend bool operator==(const Outcome&, const Outcome&) = default;
};

Outcome transfer(bool skip, bool receiver_first, std::size_t capacity, int messages, Cycle interval) {
  Engine engine(skip);
  const std::uint32_t core = engine.add_domain("core", 1000);
  Link<int> link(engine.domain(core), engine.domain(core), capacity, 1);
  Sender sender(link, messages);
  Receiver receiver(link, interval);
  if (receiver_first) {
    link.connect_receiver(engine.add_component(core, "receiver", receiver));
    link.connect_sender(engine.add_component(core, "sender", sender));
  } else {
    link.connect_sender(engine.add_component(core, "sender", sender));
    link.connect_receiver(engine.add_component(core, "receiver", receiver));
  }
  engine.run(TimeFs{1'000'000'000});
  return {sender.sent, receiver.taken};
}

TEST_CASE("A refused sender is woken when a slot is free, independent of the order of ticks") {
  for (const bool receiver_first : {false, true}) {
    for (const std::size_t capacity : {std::size_t{1}, std::size_t{2}, std::size_t{3}}) {
      INFO("receiver first " << receiver_first << ", capacity " << capacity);
      const Outcome reference = transfer(false, false, capacity, 8, 3);
      REQUIRE(reference.taken.size() == 8);
      CHECK(transfer(true, receiver_first, capacity, 8, 3) == reference);
      CHECK(transfer(false, receiver_first, capacity, 8, 3) == reference);
    }
  }
}

// Checks for space only occasionally.
class LateSender : public Component {
 public:
  explicit LateSender(Link<int>& link) : link_(&link) {}
  std::vector<Cycle> sent;
  Cycle tick(Cycle now) override {
    if (sent.empty()) {
      link_->send(1, now);
      sent.push_back(now);
      return 1;  // the next message is ready at 1, when the receiver takes the first
    }
    if (sent.size() == 1 && now >= 1 && link_->can_send(now)) {
      link_->send(2, now);
      sent.push_back(now);
    }
    return kNever;
  }
  bool idle() const override { return sent.size() == 2; }
  std::string describe_stall() const override { return {}; }

 private:
  Link<int>* link_;
};

std::vector<Cycle> late_sends(bool skip, bool receiver_first) {
  Engine engine(skip);
  const std::uint32_t core = engine.add_domain("core", 1000);
  Link<int> link(engine.domain(core), engine.domain(core), 1, 1);
  LateSender sender(link);
  Receiver receiver(link, 1);
  if (receiver_first) {
    link.connect_receiver(engine.add_component(core, "receiver", receiver));
    link.connect_sender(engine.add_component(core, "sender", sender));
  } else {
    link.connect_sender(engine.add_component(core, "sender", sender));
    link.connect_receiver(engine.add_component(core, "receiver", receiver));
  }
  engine.run(TimeFs{100'000'000});
  return sender.sent;
}

TEST_CASE("A sender refused in the instant in which a slot was freed is woken for the next") {
  // Message 1 is sent at 0 and received at 1. At 1 the sender is refused, since a slot freed in an instant counts only
  // after it; at 2 it may send.
  CHECK(late_sends(true, false) == std::vector<Cycle>{0, 2});
  CHECK(late_sends(true, true) == std::vector<Cycle>{0, 2});
}

TEST_CASE("A slot of a link with credits comes back after the latency, within one engine, too") {
  Engine engine;
  const std::uint32_t core = engine.add_domain("core", 1000);
  Link<int> link(engine.domain(core), engine.domain(core), 2, 3, FreedSlots::kTravelBack);  // two, and three on the way
  link.connect_sender(WakeHandle{});
  link.connect_receiver(WakeHandle{});
  for (int i = 0; i < 5; ++i) {
    REQUIRE(link.can_send(10));
    link.send(i, 10);
  }
  CHECK_FALSE(link.can_send(10));
  link.pop(13);
  CHECK_FALSE(link.can_send(15));
  CHECK(link.can_send(16));
  CHECK(link.free_slots(16) == 1);
}

TEST_CASE("A link with flags sets its bit when something is sent") {
  std::uint64_t flags = 0;
  Link<int> link(kCore, kCore, 4, 1);
  link.connect_receiver(WakeHandle{}, &flags, 5);
  CHECK(flags == 0);
  link.send(1, 0);
  CHECK(flags == 1U << 5);
}

}  // namespace
}  // namespace warpsim
