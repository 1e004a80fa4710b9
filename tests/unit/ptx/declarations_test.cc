#include "ptx/declarations.h"

#include <catch2/catch.hpp>
#include <string>

#include "ptx/initial_values.h"
#include "unit/ptx/parse.h"

namespace warpsim::ptx {
namespace {

const Variable& variable(const Module& module, const char* name) {
  const Variable* found = module.find_variable(name);
  REQUIRE(found != nullptr);
  return *found;
}

std::vector<std::uint64_t> bits_of(const Variable& v) {
  std::vector<std::uint64_t> bits;
  for (const InitialValue& value : v.initial) {
    bits.push_back(value.bits);
  }
  return bits;
}

using Bits = std::vector<std::uint64_t>;

TEST_CASE("Variables: space, type, vector, alignment, dimensions, linkage") {
  const auto module = parse(
      ".visible .global .align 16 .b8 a[3][5];\n.const .v4 .f32 b;\n.extern .shared .align 8 .b8 c[];\n"
      ".weak .global .u16 d, e[2];\n.common .global .f64 f;\n.const[3] .u32 g;\n"
      ".global .attribute(.managed, .unified(1, 2)) .s32 h;\n.local .b64 i;\n.global .texref t[2];\n.tex .u64 old;");
  const Variable& a = variable(*module, "a");
  CHECK(a.space == StateSpace::kGlobal);
  CHECK(a.linkage == Linkage::kVisible);
  CHECK(a.alignment == 16);
  CHECK(a.elements == 15);
  CHECK(a.is_array);
  CHECK(a.bytes() == 15);
  CHECK(a.place.line == 4);
  CHECK(a.place.column == 32);
  const Variable& b = variable(*module, "b");
  CHECK(b.space == StateSpace::kConstant);
  CHECK(b.vector == 4);
  CHECK(b.alignment == 16);
  CHECK(b.bytes() == 16);
  CHECK_FALSE(b.is_array);
  const Variable& c = variable(*module, "c");
  CHECK(c.linkage == Linkage::kExtern);
  CHECK(c.elements == 0);
  CHECK(c.is_array);
  CHECK(c.alignment == 8);
  CHECK(variable(*module, "d").linkage == Linkage::kWeak);
  CHECK(variable(*module, "e").bytes() == 4);
  CHECK(variable(*module, "e").alignment == 2);
  CHECK(variable(*module, "f").linkage == Linkage::kCommon);
  CHECK(variable(*module, "g").bank == 3);
  CHECK(variable(*module, "h").managed);
  CHECK(variable(*module, "i").space == StateSpace::kLocal);
  CHECK(variable(*module, "t").type == DataType::kTextureReference);
  CHECK(variable(*module, "t").bytes() == 16);
  CHECK(variable(*module, "old").space == StateSpace::kTexture);
  CHECK(module->symbols.size() == 11);
}

TEST_CASE("Variables declared by count are separate variables") {
  const auto module = parse(".global .u32 x<3>;");
  REQUIRE(module->variables.size() == 3);
  CHECK(module->variables[2].name == "x2");
}

TEST_CASE("Initial numbers have the bits of the element's type") {
  const auto module = parse(
      ".global .u8 a[4] = {1, -1, 256, 5*5};\n.global .s16 b = -2;\n.global .u64 c = -1;\n.global .f32 d[2] = {1.5, "
      "0f3F800000};\n"
      ".global .f64 e = -2.0;\n.global .b32 f = 1.5;\n.global .b64 g = 1.5;\n.global .b64 h = 0f3F800000;\n.global "
      ".f32 i = 0d3FF8000000000000;");
  CHECK(bits_of(variable(*module, "a")) == Bits{1, 255, 0, 25});
  CHECK(bits_of(variable(*module, "b")) == Bits{0xfffe});
  CHECK(bits_of(variable(*module, "c")) == Bits{~std::uint64_t{0}});
  CHECK(bits_of(variable(*module, "d")) == Bits{0x3FC00000, 0x3F800000});
  CHECK(bits_of(variable(*module, "e")) == Bits{0xC000000000000000});
  CHECK(bits_of(variable(*module, "f")) == Bits{0x3FC00000});
  CHECK(bits_of(variable(*module, "g")) == Bits{0x3FF8000000000000});
  CHECK(bits_of(variable(*module, "h")) == Bits{0x3F800000});
  CHECK(bits_of(variable(*module, "i")) == Bits{0x3FC00000});
}

TEST_CASE("Braces within braces leave gaps of zeros; the first extent may follow from the values") {
  const auto module = parse(
      ".global .u32 a[2][3] = {{1, 2}, {3}};\n.global .u32 b[][2] = {{1}, {2}, {3, 4}};\n.global .v2 .u32 c[2] = {{1, "
      "2}, {3, 4}};\n"
      ".global .v2 .u32 d = {5, 6};\n.global .u32 e[9] = {};\n.global .u32 f[] = {7, 8, 9};\n.global .u32 g[2][2] = "
      "{{}, {1}};");
  CHECK(bits_of(variable(*module, "a")) == Bits{1, 2, 0, 3});
  CHECK(bits_of(variable(*module, "b")) == Bits{1, 0, 2, 0, 3, 4});
  CHECK(variable(*module, "b").elements == 6);
  CHECK(bits_of(variable(*module, "c")) == Bits{1, 2, 3, 4});
  CHECK(bits_of(variable(*module, "d")) == Bits{5, 6});
  CHECK(variable(*module, "e").initial.empty());
  CHECK(variable(*module, "e").elements == 9);
  CHECK(variable(*module, "f").elements == 3);
  CHECK(bits_of(variable(*module, "g")) == Bits{0, 0, 1});
}

TEST_CASE("Initial addresses: of variables and functions, generic, with offsets, by bytes") {
  const auto module = parse(
      ".global .u32 y;\n.func f;\n.global .u64 p[6] = {y, y+8, generic(y), generic(y)+4, f, y-4};\n"
      ".global .u8 q[3] = {0xff(y), 0xff00(generic(y)+4), 0xff00000000000000(y)};\n.global .u64 me = me;");
  const Variable& p = variable(*module, "p");
  REQUIRE(p.initial.size() == 6);
  CHECK(p.initial[0].symbol == 0);
  CHECK_FALSE(p.initial[0].generic);
  CHECK(p.initial[1].bits == 8);
  CHECK(p.initial[2].generic);
  CHECK(p.initial[3].generic);
  CHECK(p.initial[3].bits == 4);
  CHECK(p.initial[4].symbol == 1);
  CHECK(static_cast<std::int64_t>(p.initial[5].bits) == -4);
  const Variable& q = variable(*module, "q");
  CHECK(q.initial[0].byte_of_mask == 1);
  CHECK(q.initial[1].byte_of_mask == 2);
  CHECK(q.initial[1].generic);
  CHECK(q.initial[1].bits == 4);
  CHECK(q.initial[2].byte_of_mask == 8);
  CHECK(variable(*module, "me").initial[0].symbol == 4);
}

TEST_CASE("Fields of samplers are kept as text") {
  const auto module = parse(".global .samplerref s = {addr_mode_0 = wrap, force_unnormalized_coords = 1};");
  const Variable& s = variable(*module, "s");
  REQUIRE(s.opaque_fields.size() == 2);
  CHECK(s.opaque_fields[0] == "addr_mode_0 = wrap");
  CHECK(s.opaque_fields[1] == "force_unnormalized_coords = 1");
}

TEST_CASE("A definition replaces an extern declaration, in either order") {
  const auto module = parse(
      ".extern .global .u32 x;\n.visible .global .u32 x = 5;\n.global .u32 y = 6;\n.extern .global .u32 y;\n"
      ".extern .shared .b8 s[];\n.extern .shared .b8 s[];");
  CHECK(module->variables.size() == 3);
  CHECK(variable(*module, "x").linkage == Linkage::kVisible);
  CHECK(bits_of(variable(*module, "x")) == Bits{5});
  CHECK(bits_of(variable(*module, "y")) == Bits{6});
}

TEST_CASE("Registers: vectors, counts, every type") {
  const auto module = parse_in_kernel(
      ".reg .v4 .f32 v; .reg .b16 h<4>, i; .reg .f16x2 j; .reg .b128 w; .reg .bf16 z; mov.b16 h3, i; mov.f32 %f1, "
      "v.x;");
  const Function& k = kernel_of(*module);
  REQUIRE(k.registers.size() == 7);
  CHECK(k.registers[0].vector == 4);
  CHECK(k.registers[1].name == "i");
  CHECK(k.registers[2].type == DataType::kF16x2);
  CHECK(k.registers[3].type == DataType::kB128);
  CHECK(k.registers[5].name == "h3");
  CHECK(k.registers[5].type == DataType::kB16);
}

TEST_CASE("Types have names and sizes") {
  for (const auto& [name, bytes] :
       {std::pair("pred", 1U), std::pair("b8", 1U), std::pair("s16", 2U), std::pair("f16x2", 4U), std::pair("u64", 8U),
        std::pair("b128", 16U), std::pair("samplerref", 8U)}) {
    REQUIRE(data_type_of(name).has_value());
    CHECK(bytes_of(*data_type_of(name)) == bytes);
    CHECK(name_of(*data_type_of(name)) == name);
  }
  CHECK_FALSE(data_type_of("f8").has_value());
  CHECK_FALSE(data_type_of("").has_value());
}

}  // namespace
}  // namespace warpsim::ptx
