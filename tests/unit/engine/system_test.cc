#include "engine/system.h"

#include <array>
#include <catch2/catch.hpp>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/check.h"
#include "unit/engine/link_ends.h"

namespace warpsim {
namespace {

// A sender and a receiver on an engine each.
struct Pair {
  struct Options {
    bool skip = true;
    std::uint32_t threads = 1;
    std::optional<std::uint64_t> shuffle = std::nullopt;
  };
  explicit Pair(const Options& options, Cycle latency = 5, std::size_t capacity = 2, Cycle interval = 1)
      : pool(options.threads),
        system({options.skip, options.shuffle}, pool),
        fast(system.add_domain("fast", 1000)),
        slow(system.add_domain("slow", 500)),
        there(system.add_engine()),
        here(system.add_engine()),
        link(system.domain(fast), system.domain(slow), capacity, latency),
        sender(link, 6),
        receiver(link, interval) {
    link.connect_sender(there.add_component(fast, "sender", sender));
    link.connect_receiver(here.add_component(slow, "receiver", receiver));
  }
  WorkerPool pool;
  System system;
  std::uint32_t fast;
  std::uint32_t slow;
  Engine& there;
  Engine& here;
  Link<int> link;
  Sender sender;
  Receiver receiver;
};

constexpr TimeFs kLong{1'000'000'000};

TEST_CASE("Over a crossing, messages and freed slots both take the latency") {
  // Seven slots: two, and five for the way of a freed slot. Sent at 0, 1 ns cycles: arrival at 5 ns, the receiver's
  // edge 3 (6 ns). It takes one message per 2 ns.
  Pair pair({});
  CHECK(pair.system.lookahead_fs() == 5'000'000);
  CHECK(pair.system.run(kLong) == Engine::Outcome::kNothingDue);
  CHECK(pair.sender.sent == std::vector<Cycle>(6, 0));
  CHECK(pair.receiver.taken == std::vector<Cycle>{3, 4, 5, 6, 7, 8});
  CHECK(pair.receiver.values == std::vector<int>{0, 1, 2, 3, 4, 5});
}

TEST_CASE("A sender without slots is woken when a freed one has travelled back") {
  // Latency 1: three slots. Three messages at 0, taken at edges 1, 2, 3 (2, 4, 6 ns); slots are back 1 ns later.
  Pair pair({}, 1);
  CHECK(pair.system.run(kLong) == Engine::Outcome::kNothingDue);
  CHECK(pair.sender.sent == std::vector<Cycle>{0, 0, 0, 3, 5, 7});
  CHECK(pair.receiver.taken == std::vector<Cycle>{1, 2, 3, 4, 5, 6});
}

TEST_CASE("Neither skipping, nor the order, nor threads, nor limits of a run change what crosses") {
  for (const Cycle interval : {Cycle{1}, Cycle{3}}) {
    Pair reference({}, 2, 1, interval);
    reference.system.run(kLong);
    REQUIRE(reference.receiver.taken.size() == 6);
    for (const Pair::Options& options :
         {Pair::Options{.skip = false}, Pair::Options{.threads = 2}, Pair::Options{.shuffle = 5}}) {
      Pair pair(options, 2, 1, interval);
      pair.system.run(kLong);
      CHECK(pair.sender.sent == reference.sender.sent);
      CHECK(pair.receiver.taken == reference.receiver.taken);
    }
    Pair pieces({}, 2, 1, interval);
    for (std::uint64_t nanoseconds = 1; nanoseconds < 60; ++nanoseconds) {
      pieces.system.run(TimeFs{nanoseconds * 1'000'000});
    }
    CHECK(pieces.sender.sent == reference.sender.sent);
    CHECK(pieces.receiver.taken == reference.receiver.taken);
  }
}

TEST_CASE("When a run ends, all that was sent is with its receiver") {
  Pair pair({}, 5, 6);
  CHECK(pair.system.run(TimeFs{1'000'000}) == Engine::Outcome::kTimeLimit);
  CHECK(pair.sender.sent == std::vector<Cycle>(6, 0));
  CHECK(pair.receiver.taken.empty());
  CHECK(pair.link.size() == 6);
}

TEST_CASE("Engines that send to each other in the same windows lose nothing, with any number of threads") {
  // Three messages around a ring of links with different latencies.
  for (const std::uint32_t threads : {1U, 2U, 5U}) {
    WorkerPool pool(threads);
    System system({}, pool);
    const std::uint32_t core = system.add_domain("core", 1000);
    struct Node final : Component {
      Link<int>* in = nullptr;
      Link<int>* out = nullptr;
      std::vector<int> seen;
      bool starts = false;
      Cycle tick(Cycle now) override {
        if (starts && now == 0) {
          out->send(0, now);
        }
        while (in->has_message(now) && out->can_send(now)) {
          const int value = in->front();
          in->pop(now);
          seen.push_back(value);
          if (value < 200) {
            out->send(value + 1, now);
          }
        }
        return in->next_arrival() > now ? in->next_arrival() : kNever;
      }
      bool idle() const override { return true; }
      std::string describe_stall() const override { return {}; }
    };
    constexpr std::size_t kNodes = 7;
    std::array<Node, kNodes> nodes;
    std::vector<std::unique_ptr<Link<int>>> links;
    std::vector<WakeHandle> wakes;
    for (std::size_t i = 0; i < kNodes; ++i) {
      links.push_back(std::make_unique<Link<int>>(system.domain(core), system.domain(core), 1, 2 + i % 3));
      nodes[i].starts = i < 3;
      wakes.push_back(system.add_engine().add_component(core, "node", nodes[i]));
    }
    for (std::size_t i = 0; i < kNodes; ++i) {
      nodes[i].out = links[i].get();
      nodes[(i + 1) % kNodes].in = links[i].get();
      links[i]->connect_sender(wakes[i]);
      links[i]->connect_receiver(wakes[(i + 1) % kNodes]);
    }
    CHECK(system.run(kLong) == Engine::Outcome::kNothingDue);
    std::size_t seen = 0;
    for (const Node& node : nodes) {
      seen += node.seen.size();
    }
    CHECK(seen == 3 * 201);
  }
}

TEST_CASE("A run with a limit executes what is due at the limit and nothing later") {
  Pair pair({});
  CHECK(pair.system.run(TimeFs{8'000'000}) == Engine::Outcome::kTimeLimit);
  CHECK(pair.receiver.taken == std::vector<Cycle>{3, 4});
  CHECK(pair.system.time() == TimeFs{8'000'000});
}

TEST_CASE("A request to stop ends the run at the end of the window") {
  Pair pair({});
  pair.receiver.stops = &pair.here;
  pair.receiver.stops_after = 1;
  CHECK(pair.system.run(kLong) == Engine::Outcome::kStopped);
  // The window begins at 6 ns and is 5 ns long.
  CHECK(pair.receiver.taken == std::vector<Cycle>{3, 4, 5});
  CHECK(pair.system.run(kLong) == Engine::Outcome::kNothingDue);
  CHECK(pair.receiver.taken.size() == 6);
}

TEST_CASE("A crossing that is not used does not limit the lookahead and takes no message") {
  Pair pair({});
  pair.link.set_used(false);
  CHECK(pair.system.lookahead_fs() == kNeverFs.fs);
  CHECK_THROWS_AS(pair.link.send(1, 0), InternalError);
}

class Failing : public Component {
 public:
  explicit Failing(const char* text) : text_(text) {}
  Cycle tick(Cycle /*now*/) override { throw InternalError(text_); }
  bool idle() const override { return true; }
  std::string describe_stall() const override { return {}; }

 private:
  const char* text_;
};

TEST_CASE("Of the errors of a window the one of the first engine is thrown, with any number of threads") {
  for (const std::uint32_t threads : {1U, 4U}) {
    WorkerPool pool(threads);
    System system({}, pool);
    const std::uint32_t core = system.add_domain("core", 1000);
    Failing first("first");
    Failing second("second");
    system.add_engine().add_component(core, "first", first);
    system.add_engine().add_component(core, "second", second);
    CHECK_THROWS_WITH(system.run(kLong), "first");
  }
}

TEST_CASE("The stalls and the work of all engines are reported") {
  Pair pair({});
  CHECK(pair.system.describe_stalls() == "  sender: has messages left\n");
  pair.system.run(kLong);
  CHECK(pair.system.describe_stalls().empty());
  // The last instant is 16 ns, edge 8 of the receiver: 9 edges there, 17 of the sender.
  CHECK(pair.system.time() == TimeFs{16'000'000});
  CHECK(pair.system.component_cycles() == 26);
  CHECK(pair.system.ticks() >= 7);
}

}  // namespace
}  // namespace warpsim
