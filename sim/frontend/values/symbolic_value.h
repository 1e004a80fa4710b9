// A 32-bit register value as known from the static program: a constant, or scale * symbol + offset modulo 2^32, where
// a symbol stands for something that no trace records (a kernel parameter, loaded data). Two values made in the same
// way from the same unknowns are equal, so that blocks with the same unknown address are known to share it.
//
// Modelled: exact arithmetic on constants; addition, negation, multiplication by constants and low-bit masks of linear
// forms; anything else makes a new symbol, named after its instruction and operands.
#pragma once

#include <bit>
#include <cstdint>
#include <span>

namespace warpsim {

struct SymbolicValue {
  // Bit 0: depends on the number of the thread block. The other bits: name, 0 for a constant; the uppermost 16 bits are
  // the static instruction that made the symbol.
  std::uint64_t symbol = 0;
  std::uint32_t scale = 0;
  std::uint32_t offset = 0;

  static SymbolicValue constant(std::uint32_t value) { return {0, 0, value}; }
  bool is_constant() const { return (symbol >> 1U) == 0; }
  bool varies_by_block() const { return (symbol & 1U) != 0; }
  std::uint32_t origin() const { return static_cast<std::uint32_t>(symbol >> 48U); }
  bool operator==(const SymbolicValue&) const = default;
};

// Mixes another word into a name.
constexpr std::uint64_t mix_name(std::uint64_t name, std::uint64_t word) {
  std::uint64_t z = name * 0x9e3779b97f4a7c15ULL + word + 0x632be59bd9b4e019ULL;
  z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27U)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31U);
}

// A new unknown made by instruction `origin` out of `inputs`; `salt` distinguishes results of one instruction.
inline SymbolicValue new_symbol(std::uint32_t origin, std::span<const SymbolicValue> inputs, std::uint64_t salt = 0) {
  std::uint64_t name = mix_name(salt, origin);
  std::uint64_t varies = 0;
  for (const SymbolicValue& input : inputs) {
    name = mix_name(mix_name(name, input.symbol), std::uint64_t{input.scale} << 32U | input.offset);
    varies |= input.symbol & 1U;
  }
  const std::uint64_t middle = (name & 0x0000fffffffffffeULL) | 2U;  // never the name of a constant
  return {std::uint64_t{origin & 0xffffU} << 48U | middle | varies, 1, 0};
}

inline SymbolicValue negate(const SymbolicValue& a) {
  return {a.symbol, 0U - a.scale, 0U - a.offset};
}
inline SymbolicValue invert(const SymbolicValue& a) {
  return {a.symbol, 0U - a.scale, 0U - a.offset - 1U};
}

inline SymbolicValue add(const SymbolicValue& a, const SymbolicValue& b, std::uint32_t origin) {
  const std::uint32_t offset = a.offset + b.offset;
  const std::uint64_t varies = (a.symbol | b.symbol) & 1U;
  if (a.is_constant() || b.is_constant()) {
    const SymbolicValue& unknown = a.is_constant() ? b : a;
    return {unknown.symbol | varies, unknown.scale, offset};
  }
  if ((a.symbol >> 1U) == (b.symbol >> 1U)) {
    const std::uint32_t scale = a.scale + b.scale;
    return {scale == 0 ? varies : a.symbol | varies, scale, offset};
  }
  const SymbolicValue inputs[] = {{a.symbol, a.scale, 0}, {b.symbol, b.scale, 0}};
  SymbolicValue sum = new_symbol(origin, inputs);
  sum.offset = offset;
  return sum;
}

inline SymbolicValue multiply(const SymbolicValue& a, const SymbolicValue& b, std::uint32_t origin) {
  const std::uint64_t varies = (a.symbol | b.symbol) & 1U;
  if (a.is_constant() || b.is_constant()) {
    const SymbolicValue& unknown = a.is_constant() ? b : a;
    const std::uint32_t factor = a.is_constant() ? a.offset : b.offset;
    const std::uint32_t scale = unknown.scale * factor;
    return {scale == 0 ? varies : unknown.symbol | varies, scale, unknown.offset * factor};
  }
  const SymbolicValue inputs[] = {a, b};
  return new_symbol(origin, inputs);
}

inline SymbolicValue bit_and(const SymbolicValue& a, const SymbolicValue& b, std::uint32_t origin) {
  const std::uint64_t varies = (a.symbol | b.symbol) & 1U;
  if (a.is_constant() && b.is_constant()) {
    return {varies, 0, a.offset & b.offset};
  }
  if (a.is_constant() || b.is_constant()) {
    const SymbolicValue& unknown = a.is_constant() ? b : a;
    const std::uint32_t mask = a.is_constant() ? a.offset : b.offset;
    // The low bits of scale * symbol that are certainly 0 keep those of the offset.
    if (static_cast<int>(std::bit_width(mask)) <= std::countr_zero(unknown.scale)) {
      return {varies, 0, unknown.offset & mask};
    }
  }
  const SymbolicValue inputs[] = {a, b};
  return new_symbol(origin, inputs);
}

}  // namespace warpsim
