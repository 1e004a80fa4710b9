#include "frontend/values/warp_values.h"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "support/listed_block.h"

namespace warpsim::test {
namespace {

// One warp that has executed all lines, each with all lanes unless stated otherwise.
class Bench {
 public:
  explicit Bench(const std::vector<std::string>& lines, const std::vector<LaneMask>& masks = {}, std::uint32_t warp = 0)
      : program_(listed_program(lines)), scalar_(make_scalar_program(*program_)), values_(*program_, scalar_) {
    BlockIdentity block;
    block.block = {64, 4, 1};
    block.grid = {10, 20, 1};
    block.index = {3, 5, 0};
    block.cluster_rank = 2;
    values_.start_warp(block, warp);
    for (std::uint32_t i = 0; i < lines.size(); ++i) {
      WarpInstruction record;
      record.index = i;
      record.active = i < masks.size() ? masks[i] : kAllLanes;
      values_.execute(record);
    }
  }
  SymbolicValue uniform(std::uint32_t index) const { return values_.uniform(index); }
  SymbolicValue general(std::uint32_t index, std::uint32_t lane = 0) const { return values_.general(index, lane); }
  std::uint32_t number(std::uint32_t uniform_register) const {
    REQUIRE(uniform(uniform_register).is_constant());
    return uniform(uniform_register).offset;
  }

 private:
  std::shared_ptr<const StaticProgram> program_;
  ScalarProgram scalar_;
  WarpValues values_;
};

// Only programs with barriers in shared memory are followed.
const std::string kBarrier = "SYNCS.EXCH.64 URZ, [UR60], UR60";

TEST_CASE("Integer arithmetic on constants is exact") {
  const Bench bench({kBarrier, "UMOV UR4, 0x12345678", "UIADD3 UR5, UR4, 0x10, -UR4", "UIMAD UR6, UR5, 0x3, UR4",
                     "USHF.R.U32 UR7, UR4, 0x8, URZ", "ULOP3.LUT UR8, UR4, 0xff, URZ, 0xc0, !UPT",
                     "UPRMT UR9, UR8, 0x4210, UR5", "ULEA UR10, UR5, UR8, 0x18",
                     "USHF.L.U64.HI UR11, URZ, UR5, 0x30000", "UIMAD.WIDE.U32 UR12, UR4, -0x80000000, URZ",
                     "USHF.R.S32.HI UR14, URZ, 0x4, UR15"});
  CHECK(bench.number(5) == 0x10);
  CHECK(bench.number(6) == 0x123456a8);
  CHECK(bench.number(7) == 0x123456);
  CHECK(bench.number(8) == 0x78);
  CHECK(bench.number(9) == 0x10000078);   // byte 3 from the other register
  CHECK(bench.number(10) == 0x10000078);  // 0x10 << 24
  CHECK(bench.number(11) == 0x30000U << 16U);
  CHECK(bench.number(12) == 0);
  CHECK(bench.number(13) == 0x91a2b3c);
}

TEST_CASE("Special registers and dimensions of the launch are known, block numbers vary by block") {
  const Bench bench({kBarrier, "S2UR UR4, SR_CgaCtaId", "S2UR UR5, SR_CTAID.Y", "ULDC UR6, c[0x0][0x0]",
                     "ULDC UR7, c[0x0][0x10]", "S2R R2, SR_TID.X", "S2R R3, SR_TID.Y", "R2UR UR8, R2"},
                    {}, 3);
  CHECK(bench.number(4) == 2);
  CHECK(bench.number(5) == 5);
  CHECK(bench.uniform(5).varies_by_block());
  CHECK_FALSE(bench.uniform(4).varies_by_block());
  CHECK(bench.number(6) == 64);
  CHECK(bench.number(7) == 20);
  CHECK(bench.general(2, 4).offset == 36);  // thread 100 of rows of 64
  CHECK(bench.general(3, 4).offset == 1);
  CHECK(bench.number(8) == 32);
}

TEST_CASE("Lanes that execute get their own values") {
  const Bench bench(
      {kBarrier, "MOV R4, 0x5", "S2R R2, SR_LANEID", "IMAD.SHL R4, R2, 0x8, RZ", "SHFL.IDX PT, R5, R4, 0x1, 0x1f"},
      {kAllLanes, kAllLanes, kAllLanes, 0x2});
  CHECK(bench.general(4, 0).offset == 5);
  CHECK(bench.general(4, 1).offset == 8);
  CHECK(bench.general(4, 2).offset == 5);
  CHECK(bench.general(5, 20).offset == 8);
}

TEST_CASE("Selections follow known predicates") {
  const Bench bench({kBarrier, "S2R R2, SR_LANEID", "ISETP.GE.AND P1, PT, R2, 0x4, PT", "SEL R3, R2, 0x63, P1",
                     "PLOP3.LUT P2, PT, P1, PT, PT, 0x80, 0x0", "SEL R4, RZ, 0x1, !P2"});
  CHECK(bench.general(3, 3).offset == 0x63);
  CHECK(bench.general(3, 4).offset == 4);
  CHECK(bench.general(4, 3).offset == 0);
  CHECK(bench.general(4, 4).offset == 1);
}

TEST_CASE("Sums and multiples of an unknown keep their distances, and its low bits if they are certain") {
  const Bench bench({kBarrier, "ULDC UR4, c[0x0][0x210]", "UIADD3 UR5, UR4, 0x40, URZ", "UIADD3 UR6, UR5, 0x0, -UR4",
                     "UIMAD.U32 UR7, UR4, 0x4, UR6", "ULOP3.LUT UR8, UR7, 0x3, URZ, 0xc0, !UPT",
                     "ULDC UR9, c[0x0][0x210]", "ULDC UR10, c[0x0][0x214]"});
  CHECK_FALSE(bench.uniform(4).is_constant());
  CHECK(bench.uniform(5).symbol == bench.uniform(4).symbol);
  CHECK(bench.uniform(5).offset == 0x40);
  CHECK(bench.number(6) == 0x40);
  CHECK(bench.uniform(7).scale == 4);
  CHECK(bench.number(8) == 0);
  CHECK(bench.uniform(9) == bench.uniform(4));
  CHECK_FALSE(bench.uniform(10) == bench.uniform(4));
}

TEST_CASE("Unsupported results are unknown, and differ each time") {
  const Bench bench({kBarrier, "MOV R2, 0x1", "LDS R2, [R2]", "MOV R3, R2", "LDS R2, [R3]"});
  CHECK_FALSE(bench.general(2).is_constant());
  CHECK_FALSE(bench.general(2) == bench.general(3));
}

}  // namespace
}  // namespace warpsim::test
