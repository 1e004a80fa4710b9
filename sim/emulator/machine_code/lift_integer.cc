// Integer arithmetic, shifts, bits and moves.
#include <fmt/format.h>

#include <string>

#include "emulator/machine_code/lifter.h"

namespace warpsim {

namespace {

using sass::MachineOperand;
using Kind = MachineOperand::Kind;

void lift_move(Lifter& l) {
  constexpr std::size_t kPlaces = 2;
  if (l.operand_count() > kPlaces && l.operand(kPlaces).kind == Kind::kInteger && l.shown(kPlaces)) {
    // Only for threads at these places of their quad.
    const std::string place = l.scratch();
    const std::string chosen = l.predicate_scratch();
    l.add_always(fmt::format("mov.u32 {}, %laneid", place));
    l.add_always(fmt::format("and.b32 {0}, {0}, 3", place));
    l.add_always(fmt::format("shr.u32 {0}, {1}, {0}", place, l.operand(kPlaces).value));
    l.add_always(fmt::format("and.b32 {0}, {0}, 1", place));
    l.add_always(fmt::format("setp.eq.u32 {}, {}, 1", chosen, place));
    l.add_under(chosen, fmt::format("mov.b32 {}, {}", l.destination(0), l.word(l.operand(1))));
    return;
  }
  l.add(fmt::format("mov.b32 {}, {}", l.destination(0), l.word(l.operand(1))));
}

std::string signs(Lifter& l, std::size_t first, std::size_t count) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i) {
    if (l.operand(first + i).negative || l.operand(first + i).complement) {
      text += ".n" + std::to_string(i);
    }
  }
  return text;
}

// Sums of three: with carries only if some are named.
void lift_sum(Lifter& l) {
  const bool takes = l.modifier("X") != 0;
  const std::string a = l.word(l.operand(3));
  const std::string b = l.word(l.operand(4));
  const std::string c = l.word(l.operand(5));
  const std::string first = l.predicate_destination(1);
  const std::string second = l.predicate_destination(2);
  if (!takes && first == "_" && second == "_") {
    l.add(fmt::format("sass.add3{} {}, {}, {}, {}", signs(l, 3, 3), l.destination(0), a, b, c));
    return;
  }
  std::string text = fmt::format("sass.add3c{}{} {}, {}, {}, {}, {}, {}", signs(l, 3, 3), takes ? ".x" : "",
                                 l.destination(0), first, second, a, b, c);
  if (takes) {
    text += fmt::format(", {}, {}", l.predicate(6), l.predicate(7));
  }
  l.add(text);
}

// Sums of 64 bits in uniform registers.
void lift_wide_sum(Lifter& l) {
  if (l.modifier("X") != 0 || l.shown(1)) {
    l.fail("carries of 64-bit sums are not supported");
  }
  const auto term = [&](std::size_t number) {
    std::string value = l.pair(number);
    if (l.operand(number).kind == Kind::kSigned) {
      value = std::to_string(l.operand(number).value);
    }
    if (l.operand(number).negative) {
      const std::string minus = l.wide_scratch();
      l.add(fmt::format("neg.s64 {}, {}", minus, value));
      value = minus;
    }
    return value;
  };
  const std::string a = term(2);
  const std::string b = term(3);
  const std::string c = term(4);
  const std::string sum = l.wide_scratch();
  l.add(fmt::format("add.u64 {}, {}, {}", sum, a, b));
  if (c != "0") {
    l.add(fmt::format("add.u64 {}, {}, {}", sum, sum, c));
  }
  l.set_pair(0, sum);
}

void lift_scaled_sum(Lifter& l) {
  const bool takes = l.modifier("X") != 0;
  const bool high = l.modifier("HI") != 0;
  const bool sign = l.modifier("SX32") != 0;
  const std::string a = l.word(l.operand(2));
  const std::string b = l.word(l.operand(3));
  const std::string c = high && !sign ? l.word(l.operand(4)) : "0";
  std::string text = fmt::format("sass.lea{}{}{}.s{} {}, {}, {}, {}, {}", signs(l, 2, 2), takes ? ".x" : "",
                                 sign   ? ".sx32"
                                 : high ? ".hi"
                                        : "",
                                 l.operand(5).value, l.destination(0), l.predicate_destination(1), a, b, c);
  if (takes) {
    text += ", " + l.predicate(6);
  }
  l.add(text);
}

void lift_shift(Lifter& l) {
  const std::uint32_t type = l.modifier("shift_type");
  const std::string a = l.word(l.operand(1));
  const std::string b = l.word(l.operand(2));
  const std::string c = l.word(l.operand(3));
  l.add(fmt::format("sass.shf{}{}{}{}{} {}, {}, {}, {}", l.modifier("direction") != 0 ? ".r" : "",
                    l.modifier("W") != 0 ? ".w" : "", l.modifier("HI") != 0 ? ".hi" : "", type < 2 ? ".wide" : "",
                    type % 2 == 0 ? ".signed" : "", l.destination(0), a, b, c));
}

void lift_product(Lifter& l) {
  const bool uniform = l.instruction().mnemonic.starts_with('U');
  const std::size_t first = uniform ? 2 : 1;
  if (uniform && l.shown(1)) {
    l.fail("its carry is not supported");
  }
  const std::string a = l.word(l.operand(first));
  const std::string b = l.word(l.operand(first + 1));
  const std::string c = l.integer(first + 2);
  const bool takes = l.modifier("X") != 0;
  if (!takes && a == "0" && b == "0") {
    l.add(fmt::format("mov.b32 {}, {}", l.destination(0), c));
    return;
  }
  if (!takes && l.destination(0) == "_") {
    return;
  }
  const std::string result = takes ? l.scratch() : l.destination(0);
  l.add(fmt::format("mad.lo.s32 {}, {}, {}, {}", result, a, b, c));
  if (takes) {
    l.add(fmt::format("sass.add3c.x {}, _, _, {}, 0, 0, {}, !%pt", l.destination(0), result, l.predicate(first + 3)));
  }
}

void lift_wide_product(Lifter& l) {
  const bool takes = l.modifier("X") != 0;
  const bool high = l.instruction().mnemonic.ends_with(".HI");
  const MachineOperand& c = l.operand(4);
  const std::string a = l.word(l.operand(2));
  const std::string b = l.word(l.operand(3));
  const bool negative = c.negative || c.complement;
  const std::string c_low = l.word(c, 0);
  // An immediate value is extended by its sign.
  const std::string c_high =
      c.kind == Kind::kSigned && c.value < 0 && l.modifier("unsigned") != 0 ? "-1" : l.word(c, 1);
  std::string text =
      fmt::format("sass.madwide{}{}{}{} {}, {}, {}, {}, {}, {}, {}", negative ? ".n2" : "", takes ? ".x" : "",
                  l.modifier("unsigned") != 0 ? ".signed" : "", high ? ".hi" : "", l.destination(0),
                  high ? "_" : l.destination(0, 1), l.predicate_destination(1), a, b, c_low, c_high);
  if (takes) {
    text += ", " + l.predicate(5);
  }
  l.add(text);
}

void lift_dot_product(Lifter& l) {
  const std::uint32_t types = l.modifier("dot_types");
  const std::uint32_t form = l.modifier("dot");
  const char* const a_type = (types & 2U) != 0 ? "s32" : "u32";
  const char* const b_type = (types & 1U) != 0 ? "s32" : "u32";
  const std::string a = l.word(l.operand(1));
  const std::string b = l.word(l.operand(2));
  const std::string c = l.integer(3);
  const char* const name = form == 0 ? "dp4a" : form == 1 ? "dp2a.lo" : "dp2a.hi";
  l.add(fmt::format("{}.{}.{} {}, {}, {}, {}", name, a_type, b_type, l.destination(0), a, b, c));
}

void lift_absolute(Lifter& l) {
  const std::string a = l.integer(1);
  l.add(fmt::format("abs.s32 {}, {}", l.destination(0), a));
}

void lift_add(Lifter& l) {
  const std::string a = l.word(l.operand(1));
  const std::string b = l.word(l.operand(2));
  l.add(fmt::format("sass.add3{} {}, {}, {}, 0", signs(l, 1, 2), l.destination(0), a, b));
}

// min if the predicate holds, else max.
void choose_extreme(Lifter& l, const std::string& type, const std::string& result, const std::string& a,
                    const std::string& b, std::size_t predicate) {
  if (l.is_true(predicate) || l.is_false(predicate)) {
    l.add(fmt::format("{}.{} {}, {}, {}", l.is_true(predicate) ? "min" : "max", type, result, a, b));
    return;
  }
  const bool inverted = l.operand(predicate).negative;
  const std::string least = l.scratch();
  const std::string greatest = l.scratch();
  l.add(fmt::format("min.{} {}, {}, {}", type, least, a, b));
  l.add(fmt::format("max.{} {}, {}, {}", type, greatest, a, b));
  std::string name = l.predicate(predicate);
  if (inverted) {
    name.erase(0, 1);
  }
  l.add(fmt::format("selp.b32 {}, {}, {}, {}", result, inverted ? greatest : least, inverted ? least : greatest, name));
}

std::string extreme_type(Lifter& l) {
  const std::string_view text = l.modifier_text("packed");
  if (l.modifier("RELU") != 0) {
    l.fail("RELU is not supported");
  }
  const bool packs = l.instruction().mnemonic.starts_with("VI");
  if (packs && text.ends_with("x2")) {
    return text.starts_with('U') ? "u16x2" : "s16x2";
  }
  const bool is_unsigned = packs ? text == "U32" : l.modifier("unsigned") == 0;
  return is_unsigned ? "u32" : "s32";
}

void lift_integer_extreme(Lifter& l) {
  const std::string a = l.word(l.operand(1));
  const std::string b = l.word(l.operand(2));
  choose_extreme(l, extreme_type(l), l.destination(0), a, b, 3);
}

void lift_sum_extreme(Lifter& l) {
  const std::string type = extreme_type(l);
  if (type.ends_with("x2")) {
    l.fail("packed sums are not supported");
  }
  const std::string a = l.word(l.operand(1));
  const std::string b = l.integer(2);
  const std::string c = l.integer(3);
  const std::string sum = l.scratch();
  l.add(fmt::format("add.s32 {}, {}, {}", sum, a, b));
  choose_extreme(l, type, l.destination(0), sum, c, 4);
}

void lift_extreme_of_three(Lifter& l) {
  const std::string type = extreme_type(l);
  const std::string a = l.word(l.operand(1));
  const std::string b = l.word(l.operand(2));
  const std::string c = l.word(l.operand(3));
  const std::string both = l.scratch();
  choose_extreme(l, type, both, a, b, 4);
  choose_extreme(l, type, l.destination(0), both, c, 4);
}

void lift_bit_count(Lifter& l) {
  const std::string a = l.integer(1);
  l.add(fmt::format("popc.b32 {}, {}", l.destination(0), a));
}

void lift_leading_bit(Lifter& l) {
  if (l.shown(1)) {
    l.fail("its predicate is not supported");
  }
  const std::string a = l.integer(2);
  l.add(fmt::format("bfind{}.{} {}, {}", l.modifier("SH") != 0 ? ".shiftamt" : "",
                    l.modifier("unsigned") == 0 ? "u32" : "s32", l.destination(0), a));
}

void lift_reverse(Lifter& l) {
  const std::string a = l.word(l.operand(1));
  l.add(fmt::format("brev.b32 {}, {}", l.destination(0), a));
}

void lift_sign_extension(Lifter& l) {
  const std::string a = l.word(l.operand(1));
  const std::string b = l.word(l.operand(2));
  l.add(fmt::format("szext.{}.{} {}, {}, {}", l.modifier("W") != 0 ? "wrap" : "clamp",
                    l.modifier("unsigned") == 0 ? "u32" : "s32", l.destination(0), a, b));
}

void lift_bit_mask(Lifter& l) {
  const std::string a = l.word(l.operand(1));
  const std::string b = l.word(l.operand(2));
  l.add(fmt::format("bmsk.{}.b32 {}, {}, {}", l.modifier("W") != 0 ? "wrap" : "clamp", l.destination(0), a, b));
}

void lift_permutation(Lifter& l) {
  static constexpr const char* kModes[] = {"", ".f4e", ".b4e", ".rc8", ".ecl", ".ecr", ".rc16"};
  const std::string a = l.word(l.operand(1));
  const std::string selector = l.word(l.operand(2));
  const std::string c = l.word(l.operand(3));
  l.add(fmt::format("prmt.b32{} {}, {}, {}, {}", kModes[l.modifier("permute")], l.destination(0), a, c, selector));
}

// Absolute differences of bytes, or their sum with c.
void lift_byte_differences(Lifter& l) {
  const char* const type = l.modifier("byte_sign") != 0 ? "s32" : "u32";
  const std::string a = l.word(l.operand(1));
  const std::string b = l.word(l.operand(2));
  const std::string c = l.word(l.operand(3));
  l.add(fmt::format("vabsdiff4.u32.{0}.{0}{1} {2}, {3}, {4}, {5}", type, l.modifier("ACC") != 0 ? ".add" : "",
                    l.destination(0), a, b, c));
}

constexpr LiftedOpcode kIntegerOpcodes[] = {
    {"MOV", lift_move},
    {"UMOV", lift_move},
    {"IADD3", lift_sum},
    {"UIADD3", lift_sum},
    {"UIADD3.64", lift_wide_sum},
    {"LEA", lift_scaled_sum},
    {"ULEA", lift_scaled_sum},
    {"SHF", lift_shift},
    {"USHF", lift_shift},
    {"IMAD", lift_product},
    {"UIMAD", lift_product},
    {"IMAD.WIDE", lift_wide_product},
    {"UIMAD.WIDE", lift_wide_product},
    {"IMAD.HI", lift_wide_product},
    {"IDP", lift_dot_product},
    {"IABS", lift_absolute},
    {"VIADD", lift_add},
    {"IMNMX", lift_integer_extreme},
    {"VIMNMX", lift_integer_extreme},
    {"VIADDMNMX", lift_sum_extreme},
    {"VIMNMX3", lift_extreme_of_three},
    {"VABSDIFF4", lift_byte_differences},
    {"POPC", lift_bit_count},
    {"UPOPC", lift_bit_count},
    {"FLO", lift_leading_bit},
    {"UFLO", lift_leading_bit},
    {"BREV", lift_reverse},
    {"UBREV", lift_reverse},
    {"SGXT", lift_sign_extension},
    {"USGXT", lift_sign_extension},
    {"BMSK", lift_bit_mask},
    {"UBMSK", lift_bit_mask},
    {"PRMT", lift_permutation},
    {"UPRMT", lift_permutation},
};

}  // namespace

std::span<const LiftedOpcode> lifted_integer_opcodes() {
  return kIntegerOpcodes;
}

}  // namespace warpsim
