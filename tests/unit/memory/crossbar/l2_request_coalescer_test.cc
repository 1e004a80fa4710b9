#include "memory/crossbar/l2_request_coalescer.h"

#include <catch2/catch.hpp>
#include <vector>

namespace warpsim {
namespace {

using Verdict = L2RequestCoalescer::Verdict;

L2RequestCoalescer coalescer(std::uint32_t requests = 8) {
  L2RequestCoalescerConfig config;
  config.enabled = true;
  config.num_requests = requests;
  config.requesters_per_request = 2;
  config.merge_window_cycles = 10;
  return L2RequestCoalescer(config);
}
MemRequest read_by(std::uint16_t source, Address line, std::uint8_t sectors = 0xf) {
  MemRequest request;
  request.op = MemOp::kRead;
  request.line = line;
  request.sector_mask = sectors;
  request.source = source;
  request.tag = 100U + source;
  return request;
}
// Requesters that get a response.
std::vector<std::uint32_t> answered(L2RequestCoalescer& unit, std::uint32_t entry, std::uint8_t sectors = 0xf) {
  MemResponse response;
  response.sector_mask = sectors;
  std::vector<std::uint32_t> reached;
  unit.collect(entry, response, [&](const MemResponse& copy) {
    CHECK(copy.tag == 100U + copy.destination);
    CHECK(copy.sector_mask == sectors);
    reached.push_back(copy.destination);
  });
  return reached;
}

}  // namespace

TEST_CASE("L2 request coalescer: an equal read joins the previous one, the next one after the limit starts a request") {
  L2RequestCoalescer unit = coalescer();
  const L2RequestCoalescer::Offer first = unit.offer(read_by(1, 128), 5);
  CHECK(first.verdict == Verdict::kLead);
  CHECK(unit.offer(read_by(2, 128), 5).verdict == Verdict::kMerged);
  const L2RequestCoalescer::Offer third = unit.offer(read_by(3, 128), 6);
  CHECK(third.verdict == Verdict::kLead);
  CHECK(unit.offer(read_by(4, 128), 6).entry == third.entry);
  CHECK(answered(unit, first.entry) == std::vector<std::uint32_t>{1, 2});
  CHECK_FALSE(unit.empty());
  CHECK(answered(unit, third.entry) == std::vector<std::uint32_t>{3, 4});
  CHECK(unit.empty());
}

TEST_CASE("L2 request coalescer: reads join for the window's length") {
  L2RequestCoalescer unit = coalescer();
  unit.offer(read_by(1, 128), 5);
  CHECK(unit.offer(read_by(2, 128), 15).verdict == Verdict::kMerged);
  unit.offer(read_by(1, 256), 5);
  CHECK(unit.offer(read_by(2, 256), 16).verdict == Verdict::kLead);
}

TEST_CASE("L2 request coalescer: reads of other sectors of the line do not join") {
  L2RequestCoalescer unit = coalescer();
  const L2RequestCoalescer::Offer whole = unit.offer(read_by(1, 128, 0xf), 0);
  const L2RequestCoalescer::Offer part = unit.offer(read_by(2, 128, 0x3), 1);
  CHECK(part.verdict == Verdict::kLead);
  CHECK(unit.offer(read_by(3, 128, 0x3), 2).entry == part.entry);
  CHECK(answered(unit, whole.entry) == std::vector<std::uint32_t>{1});
}

TEST_CASE("L2 request coalescer: reads of system scope neither join nor lead") {
  L2RequestCoalescer unit = coalescer();
  MemRequest polling = read_by(2, 128);
  polling.system_scope = true;
  CHECK(unit.offer(polling, 5).verdict == Verdict::kPass);
  CHECK(unit.offer(read_by(1, 128), 5).verdict == Verdict::kLead);
  CHECK(unit.offer(polling, 6).verdict == Verdict::kPass);
  CHECK(unit.offer(read_by(3, 128), 6).verdict == Verdict::kMerged);
}

TEST_CASE("L2 request coalescer: no read joins a partly answered one") {
  L2RequestCoalescer unit = coalescer();
  const L2RequestCoalescer::Offer first = unit.offer(read_by(1, 128), 0);
  CHECK(answered(unit, first.entry, 0x3) == std::vector<std::uint32_t>{1});
  CHECK(unit.offer(read_by(2, 128), 1).verdict == Verdict::kLead);
  CHECK(answered(unit, first.entry, 0xc) == std::vector<std::uint32_t>{1});
}

TEST_CASE("L2 request coalescer: writes, and reads without a free entry, pass through") {
  L2RequestCoalescer unit = coalescer(1);
  MemRequest write = read_by(1, 128);
  write.op = MemOp::kWrite;
  CHECK(unit.offer(write, 0).verdict == Verdict::kPass);
  CHECK(unit.offer(read_by(1, 128), 0).verdict == Verdict::kLead);
  CHECK(unit.offer(read_by(2, 256), 0).verdict == Verdict::kPass);
  CHECK(unit.offer(read_by(3, 128), 1).verdict == Verdict::kMerged);
}

}  // namespace warpsim
