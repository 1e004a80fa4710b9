// The addresses of an operation, determined before it is executed.
#include "emulator/memory/access_addresses.h"

#include <catch2/catch.hpp>
#include <vector>

#include "emulator/code/kernel_image.h"
#include "emulator/execution/block_execution.h"
#include "support/ptx_grid.h"

namespace warpsim::test {
namespace {

// The addresses of the first operation with this form, in a warp that has executed everything before it.
struct Found {
  AccessAddresses access;
  Address in = 0;
};
Found find(const PtxGrid& launch, AddressForm form, const AccessPart& part = {}) {
  const PreparedPtx prepared(launch);
  BlockExecution block(prepared.context, launch.local_bytes);
  block.start(0, 0);
  Warp& warp = block.warp(0);
  Found found;
  std::memcpy(&found.in, prepared.context.parameters.data(), sizeof(found.in));
  while (warp.choose()) {
    const Warp::Next next = warp.next();
    const Operation& operation = next.operation();
    if (operation.addresses == form && operation.space != ptx::StateSpace::kParameter) {
      find_access_addresses(warp.context(), operation, next.lanes, part, found.access);
      return found;
    }
    warp.step();
  }
  FAIL("there is no such operation");
  return found;
}

TEST_CASE("Access addresses: a vector's parts follow one another, for the active lanes") {
  PtxGrid launch;
  launch.body =
      "mul.wide.u32 %q1, %t, 32; add.u64 %q1, %q1, %in; setp.lt.u32 %p1, %t, 3;\n"
      "@%p1 ld.global.v4.u32 {%r1, %r2, %r3, %r4}, [%q1+16];";
  const Found first = find(launch, AddressForm::kOperand);
  CHECK(first.access.lanes == 7);
  CHECK(first.access.space == ptx::StateSpace::kGlobal);
  CHECK(first.access.lane[2] - first.in == 2 * 32 + 16);
  const Found second = find(launch, AddressForm::kOperand, {1, 2});
  CHECK(second.access.lane[2] - second.in == 2 * 32 + 24);
}

TEST_CASE("Access addresses: a copy reads its source, except lanes that read nothing") {
  PtxGrid launch;
  launch.before = ".shared .align 16 .b8 room[512];";
  launch.body =
      "mov.u64 %q2, room; mul.wide.u32 %q1, %t, 16; add.u64 %q2, %q2, %q1; add.u64 %q1, %q1, %in;\n"
      "setp.lt.u32 %p1, %t, 8; selp.u32 %r1, 16, 0, %p1;\n"
      "cp.async.ca.shared.global [%q2], [%q1], 16, %r1;";
  const Found found = find(launch, AddressForm::kCopySource);
  CHECK(found.access.lanes == 0xff);
  CHECK(found.access.space == ptx::StateSpace::kGlobal);
  CHECK(found.access.lane[7] - found.in == 7 * 16);
}

TEST_CASE("Access addresses: parts of a matrix are elements that its lanes hold") {
  PtxGrid launch;
  launch.body =
      "mov.u32 %r9, 16; wmma.load.a.sync.aligned.row.m16n16k16.global.f16 "
      "{%r1, %r2, %r3, %r4, %r5, %r6, %r7, %r8}, [%in], %r9;";
  launch.input.assign(256, 0);
  const Found first = find(launch, AddressForm::kFragment);
  const Found last = find(launch, AddressForm::kFragment, {7, 8});
  CHECK(first.access.lane[0] == first.in);
  std::uint64_t most = 0;
  for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
    most = std::max(most, last.access.lane[lane] - last.in);
  }
  CHECK(most < 16 * 16 * 2);
  CHECK(most > 16 * 8 * 2);
}

}  // namespace
}  // namespace warpsim::test
