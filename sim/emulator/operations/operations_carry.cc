// Extended precision: sums and products whose carry goes through the condition code, one bit per lane.
#include <cstdint>

#include "emulator/code/function_decoder.h"
#include "emulator/numbers/integer_functions.h"
#include "emulator/operations/arithmetic_binders.h"
#include "emulator/operations/lane_functions.h"

namespace warpsim {

namespace {

using ptx::DataType;

// The first addend of each form; the second is the last operand, or the subtrahend.
template <class T>
struct Plain {
  static T of(T a, T /*b*/) { return a; }
};

// addend(a, b) + c + carry; for Plain the second addend is b.
template <class T, class Product, bool kUses, bool kSets>
void add_with_carry(WarpContext& warp, const Operation& operation, LaneMask lanes) {
  T* const d = warp.write<T>(operation.d);
  const T* const a = warp.read<T>(operation.a);
  const T* const b = warp.read<T>(operation.b);
  const T* const c = warp.read<T>(operation.c);
  const LaneMask carries = kUses ? warp.predicate(operation.e) : 0;
  LaneMask out = 0;
  for_lanes(lanes, [&](std::uint32_t lane) {
    const T addend = Product::of(a[lane], b[lane]);
    const T sum = addend + c[lane];
    const T total = sum + (carries >> lane & 1U);
    out |= static_cast<LaneMask>(sum < addend || total < sum) << lane;
    d[lane] = total;
  });
  if (kSets) {
    warp.set_predicate(operation.e, lanes, out);
  }
}

template <class T, bool kUses, bool kSets>
void subtract_with_borrow(WarpContext& warp, const Operation& operation, LaneMask lanes) {
  T* const d = warp.write<T>(operation.d);
  const T* const a = warp.read<T>(operation.a);
  const T* const b = warp.read<T>(operation.b);
  const LaneMask borrows = kUses ? warp.predicate(operation.e) : 0;
  LaneMask out = 0;
  for_lanes(lanes, [&](std::uint32_t lane) {
    const T difference = a[lane] - b[lane];
    const T borrow = borrows >> lane & 1U;
    out |= static_cast<LaneMask>(a[lane] < b[lane] || difference < borrow) << lane;
    d[lane] = difference - borrow;
  });
  if (kSets) {
    warp.set_predicate(operation.e, lanes, out);
  }
}

template <class T, class Product>
Handler sum(bool uses, bool sets) {
  if (uses) {
    return sets ? add_with_carry<T, Product, true, true> : add_with_carry<T, Product, true, false>;
  }
  return add_with_carry<T, Product, false, true>;
}

template <class T>
Handler difference(bool uses, bool sets) {
  if (uses) {
    return sets ? subtract_with_borrow<T, true, true> : subtract_with_borrow<T, true, false>;
  }
  return subtract_with_borrow<T, false, true>;
}

// The unsigned high word of a signed product.
template <class U, class S>
struct SignedMulHigh {
  static U of(U a, U b) { return static_cast<U>(MulHigh<S>::of(static_cast<S>(a), static_cast<S>(b))); }
};

template <class U, class S>
Handler product(OperationBuilder& b, bool is_signed, bool uses, bool sets) {
  if (b.take("lo")) {
    return sum<U, MulLow<U>>(uses, sets);
  }
  if (!b.take("hi")) {
    b.fail("expected .lo or .hi");
  }
  return is_signed ? sum<U, SignedMulHigh<U, S>>(uses, sets) : sum<U, MulHigh<U>>(uses, sets);
}

void bind(OperationBuilder& b, Arithmetic what, DataType type, bool uses, bool sets) {
  const bool wide = bytes_of(type) == 8;
  if (bytes_of(type) < 4) {
    b.fail("expected a type of 32 or 64 bits");
  }
  bind_operands(b, {type, type, type, what == Arithmetic::kMad ? type : DataType::kNone});
  b.operation.e = b.function().condition_code();
  const bool is_signed = type == DataType::kS32 || type == DataType::kS64;
  using U32 = std::uint32_t;
  using U64 = std::uint64_t;
  switch (what) {
    case Arithmetic::kAdd:
      b.operation.c = b.operation.b;
      b.operation.run = wide ? sum<U64, Plain<U64>>(uses, sets) : sum<U32, Plain<U32>>(uses, sets);
      return;
    case Arithmetic::kSub:
      b.operation.run = wide ? difference<U64>(uses, sets) : difference<U32>(uses, sets);
      return;
    case Arithmetic::kMad:
      b.operation.run = wide ? product<U64, std::int64_t>(b, is_signed, uses, sets)
                             : product<U32, std::int32_t>(b, is_signed, uses, sets);
      return;
    default:
      b.fail("there is no form with .cc");
  }
}

void bind_continued(OperationBuilder& b, Arithmetic what) {
  const bool sets = b.take("cc");
  bind(b, what, b.take_type(), true, sets);
}

}  // namespace

void bind_carry(OperationBuilder& b, Arithmetic what, DataType type) {
  bind(b, what, type, false, true);
}

void bind_addc(OperationBuilder& b) {
  bind_continued(b, Arithmetic::kAdd);
}

void bind_subc(OperationBuilder& b) {
  bind_continued(b, Arithmetic::kSub);
}

void bind_madc(OperationBuilder& b) {
  bind_continued(b, Arithmetic::kMad);
}

}  // namespace warpsim
