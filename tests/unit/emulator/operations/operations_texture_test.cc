// tex, tld4, txq, suld, sust, sured and suq.
#include <bit>
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "emulator/textures/texture_access.h"
#include "emulator/textures/texture_unit.h"
#include "ptx/ptx_error.h"
#include "support/ptx_launch.h"

namespace warpsim::test {
namespace {

using Shape = TextureDescription::Shape;
using Words = std::vector<std::uint32_t>;

// The 4096 bytes of %in are the texels; %rd1 is the object.
struct Textured : PtxLaunch {
  TextureUnit unit;
  TextureDescription texture;
  Textured(const std::string& body, Shape shape, std::uint64_t width, std::uint64_t height = 0, std::uint64_t depth = 0)
      : PtxLaunch("mov.u64 %rd1, 1;\n" + body) {
    texture.shape = shape;
    texture.data = in;
    texture.width = width;
    texture.height = height;
    texture.depth = depth;
    texture.channel = TextureDescription::Channel::kUnsigned;
    launch.textures = &unit;
    for (std::uint32_t i = 0; i < kBytes / 4; ++i) {
      set_input<std::uint32_t>(i, i);
    }
  }
  void execute() {
    texture.pitch_bytes = texture.width * texture.texel_bytes();
    REQUIRE(unit.create(texture) == 1);
    run();
  }
};

const std::string kStore = "st.global.v4.u32 [%out], {%r0, %r1, %r2, %r3};\n";

std::uint32_t first_word(const std::string& fetch, Shape shape, std::uint64_t layers = 0) {
  Textured test(fetch + kStore, shape, 8, shape == Shape::kArray1d ? 0 : 4, shape == Shape::kArray3d ? 3 : 0);
  test.texture.layers = layers;
  test.execute();
  return test.output<std::uint32_t>(0);
}

TEST_CASE("texels of every shape are found") {
  CHECK(first_word("tex.1d.v4.u32.s32 {%r0, %r1, %r2, %r3}, [%rd1, {5}];\n", Shape::kLinear) == 5);
  CHECK(first_word("tex.1d.v4.u32.s32 {%r0, %r1, %r2, %r3}, [%rd1, 5];\n", Shape::kArray1d) == 5);
  const std::string places =
      "mov.f32 %f0, 0f40900000; mov.f32 %f1, 0f40200000; mov.f32 %f2, 0f3f800000;\n";  // 4.5 2.5 1
  CHECK(first_word(places + "tex.1d.v4.u32.f32 {%r0, %r1, %r2, %r3}, [%rd1, {%f0}];\n", Shape::kArray1d) == 4);
  CHECK(first_word(places + "tex.2d.v4.u32.f32 {%r0, %r1, %r2, %r3}, [%rd1, {%f0, %f1}];\n", Shape::kArray2d) == 20);
  CHECK(first_word(places + "tex.2d.v4.s32.f32 {%r0, %r1, %r2, %r3}, [%rd1, {%f0, %f1}];\n", Shape::kPitched) == 20);
  CHECK(first_word(places + "tex.3d.v4.u32.f32 {%r0, %r1, %r2, %r3}, [%rd1, {%f0, %f1, %f2, %f2}];\n",
                   Shape::kArray3d) == 52);
  CHECK(first_word("mov.u32 %r4, 1;" + places + "tex.a1d.v4.u32.f32 {%r0, %r1, %r2, %r3}, [%rd1, {%r4, %f0}];\n",
                   Shape::kArray1d, 2) == 12);
  CHECK(first_word(
            "mov.u32 %r4, 1;" + places + "tex.a2d.v4.u32.f32 {%r0, %r1, %r2, %r3}, [%rd1, {%r4, %f0, %f1, %f1}];\n",
            Shape::kArray2d, 2) == 52);
  CHECK(first_word(places + "tex.level.2d.v4.u32.f32 {%r0, %r1, %r2, %r3}, [%rd1, {%f0, %f1}], %f2;\n",
                   Shape::kArray2d) == 20);
  CHECK(
      first_word(places + "tex.grad.2d.v4.u32.f32 {%r0, %r1, %r2, %r3}, [%rd1, {%f0, %f1}], {%f0, %f1}, {%f0, %f1};\n",
                 Shape::kArray2d) == 20);
  CHECK(first_word(places + "tex.2d.v4.u32.f32 {%r0, %r1, %r2, %r3}, [%rd1, {%f0, %f1}], {-2, 1};\n",
                   Shape::kArray2d) == 26);
}

TEST_CASE("a direction finds a texel of a cubemap") {
  // 2 by 2 texels per face, two cubes; -y is face 3: s = x, t = -z.
  const std::string direction = "mov.f32 %f0, 0f3f000000; mov.f32 %f1, 0fbf800000; mov.f32 %f2, 0f3f000000;\n";
  for (const bool layered : {false, true}) {
    Textured test(direction + "mov.u32 %r4, 1;\n" +
                      (layered ? "tex.acube.v4.u32.f32 {%r0, %r1, %r2, %r3}, [%rd1, {%r4, %f0, %f1, %f2}];\n"
                               : "tex.cube.v4.u32.f32 {%r0, %r1, %r2, %r3}, [%rd1, {%f0, %f1, %f2, %f2}];\n") +
                      kStore,
                  Shape::kCubemap, 2, 2);
    test.texture.normalized_coordinates = true;
    test.texture.layers = 12;
    test.execute();
    CHECK(test.output<std::uint32_t>(0) == (layered ? 36 : 12) + 1);
  }
}

TEST_CASE("halves are rounded from the texture's values") {
  Textured test(
      "mov.f32 %f0, 0f00000000;\ntex.1d.v2.f16x2.f32 {%r0, %r1}, [%rd1, {%f0}];\nmov.u32 %r2, 0;\n"
      "mov.u32 %r3, 0;\n" +
          kStore,
      Shape::kArray1d, 2);
  test.texture.channel = TextureDescription::Channel::kFloat;
  test.texture.channels = 4;
  for (const auto& [place, value] : {std::pair{0, 1.0F}, {1, -2.0F}, {2, 0.5F}, {3, 3.0F}}) {
    test.set_input<float>(static_cast<std::size_t>(place), value);
  }
  test.execute();
  CHECK(test.outputs<std::uint32_t>(2) == Words{0xc0003c00, 0x42003800});
}

TEST_CASE("four neighbours are returned counterclockwise") {
  Textured test(
      "mov.f32 %f0, 0f40400000; mov.f32 %f1, 0f40000000;\n"  // 3, 2
      "tld4.r.2d.v4.u32.f32 {%r0, %r1, %r2, %r3}, [%rd1, {%f0, %f1}];\n" +
          kStore,
      Shape::kArray2d, 8, 4);
  test.execute();
  CHECK(test.outputs<std::uint32_t>(4) == Words{18, 19, 11, 10});
}

TEST_CASE("queries of textures return their properties") {
  Textured test(
      "txq.width.b32 %r0, [%rd1];\ntxq.height.b32 %r1, [%rd1];\nsuq.channel_order.b32 %r2, [%rd1];\n"
      "txq.channel_data_type.b32 %r3, [%rd1];\n" +
          kStore,
      Shape::kArray2d, 8, 4);
  test.texture.channels = 2;
  test.execute();
  CHECK(test.outputs<std::uint32_t>(4) == Words{8, 4, 0x10b2, 0x10dc});
}

TEST_CASE("lanes may name different objects, and a variable may hold one") {
  PtxLaunch test(
      "mov.u64 %rd2, reference;\nmov.u64 %rd3, 2;\nst.global.u64 [%rd2], %rd3;\nmov.u64 %rd1, 1;\n"
      "setp.eq.u32 %p0, %t, 1;\nselp.b64 %rd1, %rd3, %rd1, %p0;\n"
      "tex.1d.v4.u32.s32 {%r0, %r1, %r2, %r3}, [%rd1, {2}];\n"
      "tex.1d.v4.u32.s32 {%r1, %r4, %r2, %r3}, [reference, {1}];\n"
      "mul.wide.u32 %rd4, %t, 8;\nadd.u64 %rd4, %rd4, %out;\nst.global.v2.u32 [%rd4], {%r0, %r1};",
      ".global .texref reference;");
  TextureUnit unit;
  TextureDescription texture;
  texture.data = test.in;
  texture.width = 8;
  texture.pitch_bytes = 32;
  texture.channel = TextureDescription::Channel::kUnsigned;
  unit.create(texture);
  texture.data += 64;
  unit.create(texture);
  test.launch.textures = &unit;
  test.launch.block = {2, 1, 1};
  for (std::uint32_t i = 0; i < 32; ++i) {
    test.set_input<std::uint32_t>(i, i);
  }
  test.run();
  CHECK(test.outputs<std::uint32_t>(4) == Words{2, 17, 18, 17});
}

TEST_CASE("missing and destroyed objects, and other shapes, are reported") {
  const std::string fetch = "tex.2d.v4.u32.s32 {%r0, %r1, %r2, %r3}, [%rd1, {0, 0}];";
  PtxLaunch none("mov.u64 %rd1, 5;\n" + fetch);
  CHECK_THAT(none.fault(), Catch::StartsWith("test.ptx:3: ") && Catch::EndsWith("no texture or surface object 0x5"));
  Textured other(fetch, Shape::kArray1d, 8);
  other.texture.pitch_bytes = 32;
  other.unit.create(other.texture);
  CHECK_THAT(other.fault(), Catch::EndsWith("cannot be accessed as .2d"));
  Textured freed(fetch, Shape::kArray2d, 8, 8);
  freed.texture.pitch_bytes = 32;
  freed.texture.data = freed.memory.allocate(256);
  freed.unit.create(freed.texture);
  freed.memory.release(freed.texture.data);
  CHECK_THAT(freed.fault(), Catch::EndsWith("of texture or surface object 0x1 was freed"));
  PtxLaunch unbound("tex.2d.v4.u32.s32 {%r0, %r1, %r2, %r3}, [reference, {0, 0}];", ".global .texref reference;");
  CHECK_THAT(unbound.fault(), Catch::EndsWith("nothing is bound to this texture or surface reference"));
}

TEST_CASE("unsupported texture instructions are reported before the kernel runs") {
  const auto refused = [](const std::string& instruction) {
    PtxLaunch test("mov.u64 %rd1, 1;\n" + instruction, ".global .samplerref sampler;");
    CHECK_THROWS_AS(test.run(), ptx::PtxError);
  };
  refused("tex.2d.v4.u32.s32 {%r0, %r1, %r2, %r3}, [%rd1, sampler, {0, 0}];");
  refused("tex.cube.v4.f32.s32 {%f0, %f1, %f2, %f3}, [%rd1, {0, 0, 0, 0}];");
  refused("txq.filter_mode.b32 %r0, [%rd1];");
  refused("suld.p.2d.b32.trap {%r0}, [%rd1, {0, 0}];");
}

TEST_CASE("the reference of a depth comparison has no effect") {
  const std::string places = "mov.f32 %f0, 0f40900000; mov.f32 %f1, 0f40200000;\n";  // 4.5 2.5
  CHECK(first_word(places + "tex.2d.v4.u32.f32 {%r0, %r1, %r2, %r3}, [%rd1, {%f0, %f1}], %f1;\n", Shape::kArray2d) ==
        20);
  CHECK(first_word(places + "tex.2d.v4.u32.f32 {%r0, %r1, %r2, %r3}, [%rd1, {%f0, %f1}], {-2, 1}, %f1;\n",
                   Shape::kArray2d) == 26);
}

TEST_CASE("machine code fetches from arrays of one dimension with two coordinates") {
  const std::string places = "mov.f32 %f0, 0f40900000; mov.f32 %f1, 0f00000000;\n";
  CHECK(first_word(places + "sass.tex.level.2d.v4.f32.f32 {%r0, %r1, %r2, %r3}, [%rd1, {%f0, %f1}], %f1;\n",
                   Shape::kArray1d) == 4);
}

TEST_CASE("the predicate of a fetch is set in PTX and not in machine code: all texels are there") {
  for (const bool machine : {false, true}) {
    const std::string fetch = machine ? "sass.tex.2d.v4.f32.f32 {%r0, %r1, %r2, %r3}|%p1, [%rd1, {%f0, %f0}];\n"
                                      : "tex.2d.v4.f32.f32 {%f0, %f1, %f2, %f3}|%p1, [%rd1, {%f0, %f0}];\n";
    CHECK(first_word("mov.f32 %f0, 0f00000000;\n" + fetch + "selp.u32 %r0, 5, 6, %p1;\n", Shape::kArray2d) ==
          (machine ? 6 : 5));
  }
}

TEST_CASE("texels outside are zero for coordinates of texels, but those of a level follow the addressing mode") {
  CHECK(first_word("tex.2d.v4.u32.s32 {%r0, %r1, %r2, %r3}, [%rd1, {9, 2}];\n", Shape::kArray2d) == 0);
  CHECK(first_word("tex.level.2d.v4.u32.s32 {%r0, %r1, %r2, %r3}, [%rd1, {9, 2}], 0;\n", Shape::kArray2d) == 23);
  CHECK(first_word("sass.tex.level.2d.v4.f32.s32 {%r0, %r1, %r2, %r3}, [%rd1, {9, 2}], 0;\n", Shape::kArray2d) == 0);
}

// --- surfaces ---

TEST_CASE("formatted stores limit integers to the range of the channel") {
  for (const bool is_signed : {false, true}) {
    Textured test("mov.u32 %r0, 300; mov.u32 %r1, -300;\nsust.p.1d.v2.b32.trap [%rd1, {1}], {%r0, %r1};",
                  Shape::kArray1d, 8);
    test.texture.channel = is_signed ? TextureDescription::Channel::kSigned : TextureDescription::Channel::kUnsigned;
    test.texture.channel_bits = 8;
    test.texture.channels = 2;
    test.execute();
    std::uint16_t stored = 0;
    std::memcpy(&stored, test.memory.host(test.in + 2, 2), 2);
    CHECK(stored == (is_signed ? 0x807f : 0xffff));
  }
}

TEST_CASE("formatted stores round halves towards zero") {
  // 1 + 2^-11 + 2^-12, and a number beyond all halves
  Textured test("mov.u32 %r0, 0x3f801800; mov.u32 %r1, 0xc9742400;\nsust.p.1d.v2.b32.trap [%rd1, {0}], {%r0, %r1};",
                Shape::kArray1d, 8);
  test.texture.channel = TextureDescription::Channel::kFloat;
  test.texture.channel_bits = 16;
  test.texture.channels = 2;
  test.execute();
  std::uint32_t stored = 0;
  std::memcpy(&stored, test.memory.host(test.in, 4), 4);
  CHECK(stored == 0xfbff3c00);
}

TEST_CASE("surfaces are read and written by bytes of a row") {
  Textured test(
      "suld.b.2d.b32.trap {%r0}, [%rd1, {12, 2}];\n"
      "suld.b.2d.v2.b16.clamp {%h0, %h1}, [%rd1, {400, -1}];\ncvt.u32.u16 %r1, %h0;\n"
      "suld.b.2d.b32.zero {%r2}, [%rd1, {32, 0}];\n"
      "mov.u32 %r3, 77;\nsust.b.2d.b32.trap [%rd1, {4, 1}], {%r3};\n"
      "sust.b.2d.b32.zero [%rd1, {4, 4}], {%r3};\n"
      "sust.b.2d.v2.b8.clamp [%rd1, {30, 9}], {%h0, %h1};\n"
      "ld.global.u32 %r3, [%in+36];\n" +
          kStore,
      Shape::kArray2d, 8, 4);
  test.set_input<std::uint32_t>(7, 0x00070009);
  test.execute();
  CHECK(test.outputs<std::uint32_t>(4) == Words{19, 9, 0, 77});
  std::uint32_t last = 0;
  std::memcpy(&last, test.memory.host(test.in + 124, 4), 4);
  CHECK(last == (31 | 9U << 16U | 7U << 24U));
}

TEST_CASE("an access outside of a surface with .trap is a fault") {
  Textured test("suld.b.3d.b32.trap {%r0}, [%rd1, {0, 0, 2, 0}];", Shape::kArray3d, 4, 2, 2);
  test.texture.pitch_bytes = 16;
  test.unit.create(test.texture);
  CHECK_THAT(test.fault(), Catch::EndsWith("4 by 2 by 2 texels at byte 0 of row 0 of slice 2"));
  Textured odd("suld.b.1d.b32.trap {%r0}, [%rd1, {2}];", Shape::kArray1d, 4);
  odd.texture.pitch_bytes = 16;
  odd.unit.create(odd.texture);
  CHECK_THAT(odd.fault(), Catch::EndsWith("accesses 4 bytes at byte 2 of a row of a surface"));
}

TEST_CASE("formatted stores address texels, not bytes") {
  Textured test(
      "mov.u32 %r0, 0x3f800000; mov.u32 %r1, 0xc0000000;\n"
      "sust.p.1d.v2.b32.trap [%rd1, {3}], {%r0, %r1};",
      Shape::kArray1d, 8);
  test.texture.channel = TextureDescription::Channel::kFloat;
  test.texture.channel_bits = 16;
  test.texture.channels = 2;
  test.execute();
  std::uint32_t stored = 0;
  std::memcpy(&stored, test.memory.host(test.in + 12, 4), 4);
  CHECK(stored == 0xc0003c00);
}

TEST_CASE("threads update a surface one after another") {
  Textured test(
      "sured.b.add.1d.u32.trap [%rd1, {4}], %t;\nsured.p.max.1d.s32.clamp [%rd1, {2}], %t;\n"
      "sured.b.min.1d.u32.zero [%rd1, {-4}], %t;",
      Shape::kArray1d, 8);
  test.launch.block = {32, 1, 1};
  test.execute();
  std::vector<std::uint32_t> texels(3);
  std::memcpy(texels.data(), test.memory.host(test.in, 12), 12);
  CHECK(texels == Words{0, 1 + 31 * 16, 31});
}

}  // namespace
}  // namespace warpsim::test
