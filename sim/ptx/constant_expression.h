// Constant expressions of PTX: integers of 64 bits with and without sign, and doubles.
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

// Whether the token at hand begins a constant expression (a name does not, but for WARP_SZ).
bool at_constant(const TokenReader& reader);
// Reads one to its end, `?:` included. Exact single-precision numbers (0f...) stand only by themselves.
Constant read_constant(TokenReader& reader);
// Same, of an integer: `what` says in errors what is wanted.
std::int64_t read_integer_constant(TokenReader& reader, const char* what);
// The value rounded to a float, as its bits. Of a number with a fraction only.
std::uint32_t float_bits(const Constant& constant);

}  // namespace warpsim::ptx
