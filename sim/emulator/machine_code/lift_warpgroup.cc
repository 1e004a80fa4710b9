// Products of warpgroups (9.0): matrices in shared memory by descriptors in uniform registers, or A in registers.
//
// Fields: own experiments, code that ptxas makes of wgmma.mma_async in all types, shapes and forms.
#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>

#include "emulator/machine_code/lifter.h"

namespace warpsim {

namespace {

using sass::MachineOperand;
using Kind = MachineOperand::Kind;

struct GroupShape {
  std::uint32_t columns = 0;
  std::uint32_t depth = 0;
};

// "64x128x16"
GroupShape shape_of(Lifter& l, std::string_view field) {
  const std::string_view text = l.modifier_text(field);
  GroupShape shape;
  const std::size_t first = text.find('x');
  const std::size_t second = text.rfind('x');
  if (first == std::string_view::npos || first == second) {
    l.fail("its shape is not known");
  }
  std::from_chars(text.data() + first + 1, text.data() + second, shape.columns);
  std::from_chars(text.data() + second + 1, text.data() + text.size(), shape.depth);
  return shape;
}

bool bit_of(const Lifter& l, std::uint32_t bit) {
  return l.instruction().word.bits(bit, bit) != 0;
}

// Bits whose meaning does not depend on the type.
constexpr std::uint32_t kTransposedA = 61;
constexpr std::uint32_t kTransposedB = 62;
constexpr std::uint32_t kNegativeB = 63;
constexpr std::uint32_t kNegativeA = 72;

struct GroupProduct {
  const char* field = "";  // of the shape
  std::string types;       // ".f32.f16.f16" and what follows the types
  bool packed = false;     // two sums in a register
  bool has_signs = false;
  bool may_transpose = false;
};

// A descriptor in two uniform registers, `part` words after the first one.
std::string descriptor(Lifter& l, std::size_t number, std::uint32_t part) {
  const std::uint32_t first = l.operand(number).index + part;
  std::string wide = l.wide_scratch();
  l.add(fmt::format("mov.b64 {}, {{%u{}, %u{}}}", wide, first, first + 1));
  return wide;
}

std::string registers(std::uint32_t first, std::uint32_t count) {
  std::string text = "{";
  for (std::uint32_t i = 0; i < count; ++i) {
    text += fmt::format("{}%r{}", i == 0 ? "" : ", ", first + i);
  }
  return text + "}";
}

// Whether the products are added to what D holds.
std::string accumulates(Lifter& l, std::size_t sums) {
  constexpr std::uint8_t kNone = 255;
  std::string flag = l.predicate_scratch();
  if (l.operand(sums).index == kNone) {
    l.add(fmt::format("setp.ne.u32 {}, 0, 0", flag));
  } else if (l.operand(sums).index != l.operand(0).index) {
    l.fail("its sums begin with other registers than those of the result");
  } else {
    const std::string source = l.predicate(sums + 1);
    l.add(source.starts_with('!') ? fmt::format("not.pred {}, {}", flag, source.substr(1))
                                  : fmt::format("mov.pred {}, {}", flag, source));
  }
  return flag;
}

void add_group_product(Lifter& l, const GroupProduct& product) {
  const GroupShape shape = shape_of(l, product.field);
  const bool sparse = l.modifier("SP") != 0;
  const bool a_in_registers = l.operand(1).kind == Kind::kRegister;
  const std::size_t sums = a_in_registers ? 3 : 2;
  const std::string a = a_in_registers ? registers(l.operand(1).index, 4) : descriptor(l, 1, 0);
  const std::string b = descriptor(l, a_in_registers ? 2 : 1, 2);  // behind the place of that of A
  std::string text = fmt::format("wgmma.mma_async{}.sync.aligned.m64n{}k{}{} {}, {}, {}", sparse ? ".sp" : "",
                                 shape.columns, shape.depth, product.types,
                                 registers(l.operand(0).index, shape.columns / (product.packed ? 4 : 2)), a, b);
  if (sparse) {
    // After the predicate: metadata, and of types with two places of them which one.
    const MachineOperand& selector = l.operand(sums + 3);
    text += fmt::format(", {}, {}", l.word(l.operand(sums + 2)), selector.kind == Kind::kInteger ? selector.value : 0);
  }
  text += ", " + accumulates(l, sums);
  if (product.has_signs) {
    text += fmt::format(", {}, {}", bit_of(l, kNegativeA) ? -1 : 1, bit_of(l, kNegativeB) ? -1 : 1);
  }
  if (product.may_transpose) {
    text += a_in_registers ? fmt::format(", {}", bit_of(l, kTransposedB) ? 1 : 0)
                           : fmt::format(", {}, {}", bit_of(l, kTransposedA) ? 1 : 0, bit_of(l, kTransposedB) ? 1 : 0);
  }
  l.add(text);
}

const char* sum_type(const Lifter& l) {
  return l.modifier("mma_accumulator") != 0 ? "f32" : "f16";
}

void lift_group_half_product(Lifter& l) {
  static constexpr std::array<const char*, 3> kTypes = {"f16", "bf16", "tf32"};
  const std::uint32_t format = l.modifier("hgmma_format");
  if (format >= kTypes.size()) {
    l.fail("its type is not known");
  }
  const char* const type = kTypes.at(format);
  add_group_product(l, {"hgmma_shape", fmt::format(".{}.{}.{}", sum_type(l), type, type),
                        l.modifier("mma_accumulator") == 0, true, format != 2});
}

void lift_group_byte_float_product(Lifter& l) {
  static constexpr std::array<const char*, 2> kTypes = {"e4m3", "e5m2"};
  add_group_product(
      l, {"qgmma_shape",
          fmt::format(".{}.{}.{}", sum_type(l), kTypes.at(l.modifier("qmma_a")), kTypes.at(l.modifier("qmma_b"))),
          l.modifier("mma_accumulator") == 0, true, false});
}

void lift_group_integer_product(Lifter& l) {
  static constexpr std::array<const char*, 2> kTypes = {"u8", "s8"};
  add_group_product(l, {"igmma_shape",
                        fmt::format(".s32.{}.{}{}", kTypes.at(l.modifier("byte_a")), kTypes.at(l.modifier("byte_b")),
                                    l.modifier("SAT") != 0 ? ".satfinite" : ""),
                        false, false, false});
}

void lift_group_bit_product(Lifter& l) {
  if (l.modifier("bmma_op") == 0 || l.modifier("POPC") == 0) {
    l.fail("this form of a product is not supported");
  }
  add_group_product(l, {"bgmma_shape", ".s32.b1.b1.and.popc", false, false, false});
}

void lift_group_order(Lifter& l) {
  const std::string_view mode = l.modifier_text("group_mode");
  if (mode == "ARRIVE") {
    l.add("wgmma.fence.sync.aligned");
    l.add("sass.warpgroup.arrive");
  } else if (mode == "WAIT") {
    l.add("sass.warpgroup.wait");
  } else {
    l.add(fmt::format("wgmma.wait_group.sync.aligned {}", l.operand(1).value));
  }
}

constexpr LiftedOpcode kWarpgroupOpcodes[] = {
    {"HGMMA", lift_group_half_product}, {"QGMMA", lift_group_byte_float_product}, {"IGMMA", lift_group_integer_product},
    {"BGMMA", lift_group_bit_product},  {"WARPGROUP", lift_group_order},
};

}  // namespace

std::span<const LiftedOpcode> lifted_warpgroup_opcodes() {
  return kWarpgroupOpcodes;
}

}  // namespace warpsim
