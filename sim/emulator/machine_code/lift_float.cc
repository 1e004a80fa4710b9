// Floating-point instructions of single, double and half precision.
#include <fmt/format.h>

#include <array>
#include <iterator>
#include <string>

#include "emulator/machine_code/lift_floats.h"
#include "emulator/machine_code/lifter.h"

namespace warpsim {

namespace {

using sass::MachineOperand;
using Kind = MachineOperand::Kind;

std::string rounding(Lifter& l) {
  static constexpr const char* kNames[] = {".rn", ".rm", ".rp", ".rz"};
  return kNames[l.modifier("round")];
}
std::string saturation(Lifter& l) {
  return l.modifier("SAT") != 0 ? ".sat" : "";
}

// FMZ: subnormal numbers are 0, and 0 times anything is +0: then both factors become +0.
void zero_products(Lifter& l, std::string& a, std::string& b) {
  if (l.modifier("FTZ") != 0) {
    l.fail("FTZ with FMZ is no instruction");
  }
  const std::string first = l.predicate_scratch();
  const std::string any = l.predicate_scratch();
  const std::string x = l.scratch();
  const std::string y = l.scratch();
  l.add(fmt::format("setp.eq.ftz.f32 {}, {}, 0f00000000", first, a));
  l.add(fmt::format("setp.eq.or.ftz.f32 {}, {}, 0f00000000, {}", any, b, first));
  l.add(fmt::format("selp.f32 {}, 0f00000000, {}, {}", x, a, any));
  l.add(fmt::format("selp.f32 {}, 0f00000000, {}, {}", y, b, any));
  a = x;
  b = y;
}

// Products and sums whose signs their operations change, which costs no operation of its own.
void lift_signed_sum(Lifter& l) {
  bool negative[3] = {};
  bool absolute[3] = {};
  std::string sources[3];
  const std::string modes = rounding(l) + flush(l) + saturation(l);
  const bool sum = l.instruction().mnemonic == "FADD";
  if (sum && !l.operand(1).absolute && !l.operand(2).absolute) {
    // With two minus signs only the second one is left to the operation. All NaNs of results are the same.
    sources[1] = l.single_without_sign(2, negative[1]);
    sources[0] = negative[1] ? l.single(1) : l.single_without_sign(1, negative[0]);
    const std::size_t first = negative[0] ? 1 : 0;
    l.add(fmt::format("{}{}.f32 {}, {}, {}", negative[0] || negative[1] ? "sub" : "add", modes, l.destination(0),
                      sources[first], sources[1 - first]));
    return;
  }
  for (std::size_t i = 0; i < std::size(sources); ++i) {
    // A sum is one of a product with 1.
    if (sum && i == 1) {
      sources[i] = "0f3f800000";
    } else {
      sources[i] = l.single_without_signs(sum && i == 2 ? 2 : i + 1, negative[i], absolute[i]);
    }
  }
  const bool product = negative[0] != negative[1];
  const std::string text = fmt::format("{}, {}, {}, {}", l.destination(0), sources[0], sources[1], sources[2]);
  const std::string signs =
      fmt::format("{}{}{}{}{}", product ? ".product" : "", negative[2] ? ".addend" : "", absolute[0] ? ".abs0" : "",
                  absolute[1] ? ".abs1" : "", absolute[2] ? ".abs2" : "");
  if (sum || !signs.empty()) {
    l.add(fmt::format("sass.ffma{}{} {}", modes, signs, text));
  } else {
    l.add(fmt::format("fma{}.f32 {}", modes, text));
  }
}

void lift_single(Lifter& l) {
  const std::string_view name = l.instruction().mnemonic;
  if (name != "FMUL" && l.modifier("FMZ") == 0) {
    lift_signed_sum(l);
    return;
  }
  std::string a = l.single(1);
  std::string b = l.single(2);
  const bool zero = l.modifier("FMZ") != 0;
  const std::string flushes = zero ? ".ftz" : flush(l);
  if (zero) {
    zero_products(l, a, b);
  }
  if (name == "FMUL" && l.modifier("scale_result") != 4) {
    l.add(fmt::format("sass.fmul{}{}{}.s{} {}, {}, {}", rounding(l), flushes, saturation(l), l.modifier("scale_result"),
                      l.destination(0), a, b));
    return;
  }
  if (name == "FFMA") {
    const std::string c = l.single(3);
    l.add(fmt::format("fma{}{}{}.f32 {}, {}, {}, {}", rounding(l), flushes, saturation(l), l.destination(0), a, b, c));
    return;
  }
  l.add(fmt::format("{}{}{}{}.f32 {}, {}, {}", name == "FADD" ? "add" : "mul", rounding(l), flushes, saturation(l),
                    l.destination(0), a, b));
}

// Numbers, and pairs of registers as they are. False: a sign is an operation of its own.
bool add_pairs(Lifter& l, std::size_t sources, std::string& text) {
  for (std::size_t i = 1; i <= sources; ++i) {
    const MachineOperand& source = l.operand(i);
    const bool number = source.kind == Kind::kDouble || (l.word(source, 0) == "0" && l.word(source, 1) == "0");
    if (!number && (source.negative || source.absolute)) {
      return false;
    }
    text += ", " + (number ? l.real(i) : fmt::format("{{{}, {}}}", l.word(source, 0), l.word(source, 1)));
  }
  return true;
}

void lift_double(Lifter& l) {
  const std::string_view name = l.instruction().mnemonic;
  const std::size_t sources = name == "DFMA" ? 3 : 2;
  if (std::string text; l.destination(0) != "_" && add_pairs(l, sources, text)) {
    l.add(fmt::format("{}{}.f64 {{{}, {}}}{}",
                      name == "DFMA"   ? "fma"
                      : name == "DADD" ? "add"
                                       : "mul",
                      rounding(l), l.destination(0, 0), l.destination(0, 1), text));
    return;
  }
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

// p = (a compared with b) op c, q = !(a compared with b) op c.
void set_predicates(Lifter& l, const std::string& type, const std::string& compare, const std::string& a,
                    const std::string& b) {
  const std::string p = l.predicate_destination(0);
  const std::string q = l.predicate_destination(1);
  const std::string op = in_small_letters(l.modifier_text("combine"));
  const bool alone = op == "and" && l.is_true(4);
  if (alone && q == "_" && compare != "f" && compare != "t") {
    if (p != "_") {
      l.add(fmt::format("setp.{}{}.{} {}, {}, {}", compare, type == "f32" ? flush(l) : "", type, p, a, b));
    }
    return;
  }
  const std::string other = l.predicate_scratch();
  const std::string first = p == "_" ? l.predicate_scratch() : p;
  l.add(fmt::format("mov.pred {}, {}", other, l.predicate(4)));
  if (is_constant(compare)) {
    const std::string condition = l.predicate_scratch();
    l.add(fmt::format("mov.pred {}, {}", condition, constant_of(compare)));
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

// The first step of a minimum or maximum: whether a is it (if only one is a number, whether a is the number), combined
// with the input; and whether both are NaN, as it is. -0 is less than 0.
void lift_double_choice(Lifter& l, bool least, const std::string& a, const std::string& b) {
  const auto compare = [&](const char* how, const std::string& x, const std::string& y) {
    std::string result = l.predicate_scratch();
    l.add(fmt::format("setp.{} {}, {}, {}", how, result, x, y));
    return result;
  };
  const std::string a_nan = compare("nan.f64", a, a);
  const std::string b_nan = compare("nan.f64", b, b);
  const std::string before = compare(least ? "ltu.f64" : "gtu.f64", a, b);
  const std::string equal = compare("eq.f64", a, b);
  const auto as_bits = [](const std::string& value) {
    return value.starts_with("0d") ? "0x" + value.substr(2) : value;
  };
  const std::string bits = compare(least ? "le.s64" : "gt.s64", as_bits(a), as_bits(b));
  const std::string input = l.predicate_scratch();
  // before or (equal and bits), but not if a is NaN; then with the input.
  l.add(fmt::format("sass.plop3 {0}, _, {0}, {1}, {2}, 0xf8, 0", before, equal, bits));
  l.add(fmt::format("mov.pred {}, {}", input, l.predicate(4)));
  l.add(fmt::format("sass.plop3 {0}, _, {0}, {1}, %pt, 0x30, 0", before, a_nan));
  const std::string_view op = l.modifier_text("combine");
  l.add(fmt::format("{}.pred {}, {}, {}", in_small_letters(op), before, before, input));
  l.add(fmt::format("and.pred {0}, {0}, {1}", a_nan, b_nan));
  l.add(fmt::format("sass.plop3 {}, {}, {}, {}, %pt, 0xf0, 0xcc", l.predicate_destination(0),
                    l.predicate_destination(1), before, a_nan));
}

void lift_double_comparison(Lifter& l) {
  const std::string compare = in_small_letters(l.modifier_text("compare_double"));
  const std::string a = l.real(2);
  const std::string b = l.real(3);
  if (compare == "min" || compare == "max") {
    lift_double_choice(l, compare == "min", a, b);
    return;
  }
  set_predicates(l, "f64", compare, a, b);
}

void lift_set(Lifter& l) {
  const std::string compare = in_small_letters(l.modifier_text("compare"));
  if (is_constant(compare)) {
    set_constant(l, compare, "0x3f800000");
    return;
  }
  const std::string a = l.single(1);
  const std::string b = l.single(2);
  const std::string input = l.predicate_scratch();
  l.add(fmt::format("mov.pred {}, {}", input, l.predicate(3)));
  l.add(fmt::format("set.{}.{}{}.f32.f32 {}, {}, {}, {}", compare, in_small_letters(l.modifier_text("combine")),
                    flush(l), l.destination(0), a, b, input));
}

// Of the lower or upper half of a word; the result is a word with 0 above it.
void lift_half_function(Lifter& l, std::uint32_t function) {
  const bool brain = l.modifier("function_format") == 2;
  constexpr std::uint32_t kPower = 2;
  constexpr std::uint32_t kTangent = 9;
  if (function != kPower && function != kTangent) {
    l.fail("this function of half precision is not supported");
  }
  const MachineOperand& source = l.operand(1);
  std::string word = l.word(source);
  const bool upper = source.suffix != nullptr && std::string_view(source.suffix) == "H1";
  const std::string half = l.half_scratch();
  const std::string changed = l.scratch();
  l.add(fmt::format("bfe.u32 {}, {}, {}, 16", changed, word, upper ? 16 : 0));
  if (source.absolute) {
    l.add(fmt::format("and.b32 {0}, {0}, 0x7fff", changed));
  }
  if (source.negative) {
    l.add(fmt::format("xor.b32 {0}, {0}, 0x8000", changed));
  }
  l.add(fmt::format("cvt.u16.u32 {}, {}", half, changed));
  l.add(fmt::format("{}{} {}, {}",
                    function == kTangent ? "tanh.approx."
                    : brain              ? "ex2.approx.ftz."
                                         : "ex2.approx.",
                    brain ? "bf16" : "f16", half, half));
  l.add(fmt::format("cvt.u32.u16 {}, {}", l.destination(0), half));
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
  if (l.modifier("function_format") != 0) {
    lift_half_function(l, function);
    return;
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

// Sums of quads: for each lane of a quad two bits say what is added.
void lift_swizzled_sum(Lifter& l) {
  if (l.modifier("NDV") == 0) {
    l.fail("sums that are 0 in quads with lanes elsewhere are not supported");
  }
  const std::string a = l.single(1);
  const std::string b = l.single(2);
  l.add(fmt::format("sass.fswzadd{}{}.s{} {}, {}, {}", rounding(l), flush(l), l.operand(3).value, l.destination(0), a,
                    b));
}

void lift_quotient_check(Lifter& l) {
  const std::string a = l.single(1);
  const std::string b = l.single(2);
  if (l.predicate_destination(0) != "_") {
    l.add(fmt::format("sass.fchk {}, {}, {}", l.predicate_destination(0), a, b));
  }
}

constexpr LiftedOpcode kFloatOpcodes[] = {
    {"FADD", lift_single}, {"FMUL", lift_single},   {"FFMA", lift_single},          {"FSETP", lift_comparison},
    {"FSET.BF", lift_set}, {"MUFU", lift_function}, {"FSWZADD", lift_swizzled_sum}, {"FCHK", lift_quotient_check},
    {"DADD", lift_double}, {"DMUL", lift_double},   {"DFMA", lift_double},          {"DSETP", lift_double_comparison},
};

}  // namespace

std::span<const LiftedOpcode> lifted_float_opcodes() {
  return kFloatOpcodes;
}

}  // namespace warpsim
