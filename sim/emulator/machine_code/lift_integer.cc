// Integer arithmetic, shifts, bits and moves.
#include <fmt/format.h>

#include <bit>
#include <string>

#include "emulator/machine_code/lifter.h"

namespace warpsim {

namespace {

using sass::MachineOperand;
using Kind = MachineOperand::Kind;

// A general register may be written in some lanes of each quad only: a mask of four bits.
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

// Sums of 64 bits in uniform registers: the lower words, then the upper ones with the carries of the lower ones.
void lift_wide_sum(Lifter& l) {
  const bool takes = l.modifier("X") != 0;
  std::string low;
  std::string high;
  for (std::size_t i = 3; i < 6; ++i) {
    const MachineOperand& term = l.operand(i);
    low += ", " + l.word(term);
    high += ", " + (term.kind == Kind::kSigned ? std::string(term.value < 0 ? "-1" : "0") : l.word(term, 1));
  }
  const std::string sum = l.scratch();
  const std::string upper = l.scratch();
  const std::string one = l.predicate_scratch();
  const std::string two = l.predicate_scratch();
  const std::string how = signs(l, 3, 3);
  const std::string carries = takes ? fmt::format(", {}, {}", l.predicate(6), l.predicate(7)) : std::string();
  l.add(fmt::format("sass.add3c{}{} {}, {}, {}{}{}", how, takes ? ".x" : "", sum, one, two, low, carries));
  l.add(fmt::format("sass.add3c{}.x {}, {}, {}{}, {}, {}", how, upper, one, two, high, one, two));
  if (l.destination(0) != "_") {
    l.add(fmt::format("mov.b32 {}, {}", l.destination(0, 0), sum));
    l.add(fmt::format("mov.b32 {}, {}", l.destination(0, 1), upper));
  }
  // Both at once, since one of them may be the guard.
  l.add(fmt::format("sass.plop3 {}, {}, {}, {}, %pt, 0xf0, 0xcc", l.predicate_destination(1),
                    l.predicate_destination(2), one, two));
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
  const MachineOperand& factor = l.operand(first + 1);
  const auto number = static_cast<std::uint32_t>(factor.value);
  const bool known = factor.kind == Kind::kSigned || factor.kind == Kind::kInteger;
  if (!takes && known && b.front() == '0' && number == 1) {
    l.add(fmt::format("add.s32 {}, {}, {}", result, a, c));
    return;
  }
  if (!takes && known && b.front() == '0' && c == "0" && std::has_single_bit(number)) {
    l.add(fmt::format("shl.b32 {}, {}, {}", result, a, std::countr_zero(number)));
    return;
  }
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

void lift_bit_count(Lifter& l) {
  const std::string a = l.integer(1);
  l.add(fmt::format("popc.b32 {}, {}", l.destination(0), a));
}

// The predicate says whether there is such a bit.
void lift_leading_bit(Lifter& l) {
  const std::string a = l.integer(2);
  const std::string found = l.predicate_destination(1);
  const std::string result = found == "_" ? l.destination(0) : l.scratch();
  l.add(fmt::format("bfind{}.{} {}, {}", l.modifier("SH") != 0 ? ".shiftamt" : "",
                    l.modifier("unsigned") == 0 ? "u32" : "s32", result, a));
  if (found != "_") {
    l.add(fmt::format("mov.b32 {}, {}", l.destination(0), result));
    l.add(fmt::format("setp.ne.u32 {}, {}, -1", found, result));
  }
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

// |a - b| + c
void lift_difference(Lifter& l) {
  if (l.shown(1)) {
    l.fail("its predicate is not supported");
  }
  const std::string a = l.word(l.operand(2));
  const std::string b = l.word(l.operand(3));
  const std::string c = l.word(l.operand(4));
  l.add(fmt::format("sad.{} {}, {}, {}, {}", l.modifier("unsigned") == 0 ? "u32" : "s32", l.destination(0), a, b, c));
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
    {"VABSDIFF", lift_difference},
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
