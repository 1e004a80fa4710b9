// Arguments and results of calls that the emulator executes itself, in the parameter area of the calling function, and
// the memory that arguments point to.
#pragma once

#include <cstddef>
#include <cstring>
#include <optional>
#include <string>

#include "base/types.h"
#include "emulator/execution/warp_context.h"

namespace warpsim {

// `offset`: in the parameter area.
template <class T>
T call_argument(const WarpContext& warp, OperandPlace offset, std::uint32_t lane) {
  T value{};
  std::memcpy(&value, warp.parameters + std::size_t{lane} * warp.parameter_bytes + offset, sizeof(T));
  return value;
}

template <class T>
void set_call_result(WarpContext& warp, OperandPlace offset, std::uint32_t lane, T value) {
  if (offset != kNoPlace) {
    std::memcpy(warp.parameters + std::size_t{lane} * warp.parameter_bytes + offset, &value, sizeof(T));
  }
}

// The bytes from a generic address to the end of the containing memory; none if the address is in no memory.
struct BytesAt {
  std::byte* begin = nullptr;
  std::size_t count = 0;
};
BytesAt bytes_at(WarpContext& warp, Address address, std::uint32_t lane);

// The text up to a zero; empty if memory ends before.
std::optional<std::string> string_at(WarpContext& warp, Address address, std::uint32_t lane);

}  // namespace warpsim
