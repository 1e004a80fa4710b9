#include "core/async/async_unit.h"

#include <catch2/catch.hpp>
#include <map>
#include <vector>

#include "support/machine.h"

namespace warpsim::test {
namespace {

using Kind = AsyncOperation::Kind;

// The unit of SM 1 of the tiny GPU, with observable messages to the cluster.
class Bench {
 public:
  explicit Bench(std::uint32_t cluster_size)
      : to_memory_(clock_, clock_, 16, 1),
        to_cluster_(clock_, clock_, 16, 1),
        from_cluster_(clock_, clock_, 16, 1),
        unit_(tiny_config().sm.asynchronous, 2, 1, {&to_memory_, &to_cluster_, &from_cluster_}, events_, root_) {
    BlockAssignment assignment;
    assignment.slot = 1;
    assignment.cluster = 5;
    assignment.cluster_size = cluster_size;
    assignment.cluster_rank = cluster_size - 1;
    unit_.start_block(assignment, 2, now_);
  }
  std::vector<ClusterMessage> sent;
  std::map<std::uint32_t, Cycle> released;  // by warp number
  std::map<std::uint32_t, Cycle> results;   // by instruction

  bool start(AsyncOperation operation, std::uint32_t number) {
    operations_[number] = operation;
    MemoryInstruction instruction;
    instruction.operations = &operations_[number];
    instruction.instruction = number;
    instruction.block_slot = 1;
    instruction.issued = now_;
    return unit_.start(instruction, now_);
  }
  void receive(const ClusterMessage& message) { from_cluster_.send(message, now_); }
  void run(Cycle cycles) {
    for (const Cycle end = now_ + cycles; now_ < end; ++now_) {
      unit_.take_messages(now_);
      events_.drain(now_, [&](const SmEvent& event) {
        if (event.kind == SmEvent::Kind::kBarrierDone) {
          released[event.sub_core * kMaxWarpsPerSubCore + event.warp] = now_;
        } else {
          results[event.payload] = now_;
        }
      });
      unit_.tick(now_, false);
      while (to_cluster_.has_message(now_)) {
        sent.push_back(to_cluster_.front());
        to_cluster_.pop(now_);
      }
    }
  }
  Cycle now() const { return now_; }
  AsyncUnit& unit() { return unit_; }

 private:
  ClockDomain clock_{"core", 1000};
  Link<MemRequest> to_memory_;
  Link<ClusterMessage> to_cluster_;
  Link<ClusterMessage> from_cluster_;
  LaunchStats<StatGroup> root_{"root"};
  SmEvents events_;
  AsyncUnit unit_;
  std::map<std::uint32_t, AsyncOperation> operations_;
  Cycle now_ = 0;
};

TEST_CASE("Without a cluster, a block's barrier of the cluster is released when its warps have arrived") {
  Bench bench(1);
  bench.unit().cluster_arrive(1, 3, bench.now());
  bench.unit().cluster_wait(1, 3, bench.now());
  bench.run(50);
  CHECK(bench.released.empty());
  const Cycle last = bench.now();
  bench.unit().cluster_arrive(1, 40, last);
  bench.unit().cluster_wait(1, 40, last);
  bench.run(50);
  CHECK(bench.released.at(3) == last + 10);
  CHECK(bench.released.at(40) == last + 10);
  CHECK(bench.sent.empty());
}

TEST_CASE("A block of a cluster reports when all its warps have arrived and continues when it is notified") {
  Bench bench(2);
  bench.unit().cluster_arrive(1, 3, bench.now());
  bench.unit().cluster_wait(1, 3, bench.now());
  bench.unit().warp_exited(1, bench.now());  // the other warp no longer counts
  bench.run(50);
  REQUIRE(bench.sent.size() == 2);
  CHECK(bench.sent[0].kind == ClusterMessage::Kind::kJoin);
  CHECK(bench.sent[0].rank == 1);
  CHECK(bench.sent[0].slot == 1);
  CHECK(bench.sent[1].kind == ClusterMessage::Kind::kArrived);
  CHECK(bench.released.empty());
  const Cycle told = bench.now();
  bench.receive({.kind = ClusterMessage::Kind::kRelease, .slot = 1});
  bench.run(50);
  CHECK(bench.released.at(3) == told + 1 + 10);
}

TEST_CASE("An arrival at another block's barrier becomes a message; at the own barrier it takes effect at once") {
  Bench bench(2);
  CHECK_FALSE(bench.start({.kind = Kind::kInitialise, .barrier = 64, .arrivals = 1}, 0));
  CHECK(bench.start({.kind = Kind::kWait, .barrier = 64}, 1));
  bench.start({.kind = Kind::kArrive, .blocks = 1, .barrier = 64, .arrivals = 4}, 2);
  bench.run(50);
  CHECK(bench.results.empty());
  REQUIRE(bench.sent.size() == 2);
  CHECK(bench.sent[1].kind == ClusterMessage::Kind::kArrive);
  CHECK(bench.sent[1].blocks == 1);
  CHECK(bench.sent[1].arrivals == 4);
  const Cycle at = bench.now();
  bench.start({.kind = Kind::kArrive, .barrier = 64, .arrivals = 1}, 3);
  bench.run(50);
  CHECK(bench.results.at(1) == at + 10);
}

TEST_CASE("Another block's arrival takes effect after its latency") {
  Bench bench(2);
  bench.start({.kind = Kind::kInitialise, .barrier = 64, .arrivals = 1}, 0);
  bench.start({.kind = Kind::kWait, .barrier = 64}, 1);
  bench.run(10);
  const Cycle at = bench.now();
  bench.receive({.kind = ClusterMessage::Kind::kArrive, .slot = 1, .barrier = 64, .arrivals = 1});
  bench.run(100);
  CHECK(bench.results.at(1) == at + 1 + 40 + 10);
}

TEST_CASE("Bytes of another block's multicast count as soon as they are reported") {
  Bench bench(2);
  bench.start({.kind = Kind::kInitialise, .barrier = 64, .arrivals = 1}, 0);
  bench.start({.kind = Kind::kArrive, .barrier = 64, .arrivals = 1, .bytes = 256}, 1);
  bench.start({.kind = Kind::kWait, .barrier = 64}, 2);
  bench.run(10);
  const Cycle at = bench.now();
  bench.receive({.kind = ClusterMessage::Kind::kCopied, .slot = 1, .barrier = 64, .bytes = 256});
  bench.run(100);
  CHECK(bench.results.at(2) == at + 1 + 10);
  CHECK(bench.unit().idle());
}

}  // namespace
}  // namespace warpsim::test
