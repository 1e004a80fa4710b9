// Video instructions: parts of registers, saturation, secondary operations.
#include <catch2/catch.hpp>

#include <cstdint>
#include <string>
#include <vector>

#include "support/ptx_machine.h"

using namespace warpsim::test;

namespace {

std::uint64_t video_word(const std::string& text, std::uint64_t a, std::uint64_t b, std::uint64_t c = 0) {
  return run_row(text, {"b32", "b32", "b32", "b32"}, Row{a, b, c});
}

}  // namespace

TEST_CASE("video instructions extend their source parts") {
  CHECK(video_word("vadd.s32.u32.s32 d, a.b1, b.h1;", 0x0000ff00, 0xffff0000) == 0xfe);
  CHECK(video_word("vadd.s32.s32.s32 d, a.b1, b.h1;", 0x0000ff00, 0xffff0000) == 0xfffffffe);
  CHECK(video_word("vsub.s32.u32.u32 d, a.b3, b.b0;", 0x05000000, 0x07) == 0xfffffffe);
  CHECK(video_word("vabsdiff.u32.u32.u32 d, a, b;", 3, 10) == 7);
  CHECK(video_word("vabsdiff.s32.s32.s32 d, a.h0, b.h0;", 0xfffd, 10) == 13);
  CHECK(video_word("vmin.s32.s32.s32 d, a, b;", 0xffffffff, 1) == 0xffffffff);
  CHECK(video_word("vmax.u32.u32.u32 d, a, b;", 0xffffffff, 1) == 0xffffffff);
}

TEST_CASE("video results saturate to the written part") {
  CHECK(video_word("vadd.u32.u32.u32.sat d, a, b;", 0xffffffff, 1) == 0xffffffff);
  CHECK(video_word("vadd.s32.s32.s32.sat d, a, b;", 0x7fffffff, 1) == 0x7fffffff);
  CHECK(video_word("vsub.u32.u32.u32.sat d, a, b;", 1, 2) == 0);
  CHECK(video_word("vadd.u32.u32.u32.sat d.b1, a, b, c;", 200, 100, 0x11223344) == 0x1122ff44);
  CHECK(video_word("vadd.s32.s32.s32.sat d.h1, a, b, c;", 0xffff0000, 0xffff0000, 0x11223344) == 0x80003344);
  CHECK(video_word("vadd.u32.u32.u32 d.b0, a, b, c;", 200, 100, 0x11223344) == 0x1122332c);
}

TEST_CASE("video results go through a secondary operation") {
  CHECK(video_word("vadd.s32.s32.s32.add d, a, b, c;", 1, 2, 10) == 13);
  CHECK(video_word("vabsdiff.s32.s32.s32.add d, a, b, c;", 1, 4, 10) == 13);
  CHECK(video_word("vadd.s32.s32.s32.min d, a, b, c;", 1, 2, 0xffffffff) == 0xffffffff);
  CHECK(video_word("vadd.u32.u32.u32.min d, a, b, c;", 1, 2, 0xffffffff) == 3);
  CHECK(video_word("vadd.s32.s32.s32.max d, a, b, c;", 1, 2, 0xffffffff) == 3);
}

TEST_CASE("video shifts clamp or wrap their amounts") {
  CHECK(video_word("vshl.u32.u32.u32.clamp d, a, b;", 1, 40) == 0);
  CHECK(video_word("vshl.u32.u32.u32.wrap d, a, b;", 1, 40) == 0x100);
  CHECK(video_word("vshr.s32.s32.u32.clamp d, a, b;", 0x80000000, 40) == 0xffffffff);
  CHECK(video_word("vshr.u32.u32.u32.wrap d, a.h1, b;", 0x12340000, 4) == 0x123);
}

TEST_CASE("video multiply-adds negate, round and scale") {
  CHECK(video_word("vmad.s32.s32.s32 d, a, b, c;", 3, 0xfffffffc, 5) == 0xfffffff9);
  CHECK(video_word("vmad.u32.u32.u32 d, a.b0, b.b0, c;", 0x3ff, 2, 1) == 511);
  CHECK(video_word("vmad.u32.u32.u32.po d, a, b, c;", 3, 4, 5) == 18);
  CHECK(video_word("vmad.s32.s32.s32.shr7 d, a, b, c;", 128, 3, 0) == 3);
  CHECK(video_word("vmad.s32.u32.u32.sat.shr15 d, a, b, c;", 0xffffffff, 0xffffffff, 0) == 0xffffffff);
  CHECK(video_word("vmad.s32.u32.u32 d, a, b, -c;", 3, 4, 5) == 7);
  CHECK(video_word("vmad.s32.u32.u32 d, -a, b, c;", 3, 4, 5) == 0xfffffff9);
}

TEST_CASE("video comparisons give 1 or 0") {
  CHECK(video_word("vset.s32.u32.lt d, a, b;", 0xffffffff, 0) == 1);
  CHECK(video_word("vset.u32.u32.lt d, a, b;", 0xffffffff, 0) == 0);
  CHECK(video_word("vset.u32.u32.eq.add d, a.b0, b.b1, c;", 0x07, 0x0700, 41) == 42);
}

TEST_CASE("several elements are combined at once") {
  CHECK(video_word("vadd2.s32.s32.s32 d, a, b, c;", 0x0001ffff, 0x00020001) == 0x00030000);
  CHECK(video_word("vadd2.s32.s32.s32.sat d, a, b, c;", 0x7fff8000, 0x0001ffff) == 0x7fff8000);
  CHECK(video_word("vadd4.u32.u32.u32.sat d, a, b, c;", 0xff01fe02, 0x01010303) == 0xff02ff05);
  CHECK(video_word("vsub4.u32.u32.u32 d, a, b, c;", 0x05050505, 0x01020306) == 0x040302ff);
  CHECK(video_word("vabsdiff4.u32.u32.u32.add d, a, b, c;", 0x05050505, 0x01020306, 100) == 110);
  CHECK(video_word("vavrg4.u32.u32.u32 d, a, b, c;", 0x01020304, 0x02020202) == 0x02020303);
  CHECK(video_word("vavrg2.s32.s32.s32 d, a, b, c;", 0xfffd0003, 0x00000000) == 0xfffe0002);
  CHECK(video_word("vmin2.s32.s32.s32 d, a, b, c;", 0xffff0005, 0x00010003) == 0xffff0003);
  CHECK(video_word("vmax4.u32.u32.u32 d, a, b, c;", 0x01ff0304, 0x02020202) == 0x02ff0304);
  CHECK(video_word("vset4.u32.u32.gt d, a, b, c;", 0x01ff0304, 0x02020202) == 0x00010101);
  CHECK(video_word("vset2.s32.s32.lt.add d, a, b, c;", 0xffff0005, 0x00010006, 7) == 9);
}

TEST_CASE("elements are selected from both sources, and masked") {
  // Halves 3 and 2 belong to b.
  CHECK(video_word("vadd2.u32.u32.u32 d, a.h01, b.h32, c;", 0x00010002, 0x00100020) == 0x00120021);
  CHECK(video_word("vadd2.u32.u32.u32 d.h0, a, b, c;", 0x00010002, 0x00100020, 0xaaaabbbb) == 0xaaaa0022);
  CHECK(video_word("vadd4.u32.u32.u32 d.b20, a.b0000, b.b7654, c;", 0x00000001, 0x40302010, 0xaabbccdd) == 0xaa31cc11);
}
