#include "memory/remote/page_faults.h"

#include <catch2/catch.hpp>

#include "engine/clock_domain.h"

namespace warpsim {
namespace {

MemRequest request(Address line, MemOp op = MemOp::kRead) {
  MemRequest made;
  made.line = line;
  made.op = op;
  return made;
}

TEST_CASE("page faults: a port reports each page that faults once, also of requests that wait behind") {
  const ClockDomain clock("l2", 1000);
  Link<MemRequest> link(clock, clock, 8, 1);
  link.send(request(0x10000), 0);
  link.send(request(0x10080), 0);                 // the same page
  link.send(request(0x20000), 0);                 // does not fault
  link.send(request(0x30000, MemOp::kWrite), 0);  // does
  link.send(request(0x10100, MemOp::kWrite), 0);  // the first page, to be written
  PageFaults faults(2);
  const auto all_but_one = [](const MemRequest& r) { return r.line != 0x20000; };
  faults.wait(1, link, 1, all_but_one);
  CHECK(faults.waits(1));
  CHECK_FALSE(faults.waits(0));
  REQUIRE(faults.has_new());
  std::vector<PageFault> reported = faults.take();
  REQUIRE(reported.size() == 3);
  CHECK(reported[0].page == 0x10000);
  CHECK(reported[1].page == 0x30000);
  CHECK(reported[1].writes);
  CHECK(reported[2].page == 0x10000);
  CHECK(reported[2].writes);
  CHECK_FALSE(faults.has_new());

  // What arrives later is reported also; nothing twice.
  link.send(request(0x40000), 1);
  faults.wait(1, link, 2, all_but_one);
  reported = faults.take();
  REQUIRE(reported.size() == 1);
  CHECK(reported[0].page == 0x40000);
  CHECK(reported[0].at == 2);

  // After a batch of the driver, what still faults is reported again.
  faults.try_again(4);
  CHECK(faults.next_try(1) == 4);
  CHECK_FALSE(faults.tries_now(1, 3));
  CHECK(faults.tries_now(1, 4));
  CHECK_FALSE(faults.tries_now(1, 5));
  faults.wait(1, link, 5, all_but_one);
  CHECK(faults.take().size() == 4);
  faults.go_on(1);
  CHECK_FALSE(faults.any_waits());
}

}  // namespace
}  // namespace warpsim
