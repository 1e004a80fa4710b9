#include "core/sub_core/constant_operands.h"

#include <catch2/catch.hpp>

#include "unit/core/sub_core/sub_core_bench.h"

namespace warpsim::test {
namespace {

TEST_CASE("A warp whose operand misses waits until a line arrives") {
  SubCoreParts parts({"sm.constant_caches.perfect=false"});
  KernelBuilder k;
  k.iadd_constant(4, 1, 0, 0x210);
  k.exit();
  ResidentWarp& warp = parts.start(k, 100);
  ConstantOperands operands(0, parts.constants, parts.states);
  CHECK(operands.missing(0, warp, warp.info(), 100));
  CHECK(parts.states.reason(0) == StallReason::kImcMiss);
  CHECK_FALSE(parts.states.waits_for_event(0));
  parts.constants.line_arrived(line_of(warp.info().constant_address), 150);
  operands.line_arrived(151);
  CHECK(parts.is_due(0, 151));
  CHECK(operands.present(warp, warp.info(), 151));
  CHECK_FALSE(operands.missing(0, warp, warp.info(), 151));
  operands.line_arrived(160);
  CHECK_FALSE(parts.is_due(0, 160));
}

TEST_CASE("An instruction without such an operand does not look it up") {
  SubCoreParts parts({"sm.constant_caches.perfect=false"});
  ConstantOperands operands(0, parts.constants, parts.states);
  CHECK(operands.present(ResidentWarp{}, IssueInfo{}, 100));
  CHECK(parts.count(0, "constant_caches.immediate_requests") == 0);
}

}  // namespace
}  // namespace warpsim::test
