// Selections, bitwise and predicate logic, comparisons of integers.
#include <fmt/format.h>

#include <string>
#include <string_view>

#include "emulator/machine_code/lifter.h"

namespace warpsim {

namespace {

void lift_select(Lifter& l) {
  const bool inverted = l.operand(3).negative;
  const std::string a = l.word(l.operand(1));
  const std::string b = l.word(l.operand(2));
  std::string predicate = l.predicate(3);
  if (inverted) {
    predicate.erase(0, 1);
  }
  l.add(fmt::format("selp.b32 {}, {}, {}, {}", l.destination(0), inverted ? b : a, inverted ? a : b, predicate));
}

void lift_logic(Lifter& l) {
  const std::string a = l.word(l.operand(2));
  const std::string b = l.word(l.operand(3));
  const std::string c = l.word(l.operand(4));
  const std::string predicate = l.predicate_destination(0);
  if (predicate == "_") {
    l.add(fmt::format("lop3.b32 {}, {}, {}, {}, {}", l.destination(1), a, b, c, l.operand(5).value));
    return;
  }
  l.add(fmt::format("lop3.{}.b32 {}|{}, {}, {}, {}, {}, {}", l.modifier("PAND") != 0 ? "and" : "or",
                    l.destination(1) == "_" ? l.scratch() : l.destination(1), predicate, a, b, c, l.operand(5).value,
                    l.predicate(6)));
}

// Of the signs of three registers.
void lift_sign_logic(Lifter& l) {
  std::string signs;
  for (const std::size_t number : {2U, 3U, 4U}) {
    const std::string sign = l.predicate_scratch();
    l.add(fmt::format("setp.lt.s32 {}, {}, 0", sign, l.word(l.operand(number))));
    signs += sign + ", ";
  }
  l.add(fmt::format("sass.plop3 {}, {}, {}{}, {}", l.predicate_destination(0), l.predicate_destination(1), signs,
                    l.operand(5).value, l.operand(6).value));
}

void lift_predicate_logic(Lifter& l) {
  if (l.operand(2).kind == sass::MachineOperand::Kind::kRegister) {
    lift_sign_logic(l);
    return;
  }
  // The third source has two places: the kind of predicate is a bit of the word.
  const std::size_t third = l.shown(4) ? 4 : 5;
  const bool uniform = l.instruction().mnemonic == "UPLOP3.LUT";
  const std::size_t source = uniform ? 4 : third;
  const std::size_t tables = uniform ? 5 : 6;
  l.add(fmt::format("sass.plop3 {}, {}, {}, {}, {}, {}, {}", l.predicate_destination(0), l.predicate_destination(1),
                    l.predicate(2), l.predicate(3), l.predicate(source), l.operand(tables).value,
                    l.operand(tables + 1).value));
}

// p = condition op c, q = !condition op c.
void combine(Lifter& l, const std::string& condition, std::size_t first, std::size_t input) {
  const std::string op = in_small_letters(l.modifier_text("combine"));
  const std::string p = l.predicate_destination(first);
  const std::string q = l.predicate_destination(first + 1);
  // The input may be one of the results.
  const std::string other = l.predicate_scratch();
  l.add(fmt::format("mov.pred {}, {}", other, l.predicate(input)));
  // Both at once, since one of them may be the guard: tables of (condition, input).
  const char* const tables = op == "and" ? "0xc0, 0x0c" : op == "or" ? "0xfc, 0xcf" : "0x3c, 0xc3";
  l.add(fmt::format("sass.plop3 {}, {}, {}, {}, %pt, {}", p, q, condition, other, tables));
}

void lift_integer_comparison(Lifter& l) {
  const std::string a = l.word(l.operand(2));
  const std::string b = l.word(l.operand(3));
  const std::string type = l.modifier("unsigned") == 0 ? "u32" : "s32";
  const std::string compare = in_small_letters(l.modifier_text("compare_integer"));
  const bool extends = l.modifier("EX") != 0;
  const bool plain = compare != "f" && compare != "t";
  if (!extends && plain && l.predicate_destination(1) == "_" && l.predicate_destination(0) != "_") {
    if (l.is_true(4) && l.modifier_text("combine") == "AND") {
      l.add(fmt::format("setp.{}.{} {}, {}, {}", compare, type, l.predicate_destination(0), a, b));
    } else {
      l.add(fmt::format("setp.{}.{}.{} {}, {}, {}, {}", compare, in_small_letters(l.modifier_text("combine")), type,
                        l.predicate_destination(0), a, b, l.predicate(4)));
    }
    return;
  }
  const std::string condition = l.predicate_scratch();
  if (!plain) {
    l.add(fmt::format("mov.pred {}, {}", condition, constant_of(compare)));
  } else if (!extends) {
    l.add(fmt::format("setp.{}.{} {}, {}, {}", compare, type, condition, a, b));
  } else {
    // The comparison of the upper words decides unless they are equal; then that of the lower ones does.
    const std::string strict = compare == "le" ? "lt" : compare == "ge" ? "gt" : compare;
    const std::string equal = l.predicate_scratch();
    l.add(fmt::format("setp.eq.{} {}, {}, {}", type, equal, a, b));
    l.add(fmt::format("and.pred {}, {}, {}", equal, equal, l.predicate(5)));
    if (strict == "eq") {
      l.add(fmt::format("mov.pred {}, {}", condition, equal));
    } else {
      l.add(fmt::format("setp.{}.{} {}, {}, {}", strict, type, condition, a, b));
      l.add(fmt::format("or.pred {}, {}, {}", condition, condition, equal));
    }
  }
  combine(l, condition, 0, 4);
}

// --- predicates as bits ---

std::string all_predicates(const char* prefix) {
  std::string text;
  for (int i = 0; i < 7; ++i) {
    text += fmt::format(", %{}{}", prefix, i);
  }
  return text;
}

void lift_predicates_to_register(Lifter& l) {
  const std::string a = l.word(l.operand(2));
  const std::string mask = l.word(l.operand(3));
  l.add(fmt::format("sass.p2r.b{} {}, {}, {}{}", l.modifier("byte"), l.destination(0), a, mask,
                    all_predicates(l.instruction().mnemonic == "UP2UR" ? "v" : "p")));
}

void lift_register_to_predicates(Lifter& l) {
  const std::string_view byte = l.operand(1).suffix == nullptr ? std::string_view() : l.operand(1).suffix;
  const std::string a = l.word(l.operand(1));
  const std::string mask = l.word(l.operand(2));
  l.add(fmt::format("sass.r2p.b{} {}, {}{}", byte.size() == 2 ? byte.substr(1) : "0", a, mask, all_predicates("p")));
}

// With FTZ a denormal value becomes a zero of its sign.
void lift_float_selection(Lifter& l) {
  const bool inverted = l.operand(3).negative;
  const std::string a = l.single(1);
  const std::string b = l.single(2);
  std::string predicate = l.predicate(3);
  if (inverted) {
    predicate.erase(0, 1);
  }
  const bool flushes = l.modifier("FTZ") != 0;
  const std::string chosen = flushes ? l.scratch() : l.destination(0);
  l.add(fmt::format("selp.f32 {}, {}, {}, {}", chosen, inverted ? b : a, inverted ? a : b, predicate));
  if (flushes) {
    const std::string exponent = l.scratch();
    const std::string zero = l.scratch();
    const std::string is_small = l.predicate_scratch();
    l.add(fmt::format("and.b32 {}, {}, 0x7f800000", exponent, chosen));
    l.add(fmt::format("setp.eq.u32 {}, {}, 0", is_small, exponent));
    l.add(fmt::format("and.b32 {}, {}, 0x80000000", zero, chosen));
    l.add(fmt::format("selp.b32 {}, {}, {}, {}", l.destination(0), zero, chosen, is_small));
  }
}

constexpr LiftedOpcode kLogicOpcodes[] = {
    {"SEL", lift_select},
    {"USEL", lift_select},
    {"LOP3.LUT", lift_logic},
    {"ULOP3.LUT", lift_logic},
    {"PLOP3.LUT", lift_predicate_logic},
    {"UPLOP3.LUT", lift_predicate_logic},
    {"ISETP", lift_integer_comparison},
    {"UISETP", lift_integer_comparison},
    {"P2R", lift_predicates_to_register},
    {"UP2UR", lift_predicates_to_register},
    {"R2P", lift_register_to_predicates},
    {"FSEL", lift_float_selection},
};

}  // namespace

std::span<const LiftedOpcode> lifted_logic_opcodes() {
  return kLogicOpcodes;
}

}  // namespace warpsim
