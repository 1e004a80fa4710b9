#include "core/sm/sm_instruction_cache.h"

#include <catch2/catch.hpp>
#include <vector>

#include "memory/code_window.h"

namespace warpsim {
namespace {

struct Line {
  Cycle cycle;
  std::uint8_t sub_core;
  std::uint32_t number;
  friend bool operator==(const Line&, const Line&) = default;
};

class CodeRig {
 public:
  explicit CodeRig(std::size_t link_entries = 64)
      : link_(clock_, clock_, link_entries, 1), cache(config(), events, link_, root) {}

  static SmInstructionCacheConfig config() { return {1, 2, 20, 10}; }  // 8 lines, hit 20 cycles, one line per 10 cycles

  std::vector<Line> lines(Cycle until) {
    std::vector<Line> result;
    for (Cycle now = drained_; now <= until; ++now) {
      events.drain(now, [&](const SmEvent& event) {
        CHECK(event.kind == SmEvent::Kind::kInstructionLine);
        result.push_back({now, event.sub_core, event.payload});
      });
    }
    drained_ = until + 1;
    return result;
  }
  std::vector<Address> asked(Cycle now) {
    std::vector<Address> result;
    while (link_.has_message(now)) {
      CHECK(link_.front().client == MemClient::kInstruction);
      result.push_back(link_.front().line);
      link_.pop(now);
    }
    return result;
  }

  LaunchStats<StatGroup> root{"root"};
  SmEvents events;

 private:
  ClockDomain clock_{"core", 1000};
  Link<GpcRequest> link_;
  Cycle drained_ = 0;

 public:
  SmInstructionCache cache;
};

using Lines = std::vector<Line>;

TEST_CASE("A miss requests the line from the GPC cache and delivers it one cycle after its arrival") {
  CodeRig rig;
  rig.cache.request(2, 5, 0, 100);
  CHECK(rig.asked(101) == std::vector<Address>{kCodeWindow + 5 * 128});
  CHECK_FALSE(rig.cache.idle());
  rig.cache.line_arrived(5, 150);
  CHECK(rig.lines(200) == Lines{{151, 2, 5}});
  CHECK(rig.cache.idle());
}

TEST_CASE("A hit is delivered after the hit latency") {
  CodeRig rig;
  rig.cache.request(0, 5, 0, 0);
  rig.cache.line_arrived(5, 50);
  rig.lines(60);
  rig.cache.request(1, 5, 0, 100);
  CHECK(rig.lines(200) == Lines{{120, 1, 5}});
}

TEST_CASE("Sub-cores that miss the same line share one request") {
  CodeRig rig;
  rig.cache.request(0, 5, 0, 100);
  rig.cache.request(3, 5, 0, 105);
  CHECK(rig.asked(110).size() == 1);
  rig.cache.line_arrived(5, 150);
  CHECK(rig.lines(200) == Lines{{151, 0, 5}, {151, 3, 5}});
}

TEST_CASE("Lines to one sub-core follow each other at the line interval, those to others do not wait") {
  CodeRig rig;
  for (std::uint32_t line = 0; line < 3; ++line) {
    rig.cache.request(0, line, 0, 0);
    rig.cache.line_arrived(line, 10);
  }
  // Delivered at 11, 21 and 31.
  CHECK(rig.lines(50) == Lines{{11, 0, 0}, {21, 0, 1}, {31, 0, 2}});
  rig.cache.request(0, 0, 0, 100);
  rig.cache.request(0, 1, 0, 100);
  rig.cache.request(1, 2, 0, 100);
  CHECK(rig.lines(200) == Lines{{120, 0, 0}, {120, 1, 2}, {130, 0, 1}});
}

TEST_CASE("A miss that finds the link full is sent when there is space") {
  CodeRig rig(1);
  rig.cache.request(0, 1, 0, 100);
  rig.cache.request(0, 2, 0, 100);
  CHECK(rig.cache.send_pending(100));
  CHECK(rig.asked(101).size() == 1);
  CHECK_FALSE(rig.cache.send_pending(102));
  CHECK(rig.asked(103) == std::vector<Address>{kCodeWindow + 2 * 128});
}

TEST_CASE("A line that was not requested is an internal error") {
  CodeRig rig;
  CHECK_THROWS_AS(rig.cache.line_arrived(5, 50), InternalError);
}

}  // namespace
}  // namespace warpsim
