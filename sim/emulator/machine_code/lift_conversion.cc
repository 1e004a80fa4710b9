// Conversions between types.
#include <fmt/format.h>

#include <string>

#include "emulator/machine_code/lifter.h"

namespace warpsim {

namespace {

constexpr const char* kIntegers[] = {"u8", "s8", "u16", "s16", "u32", "s32", "u64", "s64"};
constexpr const char* kFloats[] = {"bf16", "f16", "f32", "f64"};
constexpr const char* kToInteger[] = {"rni", "rmi", "rpi", "rzi"};
constexpr const char* kToFloat[] = {"rn", "rm", "rp", "rz"};

// The lower or upper 16 bits of a word.
std::string half_of(Lifter& l, const std::string& word, bool upper) {
  std::string result = l.half_scratch();
  std::string source = word;
  if (upper) {
    source = l.scratch();
    l.add(fmt::format("shr.u32 {}, {}, 16", source, word));
  }
  l.add(fmt::format("cvt.u16.u32 {}, {}", result, source));
  return result;
}

bool takes_upper_half(Lifter& l, std::size_t number) {
  return l.operand(number).suffix != nullptr && std::string_view(l.operand(number).suffix) == "H1";
}

// A floating-point source of `size`: 1 half, 2 single, 3 double precision, 4 bfloat16.
std::string float_source(Lifter& l, std::uint32_t size) {
  if (size == 3) {
    return l.real(1);
  }
  if (size == 2) {
    return l.single(1);
  }
  const sass::MachineOperand& source = l.operand(1);
  std::string half = half_of(l, l.word(source), takes_upper_half(l, 1));
  if (source.absolute || source.negative) {
    const std::string result = l.half_scratch();
    l.add(fmt::format("{}.b16 {}, {}, {}", source.absolute ? "and" : "xor", result, half,
                      source.absolute ? "0x7fff" : "0x8000"));
    half = result;
  }
  if (source.absolute && source.negative) {
    l.add(fmt::format("xor.b16 {}, {}, 0x8000", half, half));
  }
  return half;
}

void lift_float_to_float(Lifter& l) {
  const std::uint32_t to = l.modifier("float_size") & 3U;
  const std::uint32_t from = l.modifier("float_source");
  const std::string a = float_source(l, from);
  const bool flushes = l.modifier("FTZ") != 0;
  const auto bytes = [](std::uint32_t size) { return size == 3 ? 8U : size == 2 ? 4U : 2U; };
  const bool narrows = bytes(to) < bytes(from) || (bytes(to) == bytes(from) && to != (from & 3U));
  const std::string type = fmt::format("{}{}.{}.{}", narrows ? std::string(".") + kToFloat[l.modifier("round")] : "",
                                       flushes ? ".ftz" : "", kFloats[to], kFloats[from & 3U]);
  if (to == 3) {
    const std::string result = l.wide_scratch();
    l.add(fmt::format("cvt{} {}, {}", type, result, a));
    if (from == 2 && l.operand(1).absolute && !l.operand(1).negative) {
      // A NaN keeps its sign.
      const std::string word = l.float_word(l.operand(1));
      const std::string is_nan = l.predicate_scratch();
      const std::string plain = l.wide_scratch();
      l.add(fmt::format("setp.nan.f32 {}, {}, {}", is_nan, word, word));
      l.add(fmt::format("cvt.f64.f32 {}, {}", plain, word));
      l.add(fmt::format("selp.b64 {0}, {1}, {0}, {2}", result, plain, is_nan));
    }
    l.set_pair(0, result);
  } else if (to == 2) {
    l.add(fmt::format("cvt{} {}, {}", type, l.destination(0), a));
  } else {
    const std::string result = l.half_scratch();
    l.add(fmt::format("cvt{} {}, {}", type, result, a));
    l.add(fmt::format("cvt.u32.u16 {}, {}", l.destination(0), result));
  }
}

// A denormal half becomes a zero of its sign.
void flush_half(Lifter& l, const std::string& half) {
  const std::string exponent = l.half_scratch();
  const std::string zero = l.half_scratch();
  const std::string is_small = l.predicate_scratch();
  l.add(fmt::format("and.b16 {}, {}, 0x7c00", exponent, half));
  l.add(fmt::format("setp.eq.u16 {}, {}, 0", is_small, exponent));
  l.add(fmt::format("and.b16 {}, {}, 0x8000", zero, half));
  l.add(fmt::format("selp.b16 {0}, {1}, {0}, {2}", half, zero, is_small));
}

void lift_float_to_integer(Lifter& l) {
  const std::uint32_t to = l.modifier("integer_to");
  const std::uint32_t from = l.modifier("source_size");
  const std::string a = float_source(l, from);
  const bool flushes = l.modifier("FTZ") != 0;
  const std::string type = fmt::format("{}{}.{}.{}", kToInteger[l.modifier("to_integer")],
                                       flushes && from != 1 ? ".ftz" : "", kIntegers[to], kFloats[from & 3U]);
  if (flushes && from == 1) {
    flush_half(l, a);
  }
  if (to >= 6) {
    const std::string result = l.wide_scratch();
    l.add(fmt::format("cvt.{} {}, {}", type, result, a));
    l.set_pair(0, result);
  } else {
    // Without NTZ a NaN becomes the integer with only the highest bit; for other sizes PTX has the same.
    const bool marks_nan = l.modifier("NTZ") == 0 && (from == 1 || to < 4);
    const std::string is_nan = marks_nan ? l.predicate_scratch() : std::string();
    if (marks_nan) {
      l.add(fmt::format("setp.nan.{} {}, {}, {}", kFloats[from & 3U], is_nan, a, a));
    }
    l.add(fmt::format("cvt.{} {}, {}", type, l.destination(0), a));
    if (marks_nan && l.destination(0) != "_") {
      const std::uint32_t mark = to < 2 ? 0x80U : to < 4 ? 0x8000U : 0x80000000U;
      l.add(fmt::format("selp.b32 {0}, {1:#x}, {0}, {2}", l.destination(0), mark, is_nan));
    }
  }
}

// The selected byte or half of a word, extended to 32 bits.
std::string narrow_integer(Lifter& l, std::uint32_t type) {
  const std::string word = l.word(l.operand(1));
  const std::string_view suffix = l.operand(1).suffix == nullptr ? std::string_view() : l.operand(1).suffix;
  const std::uint32_t bits = type < 2 ? 8 : 16;
  std::uint32_t first = 0;
  if (!suffix.empty()) {
    first = suffix.front() == 'H' ? 16 : 8U * static_cast<std::uint32_t>(suffix[1] - '0');
  }
  std::string result = l.scratch();
  l.add(fmt::format("bfe.{} {}, {}, {}, {}", type % 2 == 0 ? "u32" : "s32", result, word, first, bits));
  return result;
}

void lift_integer_to_float(Lifter& l) {
  const bool fixed = l.instruction().mnemonic == "I2FP";
  const std::uint32_t to = (fixed ? l.modifier("float_to_fp") : l.modifier("float_to")) & 3U;
  const std::uint32_t from = fixed ? l.modifier("integer_from_fp") : l.modifier("integer_from");
  const std::string a = from >= 6 ? l.pair(1) : from >= 4 ? l.word(l.operand(1)) : narrow_integer(l, from);
  const char* const source = from >= 4 ? kIntegers[from] : from % 2 == 0 ? "u32" : "s32";
  const bool exact = to == 3 && from < 6;
  const std::string type =
      fmt::format("{}{}.{}", exact ? "rn." : std::string(kToFloat[l.modifier("round")]) + ".", kFloats[to], source);
  if (to == 3) {
    const std::string result = l.wide_scratch();
    l.add(fmt::format("cvt.{} {}, {}", type, result, a));
    l.set_pair(0, result);
  } else if (to == 2) {
    l.add(fmt::format("cvt.{} {}, {}", type, l.destination(0), a));
  } else {
    const std::string result = l.half_scratch();
    l.add(fmt::format("cvt.{} {}, {}", type, result, a));
    l.add(fmt::format("cvt.u32.u16 {}, {}", l.destination(0), result));
  }
}

void lift_round(Lifter& l) {
  const std::uint32_t size = l.modifier("source_size");
  const std::string a = float_source(l, size);
  const std::string type = fmt::format("{}{}.{}.{}", kToInteger[l.modifier("to_integer")],
                                       l.modifier("FTZ") != 0 ? ".ftz" : "", kFloats[size & 3U], kFloats[size & 3U]);
  if (size == 3) {
    const std::string result = l.wide_scratch();
    l.add(fmt::format("cvt.{} {}, {}", type, result, a));
    l.set_pair(0, result);
  } else if (size == 2) {
    l.add(fmt::format("cvt.{} {}, {}", type, l.destination(0), a));
  } else {
    const std::string result = l.half_scratch();
    l.add(fmt::format("cvt.{} {}, {}", type, result, a));
    l.add(fmt::format("cvt.u32.u16 {}, {}", l.destination(0), result));
  }
}

bool is_upper_half(const sass::MachineOperand& operand) {
  return operand.suffix != nullptr && std::string_view(operand.suffix) == "H1";
}

// Numbers of 8 bits from floats or halves, above which a half of the last source is put; halves from them.
void lift_pack_bytes(Lifter& l, std::string_view name) {
  const char* const bytes = name.find("E5M2") != std::string_view::npos ? "e5m2x2" : "e4m3x2";
  const char* const relu = l.modifier("RELU") != 0 || name.find("RELU") != std::string_view::npos ? ".relu" : "";
  const std::string half = l.half_scratch();
  if (name.ends_with("UNPACK_B")) {
    const bool upper = is_upper_half(l.operand(2));
    l.add(fmt::format("mov.b32 {{{}, {}}}, {}", upper ? l.half_scratch() : half, upper ? half : l.half_scratch(),
                      l.word(l.operand(2))));
    l.add(fmt::format("cvt.rn{}.f16x2.{} {}, {}", relu, bytes, l.destination(0), half));
    return;
  }
  if (name.ends_with("PACK_AB_MERGE_C")) {
    const std::string a = l.single(1);
    const std::string b = l.single(2);
    l.add(fmt::format("cvt.rn.satfinite{}.{}.f32 {}, {}, {}", relu, bytes, half, a, b));
  } else {
    l.add(fmt::format("cvt.rn.satfinite{}.{}.f16x2 {}, {}", relu, bytes, half, l.word(l.operand(2))));
  }
  const std::string packed = l.scratch();
  l.add(fmt::format("cvt.u32.u16 {}, {}", packed, half));
  const bool upper = is_upper_half(l.operand(3));
  l.add(fmt::format("prmt.b32 {}, {}, {}, {}", l.destination(0), packed, l.word(l.operand(3)),
                    upper ? "0x7610" : "0x5410"));
}

// Two floats packed into halves: the first source is the upper half.
void lift_pack(Lifter& l) {
  if (const std::string_view packs = l.modifier_text("pack_tf32"); !packs.empty()) {
    const std::uint32_t round = l.modifier("round");
    if (l.modifier("RELU") != 0 || (round != 0 && round != 3)) {
      l.fail("this form of packing is not supported");
    }
    const std::string a = l.single(1);
    l.add(fmt::format("cvt.{}{}.tf32.f32 {}, {}", round == 0 ? "rn" : "rz", packs.starts_with("RELU") ? ".relu" : "",
                      l.destination(0), a));
    return;
  }
  const std::string_view name = l.architecture() >= 89 ? l.modifier_text("pack_89") : l.modifier_text("pack");
  if (name.find("E4M3") != std::string_view::npos || name.find("E5M2") != std::string_view::npos) {
    lift_pack_bytes(l, name);
    return;
  }
  const bool relu = l.modifier("RELU") != 0 || name.starts_with("RELU");
  const bool toward_zero = l.modifier("round") != 0;
  const char* const type = name.find("BF16") != std::string_view::npos ? "bf16x2" : "f16x2";
  if (!name.ends_with("PACK_AB") || (toward_zero && l.modifier("round") != 3)) {
    l.fail("this form of packing is not supported");
  }
  const std::string a = l.single(1);
  const std::string b = l.single(2);
  l.add(fmt::format("cvt.{}{}.{}.f32 {}, {}, {}", toward_zero ? "rz" : "rn", relu ? ".relu" : "", type,
                    l.destination(0), a, b));
}

void lift_integer_to_integer(Lifter& l) {
  const std::string a = l.word(l.operand(1));
  const std::string type = kIntegers[l.modifier("saturate_to")];
  l.add(fmt::format("cvt.sat.{}.s32 {}, {}", type, l.destination(0), a));
}

void lift_pack_integers(Lifter& l) {
  const std::string a = l.word(l.operand(1));
  const std::string b = l.word(l.operand(2));
  const std::string c = l.word(l.operand(3));
  const std::uint32_t to = l.modifier("saturate_to");
  if (l.architecture() >= 90 && l.modifier("SAT") == 0) {  // the lower bits of both, and the lower ones of c above them
    const std::string both = l.scratch();
    l.add(fmt::format("prmt.b32 {}, {}, {}, {}", both, a, b, to < 2 ? "0x0004" : "0x1054"));
    l.add(to < 2 ? fmt::format("prmt.b32 {}, {}, {}, 0x5410", l.destination(0), both, c)
                 : fmt::format("mov.b32 {}, {}", l.destination(0), both));
  } else if (to < 2) {
    l.add(fmt::format("cvt.pack.sat.{}.s32.b32 {}, {}, {}, {}", kIntegers[to], l.destination(0), a, b, c));
  } else {
    l.add(fmt::format("cvt.pack.sat.{}.s32 {}, {}, {}", kIntegers[to], l.destination(0), a, b));
  }
}

// Two floats become bytes: those of the second source are the lowest; the lower half of the third one is above them.
void lift_pack_rounded(Lifter& l) {
  const std::string type = l.modifier("byte_sign") != 0 ? "s8" : "u8";
  const std::string c = l.word(l.operand(3));
  std::string bytes[2];
  for (std::size_t i = 0; i < 2; ++i) {
    if (l.operand(i + 1).negative || l.operand(i + 1).absolute) {
      l.fail("the sign of a source is not supported");  // a NaN does not become what it does without
    }
    const std::string value = l.single(i + 1);
    bytes[i] = l.scratch();
    l.add(fmt::format("cvt.rni.sat.{}.f32 {}, {}", type, bytes[i], value));
    if (l.modifier("RELU") != 0) {
      l.add(fmt::format("max.s32 {0}, {0}, 0", bytes[i]));
    }
  }
  const std::string both = l.scratch();
  l.add(fmt::format("prmt.b32 {}, {}, {}, 0x0004", both, bytes[0], bytes[1]));
  l.add(fmt::format("prmt.b32 {}, {}, {}, 0x5410", l.destination(0), both, c));
}

constexpr LiftedOpcode kConversionOpcodes[] = {
    {"F2F", lift_float_to_float},   {"F2I", lift_float_to_integer},
    {"I2F", lift_integer_to_float}, {"I2FP", lift_integer_to_float},
    {"FRND", lift_round},           {"F2FP", lift_pack},
    {"F2IP", lift_pack_rounded},    {"I2I", lift_integer_to_integer},
    {"I2IP", lift_pack_integers},
};

}  // namespace

std::span<const LiftedOpcode> lifted_conversion_opcodes() {
  return kConversionOpcodes;
}

}  // namespace warpsim
