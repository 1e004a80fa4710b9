#include "core/async/tma_engine.h"

#include <bit>
#include <catch2/catch.hpp>
#include <map>
#include <vector>

#include "support/machine.h"

namespace warpsim::test {
namespace {

using Kind = AsyncOperation::Kind;

// The copy engine of the tiny GPU before a memory that answers each request after a fixed time.
class CopyBench {
 public:
  static constexpr Cycle kMemoryLatency = 50;

  explicit CopyBench(const Overrides& overrides = {})
      : config_(tiny_config(overrides).sm.asynchronous.tma),
        to_memory_(clock_, clock_, 16, 1),
        engine_(config_, 3, events_, to_memory_, root_) {}

  struct Sent {
    Cycle cycle;
    MemRequest request;
  };
  std::vector<Sent> sent;
  std::map<std::uint32_t, Cycle> delivered;     // by offset in shared memory
  std::map<std::uint32_t, Cycle> sources_read;  // by instruction

  void copy(const AsyncOperation& operation, std::uint32_t number = 0) {
    MemoryInstruction instruction;
    instruction.instruction = number;
    instruction.issued = now_;
    engine_.enqueue(instruction, operation, now_);
  }
  void run(Cycle cycles) {
    for (const Cycle end = now_ + cycles; now_ < end; ++now_) {
      step();
    }
  }
  Cycle now() const { return now_; }
  TmaEngine& engine() { return engine_; }
  bool port_taken = false;

 private:
  void step() {
    while (!answers_.empty() && answers_.begin()->first <= now_) {
      const MemRequest request = answers_.begin()->second;
      engine_.response({request.tag, request.source, request.op, request.sector_mask, ServedBy::kL2Near}, now_);
      answers_.erase(answers_.begin());
    }
    events_.drain(now_, [&](const SmEvent& event) {
      if (event.kind == SmEvent::Kind::kCopyDelivered) {
        delivered[engine_.take_delivery(event.payload).operation.shared] = now_;
      } else {
        sources_read[event.payload] = now_;
      }
    });
    while (to_memory_.has_message(now_)) {
      sent.push_back({now_ - 1, to_memory_.front()});
      answers_.emplace(now_ + kMemoryLatency, to_memory_.front());
      to_memory_.pop(now_);
    }
    engine_.tick(now_, port_taken);
  }

  TmaConfig config_;
  ClockDomain clock_{"core", 1000};
  Link<MemRequest> to_memory_;
  LaunchStats<StatGroup> root_{"root"};
  SmEvents events_;
  TmaEngine engine_;
  std::multimap<Cycle, MemRequest> answers_;
  Cycle now_ = 0;
};

AsyncOperation copy_in(Address global, std::int32_t bytes, std::uint32_t shared = 0) {
  return {.kind = Kind::kCopyIn, .shared = shared, .bytes = bytes, .global = global};
}

TEST_CASE("Further parts of a copy need no set-up of their own") {
  CopyBench bench;
  AsyncOperation part = copy_in(0x1000, 128);
  part.by_descriptor = true;
  bench.copy(part);
  part = copy_in(0x4000, 128, 128);
  part.by_descriptor = true;
  part.continues = true;
  bench.copy(part);
  bench.run(1000);
  REQUIRE(bench.sent.size() == 2);
  CHECK(bench.sent[1].request.line == 0x4000);
  CHECK(bench.sent[1].cycle == bench.sent[0].cycle + 1);
  CHECK(bench.delivered.size() == 2);
}

TEST_CASE("A copy requests its lines one per cycle after the set-up and is delivered after its last sector") {
  CopyBench bench;
  bench.copy(copy_in(0x1000, 512));
  bench.run(400);
  REQUIRE(bench.sent.size() == 4);
  for (std::uint32_t i = 0; i < 4; ++i) {
    CHECK(bench.sent[i].cycle == 100 + i);
    CHECK(bench.sent[i].request.line == 0x1000 + i * 128);
    CHECK(bench.sent[i].request.sector_mask == 0xf);
    CHECK(bench.sent[i].request.op == MemOp::kRead);
  }
  // The last request of cycle 103 arrives at 104, its response at 154; 20 cycles later the bytes count.
  CHECK(bench.delivered.at(0) == 174);
  CHECK(bench.engine().idle());
}

TEST_CASE("A copy that begins and ends within lines requests the sectors that it touches") {
  CopyBench bench;
  bench.copy(copy_in(0x1060, 64));  // the last sector of one line and the first of the next
  bench.run(400);
  REQUIRE(bench.sent.size() == 2);
  CHECK(bench.sent[0].request.sector_mask == 0x8);
  CHECK(bench.sent[1].request.sector_mask == 0x1);
}

TEST_CASE("Copies begin one interval apart, copies by descriptor a longer one") {
  CopyBench bench;
  bench.copy(copy_in(0x1000, 16, 0));
  bench.copy(copy_in(0x2000, 16, 128));
  AsyncOperation tensor = copy_in(0x3000, 16, 256);
  tensor.by_descriptor = true;
  bench.copy(tensor);
  bench.copy(tensor);
  bench.run(400);
  REQUIRE(bench.sent.size() == 4);
  CHECK(bench.sent[0].cycle == 100);
  CHECK(bench.sent[1].cycle == 110);
  CHECK(bench.sent[2].cycle == 120);
  CHECK(bench.sent[3].cycle == 140);
}

TEST_CASE("No more lines are in flight than the engine may have") {
  CopyBench bench({"sm.asynchronous.tma.lines_under_way=2"});
  bench.copy(copy_in(0x1000, 4 * 128));
  bench.run(400);
  REQUIRE(bench.sent.size() == 4);
  CHECK(bench.sent[1].cycle == 101);
  // The first response arrives 51 cycles after its request left.
  CHECK(bench.sent[2].cycle == 151);
  CHECK(bench.sent[3].cycle == 152);
}

TEST_CASE("The engine gives precedence at the port to the load/store unit") {
  CopyBench bench;
  bench.copy(copy_in(0x1000, 128));
  bench.port_taken = true;
  bench.run(150);
  CHECK(bench.sent.empty());
  bench.port_taken = false;
  bench.run(5);
  CHECK(bench.sent.size() == 1);
}

TEST_CASE("A group of copies out counts as read when its lines have left, and not earlier") {
  CopyBench bench;
  bench.copy({.kind = Kind::kCopyOut, .bytes = 256, .global = 0x4000});
  bench.copy({.kind = Kind::kCommit}, 7);
  bench.run(400);
  REQUIRE(bench.sent.size() == 2);
  CHECK(bench.sent[0].cycle == 100);
  CHECK(bench.sent[1].cycle == 104);  // four cycles per line
  CHECK(bench.sent[0].request.op == MemOp::kWrite);
  CHECK(bench.sent[0].request.byte_mask[3] == 0xffffffffU);
  CHECK(bench.sent[0].request.wants_ack);
  CHECK(bench.sources_read.at(7) == 105 + 10);
  CHECK(bench.engine().idle());
}

TEST_CASE("A reduction out of shared memory updates eight words per sector") {
  CopyBench bench;
  bench.copy({.kind = Kind::kReduceOut, .bytes = 128, .global = 0x4000});
  bench.run(400);
  REQUIRE(bench.sent.size() == 1);
  CHECK(bench.sent[0].request.op == MemOp::kReduction);
  CHECK(bench.sent[0].request.byte_mask[0] == 0xffffffffU);
  CHECK_FALSE(bench.sent[0].request.single_lane);
}

}  // namespace
}  // namespace warpsim::test
