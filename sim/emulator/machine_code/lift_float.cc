// Floating-point instructions of single, double and half precision.
#include <fmt/format.h>

#include <array>
#include <string>

#include "emulator/machine_code/lifter.h"

namespace warpsim {

namespace {

using sass::MachineOperand;
using Kind = MachineOperand::Kind;

std::string rounding(Lifter& l) {
  static constexpr const char* kNames[] = {".rn", ".rm", ".rp", ".rz"};
  return kNames[l.modifier("round")];
}
std::string flush(Lifter& l) {
  return l.modifier("FTZ") != 0 ? ".ftz" : "";
}
std::string saturation(Lifter& l) {
  return l.modifier("SAT") != 0 ? ".sat" : "";
}

void lift_single(Lifter& l) {
  const std::string_view name = l.instruction().mnemonic;
  if (l.modifier("FMZ") != 0 || (name == "FMUL" && l.modifier("scale_result") != 4)) {
    l.fail("this form of a product is not supported");
  }
  const std::string a = l.single(1);
  const std::string b = l.single(2);
  if (name == "FFMA") {
    const std::string c = l.single(3);
    l.add(fmt::format("fma{}{}{}.f32 {}, {}, {}, {}", rounding(l), flush(l), saturation(l), l.destination(0), a, b, c));
    return;
  }
  l.add(fmt::format("{}{}{}{}.f32 {}, {}, {}", name == "FADD" ? "add" : "mul", rounding(l), flush(l), saturation(l),
                    l.destination(0), a, b));
}

void lift_double(Lifter& l) {
  const std::string_view name = l.instruction().mnemonic;
  const std::string a = l.real(1);
  const std::string b = l.real(2);
  const std::string result = l.wide_scratch();
  if (name == "DFMA") {
    const std::string c = l.real(3);
    l.add(fmt::format("fma{}.f64 {}, {}, {}, {}", rounding(l), result, a, b, c));
  } else {
    l.add(fmt::format("{}{}.f64 {}, {}, {}", name == "DADD" ? "add" : "mul", rounding(l), result, a, b));
  }
  l.set_pair(0, result);
}

void lift_extreme(Lifter& l) {
  const std::string how =
      flush(l) + (l.modifier("NAN") != 0 ? ".NaN" : "") + (l.modifier("XORSIGN") != 0 ? ".xorsign.abs" : "");
  const std::string a = l.single(1);
  const std::string b = l.single(2);
  if (l.is_true(3) || l.is_false(3)) {
    l.add(fmt::format("{}{}.f32 {}, {}, {}", l.is_true(3) ? "min" : "max", how, l.destination(0), a, b));
    return;
  }
  const bool inverted = l.operand(3).negative;
  const std::string least = l.scratch();
  const std::string greatest = l.scratch();
  l.add(fmt::format("min{}.f32 {}, {}, {}", how, least, a, b));
  l.add(fmt::format("max{}.f32 {}, {}, {}", how, greatest, a, b));
  std::string name = l.predicate(3);
  if (inverted) {
    name.erase(0, 1);
  }
  l.add(fmt::format("selp.b32 {}, {}, {}, {}", l.destination(0), inverted ? greatest : least,
                    inverted ? least : greatest, name));
}

// p = (a compared with b) op c, q = !(a compared with b) op c.
void set_predicates(Lifter& l, const std::string& type, const std::string& compare, const std::string& a,
                    const std::string& b) {
  const std::string p = l.predicate_destination(0);
  const std::string q = l.predicate_destination(1);
  const std::string op = in_small_letters(l.modifier_text("combine"));
  const std::string other = l.predicate_scratch();
  const std::string first = p == "_" ? l.predicate_scratch() : p;
  l.add(fmt::format("mov.pred {}, {}", other, l.predicate(4)));
  if (compare == "f" || compare == "t") {
    const std::string condition = l.predicate_scratch();
    l.add(fmt::format("mov.pred {}, {}", condition, compare == "t" ? "%pt" : "!%pt"));
    const char* const tables = op == "and" ? "0xc0, 0x0c" : op == "or" ? "0xfc, 0xcf" : "0x3c, 0xc3";
    l.add(fmt::format("sass.plop3 {}, {}, {}, {}, %pt, {}", first, q, condition, other, tables));
    return;
  }
  l.add(fmt::format("setp.{}.{}{}.{} {}{}, {}, {}, {}", compare, op, type == "f32" ? flush(l) : "", type, first,
                    q == "_" ? "" : "|" + q, a, b, other));
}

void lift_comparison(Lifter& l) {
  const std::string a = l.single(2);
  const std::string b = l.single(3);
  set_predicates(l, "f32", in_small_letters(l.modifier_text("compare")), a, b);
}

// The first step of a minimum or maximum: whether a is it, combined with a predicate; and whether neither is a number.
// Measured on an H100: of equal numbers a is the minimum and not the maximum.
void lift_double_extreme(Lifter& l, bool minimum, const std::string& a, const std::string& b) {
  const std::string op = in_small_letters(l.modifier_text("combine"));
  const std::string other = l.predicate_scratch();
  const std::string is_a = l.predicate_scratch();
  const std::string none = l.predicate_scratch();
  const std::string extreme = l.wide_scratch();
  l.add(fmt::format("mov.pred {}, {}", other, l.predicate(4)));
  l.add(fmt::format("{}.f64 {}, {}, {}", minimum ? "min" : "max", extreme, a, b));
  l.add(fmt::format("setp.num.f64 {}, {}, {}", none, extreme, extreme));
  l.add(fmt::format("setp.{}.and.b64 {}, {}, {}, {}", minimum ? "eq" : "ne", is_a, extreme, minimum ? a : b, none));
  l.add(fmt::format("not.pred {0}, {0}", none));
  if (const std::string p = l.predicate_destination(0); p != "_") {
    l.add(fmt::format("{}.pred {}, {}, {}", op, p, is_a, other));
  }
  if (const std::string q = l.predicate_destination(1); q != "_") {
    l.add(fmt::format("mov.pred {}, {}", q, none));
  }
}

void lift_double_comparison(Lifter& l) {
  const std::string compare = in_small_letters(l.modifier_text("compare_double"));
  const std::string a = l.real(2);
  const std::string b = l.real(3);
  if (compare == "min" || compare == "max") {
    lift_double_extreme(l, compare == "min", a, b);
    return;
  }
  set_predicates(l, "f64", compare, a, b);
}

void lift_set(Lifter& l) {
  const std::string compare = in_small_letters(l.modifier_text("compare"));
  const std::string a = l.single(1);
  const std::string b = l.single(2);
  const std::string input = l.predicate_scratch();
  l.add(fmt::format("mov.pred {}, {}", input, l.predicate(3)));
  l.add(fmt::format("set.{}.{}{}.f32.f32 {}, {}, {}, {}", compare, in_small_letters(l.modifier_text("combine")),
                    flush(l), l.destination(0), a, b, input));
}

void lift_function(Lifter& l) {
  static constexpr std::array<const char*, 10> kNames = {"sass.cos",
                                                         "sass.sin",
                                                         "ex2.approx.ftz.f32",
                                                         "lg2.approx.ftz.f32",
                                                         "rcp.approx.ftz.f32",
                                                         "rsqrt.approx.ftz.f32",
                                                         "rcp.approx.ftz.f64",
                                                         "rsqrt.approx.ftz.f64",
                                                         "sqrt.approx.ftz.f32",
                                                         "tanh.approx.f32"};
  const std::uint32_t function = l.modifier("function");
  if (l.modifier("F16") != 0) {
    l.fail("half precision is not supported");
  }
  if (function != 6 && function != 7) {
    const std::string a = l.single(1);
    l.add(fmt::format("{} {}, {}", kNames[function], l.destination(0), a));
    return;
  }
  // From the upper half of a double to the upper half of one.
  const MachineOperand& source = l.operand(1);
  std::string upper =
      source.kind == Kind::kFloat ? fmt::format("{:#x}", static_cast<std::uint32_t>(source.value)) : l.single(1);
  if (upper.starts_with("0f")) {
    upper = "0x" + upper.substr(2);
  }
  const std::string whole = l.wide_scratch();
  const std::string result = l.wide_scratch();
  l.add(fmt::format("mov.b64 {}, {{0, {}}}", whole, upper));
  l.add(fmt::format("{} {}, {}", kNames[function], result, whole));
  l.add(fmt::format("mov.b64 {{_, {}}}, {}", l.destination(0), result));
}

void lift_quotient_check(Lifter& l) {
  const std::string a = l.single(1);
  const std::string b = l.single(2);
  if (l.predicate_destination(0) != "_") {
    l.add(fmt::format("sass.fchk {}, {}, {}", l.predicate_destination(0), a, b));
  }
}

// --- pairs of halves ---

bool is_brain(Lifter& l) {
  return l.modifier("half_format") != 0;
}

// A pair with the selected halves and the signs.
std::string halves(Lifter& l, std::size_t number) {
  const MachineOperand& source = l.operand(number);
  std::string text = l.word(source);
  if (source.half == 1 || source.suffix != nullptr) {
    l.fail("this selection of halves is not supported");
  }
  if (source.half >= 2 && text != "0") {
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
  if (source.kind == Kind::kHalves || text == "0") {
    const std::string result = l.scratch();
    l.add(fmt::format("mov.b32 {}, {}", result, text));
    text = result;
  }
  return text;
}

void refuse_unusual_halves(Lifter& l) {
  if (l.modifier("half_zero") == 1 || l.modifier("half_zero") == 3 || l.modifier("FMZ") != 0) {
    l.fail("this treatment of products with 0 is not supported");
  }
}

void lift_halves(Lifter& l) {
  const std::string_view name = l.instruction().mnemonic;
  refuse_unusual_halves(l);
  const bool fused = name.starts_with("HFMA2");
  const std::string type = is_brain(l) ? "bf16x2" : "f16x2";
  const std::string ftz = l.modifier("FTZ") != 0 || l.modifier("half_zero") == 2 ? ".ftz" : "";
  const std::string sat = saturation(l);
  const std::string a = halves(l, 1);
  const std::string b = halves(l, 2);
  if (l.modifier("F32") != 0) {
    // The sum of the lower halves as one float; with -0 it is a conversion.
    if (name != "HADD2" || is_brain(l)) {
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
    l.add(fmt::format("add.rn{}.f32 {}, {}, {}", ftz, l.destination(0), x, y));
    return;
  }
  if (fused) {
    const std::string c = halves(l, 3);
    const std::string relu = l.modifier("RELU") != 0 ? ".relu" : "";
    l.add(fmt::format("fma.rn{}{}{}.{} {}, {}, {}, {}", ftz, sat, relu, type, l.destination(0), a, b, c));
    return;
  }
  l.add(
      fmt::format("{}.rn{}{}.{} {}, {}, {}", name == "HADD2" ? "add" : "mul", ftz, sat, type, l.destination(0), a, b));
}

void lift_half_extreme(Lifter& l) {
  if (!l.is_true(3) && !l.is_false(3)) {
    l.fail("a predicate as choice is not supported");
  }
  const std::string how =
      flush(l) + (l.modifier("NAN") != 0 ? ".NaN" : "") + (l.modifier("XORSIGN") != 0 ? ".xorsign.abs" : "");
  const std::string a = halves(l, 1);
  const std::string b = halves(l, 2);
  l.add(fmt::format("{}{}.{} {}, {}, {}", l.is_true(3) ? "min" : "max", how, is_brain(l) ? "bf16x2" : "f16x2",
                    l.destination(0), a, b));
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
  l.add(
      fmt::format("setp.{}{}.{} {}|{}, {}, {}", compare, flush(l), is_brain(l) ? "bf16x2" : "f16x2", low, high, a, b));
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
  const std::string a = halves(l, 1);
  const std::string b = halves(l, 2);
  const std::string input = l.predicate_scratch();
  const std::string type = is_brain(l) ? "bf16x2" : "f16x2";
  l.add(fmt::format("mov.pred {}, {}", input, l.predicate(3)));
  l.add(fmt::format("set.{}.{}{}.{}.{} {}, {}, {}, {}", compare, in_small_letters(l.modifier_text("combine")), flush(l),
                    l.modifier("BF") != 0 ? type : "u32", type, l.destination(0), a, b, input));
}

constexpr LiftedOpcode kFloatOpcodes[] = {
    {"FADD", lift_single},         {"FMUL", lift_single},         {"FFMA", lift_single},
    {"FMNMX", lift_extreme},       {"FSETP", lift_comparison},    {"FSET.BF", lift_set},
    {"FCHK", lift_quotient_check}, {"MUFU", lift_function},       {"DADD", lift_double},
    {"DMUL", lift_double},         {"DFMA", lift_double},         {"DSETP", lift_double_comparison},
    {"HADD2", lift_halves},        {"HMUL2", lift_halves},        {"HFMA2", lift_halves},
    {"HFMA2.MMA", lift_halves},    {"HMNMX2", lift_half_extreme}, {"HSETP2", lift_half_comparison},
    {"HSET2", lift_half_set},
};

}  // namespace

std::span<const LiftedOpcode> lifted_float_opcodes() {
  return kFloatOpcodes;
}

}  // namespace warpsim
