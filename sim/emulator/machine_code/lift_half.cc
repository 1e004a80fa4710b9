// Sums, products and comparisons of pairs of halves.
#include <fmt/format.h>

#include <string>

#include "emulator/machine_code/lift_floats.h"
#include "emulator/machine_code/lifter.h"

namespace warpsim {

std::string halves(Lifter& l, std::size_t number) {
  const sass::MachineOperand& source = l.operand(number);
  std::string text = l.word(source);
  // A float as both halves, rounded to zero: 7.0 and 7.5 convert with a sum of it and -0 (ptxas: cvt.rz.f16.f32).
  const bool is_float = source.half == 1 && l.architecture() < 80 && !is_brain(l);
  if (source.half == 1 && !is_float) {
    l.fail("this selection of halves is not supported");
  }
  if (is_float) {
    const std::string half = l.half_scratch();
    const std::string both = l.scratch();
    l.add(fmt::format("cvt.rz.f16.f32 {}, {}", half, l.float_word(source)));
    l.add(fmt::format("mov.b32 {}, {{{}, {}}}", both, half, half));
    text = both;
  } else if (source.half >= 2 && text != "0") {
    const std::string chosen = l.scratch();
    l.add(fmt::format("prmt.b32 {}, {}, 0, {}", chosen, text, source.half == 2 ? "0x1010" : "0x3232"));
    text = chosen;
  }
  if (source.absolute) {
    const std::string result = l.scratch();
    l.add(fmt::format("and.b32 {}, {}, 0x7fff7fff", result, text));
    text = result;
  }
  if (source.negative) {
    const std::string result = l.scratch();
    l.add(fmt::format("xor.b32 {}, {}, 0x80008000", result, text));
    text = result;
  }
  if (source.suffix != nullptr) {  // H0_NH1: the lower half above the negated upper one
    const std::string result = l.scratch();
    l.add(fmt::format("prmt.b32 {}, {}, 0, 0x1032", result, text));
    l.add(fmt::format("xor.b32 {0}, {0}, 0x8000", result));
    text = result;
  }
  if (source.kind == sass::MachineOperand::Kind::kHalves || text == "0") {
    const std::string result = l.scratch();
    l.add(fmt::format("mov.b32 {}, {}", result, text));
    text = result;
  }
  return text;
}

void set_constant(Lifter& l, const std::string& compare, const char* word_if_true) {
  const std::string result = l.predicate_scratch();
  const std::string input = l.predicate_scratch();
  l.add(fmt::format("mov.pred {}, {}", result, constant_of(compare)));
  l.add(fmt::format("mov.pred {}, {}", input, l.predicate(3)));
  l.add(fmt::format("{0}.pred {1}, {1}, {2}", in_small_letters(l.modifier_text("combine")), result, input));
  l.add(fmt::format("selp.b32 {}, {}, 0, {}", l.destination(0), word_if_true, result));
}

namespace {

constexpr std::uint32_t kRegisterOfZeros = 255;

std::string saturated(Lifter& l) {
  return l.modifier("SAT") != 0 ? ".sat" : "";
}

void refuse_unusual_halves(Lifter& l) {
  if (l.modifier("half_zero") == 1 || l.modifier("half_zero") == 3 || l.modifier("FMZ") != 0) {
    l.fail("this treatment of products with 0 is not supported");
  }
}

// -0 * 0 + c with numbers as c: compilers write it to set a register. Its result has the bits of c.
bool is_move(Lifter& l) {
  const std::uint32_t exponent = is_brain(l) ? 0x7f80 : 0x7c00;
  const sass::MachineOperand& c = l.operand(3);
  const auto is_zero = [](const sass::MachineOperand& factor) {
    return factor.kind == sass::MachineOperand::Kind::kRegister && factor.index == kRegisterOfZeros && !factor.absolute;
  };
  const auto is_number = [&](std::uint32_t half) { return (half & exponent) != exponent; };
  const auto bits = static_cast<std::uint32_t>(c.value);
  return is_zero(l.operand(1)) && is_zero(l.operand(2)) && l.operand(1).negative != l.operand(2).negative &&
         c.kind == sass::MachineOperand::Kind::kHalves && !c.negative && !c.absolute && l.word(c).front() == '0' &&
         is_number(bits) && is_number(bits >> 16U) && l.modifier("FTZ") == 0 && l.modifier("half_zero") == 0 &&
         l.modifier("F32") == 0 && l.modifier("RELU") == 0 && l.modifier("SAT") == 0;
}

void lift_halves(Lifter& l) {
  const std::string_view name = l.instruction().mnemonic;
  refuse_unusual_halves(l);
  if (name.starts_with("HFMA2") && is_move(l)) {
    l.add(fmt::format("mov.b32 {}, {}", l.destination(0), l.word(l.operand(3))));
    return;
  }
  const bool fused = name.starts_with("HFMA2");
  const std::string type = is_brain(l) ? "bf16x2" : "f16x2";
  const std::string ftz = l.modifier("FTZ") != 0 || l.modifier("half_zero") == 2 ? ".ftz" : "";
  const std::string sat = saturated(l);
  const std::string a = halves(l, 1);
  const std::string b = halves(l, 2);
  if (l.modifier("F32") != 0) {
    // The sum or product of the lower halves as one float; a sum with -0 is a conversion.
    if (fused || is_brain(l) || !sat.empty()) {
      l.fail("a result of single precision is not supported");
    }
    const std::string first = l.half_scratch();
    const std::string second = l.half_scratch();
    const std::string x = l.scratch();
    const std::string y = l.scratch();
    l.add(fmt::format("cvt.u16.u32 {}, {}", first, a));
    l.add(fmt::format("cvt.u16.u32 {}, {}", second, b));
    l.add(fmt::format("cvt.f32.f16 {}, {}", x, first));
    l.add(fmt::format("cvt.f32.f16 {}, {}", y, second));
    l.add(fmt::format("{}.rn{}.f32 {}, {}, {}", name == "HADD2" ? "add" : "mul", ftz, l.destination(0), x, y));
    return;
  }
  if (fused) {
    const std::string c = halves(l, 3);
    const bool relu = l.modifier("RELU") != 0;
    const bool chooses = relu && !l.is_true(4);  // a predicate may switch RELU off
    const std::string result = chooses ? l.scratch() : l.destination(0);
    l.add(fmt::format("fma.rn{}{}{}.{} {}, {}, {}, {}", ftz, sat, relu ? ".relu" : "", type, result, a, b, c));
    if (chooses) {
      const std::string plain = l.scratch();
      const std::string input = l.predicate_scratch();
      l.add(fmt::format("fma.rn{}{}.{} {}, {}, {}, {}", ftz, sat, type, plain, a, b, c));
      l.add(fmt::format("mov.pred {}, {}", input, l.predicate(4)));
      l.add(fmt::format("selp.b32 {}, {}, {}, {}", l.destination(0), result, plain, input));
    }
    return;
  }
  l.add(
      fmt::format("{}.rn{}{}.{} {}, {}, {}", name == "HADD2" ? "add" : "mul", ftz, sat, type, l.destination(0), a, b));
}

void lift_half_comparison(Lifter& l) {
  const std::string compare = in_small_letters(l.modifier_text("compare"));
  const std::string a = halves(l, 2);
  const std::string b = halves(l, 3);
  const std::string op = in_small_letters(l.modifier_text("combine"));
  const std::string low = l.predicate_scratch();
  const std::string high = l.predicate_scratch();
  const std::string input = l.predicate_scratch();
  l.add(fmt::format("mov.pred {}, {}", input, l.predicate(4)));
  if (is_constant(compare)) {
    l.add(fmt::format("mov.pred {}, {}", low, constant_of(compare)));
    l.add(fmt::format("mov.pred {}, {}", high, constant_of(compare)));
  } else {
    l.add(fmt::format("setp.{}{}.{} {}|{}, {}, {}", compare, flush(l), is_brain(l) ? "bf16x2" : "f16x2", low, high, a,
                      b));
  }
  const bool both = l.modifier("H_AND") != 0;
  const std::string p = l.predicate_destination(0);
  const std::string q = l.predicate_destination(1);
  if (both) {
    // One result from both halves, and its opposite.
    l.add(fmt::format("and.pred {}, {}, {}", low, low, high));
    l.add(fmt::format("not.pred {}, {}", high, low));
  }
  l.add(fmt::format("{}.pred {}, {}, {}", op, low, low, input));
  l.add(fmt::format("{}.pred {}, {}, {}", op, high, high, input));
  // Both at once, since one of them may be the guard.
  l.add(fmt::format("sass.plop3 {}, {}, {}, {}, %pt, 0xf0, 0xcc", p, q, low, high));
}

void lift_half_set(Lifter& l) {
  const std::string compare = in_small_letters(l.modifier_text("compare"));
  if (is_constant(compare)) {
    set_constant(l, compare, l.modifier("BF") == 0 ? "0xffffffff" : is_brain(l) ? "0x3f803f80" : "0x3c003c00");
    return;
  }
  const std::string a = halves(l, 1);
  const std::string b = halves(l, 2);
  const std::string input = l.predicate_scratch();
  const std::string type = is_brain(l) ? "bf16x2" : "f16x2";
  l.add(fmt::format("mov.pred {}, {}", input, l.predicate(3)));
  l.add(fmt::format("set.{}.{}{}.{}.{} {}, {}, {}, {}", compare, in_small_letters(l.modifier_text("combine")), flush(l),
                    l.modifier("BF") != 0 ? type : "u32", type, l.destination(0), a, b, input));
}

constexpr LiftedOpcode kHalfOpcodes[] = {
    {"HADD2", lift_halves},     {"HMUL2", lift_halves},           {"HFMA2", lift_halves},
    {"HFMA2.MMA", lift_halves}, {"HSETP2", lift_half_comparison}, {"HSET2", lift_half_set},
};

}  // namespace

std::span<const LiftedOpcode> lifted_half_opcodes() {
  return kHalfOpcodes;
}

}  // namespace warpsim
