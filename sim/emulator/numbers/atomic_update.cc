#include "emulator/numbers/atomic_update.h"

#include <array>
#include <cstring>

#include "emulator/numbers/packed_halves.h"

namespace warpsim {

namespace {

using ptx::DataType;

template <class T, Atomic How>
void update_integer(std::byte* target, const std::byte* value) {
  T old;
  T operand;
  std::memcpy(&old, target, sizeof(T));
  std::memcpy(&operand, value, sizeof(T));
  old = updated<T>(How, old, operand, T{});
  std::memcpy(target, &old, sizeof(T));
}

template <class T, T (*Update)(T, T)>
void update_with(std::byte* target, const std::byte* value) {
  T old;
  T operand;
  std::memcpy(&old, target, sizeof(T));
  std::memcpy(&operand, value, sizeof(T));
  old = Update(old, operand);
  std::memcpy(target, &old, sizeof(T));
}

template <class T>
ElementUpdate integer_update(Atomic how) {
  switch (how) {
    case Atomic::kAdd:
      return update_integer<T, Atomic::kAdd>;
    case Atomic::kMin:
      return update_integer<T, Atomic::kMin>;
    case Atomic::kMax:
      return update_integer<T, Atomic::kMax>;
    case Atomic::kAnd:
      return update_integer<T, Atomic::kAnd>;
    case Atomic::kOr:
      return update_integer<T, Atomic::kOr>;
    case Atomic::kXor:
      return update_integer<T, Atomic::kXor>;
    case Atomic::kIncrement:
      return update_integer<T, Atomic::kIncrement>;
    case Atomic::kDecrement:
      return update_integer<T, Atomic::kDecrement>;
    case Atomic::kExchange:
    case Atomic::kCompareSwap:
      break;
  }
  return nullptr;
}

// For a type that can be added and compared.
template <class T, T (*Add)(T, T), T (*Least)(T, T), T (*Greatest)(T, T)>
ElementUpdate half_update(Atomic how) {
  switch (how) {
    case Atomic::kAdd:
      return update_with<T, Add>;
    case Atomic::kMin:
      return update_with<T, Least>;
    case Atomic::kMax:
      return update_with<T, Greatest>;
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

ElementUpdate element_update(Atomic how, DataType type) {
  switch (type) {
    case DataType::kU32:
    case DataType::kB32:
      return integer_update<std::uint32_t>(how);
    case DataType::kS32:
      return integer_update<std::int32_t>(how);
    case DataType::kU64:
    case DataType::kB64:
      return integer_update<std::uint64_t>(how);
    case DataType::kS64:
      return integer_update<std::int64_t>(how);
    case DataType::kF16:
      return half_update<std::uint16_t, add_halves, least_half, greatest_half>(how);
    case DataType::kBf16:
      return half_update<std::uint16_t, add_brain_floats, least_brain_float, greatest_brain_float>(how);
    case DataType::kF32:
      return how == Atomic::kAdd ? update_with<float, add_floats<float, true>> : nullptr;
    case DataType::kF64:
      return how == Atomic::kAdd ? update_with<double, add_floats<double, true>> : nullptr;
    default:
      return nullptr;
  }
}

}  // namespace warpsim
