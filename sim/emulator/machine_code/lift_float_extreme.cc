// Minima and maxima of floating-point numbers.
#include <fmt/format.h>

#include <string>

#include "emulator/machine_code/lift_floats.h"
#include "emulator/machine_code/lifter.h"

namespace warpsim {

namespace {

using sass::MachineOperand;

// XORSIGN: a number gets the exclusive or of the sources' signs, those before their own minus and absolute value.
void set_signs(Lifter& l, const std::string& type, const std::string& chosen, const std::string& result) {
  const std::uint32_t mask = type == "f32" ? 0x80000000U : 0x80008000U;
  const auto raw = [&](std::size_t which) {
    const MachineOperand& source = l.operand(which);
    if (source.half < 2) {
      return l.word(source);
    }
    std::string halves = l.scratch();
    l.add(fmt::format("prmt.b32 {}, {}, 0, {}", halves, l.word(source), source.half == 2 ? "0x1010" : "0x3232"));
    return halves;
  };
  const std::string a = raw(1);
  const std::string b = raw(2);
  const std::string sign = l.scratch();
  const std::string size = l.scratch();
  l.add(fmt::format("xor.b32 {}, {}, {}", sign, a, b));
  l.add(fmt::format("lop3.b32 {}, {}, {}, {:#x}, 0xe4", size, sign, chosen, mask));  // bits of the mask: the sign
  if (type == "f32") {
    const std::string unordered = l.predicate_scratch();
    l.add(fmt::format("setp.nan.f32 {}, {}, {}", unordered, chosen, chosen));
    l.add(fmt::format("selp.b32 {}, {}, {}, {}", result, chosen, size, unordered));
    return;
  }
  // Halves that are NaN keep their bits.
  const std::string low = l.predicate_scratch();
  const std::string high = l.predicate_scratch();
  const std::string first = l.scratch();
  const std::string second = l.scratch();
  l.add(fmt::format("setp.nan.{} {}|{}, {}, {}", type, low, high, chosen, chosen));
  l.add(fmt::format("selp.b32 {}, {}, {}, {}", first, chosen, size, low));
  l.add(fmt::format("selp.b32 {}, {}, {}, {}", second, chosen, size, high));
  l.add(fmt::format("prmt.b32 {}, {}, {}, 0x7610", result, first, second));
}

// The predicate of operand 3 chooses the minimum, else the maximum.
void choose_float(Lifter& l, const std::string& how, const std::string& result, const std::string& a,
                  const std::string& b) {
  if (l.is_true(3) || l.is_false(3)) {
    l.add(fmt::format("{}{} {}, {}, {}", l.is_true(3) ? "min" : "max", how, result, a, b));
    return;
  }
  const bool inverted = l.operand(3).negative;
  const std::string least = l.scratch();
  const std::string greatest = l.scratch();
  l.add(fmt::format("min{} {}, {}, {}", how, least, a, b));
  l.add(fmt::format("max{} {}, {}, {}", how, greatest, a, b));
  std::string name = l.predicate(3);
  if (inverted) {
    name.erase(0, 1);
  }
  l.add(fmt::format("selp.b32 {}, {}, {}, {}", result, inverted ? greatest : least, inverted ? least : greatest, name));
}

void lift_extreme_of(Lifter& l, const std::string& type, const std::string& a, const std::string& b) {
  const std::string how = flush(l) + (l.modifier("NAN") != 0 ? ".NaN" : "") + "." + type;
  if (l.modifier("XORSIGN") == 0) {
    choose_float(l, how, l.destination(0), a, b);
    return;
  }
  const std::string chosen = l.scratch();
  choose_float(l, how, chosen, a, b);
  set_signs(l, type, chosen, l.destination(0));
}

void lift_single_extreme(Lifter& l) {
  const std::string a = l.single(1);
  const std::string b = l.single(2);
  lift_extreme_of(l, "f32", a, b);
}

void lift_half_extreme(Lifter& l) {
  const std::string a = halves(l, 1);
  const std::string b = halves(l, 2);
  lift_extreme_of(l, is_brain(l) ? "bf16x2" : "f16x2", a, b);
}

constexpr LiftedOpcode kFloatExtremeOpcodes[] = {
    {"FMNMX", lift_single_extreme},
    {"HMNMX2", lift_half_extreme},
};

}  // namespace

std::span<const LiftedOpcode> lifted_float_extreme_opcodes() {
  return kFloatExtremeOpcodes;
}

}  // namespace warpsim
