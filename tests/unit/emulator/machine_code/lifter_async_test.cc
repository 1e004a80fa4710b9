// The text that instructions on barriers in shared memory, bulk copies and warpgroup products become. Words that are
// not in tests/data/sass/words.tsv are ptxas 13.0's for the PTX instruction that is named.
#include <catch2/catch.hpp>
#include <string>

#include "emulator/machine_code/lifter.h"
#include "unit/emulator/machine_code/lifted_word.h"

using namespace warpsim;
using namespace warpsim::test;
using Catch::Contains;

TEST_CASE("lifter: arrivals at barriers keep count, bytes and reach", "[machine_code]") {
  CHECK(lifted(90, "SYNCS.ARRIVE.TRANS64.A1T0 RZ, [UR7+0xd8], RZ") ==
        "mbarrier.arrive.release.cta.shared::cta.b64 _, [%u7+216];");
  CHECK(lifted(90, "SYNCS.ARRIVE.TRANS64 RZ, [UR7+0x158], R5") ==
        "mbarrier.arrive.expect_tx.release.cta.shared::cta.b64 _, [%u7+344], %r5;");
  CHECK(lifted(90, "@P1 SYNCS.ARRIVE.TRANS64.RED.A1T0 RZ, [R7+UR14], RZ") ==
        "@%p1 add.u32 %t0, %r7, %u14; @%p1 mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%t0+0];");
  // mbarrier.arrive_drop with a count: SYNCS.ARRIVE.TRANS64.OPTOUT.ART0 R14, [UR6], R20
  CHECK(lifted_word(90, {0x00000014ff0e79a7, 0x0000000008500806}) ==
        "mbarrier.arrive_drop.release.cta.shared::cta.b64 %s0, [%u6+0], %r20; mov.b64 {%r14, %r15}, %s0;");
  // mbarrier.expect_tx and .complete_tx: SYNCS.ARRIVE.TRANS64.RED.A0TR, .A0TX
  CHECK(lifted_word(90, {0x00000014ffff79a7, 0x0000000008300406}) ==
        "mbarrier.expect_tx.relaxed.cluster.shared::cluster.b64 [%u6+0], %r20;");
  CHECK(lifted_word(90, {0x00000014ffff79a7, 0x0000000008400406}) ==
        "mbarrier.complete_tx.relaxed.cluster.shared::cluster.b64 [%u6+0], %r20;");
  // mbarrier.arrive.noComplete: SYNCS.ARRIVE.TRANS64.TMASK.ART0 R10, [R19+URZ], R0
  CHECK(lifted_word(90, {0x00000000130a79a7, 0x000000000850023f}) ==
        "sass.arrivegroup %s0, [%r19+0], %r0; mov.b64 {%r10, %r11}, %s0;");
  CHECK(lifted_word(90, {0x0000000b80007352, 0}) == "mov.b32 %return_high, %r11;");
  CHECK(lifted_word(90, {0x00000000000a7353, 0}) == "mov.b32 %r10, %return_low;");
}

TEST_CASE("lifter: waits look at a parity in the highest bit", "[machine_code]") {
  CHECK(lifted(90, "SYNCS.PHASECHK.TRANS64.TRYWAIT P1, [R3+URZ+0x170], R6") ==
        "shr.u32 %t0, %r6, 31; mbarrier.try_wait.parity.acquire.cta.shared::cta.b64 %p1, [%r3+368], %t0;");
  CHECK_THAT(lifted(90, "@!P3 SYNCS.PHASECHK.TRANS64 P3, [R9+UR31], R3"),
             Contains("@!%p3 mbarrier.test_wait.parity.acquire.cta.shared::cta.b64 %p3, [%t1+0], %t0;"));
  CHECK(lifted(90, "@!UP0 SYNCS.EXCH.64 URZ, [UR8+0x5000], UR4") ==
        "@!%v0 mov.b64 %s1, {%u4, %u5}; @!%v0 sass.exchbar %s0, [%u8+20480], %s1;");
}

TEST_CASE("lifter: threads report their copies to barriers", "[machine_code]") {
  CHECK(lifted(80, "@!P1 ARRIVES.LDGSTSBAR.64 [UR4]") == "@!%p1 sass.arrivecopied _, [%u4+0];");
  // cp.async.mbarrier.arrive.noinc, then without .noinc
  CHECK(lifted_word(90, {0x00000000ff0079b0, 0x0000000008000a46}) ==
        "cp.async.mbarrier.arrive.noinc.shared::cta.b64 [%u6+0];");
  CHECK(lifted_word(90, {0x00000000ff0079b0, 0x0000000008000a86}) == "sass.completecopied [%u6+0], 1;");
}

TEST_CASE("lifter: copies of elements take the zeros from the address and the predicate", "[machine_code]") {
  CHECK_THAT(
      lifted(80, "LDGSTS.E.BYPASS.LTC128B.128 [R141+UR11+0x80], [R168.64+0x80], P4"),
      Catch::EndsWith("selp.b32 %t1, 16, 0, %p4; cp.async.cg.shared.global [%t0+128], [{%r168+128, %r169}], 16, %t1;"));
  // cp.async.ca of 16 bytes of which 5 are read: LDGSTS.E.128.ZFILL [R9], [R2.64+0xb]
  CHECK(lifted_word(80, {0x0000000b02097fae, 0x000000000b961c44}) ==
        "mov.b64 %s0, {%r2, %r3}; add.s64 %s1, %s0, +11; cvt.u32.u64 %t0, %s1; and.b32 %t0, %t0, 15; "
        "and.b64 %s1, %s1, -16; sub.u32 %t1, 16, %t0; cp.async.ca.shared.global [%r9+0], [%s1], 16, %t1;");
}

TEST_CASE("lifter: bulk copies count units of 16 bytes", "[machine_code]") {
  // UBLKCP.S.G [UR16], [UR8], UR10
  CHECK(lifted_word(90, {0x00000010080073ba, 0x000000000800020a}) ==
        "bfe.u32 %t0, %u10, 0, 16; shl.b32 %t0, %t0, 4; mov.b64 %s0, {%u8, %u9}; "
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%u16], [%s0], %t0, [%u17];");
  // cp.reduce.async.bulk of bfloat16: UBLKRED.G.S.ADD.BF16.RN [UR8], [UR16], UR10
  CHECK(lifted_word(90, {0x00000008100073bb, 0x000000000810040a}) ==
        "bfe.u32 %t0, %u10, 0, 16; shl.b32 %t0, %t0, 4; mov.b64 %s0, {%u8, %u9}; "
        "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.noftz.bf16 [%s0], [%u16], %t0;");
  // red.async.min.s32: REDAS.MIN.S32 [R10.64], R12
  CHECK(lifted_word(90, {0x0000000c0a007dbe, 0x000000000880033f}) ==
        "red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.min.s32 [%r10], %r12, [%r11];");
  // STAS [R2.64+0x10], R4
  CHECK_THAT(lifted_word(90, {0x0000100402007dbd, 0x000000000c00083f}), Contains("[%r2+16], %r4, [%r3];"));
  CHECK(lifted(90, "STAS [R2.64], R4") ==
        "st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.b32 [%r2], %r4, [%r3];");
}

TEST_CASE("lifter: tensor copies have their coordinates in a block of uniform registers", "[machine_code]") {
  CHECK(lifted(90, "UTMALDG.2D [UR28], [UR6], desc[UR56]") ==
        "mov.b64 %s0, {%u6, %u7}; cp.async.bulk.tensor.2d.shared::cluster.global.tile."
        "mbarrier::complete_tx::bytes [%u28], [%s0, {%u30, %u31}], [%u29];");
  CHECK(lifted(90, "UTMALDG.3D.MULTICAST [UR16], [UR34], UR38") ==
        "mov.b64 %s0, {%u34, %u35}; bfe.u32 %t0, %u38, 16, 16; cvt.u16.u32 %h0, %t0; "
        "cp.async.bulk.tensor.3d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster [%u16], "
        "[%s0, {%u18, %u19, %u20}], [%u17], %h0;");
  CHECK_THAT(lifted(90, "UTMALDG.5D.IM2COL [UR8], [UR16], UR21, desc[UR54]"),
             Contains("bfe.u32 %t0, %u21, 0, 5; cvt.u16.u32 %h0, %t0; bfe.u32 %t1, %u21, 5, 5;") &&
                 Contains("[%u9], {%h0, %h1, %h2};"));
  CHECK(lifted(90, "@UP3 UTMASTG.3D [UR32], [UR22]") ==
        "@%v3 mov.b64 %s0, {%u22, %u23}; @%v3 cp.async.bulk.tensor.3d.global.shared::cta.tile.bulk_group "
        "[%s0, {%u33, %u34, %u35}], [%u32];");
  CHECK(lifted(90, "UTMACMDFLUSH") == "cp.async.bulk.commit_group;");
}

TEST_CASE("lifter: a branch of all lanes is taken if the guard holds for one", "[machine_code]") {
  // @P0 BRA.U.ANY, back to 0x00f0 from 0x0130
  CHECK(lifted_word(90, {0xfffffffd00ec0947, 0x000000000393ffff}, 0x130) == "vote.any.pred %q0, %p0; @%q0 bra L240;");
  // @P1 BRA.U.ANY !UP2, to 0x28
  CHECK(lifted_word(90, {0x000000000a001547, 0x0000000008100000}, 0x18) ==
        "and.pred %q1, %p1, !%v2; vote.any.pred %q0, %q1; @%q0 bra L40;");
  // ELECT P2, UR4, UR31, then of all lanes
  CHECK(lifted(90, "ELECT P2, UR4, UR31") ==
        "mov.u32 %t0, %laneid; shr.b32 %t0, %u31, %t0; and.b32 %t0, %t0, 1; setp.ne.u32 %q0, %t0, 0; "
        "sass.elect %p2, %u4, %q0;");
  // @P0 ELECT P1, URZ, PT
  CHECK(lifted_word(90, {0x00000000003f082f, 0x0000000003820000}) == "@%p0 sass.elect %p1, _, %pt;");
  CHECK(lifted(86, "@P0 R2UR P1, UR12, R14") == "@%p0 mov.b32 %t0, %r14; @%p0 sass.r2urdiff %u12, %p1, %t0;");
  CHECK(lifted(90, "USETMAXREG.TRY_ALLOC.CTAPOOL UP0, 0xe8") == "mov.pred %v0, %pt;");
}

TEST_CASE("lifter: warpgroup products have B's descriptor behind the place of A's", "[machine_code]") {
  CHECK_THAT(lifted(90, "HGMMA.64x48x16.F32.BF16 R24, gdesc[UR16].tnspA, R24, !UP1"),
             Catch::StartsWith("mov.b64 %s0, {%u16, %u17}; mov.b64 %s1, {%u18, %u19}; not.pred %q0, %v1; "
                               "wgmma.mma_async.sync.aligned.m64n48k16.f32.bf16.bf16 {%r24, ") &&
                 Catch::EndsWith("%r47}, %s0, %s1, %q0, 1, 1, 1, 0;"));
  // HGMMA.64x8x16.F32 R24, -R152, gdesc[UR8].negB, R24, UP0, gsb0
  CHECK(lifted_word(90, {0x8000000898187df0, 0x000000000b800918}) ==
        "mov.b64 %s0, {%u10, %u11}; mov.pred %q0, %v0; wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%r24, %r25, "
        "%r26, %r27}, {%r152, %r153, %r154, %r155}, %s0, %q0, -1, -1, 0;");
  // IGMMA.64x8x32.S8.S8.SAT R20, gdesc[UR8], R20, UP0, gsb0
  CHECK_THAT(lifted_word(90, {0x00000000081479f1, 0x000000000b841814}), Contains(".m64n8k32.s32.s8.s8.satfinite "));
  // HGMMA.SP.64x8x32.F16 R28, gdesc[UR8], R28, UP0, R156, 0x1, gsb0
  CHECK_THAT(lifted_word(90, {0x08019c00081c79f0, 0x000000000b80021c}),
             Contains(".sp.sync.aligned.m64n8k32.f16.f16.f16 {%r28, %r29}, %s0, %s1, %r156, 1, %q0, 1, 1, 0, 0;"));
  // IGMMA.SP.64x8x64.S8.U8 R8, gdesc[UR8], R8, UP0, R156, gsb0
  CHECK_THAT(lifted_word(90, {0x00209c00080879f1, 0x000000000b801208}), Contains(", %r156, 0, %q0;"));
  CHECK(lifted(90, "WARPGROUP.ARRIVE") == "wgmma.fence.sync.aligned; sass.warpgroup.arrive;");
  CHECK(lifted(90, "WARPGROUP.WAIT") == "sass.warpgroup.wait;");
  CHECK(lifted(90, "WARPGROUP.DEPBAR.LE gsb0, 0x1") == "wgmma.wait_group.sync.aligned 1;");
}

TEST_CASE("lifter: products of a warp name shape, types and metadata", "[machine_code]") {
  CHECK(lifted(86, "BMMA.88128.AND.POPC R10, R11.ROW, R30.COL, R30") ==
        "mma.sync.aligned.m8n8k128.row.col.s32.b1.b1.s32.and.popc {%r10, %r11}, {%r11}, {%r30}, {%r30, %r31};");
  CHECK(lifted(89, "QMMA.16832.F32.E5M2.E4M3 R32, R52.ROW, R56.COL, R32") ==
        "mma.sync.aligned.m16n8k32.row.col.f32.e5m2.e4m3.f32 {%r32, %r33, %r34, %r35}, {%r52, %r53, %r54, %r55}, "
        "{%r56, %r57}, {%r32, %r33, %r34, %r35};");
  // HMMA.SP.16832.F16 R48, R40, R4, R48, R0, 0x1
  CHECK(lifted_word(90, {0x000100042830723c, 0x0000000000004a30}) ==
        "mma.sp.sync.aligned.m16n8k32.row.col.f16.f16.f16.f16 {%r48, %r49}, {%r40, %r41, %r42, %r43}, "
        "{%r4, %r5, %r6, %r7}, {%r48, %r49}, %r0, 1;");
  // IMMA.SP.168128.U4.S4.SAT R4, R8.ROW, R12.COL, R4, R0, 0x0
  CHECK_THAT(lifted_word(80, {0x0000000c08047237, 0x00000000007c4d04}),
             Catch::StartsWith("mma.sp.sync.aligned.m16n8k128.row.col.satfinite.s32.u4.s4.s32 "));
  CHECK_THAT(lifted(86, "DMMA.884 R16, R64, |R40|, R16"), Contains("abs.f64 %s1, %s1;"));
}
