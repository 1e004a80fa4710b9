#include "core/sm/constant_caches.h"

#include <catch2/catch.hpp>
#include <deque>
#include <vector>

#include "memory/code_window.h"

namespace warpsim {
namespace {

struct Event {
  Cycle cycle;
  SmEvent::Kind kind;
  std::uint8_t sub_core;
  std::uint32_t payload;
  friend bool operator==(const Event&, const Event&) = default;
};

class ConstantRig {
 public:
  explicit ConstantRig(bool perfect = false) : ConstantRig(config(perfect)) {}
  explicit ConstantRig(const ConstantCachesConfig& config)
      : link_(clock_, clock_, 64, 1), caches(config, 4, events, link_, root) {}

  static ConstantCachesConfig config(bool perfect) {
    ConstantCachesConfig config;
    config.immediate_bytes = 128;  // two lines of 64 bytes
    config.immediate_ways = 2;
    config.indexed_bytes = 128;
    config.indexed_ways = 2;
    config.load_latency_cycles = 30;
    config.perfect = perfect;
    return config;
  }
  std::vector<Event> happened(Cycle until) {
    std::vector<Event> result;
    for (Cycle now = drained_; now <= until; ++now) {
      events.drain(now, [&](const SmEvent& event) {
        result.push_back({now, event.kind, event.sub_core, event.payload});
      });
    }
    drained_ = until + 1;
    return result;
  }
  std::vector<Address> asked(Cycle now) {
    std::vector<Address> result;
    while (link_.has_message(now)) {
      CHECK(link_.front().client == MemClient::kConstant);
      result.push_back(link_.front().line);
      link_.pop(now);
    }
    return result;
  }
  // Requests an operand and delivers its line.
  void bring(std::uint32_t sub_core, Address address, Cycle now) {
    if (!caches.operand_present(sub_core, address, address, now)) {
      caches.line_arrived(line_of(address), now + 1);
    }
  }
  // LDC of a warp.
  void load(std::uint8_t sub_core, std::uint8_t warp, std::uint32_t number, Address address, Cycle since, Cycle now) {
    caches.load(instruction_of(sub_core, warp, number, address), since, now);
  }
  // LDC whose lanes read these offsets of the bank of `address`.
  void load(std::uint8_t sub_core, std::uint8_t warp, std::uint32_t number, Address address,
            const std::vector<Address>& offsets, Cycle now) {
    MemoryInstruction instruction = instruction_of(sub_core, warp, number, address);
    instruction.active = (LaneMask{1} << offsets.size()) - 1;
    instruction.addresses.kind = LaneAddresses::Kind::kList;
    instruction.addresses.list = offsets.data();
    caches.load(instruction, now, now);
  }
  std::uint64_t counter(const std::string& name) const {
    for (const NamedCounter& c : root[0].children()[0]->counters()) {
      if (name == c.name()) {
        return c.value();
      }
    }
    FAIL("no counter " << name);
    return 0;
  }

  LaunchStats<StatGroup> root{"root"};
  SmEvents events;

 private:
  MemoryInstruction instruction_of(std::uint8_t sub_core, std::uint8_t warp, std::uint32_t number, Address address) {
    IssueInfo& info = infos_.emplace_back();
    info.constant_address = address;
    MemoryInstruction instruction;
    instruction.info = &info;
    instruction.sub_core = sub_core;
    instruction.warp = warp;
    instruction.instruction = number;
    return instruction;
  }

  ClockDomain clock_{"core", 1000};
  Link<GpcRequest> link_;
  Cycle drained_ = 0;
  std::deque<IssueInfo> infos_;  // of the loads

 public:
  ConstantCaches caches;
};

const Address kA = constant_address(3, 0x100);
const Address kB = constant_address(3, 0x200);
const Address kC = constant_address(3, 0x300);

TEST_CASE("An operand that misses requests its 128-byte line and is notified when it has arrived") {
  ConstantRig rig;
  CHECK_FALSE(rig.caches.operand_present(1, kA + 0x40, kA + 0x40, 100));
  CHECK(rig.asked(101) == std::vector<Address>{kA});
  rig.caches.line_arrived(kA, 150);
  CHECK(rig.happened(200) ==
        std::vector<Event>{{151, SmEvent::Kind::kConstantLine, 1, constant_line_number(kA + 0x40)}});
  CHECK(rig.caches.operand_present(1, kA + 0x40, kA + 0x40, 151));
}

TEST_CASE("A second lookup while the line is in flight sends no request") {
  ConstantRig rig;
  CHECK_FALSE(rig.caches.operand_present(1, kA, kA, 100));
  CHECK_FALSE(rig.caches.operand_present(1, kA, kA, 101));
  CHECK(rig.asked(110).size() == 1);
  CHECK(rig.counter("immediate_requests") == 1);
  CHECK(rig.counter("immediate_misses") == 1);
}

TEST_CASE("Each sub-core has an immediate cache of its own and requests its own lines") {
  ConstantRig rig;
  CHECK_FALSE(rig.caches.operand_present(0, kA, kA, 100));
  CHECK_FALSE(rig.caches.operand_present(1, kA, kA, 100));
  CHECK(rig.asked(110).size() == 2);
  rig.caches.line_arrived(kA, 150);
  CHECK(rig.happened(155).size() == 1);
  CHECK(rig.caches.operand_present(0, kA, kA, 160));
  CHECK_FALSE(rig.caches.operand_present(1, kA, kA, 160));
  rig.caches.line_arrived(kA, 170);
  CHECK(rig.caches.operand_present(1, kA, kA, 180));
  CHECK_FALSE(rig.caches.operand_present(2, kA, kA, 180));
}

TEST_CASE("The number in an instruction chooses the set of an immediate cache, its register only the line") {
  ConstantCachesConfig config = ConstantRig::config(false);
  config.immediate_bytes = 512;  // four sets of two lines
  ConstantRig rig(config);
  // Three lines of four sets by one instruction replace each other.
  for (const Address address : {kA, kA + 64, kA + 128}) {
    CHECK_FALSE(rig.caches.operand_present(0, kA, address, 100));
    rig.caches.line_arrived(line_of(address), 110);
  }
  CHECK_FALSE(rig.caches.operand_present(0, kA, kA, 120));
  rig.caches.line_arrived(kA, 130);
  // By instructions whose numbers choose different sets they do not.
  CHECK_FALSE(rig.caches.operand_present(0, kA + 64, kB, 140));
  rig.caches.line_arrived(kB, 150);
  CHECK(rig.caches.operand_present(0, kA, kA, 160));
  CHECK(rig.caches.operand_present(0, kA, kA + 128, 160));
  CHECK(rig.caches.operand_present(0, kA + 64, kB, 160));
}

TEST_CASE("An LDC takes an interval for each different word of its lanes, from the lines that it misses") {
  ConstantCachesConfig config = ConstantRig::config(false);
  config.indexed_bytes = 1024;
  config.word_interval_cycles = 2;
  ConstantRig rig(config);
  const std::vector<Address> offsets{0x100, 0x104, 0x100, 0x140};
  rig.load(0, 0, 1, kA, offsets, 100);
  CHECK(rig.asked(110) == std::vector<Address>{kA, kA});  // its halves are two lines of 64 bytes
  rig.caches.line_arrived(kA, 150);
  CHECK(rig.happened(155).empty());
  rig.caches.line_arrived(kA, 160);
  CHECK(rig.happened(165) == std::vector<Event>{{161, SmEvent::Kind::kResultWritten, 0, 1}});
  // Three words: the last is read four cycles after the first, the next load begins six cycles after this one.
  rig.load(0, 0, 2, kA, offsets, 200);
  rig.load(0, 0, 3, kA, offsets, 200);
  CHECK(rig.happened(300) ==
        std::vector<Event>{{234, SmEvent::Kind::kResultWritten, 0, 2}, {240, SmEvent::Kind::kResultWritten, 0, 3}});
}

TEST_CASE("An immediate cache holds 64-byte lines and replaces the least recently used one") {
  ConstantRig rig;
  rig.bring(0, kA, 10);
  rig.bring(0, kB, 20);
  CHECK(rig.caches.operand_present(0, kA, kA, 30));
  rig.bring(0, kC, 40);
  CHECK(rig.caches.operand_present(0, kA, kA, 50));
  CHECK_FALSE(rig.caches.operand_present(0, kB, kB, 50));
  CHECK_FALSE(rig.caches.operand_present(0, kA + 64, kA + 64, 50));  // the line's other half was not requested
}

TEST_CASE("An LDC that hits takes the load latency") {
  ConstantRig rig;
  rig.load(2, 5, 17, kA, 100, 100);
  rig.caches.line_arrived(kA, 150);
  CHECK(rig.happened(160) == std::vector<Event>{{151, SmEvent::Kind::kResultWritten, 2, 17}});
  rig.load(2, 5, 18, kA + 4, 200, 200);
  CHECK(rig.happened(300) == std::vector<Event>{{230, SmEvent::Kind::kResultWritten, 2, 18}});
  CHECK(rig.counter("indexed_hits") == 1);
  CHECK(rig.counter("indexed_misses") == 1);
}

TEST_CASE("LDCs that miss the same line share one request") {
  ConstantRig rig;
  rig.load(0, 0, 1, kA, 100, 100);
  rig.load(1, 0, 2, kA, 101, 101);
  CHECK(rig.asked(110).size() == 1);
  rig.caches.line_arrived(kA, 150);
  CHECK(rig.happened(200).size() == 2);
}

TEST_CASE("Perfect constant caches never miss") {
  ConstantRig rig(true);
  CHECK(rig.caches.operand_present(0, kA, kA, 100));
  rig.load(0, 0, 1, kB, 100, 100);
  CHECK(rig.happened(200) == std::vector<Event>{{130, SmEvent::Kind::kResultWritten, 0, 1}});
  CHECK(rig.asked(200).empty());
}

TEST_CASE("Invalidation empties all constant caches") {
  ConstantRig rig;
  rig.bring(0, kA, 10);
  CHECK(rig.caches.operand_present(0, kA, kA, 20));
  rig.load(0, 0, 1, kB, 20, 20);
  rig.caches.line_arrived(kB, 30);
  rig.caches.invalidate(0);
  CHECK_FALSE(rig.caches.operand_present(0, kA, kA, 100));
  rig.load(0, 0, 1, kB, 100, 100);
  CHECK(rig.counter("indexed_misses") == 2);
}

}  // namespace
}  // namespace warpsim
