// Constant expressions of PTX: signed and unsigned 64-bit integers, and doubles.
#pragma once

#include <cstdint>

#include "ptx/token_reader.h"

namespace warpsim::ptx {

struct Constant {
  enum class Kind : std::uint8_t { kSigned, kUnsigned, kDouble, kSingle };
  Kind kind = Kind::kSigned;
  std::uint64_t bits = 0;  // of the integer, the double, or (kSingle) the float

  bool is_integer() const { return kind == Kind::kSigned || kind == Kind::kUnsigned; }
};

// Whether the current token begins a constant expression (a name does not, except WARP_SZ).
bool at_constant(const TokenReader& reader);
// Reads one to its end, `?:` included. Exact single-precision numbers (0f...) are not allowed in expressions.
Constant read_constant(TokenReader& reader);
// The same for an integer: `what` names the expected value in errors.
std::int64_t read_integer_constant(TokenReader& reader, const char* what);
// The bits of the value rounded to a float. Only for numbers with a fraction.
std::uint32_t float_bits(const Constant& constant);

}  // namespace warpsim::ptx
