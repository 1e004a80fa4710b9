#include "core/async/cluster_network.h"

#include <catch2/catch.hpp>
#include <memory>
#include <vector>

namespace warpsim::test {
namespace {

using Sent = ClusterMessage::Kind;

// A network between three SMs whose links take five cycles each.
class NetworkBench {
 public:
  explicit NetworkBench(std::size_t entries = 16) {
    std::vector<ClusterNetwork::SmLinks> links;
    for (int sm = 0; sm < 3; ++sm) {
      out_.push_back(std::make_unique<Link<ClusterMessage>>(clock_, clock_, 16, 5));
      in_.push_back(std::make_unique<Link<ClusterMessage>>(clock_, clock_, entries, 5));
      links.push_back({out_.back().get(), in_.back().get()});
    }
    network_ = std::make_unique<ClusterNetwork>(links);
  }
  struct Got {
    Cycle cycle;
    std::uint32_t sm;
    ClusterMessage message;
  };
  std::vector<Got> got;
  bool taking = true;

  void send(std::uint32_t sm, ClusterMessage message) {
    message.sm = static_cast<std::uint16_t>(sm);
    message.cluster = 9;
    message.size = 2;
    out_[sm]->send(message, now_);
  }
  void run(Cycle cycles) {
    for (const Cycle end = now_ + cycles; now_ < end; ++now_) {
      network_->tick(now_);
      for (std::uint32_t sm = 0; sm < 3; ++sm) {
        while (taking && in_[sm]->has_message(now_)) {
          got.push_back({now_, sm, in_[sm]->front()});
          in_[sm]->pop(now_);
        }
      }
    }
  }
  void join_both() {
    send(0, {.kind = Sent::kJoin, .rank = 0, .slot = 4});
    send(2, {.kind = Sent::kJoin, .rank = 1, .slot = 6});
    run(20);
  }
  Cycle now() const { return now_; }
  const ClusterNetwork& network() const { return *network_; }

 private:
  ClockDomain clock_{"core", 1000};
  std::vector<std::unique_ptr<Link<ClusterMessage>>> out_;
  std::vector<std::unique_ptr<Link<ClusterMessage>>> in_;
  std::unique_ptr<ClusterNetwork> network_;
  Cycle now_ = 0;
};

TEST_CASE("A message finds the block of its rank, two links away") {
  NetworkBench bench;
  bench.join_both();
  const Cycle sent = bench.now();
  bench.send(0, {.kind = Sent::kArrive, .blocks = 2, .barrier = 64, .arrivals = 3});
  bench.run(30);
  REQUIRE(bench.got.size() == 1);
  CHECK(bench.got[0].cycle == sent + 10);
  CHECK(bench.got[0].sm == 2);
  CHECK(bench.got[0].message.slot == 6);
  CHECK(bench.got[0].message.arrivals == 3);
}

TEST_CASE("A message to several blocks reaches each") {
  NetworkBench bench;
  bench.join_both();
  bench.send(0, {.kind = Sent::kCopied, .blocks = 3, .bytes = 128});
  bench.run(30);
  CHECK(bench.got.size() == 2);
}

TEST_CASE("The cluster's barrier is released when the last block has arrived, repeatedly") {
  NetworkBench bench;
  bench.join_both();
  for (std::size_t round = 1; round <= 2; ++round) {
    bench.send(0, {.kind = Sent::kArrived, .rank = 0});
    bench.run(30);
    CHECK(bench.got.size() == 2 * (round - 1));
    bench.send(2, {.kind = Sent::kArrived, .rank = 1});
    bench.run(30);
    REQUIRE(bench.got.size() == 2 * round);
    CHECK(bench.got.back().message.kind == Sent::kRelease);
  }
}

TEST_CASE("A message to a block that has left is dropped") {
  NetworkBench bench;
  bench.join_both();
  bench.send(2, {.kind = Sent::kLeave, .rank = 1});
  bench.run(20);
  bench.send(0, {.kind = Sent::kArrive, .blocks = 2, .barrier = 64, .arrivals = 1});
  bench.run(30);
  CHECK(bench.got.empty());
  CHECK(bench.network().describe_stall() == "1 clusters resident");
  bench.send(0, {.kind = Sent::kLeave, .rank = 0});
  bench.run(20);
  CHECK(bench.network().describe_stall().empty());
  CHECK(bench.network().idle());
}

TEST_CASE("A message waits in the network until its receivers have room") {
  NetworkBench bench(2);
  bench.join_both();
  bench.taking = false;
  for (int i = 0; i < 4; ++i) {
    bench.send(0, {.kind = Sent::kArrive, .blocks = 2, .arrivals = i});
  }
  bench.run(50);
  CHECK_FALSE(bench.network().idle());
  bench.taking = true;
  bench.run(50);
  REQUIRE(bench.got.size() == 4);
  for (int i = 0; i < 4; ++i) {
    CHECK(bench.got[static_cast<std::size_t>(i)].message.arrivals == i);
  }
}

}  // namespace
}  // namespace warpsim::test
