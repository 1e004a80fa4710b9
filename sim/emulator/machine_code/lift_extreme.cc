// Minima and maxima of integers, of sums and of three values, of one word or of two halves.
#include <fmt/format.h>

#include <string>

#include "emulator/machine_code/lifter.h"

namespace warpsim {

namespace {

bool is_pair(const std::string& type) {
  return type.ends_with("x2");
}

std::string type_of(Lifter& l) {
  const std::string_view text = l.modifier_text("packed");
  const bool packs = l.instruction().mnemonic.starts_with("VI");
  if (packs && text.ends_with("x2")) {
    return text.starts_with('U') ? "u16x2" : "s16x2";
  }
  const bool is_unsigned = packs ? text == "U32" : l.modifier("unsigned") == 0;
  return is_unsigned ? "u32" : "s32";
}

// min if the predicate holds, else max; then with RELU the maximum with 0.
void choose_extreme(Lifter& l, const std::string& result, const std::string& a, const std::string& b,
                    std::size_t predicate) {
  const std::string type = type_of(l);
  const bool relu = l.modifier("RELU") != 0;
  if (relu && type.front() == 'u') {
    l.fail("RELU of unsigned values is no instruction");
  }
  const std::string typed = (relu ? ".relu." : ".") + type;
  if (l.is_true(predicate) || l.is_false(predicate)) {
    l.add(fmt::format("{}{} {}, {}, {}", l.is_true(predicate) ? "min" : "max", typed, result, a, b));
    return;
  }
  const bool inverted = l.operand(predicate).negative;
  const std::string least = l.scratch();
  const std::string greatest = l.scratch();
  l.add(fmt::format("min{} {}, {}, {}", typed, least, a, b));
  l.add(fmt::format("max{} {}, {}, {}", typed, greatest, a, b));
  std::string name = l.predicate(predicate);
  if (inverted) {
    name.erase(0, 1);
  }
  l.add(fmt::format("selp.b32 {}, {}, {}, {}", result, inverted ? greatest : least, inverted ? least : greatest, name));
}

// Whether a is the result. Of the lower halves; of the upper ones if `upper`.
std::string is_first(Lifter& l, const std::string& a, const std::string& result, bool upper) {
  std::string same = l.predicate_scratch();
  if (!is_pair(type_of(l))) {
    l.add(fmt::format("setp.eq.s32 {}, {}, {}", same, a, result));
    return same;
  }
  const std::string difference = l.scratch();
  l.add(fmt::format("xor.b32 {}, {}, {}", difference, a, result));
  l.add(fmt::format("and.b32 {0}, {0}, {1}", difference, upper ? "0xffff0000" : "0xffff"));
  l.add(fmt::format("setp.eq.s32 {}, {}, 0", same, difference));
  return same;
}

void lift_integer_extreme(Lifter& l) {
  const std::string a = l.word(l.operand(1));
  const std::string b = l.word(l.operand(2));
  choose_extreme(l, l.destination(0), a, b, 3);
}

// With predicates: which of the values was chosen, of pairs for each half.
void lift_extreme(Lifter& l) {
  const std::string a = l.word(l.operand(3));
  const std::string b = l.word(l.operand(4));
  const std::string p = l.predicate_destination(1);
  const std::string q = l.predicate_destination(2);
  const bool pair = is_pair(type_of(l));
  if (p == "_" && q == "_") {
    choose_extreme(l, l.destination(0), a, b, 5);
    return;
  }
  const std::string result = l.scratch();
  choose_extreme(l, result, a, b, 5);
  const std::string first = p == "_" ? "%pt" : is_first(l, a, result, false);
  const std::string second = q == "_" ? "%pt" : !pair && p != "_" ? first : is_first(l, a, result, true);
  l.add(fmt::format("mov.b32 {}, {}", l.destination(0), result));
  // Both at once, since one of them may be the guard. The first one is written last.
  l.add(fmt::format("sass.plop3 {}, {}, {}, {}, %pt, 0xf0, 0xcc", q, p, second, first));
}

void lift_sum_extreme(Lifter& l) {
  const bool pair = is_pair(type_of(l));
  const std::string a = l.word(l.operand(1));
  std::string b = pair ? l.word(l.operand(2)) : l.integer(2);
  const std::string c = l.word(l.operand(3));
  const std::string sum = l.scratch();
  if (pair && l.operand(2).negative) {  // of each half
    const std::string inverse = l.scratch();
    l.add(fmt::format("not.b32 {}, {}", inverse, b));
    l.add(fmt::format("add.u16x2 {0}, {0}, 0x00010001", inverse));
    b = inverse;
  }
  l.add(fmt::format("add.{} {}, {}, {}", pair ? "u16x2" : "s32", sum, a, b));
  choose_extreme(l, l.destination(0), sum, c, 4);
}

void lift_extreme_of_three(Lifter& l) {
  const std::string a = l.word(l.operand(1));
  const std::string b = l.word(l.operand(2));
  const std::string c = l.word(l.operand(3));
  const std::string both = l.scratch();
  choose_extreme(l, both, a, b, 4);
  choose_extreme(l, l.destination(0), both, c, 4);
}

constexpr LiftedOpcode kExtremeOpcodes[] = {
    {"IMNMX", lift_integer_extreme},
    {"VIMNMX", lift_extreme},
    {"VIADDMNMX", lift_sum_extreme},
    {"VIMNMX3", lift_extreme_of_three},
};

}  // namespace

std::span<const LiftedOpcode> lifted_extreme_opcodes() {
  return kExtremeOpcodes;
}

}  // namespace warpsim
