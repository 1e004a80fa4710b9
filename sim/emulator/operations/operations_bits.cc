// Counting, finding and moving bits.
#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "emulator/operations/arithmetic_binders.h"
#include "emulator/operations/lane_functions.h"

namespace warpsim {

namespace {

using ptx::DataType;
using Word = std::uint32_t;

template <class T>
struct CountOnes {
  static Word of(T a) { return static_cast<Word>(std::popcount(a)); }
};
template <class T>
struct CountLeadingZeros {
  static Word of(T a) { return static_cast<Word>(std::countl_zero(a)); }
};

// Position of the highest bit that differs from the sign; all ones if there is none.
template <class T, bool kShiftAmount>
struct FindHighest {
  static Word of(T a) {
    using U = std::make_unsigned_t<T>;
    const U value = a < 0 ? static_cast<U>(~a) : static_cast<U>(a);
    if (value == 0) {
      return ~Word{0};
    }
    const auto zeros = static_cast<Word>(std::countl_zero(value));
    return kShiftAmount ? zeros : static_cast<Word>(8 * sizeof(T) - 1) - zeros;
  }
};

// Position of the n-th set bit (from 1) counted up from `base`, or down if n is negative; n 0: `base` if it is set.
struct FindNth {
  static Word of(Word mask, Word base, std::int32_t n) {
    constexpr Word kNone = ~Word{0};
    if (n == std::numeric_limits<std::int32_t>::min()) {
      return 0;  // this value cannot be negated by the assembler's sequence
    }
    if (base >= 32) {
      return kNone;
    }
    if (n == 0) {
      return (mask >> base & 1U) != 0 ? base : kNone;
    }
    const std::int32_t step = n > 0 ? 1 : -1;
    std::int64_t left = n > 0 ? n : -std::int64_t{n};
    for (auto at = static_cast<std::int32_t>(base); at >= 0 && at < 32; at += step) {
      if ((mask >> at & 1U) != 0 && --left == 0) {
        return static_cast<Word>(at);
      }
    }
    return kNone;
  }
};

template <class T>
struct Reverse {
  static T of(T a) {
    constexpr T kOnes = static_cast<T>(~T{0});
    for (unsigned distance = 8 * sizeof(T) / 2; distance != 0; distance /= 2) {
      // Blocks of `distance` ones with as many zeros between them.
      const T low = kOnes / static_cast<T>((T{1} << distance) + 1);
      a = static_cast<T>((a >> distance & low) | (a & low) << distance);
    }
    return a;
  }
};

// A position or length as the instruction uses it: its lowest byte; the sequence for 64 bits uses all of it.
template <class T>
Word field_operand(Word value) {
  constexpr Word kByte = 0xff;
  return sizeof(T) == 8 ? std::min<Word>(value, 64) : value & kByte;
}

template <class T>
struct Extract {
  static T of(T a, Word position, Word length) {
    using U = std::make_unsigned_t<T>;
    constexpr Word kBits = 8 * sizeof(T);
    position = field_operand<T>(position);
    length = field_operand<T>(length);
    const bool negative =
        std::is_signed_v<T> && length != 0 &&
        (static_cast<U>(a) >> (position + length - 1 < kBits ? position + length - 1 : kBits - 1) & 1U) != 0;
    const U shifted = position < kBits ? static_cast<U>(static_cast<U>(a) >> position) : U{0};
    const U mask = length < kBits ? static_cast<U>((U{1} << length) - 1) : static_cast<U>(~U{0});
    // Bits above the source's highest bit count as its sign.
    const Word known = position < kBits ? kBits - position : 0;
    const U valid = known < kBits ? static_cast<U>(mask & ((U{1} << known) - 1)) : mask;
    return static_cast<T>(negative ? (shifted & valid) | static_cast<U>(~valid) : shifted & valid);
  }
};

template <class T>
struct Insert {
  static T of(T a, T b, Word position, Word length) {
    constexpr Word kBits = 8 * sizeof(T);
    position = field_operand<T>(position);
    length = field_operand<T>(length);
    if (position >= kBits || length == 0) {
      return b;
    }
    const T ones = length < kBits ? static_cast<T>((T{1} << length) - 1) : static_cast<T>(~T{0});
    const T mask = static_cast<T>(ones << position);
    return static_cast<T>((b & ~mask) | (static_cast<T>(a << position) & mask));
  }
};

template <class T>
void insert(WarpContext& warp, const Operation& operation, LaneMask lanes) {
  T* const d = warp.write<T>(operation.d);
  const T* const a = warp.read<T>(operation.a);
  const T* const b = warp.read<T>(operation.b);
  const Word* const position = warp.read<Word>(operation.c);
  const Word* const length = warp.read<Word>(operation.e);
  for_own_lanes(lanes,
                [=](std::uint32_t lane) { d[lane] = Insert<T>::of(a[lane], b[lane], position[lane], length[lane]); });
}

// `b` ones from bit `a` on; clamped: both count as at most 32, wrapped: by their lowest five bits.
template <bool kClamp>
struct Mask {
  static Word of(Word a, Word b) {
    const Word position = kClamp ? a : a & 31U;
    const Word length = kClamp ? b : b & 31U;
    const Word ones = length < 32 ? (Word{1} << length) - 1 : ~Word{0};
    return position < 32 ? ones << position : 0;
  }
};

// Extends the sign of, or zeros above, the lowest `b` bits.
template <class T, bool kClamp>
struct Extend {
  static Word of(Word a, Word b) {
    const Word length = kClamp ? b : b & 31U;
    if (length >= 32) {
      return a;
    }
    if (length == 0) {
      return 0;
    }
    return static_cast<Word>(static_cast<T>(a << (32 - length)) >> (32 - length));
  }
};

template <template <class> class Function>
void bind_count(OperationBuilder& b) {
  const DataType type = b.take_type();
  bind_operands(b, {DataType::kU32, type});
  if (bytes_of(type) == 8) {
    b.operation.run = best_for_host<map_one<Function<std::uint64_t>, Word, std::uint64_t>>();
  } else if (bytes_of(type) == 4) {
    b.operation.run = best_for_host<map_one<Function<Word>, Word, Word>>();
  } else {
    b.fail("expected a type of 32 or 64 bits");
  }
}

bool take_clamp(OperationBuilder& b) {
  const bool clamp = b.take("clamp");
  if (!clamp && !b.take("wrap")) {
    b.fail("expected .clamp or .wrap");
  }
  return clamp;
}

}  // namespace

void bind_popc(OperationBuilder& b) {
  bind_count<CountOnes>(b);
}

void bind_clz(OperationBuilder& b) {
  bind_count<CountLeadingZeros>(b);
}

void bind_bfind(OperationBuilder& b) {
  const bool shift_amount = b.take("shiftamt");
  const DataType type = b.take_type();
  bind_operands(b, {DataType::kU32, type});
  b.operation.run = for_integer(b, type, [shift_amount](auto tag) -> Handler {
    using T = typename decltype(tag)::Type;
    return shift_amount ? best_for_host<map_one<FindHighest<T, true>, Word, T>>()
                        : best_for_host<map_one<FindHighest<T, false>, Word, T>>();
  });
}

void bind_fns(OperationBuilder& b) {
  b.take("b32");
  bind_operands(b, {DataType::kB32, DataType::kB32, DataType::kB32, DataType::kS32});
  b.operation.run = best_for_host<map_three<FindNth, Word, Word, Word, std::int32_t>>();
}

void bind_brev(OperationBuilder& b) {
  const DataType type = b.take_type();
  bind_operands(b, {type, type});
  b.operation.run = bytes_of(type) == 8 ? best_for_host<map_one<Reverse<std::uint64_t>, std::uint64_t, std::uint64_t>>()
                                        : best_for_host<map_one<Reverse<Word>, Word, Word>>();
}

void bind_bfe(OperationBuilder& b) {
  const DataType type = b.take_type();
  bind_operands(b, {type, type, DataType::kU32, DataType::kU32});
  b.operation.run = for_integer(b, type, [](auto tag) -> Handler {
    using T = typename decltype(tag)::Type;
    return best_for_host<map_three<Extract<T>, T, T, Word, Word>>();
  });
  const auto is_constant = [&](std::size_t number) { return b.operand(number).kind == ptx::Operand::Kind::kInteger; };
  if (bytes_of(type) == 4 && is_constant(2) && is_constant(3)) {
    b.operation.form = type == DataType::kS32 ? HostForm::kExtractSigned : HostForm::kExtractUnsigned;
  }
}

void bind_bfi(OperationBuilder& b) {
  const DataType type = b.take_type();
  bind_operands(b, {type, type, type, DataType::kU32});
  b.operation.e = b.source(4, DataType::kU32);
  b.operation.run = bytes_of(type) == 8 ? insert<std::uint64_t> : insert<Word>;
}

void bind_bmsk(OperationBuilder& b) {
  const bool clamp = take_clamp(b);
  b.take("b32");
  bind_operands(b, {DataType::kB32, DataType::kB32, DataType::kB32});
  b.operation.run =
      clamp ? best_for_host<map_two<Mask<true>, Word, Word>>() : best_for_host<map_two<Mask<false>, Word, Word>>();
}

void bind_szext(OperationBuilder& b) {
  const bool clamp = take_clamp(b);
  const bool is_signed = b.take_type() == DataType::kS32;
  bind_operands(b, {DataType::kB32, DataType::kB32, DataType::kU32});
  using S = std::int32_t;
  b.operation.run = is_signed ? (clamp ? best_for_host<map_two<Extend<S, true>, Word, Word>>()
                                       : best_for_host<map_two<Extend<S, false>, Word, Word>>())
                              : (clamp ? best_for_host<map_two<Extend<Word, true>, Word, Word>>()
                                       : best_for_host<map_two<Extend<Word, false>, Word, Word>>());
}

}  // namespace warpsim
