#include "emulator/numbers/atomic_update.h"

#include <array>
#include <cstring>

#include "emulator/numbers/packed_halves.h"

namespace warpsim {

namespace {

using ptx::DataType;

template <class T>
T operand_at(const std::byte* value) {
  T operand;
  std::memcpy(&operand, value, sizeof(T));
  return operand;
}

template <class T, Atomic How, bool Atomically>
void update_integer(std::byte* target, const std::byte* value) {
  const T operand = operand_at<T>(value);
  update_value<T>(target, Atomically, [operand](T old) { return updated<T>(How, old, operand, T{}); });
}

template <class T, T (*Update)(T, T), bool Atomically>
void update_with(std::byte* target, const std::byte* value) {
  const T operand = operand_at<T>(value);
  update_value<T>(target, Atomically, [operand](T old) { return Update(old, operand); });
}

template <class T, bool Atomically>
ElementUpdate integer_update(Atomic how) {
  switch (how) {
    case Atomic::kAdd:
      return update_integer<T, Atomic::kAdd, Atomically>;
    case Atomic::kMin:
      return update_integer<T, Atomic::kMin, Atomically>;
    case Atomic::kMax:
      return update_integer<T, Atomic::kMax, Atomically>;
    case Atomic::kAnd:
      return update_integer<T, Atomic::kAnd, Atomically>;
    case Atomic::kOr:
      return update_integer<T, Atomic::kOr, Atomically>;
    case Atomic::kXor:
      return update_integer<T, Atomic::kXor, Atomically>;
    case Atomic::kIncrement:
      return update_integer<T, Atomic::kIncrement, Atomically>;
    case Atomic::kDecrement:
      return update_integer<T, Atomic::kDecrement, Atomically>;
    case Atomic::kExchange:
    case Atomic::kCompareSwap:
      break;
  }
  return nullptr;
}

// For a type that can be added and compared.
template <class T, bool Atomically, T (*Add)(T, T), T (*Least)(T, T), T (*Greatest)(T, T)>
ElementUpdate half_update(Atomic how) {
  switch (how) {
    case Atomic::kAdd:
      return update_with<T, Add, Atomically>;
    case Atomic::kMin:
      return update_with<T, Least, Atomically>;
    case Atomic::kMax:
      return update_with<T, Greatest, Atomically>;
    default:
      return nullptr;
  }
}

template <bool Atomically>
ElementUpdate update_of(Atomic how, DataType type) {
  switch (type) {
    case DataType::kU32:
    case DataType::kB32:
      return integer_update<std::uint32_t, Atomically>(how);
    case DataType::kS32:
      return integer_update<std::int32_t, Atomically>(how);
    case DataType::kU64:
    case DataType::kB64:
      return integer_update<std::uint64_t, Atomically>(how);
    case DataType::kS64:
      return integer_update<std::int64_t, Atomically>(how);
    case DataType::kF16:
      return half_update<std::uint16_t, Atomically, add_halves, least_half, greatest_half>(how);
    case DataType::kBf16:
      return half_update<std::uint16_t, Atomically, add_brain_floats, least_brain_float, greatest_brain_float>(how);
    case DataType::kF32:
      return how == Atomic::kAdd ? update_with<float, add_floats<float, true>, Atomically> : nullptr;
    case DataType::kF64:
      return how == Atomic::kAdd ? update_with<double, add_floats<double, true>, Atomically> : nullptr;
    default:
      return nullptr;
  }
}

}  // namespace

Atomic take_atomic(OperationBuilder& b) {
  constexpr auto kNames =
      std::to_array<std::string_view>({"add", "min", "max", "and", "or", "xor", "exch", "cas", "inc", "dec"});
  const auto* const name = std::ranges::find_if(kNames, [&b](std::string_view word) { return b.take(word); });
  if (name == kNames.end()) {
    b.fail("expected an atomic operation");
  }
  return static_cast<Atomic>(name - kNames.begin());
}

ElementUpdate element_update(Atomic how, DataType type, bool atomically) {
  return atomically ? update_of<true>(how, type) : update_of<false>(how, type);
}

}  // namespace warpsim
