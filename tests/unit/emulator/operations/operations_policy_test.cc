// createpolicy, with the values of ptxas 13.0 for sm_90.
#include <catch2/catch.hpp>
#include <string>
#include <utility>
#include <vector>

#include "ptx/ptx_error.h"
#include "support/ptx_grid.h"

namespace warpsim::test {
namespace {

// The high word of the policy; the low one, which is 0, is added.
std::uint32_t policy(const std::string& instruction) {
  PtxGrid grid;
  grid.body = instruction + "\nmov.b64 {%r0, %r1}, %q0;\nadd.u32 %r0, %r0, %r1;\nst.global.u32 [%own], %r0;";
  return execute_ptx(grid)[31];
}

TEST_CASE("createpolicy: kinds and parts have the values of the assembler") {
  const std::vector<std::pair<std::string, std::uint32_t>> expected = {
      {"L2::evict_last.b64 %q0, 1.0", 0x14f00000},
      {"L2::evict_last.b64 %q0", 0x14f00000},
      {"L2::evict_first.b64 %q0, 0.5", 0x12700000},
      {"L2::evict_normal.b64 %q0, 1.0", 0x16f00000},
      {"L2::evict_unchanged.b64 %q0, 1.0", 0x10f00000},
      {"L2::evict_last.L2::evict_unchanged.b64 %q0, 1.0", 0x14f00000},
      {"L2::evict_last.L2::evict_first.b64 %q0, 0.25", 0x15300000},
      {"L2::evict_first.L2::evict_first.b64 %q0, 1.0", 0x13f00000},
      {"L2::evict_unchanged.L2::evict_first.b64 %q0, 1.0", 0x11f00000},
  };
  for (const auto& [form, value] : expected) {
    INFO(form);
    CHECK(policy("createpolicy.fractional." + form + ";") == value);
  }
}

TEST_CASE("createpolicy: the part may be in a register, and a property is converted unchanged") {
  CHECK(policy("mov.f32 %f0, 0f3e800000;\ncreatepolicy.fractional.L2::evict_last.b64 %q0, %f0;") == 0x14300000);
  CHECK(policy("mov.u64 %q1, 0x12345678;\ncreatepolicy.cvt.L2.b64 %q0, %q1;") == 0x12345678);
}

TEST_CASE("createpolicy: the form for a range of addresses is refused") {
  CHECK_THROWS_WITH(policy("createpolicy.range.L2::evict_last.b64 %q0, [%own], %r0, %r0;"),
                    Catch::Contains("only the forms .fractional and .cvt are supported"));
  CHECK_THROWS_WITH(policy("createpolicy.fractional.L2.b64 %q0, 1.0;"), Catch::Contains("expected .L2::evict_last"));
}

}  // namespace
}  // namespace warpsim::test
