// The texels of texture and surface operations, determined before they are executed.
#include "emulator/operations/texture_fetch.h"

#include <catch2/catch.hpp>
#include <cstring>
#include <vector>

#include "emulator/code/kernel_image.h"
#include "emulator/execution/block_execution.h"
#include "emulator/textures/texture_access.h"
#include "emulator/textures/texture_unit.h"
#include "support/ptx_grid.h"

namespace warpsim::test {
namespace {

using Shape = TextureDescription::Shape;

struct Found {
  TexelAccess access;
  std::vector<Address> offsets;  // from the texture's data on
};

// Of the operation that accesses object 1, a texture of 64 by 64 floats at %in, by a warp that has executed everything
// before it. Its registers are then those before the operation.
Found texels_of(const std::string& operation, Shape shape, bool linear = false) {
  PtxGrid launch;
  launch.body =
      "mov.u64 %q1, 1; cvt.rn.f32.u32 %f1, %t; add.f32 %f1, %f1, 0f3f400000; mov.f32 %f2, 0f3f400000;\n" + operation;
  launch.input.resize(64 * 64);
  PreparedPtx prepared(launch);
  TextureDescription texture;
  std::memcpy(&texture.data, prepared.context.parameters.data(), sizeof(texture.data));
  texture.shape = shape;
  texture.width = 64;
  texture.height = shape == Shape::kLinear ? 0 : 64;
  texture.pitch_bytes = 256;
  texture.linear_filter = linear;
  TextureUnit unit;
  REQUIRE(unit.create(texture) == 1);
  prepared.context.textures = &unit;
  BlockExecution block(prepared.context, launch.local_bytes);
  block.start(0, 0);
  Warp& warp = block.warp(0);
  while (warp.choose()) {
    const Warp::Next next = warp.next();
    if (of_texels(next.operation().addresses)) {
      TexelFootprint footprint;
      find_texels(warp.context(), next.operation(), next.lanes, footprint);
      Found found{footprint.access(), {}};
      for (std::uint32_t i = 0; i < found.access.count; ++i) {
        found.offsets.push_back(footprint.addresses()[i] - texture.data);
      }
      return found;
    }
    warp.step();
  }
  FAIL("there is no such operation");
  return {};
}

TEST_CASE("Texels: a fetch asks for the sectors of its texels") {
  const Found found = texels_of("tex.2d.v4.f32.f32 {%f3, %f4, %f5, %f6}, [%q1, {%f1, %f2}];", Shape::kArray2d);
  CHECK(found.access.filter == 0);
  CHECK(found.access.group_lanes == 4);
  REQUIRE(found.offsets.size() == 8);  // a row of 128 bytes
  CHECK(found.offsets[1] / kSectorBytes == 1);
  CHECK(found.offsets[2] / kSectorBytes == 8);
}

TEST_CASE("Texels: a filter asks for its neighbours too") {
  // x from 0.25 on in texels, so that each fourth lane needs the next sector; rows 0 and 1 are in the same.
  const Found found = texels_of("tex.2d.v4.f32.f32 {%f3, %f4, %f5, %f6}, [%q1, {%f1, %f2}];", Shape::kArray2d, true);
  CHECK(found.access.filter == 2);
  CHECK(found.offsets.size() == 16);
}

TEST_CASE("Texels: a gather asks for four texels") {
  const Found found = texels_of("tld4.r.2d.v4.f32.f32 {%f3, %f4, %f5, %f6}, [%q1, {%f1, %f2}];", Shape::kArray2d);
  CHECK(found.access.filter == 0);
  CHECK(found.offsets.size() == 16);
}

TEST_CASE("Texels: integer coordinates in linear memory are those of the lanes") {
  const Found found = texels_of("tex.1d.v4.f32.s32 {%f3, %f4, %f5, %f6}, [%q1, {%t}];", Shape::kLinear);
  CHECK(found.access.by_lane);
  REQUIRE(found.offsets.size() == 32);
  CHECK(found.offsets[31] == 124);
}

TEST_CASE("Texels: a surface is accessed in bytes, outside of it not at all") {
  const std::string shift = "shl.b32 %r1, %t, 3;\n";  // every second texel
  const Found load = texels_of(shift + "suld.b.2d.b32.zero %r2, [%q1, {%r1, 1}];", Shape::kArray2d);
  CHECK_FALSE(load.access.by_lane);
  CHECK(load.access.group_lanes == 8);
  CHECK(load.offsets.size() == 16);
  const Found store = texels_of(shift + "sust.b.2d.b32.zero [%q1, {%r1, 1}], %r1;", Shape::kArray2d);
  CHECK(store.access.by_lane);
  REQUIRE(store.offsets.size() == 32);
  CHECK(store.offsets[1] == 16 + 8);
  const Found outside = texels_of("shl.b32 %r1, %t, 5;\nsust.b.2d.b32.zero [%q1, {%r1, 1}], %r1;", Shape::kArray2d);
  CHECK(outside.offsets.size() == 8);  // of 256 bytes a row
  CHECK(texels_of("sured.b.add.2d.u32.zero [%q1, {%r1, 1}], %t;", Shape::kArray2d).access.texel_bytes == 4);
}

}  // namespace
}  // namespace warpsim::test
