#include "core/sub_core/dependence_tracker.h"

#include <catch2/catch.hpp>

#include "base/check.h"

namespace warpsim {
namespace {

// --- control bits ---

IssueInfo waits_for(std::uint8_t mask) {
  IssueInfo info;
  info.wait_mask = mask;
  return info;
}

IssueInfo load_on(std::uint8_t write_barrier, std::uint8_t read_barrier = kNoBarrier) {
  IssueInfo info;
  info.kind = OpKind::kLoad;
  info.variable_latency = true;
  info.long_latency = true;
  info.write_barrier = write_barrier;
  info.read_barrier = read_barrier;
  return info;
}

const StaticInstruction kNothing;

TEST_CASE("An instruction waits until every counter of its mask is released") {
  DependenceTracker tracker;
  tracker.reset(false);
  tracker.issued(load_on(0), kNothing, 0);
  tracker.issued(load_on(3), kNothing, 0);
  CHECK_FALSE(tracker.check(waits_for(0b001001), kNothing, 100).ready);
  tracker.result_written(load_on(0), kNothing, 100);
  CHECK(tracker.check(waits_for(0b000001), kNothing, 100).ready);
  CHECK_FALSE(tracker.check(waits_for(0b001001), kNothing, 100).ready);
  tracker.result_written(load_on(3), kNothing, 101);
  CHECK(tracker.check(waits_for(0b001001), kNothing, 101).ready);
}

TEST_CASE("A counter incremented twice must be released twice") {
  DependenceTracker tracker;
  tracker.reset(false);
  tracker.issued(load_on(2), kNothing, 0);
  tracker.issued(load_on(2), kNothing, 1);
  CHECK(tracker.counter(2) == 2);
  tracker.result_written(load_on(2), kNothing, 10);
  CHECK_FALSE(tracker.check(waits_for(0b100), kNothing, 10).ready);
  tracker.result_written(load_on(2), kNothing, 11);
  CHECK(tracker.check(waits_for(0b100), kNothing, 11).ready);
}

TEST_CASE("The read of the sources releases its own counter, before the result does") {
  DependenceTracker tracker;
  tracker.reset(false);
  tracker.issued(load_on(0, 1), kNothing, 0);
  tracker.sources_read(load_on(0, 1));
  CHECK(tracker.check(waits_for(0b10), kNothing, 5).ready);
  CHECK_FALSE(tracker.check(waits_for(0b01), kNothing, 5).ready);
}

TEST_CASE("A wait for a load from memory is a long scoreboard, any other a short one") {
  DependenceTracker tracker;
  tracker.reset(false);
  IssueInfo shuffle = load_on(1);
  shuffle.long_latency = false;
  tracker.issued(load_on(0), kNothing, 0);
  tracker.issued(shuffle, kNothing, 0);
  CHECK(tracker.check(waits_for(0b01), kNothing, 1).reason == StallReason::kLongScoreboard);
  CHECK(tracker.check(waits_for(0b10), kNothing, 1).reason == StallReason::kShortScoreboard);
  tracker.result_written(load_on(0), kNothing, 10);
  shuffle.write_barrier = 0;
  tracker.issued(shuffle, kNothing, 11);  // the same counter, now of a shuffle
  CHECK(tracker.check(waits_for(0b01), kNothing, 12).reason == StallReason::kShortScoreboard);
}

TEST_CASE("A dependence barrier is passed if at most its threshold is outstanding") {
  DependenceTracker tracker;
  tracker.reset(false);
  IssueInfo depbar;
  depbar.kind = OpKind::kDependBarrier;
  depbar.depbar_counter = 0;
  depbar.immediate = 1;
  for (int i = 0; i < 3; ++i) {
    tracker.issued(load_on(0), kNothing, 0);
  }
  CHECK_FALSE(tracker.check(depbar, kNothing, 1).ready);
  tracker.result_written(load_on(0), kNothing, 2);
  CHECK_FALSE(tracker.check(depbar, kNothing, 2).ready);
  tracker.result_written(load_on(0), kNothing, 3);
  CHECK(tracker.check(depbar, kNothing, 3).ready);
}

TEST_CASE("Releasing a counter that is 0 is an internal error") {
  DependenceTracker tracker;
  tracker.reset(false);
  CHECK_THROWS_AS(tracker.sources_read(load_on(0, 1)), InternalError);
}

TEST_CASE("A new warp starts with all counters released") {
  DependenceTracker tracker;
  tracker.reset(false);
  tracker.issued(load_on(0), kNothing, 0);
  tracker.reset(false);
  CHECK(tracker.check(waits_for(0x3f), kNothing, 0).ready);
}

// --- scoreboard ---

IssueInfo fixed(std::uint16_t latency) {
  IssueInfo info;
  info.scoreboard = true;
  info.latency_cycles = latency;
  info.guard_latency_cycles = latency;
  return info;
}

IssueInfo variable(bool long_latency) {
  IssueInfo info = fixed(1);
  info.variable_latency = true;
  info.long_latency = long_latency;
  return info;
}

StaticInstruction writes(std::uint8_t first, std::uint8_t count = 1) {
  StaticInstruction instruction;
  instruction.destinations[0] = {first, count};
  return instruction;
}

StaticInstruction reads(std::uint8_t first, std::uint8_t count = 1) {
  StaticInstruction instruction;
  instruction.sources[1] = {first, count};
  return instruction;
}

TEST_CASE("A reader of a fixed-latency result waits exactly that latency") {
  DependenceTracker tracker;
  tracker.reset(true);
  tracker.issued(fixed(4), writes(5), 10);
  const DependenceVerdict early = tracker.check(fixed(4), reads(5), 13);
  CHECK_FALSE(early.ready);
  CHECK(early.until == 14);
  CHECK(early.reason == StallReason::kWait);
  CHECK(tracker.check(fixed(4), reads(5), 14).ready);
  CHECK(tracker.check(fixed(4), reads(6), 11).ready);
}

TEST_CASE("A writer waits for an earlier result of the same register") {
  DependenceTracker tracker;
  tracker.reset(true);
  tracker.issued(fixed(8), writes(5), 10);
  CHECK_FALSE(tracker.check(fixed(4), writes(5), 12).ready);
  CHECK(tracker.check(fixed(4), writes(5), 18).ready);
}

TEST_CASE("A reader of a load waits for its event") {
  DependenceTracker tracker;
  tracker.reset(true);
  tracker.issued(variable(true), writes(4, 4), 10);
  const DependenceVerdict verdict = tracker.check(fixed(4), reads(7), 500);
  CHECK_FALSE(verdict.ready);
  CHECK(verdict.until == kNever);
  CHECK(verdict.reason == StallReason::kLongScoreboard);
  CHECK(tracker.check(fixed(4), reads(8), 11).ready);
  tracker.result_written(variable(true), writes(4, 4), 600);
  CHECK(tracker.check(fixed(4), reads(7), 600).ready);
  tracker.issued(variable(false), writes(4), 700);
  CHECK(tracker.check(fixed(4), reads(4), 701).reason == StallReason::kShortScoreboard);
}

TEST_CASE("The latest of several results determines the wait") {
  DependenceTracker tracker;
  tracker.reset(true);
  tracker.issued(fixed(4), writes(1), 10);
  tracker.issued(fixed(20), writes(2), 10);
  StaticInstruction both = reads(1, 2);
  CHECK(tracker.check(fixed(4), both, 12).until == 30);
}

TEST_CASE("Predicates, guards and uniform registers are tracked like general registers") {
  DependenceTracker tracker;
  tracker.reset(true);
  StaticInstruction compare;
  compare.predicate_destinations = 0b100;
  compare.uniform_destinations = std::uint64_t{1} << 63;
  compare.uniform_predicate_destinations = 0b1;
  tracker.issued(fixed(6), compare, 0);
  StaticInstruction guarded;
  guarded.guard = 2;
  StaticInstruction selects;
  selects.predicate_sources = 0b100;
  StaticInstruction uniform;
  uniform.uniform_sources = std::uint64_t{1} << 63;
  StaticInstruction uniform_predicate;
  uniform_predicate.uniform_predicate_sources = 0b1;
  for (const StaticInstruction& reader : {guarded, selects, uniform, uniform_predicate}) {
    CHECK_FALSE(tracker.check(fixed(4), reader, 5).ready);
    CHECK(tracker.check(fixed(4), reader, 6).ready);
  }
  StaticInstruction other;
  other.guard = 1;
  CHECK(tracker.check(fixed(4), other, 1).ready);
}

TEST_CASE("The zero register and the true predicate never wait") {
  DependenceTracker tracker;
  tracker.reset(true);
  tracker.issued(variable(true), writes(kZeroRegister), 0);
  CHECK(tracker.check(fixed(4), reads(kZeroRegister), 1).ready);
  CHECK(tracker.check(fixed(4), reads(254, 2), 1).ready);  // R254 and RZ
}

TEST_CASE("Groups of asynchronous copies are also counted with a scoreboard") {
  DependenceTracker tracker;
  tracker.reset(true);
  IssueInfo commit = variable(true);
  commit.kind = OpKind::kAsyncCommit;
  commit.write_barrier = 0;
  IssueInfo depbar = fixed(1);
  depbar.kind = OpKind::kDependBarrier;
  depbar.immediate = 0;
  tracker.issued(commit, kNothing, 0);
  CHECK_FALSE(tracker.check(depbar, kNothing, 1).ready);
  tracker.result_written(commit, kNothing, 10);
  CHECK(tracker.check(depbar, kNothing, 10).ready);
}

}  // namespace
}  // namespace warpsim
