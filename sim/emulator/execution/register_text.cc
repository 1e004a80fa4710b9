// The text of a warp's registers at breakpoints.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <numeric>
#include <tuple>

#include "emulator/code/function_code.h"
#include "emulator/execution/breakpoints.h"
#include "emulator/execution/warp_context.h"
#include "emulator/numbers/half_float.h"

namespace warpsim {

namespace {

// For two values in one word: "low|high".
template <class H>
std::string pair_text(std::uint64_t bits) {
  constexpr unsigned kHalfBits = 16;
  return fmt::format("{}|{}", to_single(H{static_cast<std::uint16_t>(bits)}),
                     to_single(H{static_cast<std::uint16_t>(bits >> kHalfBits)}));
}

std::string value_text(ptx::DataType type, std::uint64_t bits) {
  using ptx::DataType;
  switch (type) {
    case DataType::kS8:
      return fmt::format("{}", static_cast<std::int8_t>(bits));
    case DataType::kS16:
      return fmt::format("{}", static_cast<std::int16_t>(bits));
    case DataType::kS32:
      return fmt::format("{}", static_cast<std::int32_t>(bits));
    case DataType::kS64:
      return fmt::format("{}", static_cast<std::int64_t>(bits));
    case DataType::kU8:
    case DataType::kU16:
    case DataType::kU32:
    case DataType::kU64:
      return fmt::format("{}", bits);
    case DataType::kF16:
      return fmt::format("{}", to_single(Half{static_cast<std::uint16_t>(bits)}));
    case DataType::kBf16:
      return fmt::format("{}", to_single(Brain{static_cast<std::uint16_t>(bits)}));
    case DataType::kF16x2:
      return pair_text<Half>(bits);
    case DataType::kBf16x2:
      return pair_text<Brain>(bits);
    case DataType::kF32:
      return fmt::format("{}", std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
    case DataType::kF64:
      return fmt::format("{}", std::bit_cast<double>(bits));
    default:
      return fmt::format("{:#0{}x}", bits, 2 + 2 * bytes_of(type));
  }
}

// One lane's text of a register or of a component of it, from the place of its lanes.
std::string lane_text(ptx::DataType type, const std::byte* lanes, std::uint32_t lane) {
  constexpr std::uint32_t kWord = 4;
  const std::uint32_t bytes = std::max(kWord, bytes_of(type));
  std::uint64_t words[2] = {0, 0};
  std::memcpy(words, lanes + std::size_t{lane} * bytes, bytes);
  return type == ptx::DataType::kB128 ? fmt::format("{:#018x}{:016x}", words[1], words[0]) : value_text(type, words[0]);
}

template <class TextOfLane>
std::string lanes_text(LaneMask lanes, const TextOfLane& text_of) {
  std::string first;
  std::string all;
  bool equal = true;
  for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
    if ((lanes >> lane & 1U) == 0) {
      all += " -";
      continue;
    }
    const std::string text = text_of(lane);
    equal = equal && (first.empty() || text == first);
    first = first.empty() ? text : first;
    all += " " + text;
  }
  return equal && !first.empty() ? " " + first + " in all" : all;
}

// By letters, then by number: %p1, %r2, %r10.
std::vector<std::size_t> in_order(const std::vector<ptx::Register>& registers) {
  const auto key = [&registers](std::size_t i) {
    const std::string_view name = registers[i].name;
    const std::string_view letters = name.substr(0, name.find_last_not_of("0123456789") + 1);
    return std::make_tuple(letters, name.size(), name);
  };
  std::vector<std::size_t> order(registers.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::sort(order, [&key](std::size_t a, std::size_t b) { return key(a) < key(b); });
  return order;
}

}  // namespace

std::string registers_text(const WarpContext& warp, LaneMask lanes) {
  const ptx::Function& function = *warp.code->source;
  std::string text;
  for (const std::size_t i : in_order(function.registers)) {
    const ptx::Register& reg = function.registers[i];
    const std::byte* const place = warp.registers + warp.code->register_places[i];
    const std::uint32_t bytes = std::max(4U, bytes_of(reg.type)) * kWarpSize;
    for (std::uint32_t c = 0; c < reg.vector; ++c) {
      const std::string name = reg.vector == 1 ? std::string(reg.name) : fmt::format("{}.{}", reg.name, "xyzw"[c]);
      const std::string values = reg.type == ptx::DataType::kPredicate
                                     ? lanes_text(lanes,
                                                  [&](std::uint32_t lane) {
                                                    LaneMask mask = 0;
                                                    std::memcpy(&mask, place, sizeof mask);
                                                    return std::string(1, "01"[mask >> lane & 1U]);
                                                  })
                                     : lanes_text(lanes, [&](std::uint32_t lane) {
                                         return lane_text(reg.type, place + std::size_t{c} * bytes, lane);
                                       });
      text += fmt::format("  {:<8} {:<5}{}\n", name, name_of(reg.type), values);
    }
  }
  return text;
}

}  // namespace warpsim
