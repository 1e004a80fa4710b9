#include "emulator/execution/external_calls.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <optional>

#include "emulator/code/function_decoder.h"
#include "emulator/execution/device_printf.h"
#include "emulator/execution/launch_context.h"
#include "emulator/execution/warp_context.h"
#include "emulator/memory/block_memory.h"
#include "emulator/memory/device_heap.h"
#include "emulator/memory/generic_address.h"

namespace warpsim {

namespace {

// Operands a, b, c, e and d of such a call are offsets in the parameter area.
template <class T>
T argument(const WarpContext& warp, OperandPlace offset, std::uint32_t lane) {
  T value{};
  std::memcpy(&value, warp.parameters + std::size_t{lane} * warp.parameter_bytes + offset, sizeof(T));
  return value;
}

template <class T>
void set_result(WarpContext& warp, OperandPlace offset, std::uint32_t lane, T value) {
  if (offset != kNoPlace) {
    std::memcpy(warp.parameters + std::size_t{lane} * warp.parameter_bytes + offset, &value, sizeof(T));
  }
}

// The bytes from a generic address to the end of the containing memory.
struct Bytes {
  const std::byte* begin = nullptr;
  std::size_t count = 0;
};
Bytes bytes_at(WarpContext& warp, Address address, std::uint32_t lane) {
  if (is_in(kLocalWindow, address)) {
    const auto offset = static_cast<std::uint32_t>(address - kLocalWindow);
    const std::uint32_t size = warp.block->local_bytes();
    return offset >= size ? Bytes{} : Bytes{warp.block->local(warp.index, lane, offset), size - offset};
  }
  if (is_in(kSharedWindow, address)) {
    const auto offset = static_cast<std::uint32_t>(address - kSharedWindow);
    const std::uint32_t size = warp.block->shared_bytes();
    return offset >= size ? Bytes{} : Bytes{warp.block->shared(offset), size - offset};
  }
  const DeviceMemory::Allocation* const allocation = warp.launch->memory->find(address);
  return allocation == nullptr ? Bytes{}
                               : Bytes{allocation->host + (address - allocation->begin), allocation->end() - address};
}

std::optional<std::string> string_at(WarpContext& warp, Address address, std::uint32_t lane) {
  const Bytes bytes = bytes_at(warp, address, lane);
  const auto* const end = std::find(bytes.begin, bytes.begin + bytes.count, std::byte{0});
  if (bytes.begin == nullptr || end == bytes.begin + bytes.count) {
    return std::nullopt;
  }
  return std::string(reinterpret_cast<const char*>(bytes.begin), static_cast<std::size_t>(end - bytes.begin));
}

void print(WarpContext& warp, const Operation& operation, LaneMask lanes) {
  for_lanes(lanes, [&](std::uint32_t lane) {
    const std::optional<std::string> format = string_at(warp, argument<Address>(warp, operation.a, lane), lane);
    if (!format) {
      set_result<std::int32_t>(warp, operation.d, lane, -1);
      return;
    }
    const Bytes arguments = bytes_at(warp, argument<Address>(warp, operation.b, lane), lane);
    const PrintedText printed = format_device_text(*format, arguments.begin, arguments.count,
                                                   [&](Address address) { return string_at(warp, address, lane); });
    if (warp.launch->print) {
      warp.launch->print(printed.text);
    }
    set_result<std::int32_t>(warp, operation.d, lane, printed.arguments);
  });
}

void fail_assertion(WarpContext& warp, const Operation& operation, LaneMask lanes) {
  const auto lane = static_cast<std::uint32_t>(std::countr_zero(lanes));
  const auto text = [&](OperandPlace place) {
    return string_at(warp, argument<Address>(warp, place, lane), lane).value_or("?");
  };
  const Dim3 thread = warp.thread(lane);
  const Dim3& block = warp.block->index;
  const std::string message =
      fmt::format("{}:{}: {}: block: [{},{},{}], thread: [{},{},{}] Assertion `{}` failed.\n", text(operation.b),
                  argument<std::uint32_t>(warp, operation.c, lane), text(operation.e), block.x, block.y, block.z,
                  thread.x, thread.y, thread.z, text(operation.a));
  if (warp.launch->print) {
    warp.launch->print(message);
  }
  warp.fault(FaultKind::kAssert, operation, lane, "an assertion failed: " + text(operation.a));
}

void allocate(WarpContext& warp, const Operation& operation, LaneMask lanes) {
  for_lanes(lanes, [&](std::uint32_t lane) {
    const auto bytes = argument<std::uint64_t>(warp, operation.a, lane);
    DeviceHeap* const heap = warp.launch->heap;
    set_result<Address>(warp, operation.d, lane, heap == nullptr ? 0 : heap->allocate(bytes));
  });
}

void release(WarpContext& warp, const Operation& operation, LaneMask lanes) {
  for_lanes(lanes, [&](std::uint32_t lane) {
    const auto address = argument<Address>(warp, operation.a, lane);
    DeviceHeap* const heap = warp.launch->heap;
    if (address != 0 && (heap == nullptr || !heap->release(address))) {
      warp.fault(FaultKind::kIllegalAddress, operation, lane,
                 fmt::format("frees {:#x}, {}", address,
                             heap == nullptr ? "which malloc() has not returned" : heap->why_not_released(address)));
    }
  });
}

// The handle is the address of the value.
void set_condition(WarpContext& warp, const Operation& operation, LaneMask lanes) {
  for_lanes(lanes, [&](std::uint32_t lane) {
    const auto handle = argument<Address>(warp, operation.a, lane);
    const auto value = argument<std::uint32_t>(warp, operation.b, lane);
    std::byte* const place = warp.launch->memory->host(handle, sizeof(value));
    if (place == nullptr) {
      warp.fault(FaultKind::kIllegalAddress, operation, lane,
                 fmt::format("sets a condition of a graph with {:#x}, which is no handle of one", handle));
    }
    std::memcpy(place, &value, sizeof(value));
  });
}

struct External {
  std::string_view name;
  Handler run;
  std::size_t arguments;
};
constexpr auto kFunctions = std::to_array<External>({
    {"vprintf", print, 2},
    {"__assertfail", fail_assertion, 4},
    {"__assert_fail", fail_assertion, 4},
    {"malloc", allocate, 1},
    {"free", release, 1},
    {"cudaGraphSetConditional", set_condition, 2},
});

}  // namespace

void bind_external_call(OperationBuilder& b, std::string_view function, const CallSite& site) {
  const auto* const known = std::ranges::find(kFunctions, function, &External::name);
  if (known == kFunctions.end()) {
    b.fail(fmt::format("function {} is external, and modules are not linked", function));
  }
  const auto in_memory = [](const CallSite::Argument& argument) { return argument.in_memory; };
  if (site.arguments.size() < known->arguments || !std::ranges::all_of(site.arguments, in_memory) ||
      !std::ranges::all_of(site.results, in_memory)) {
    b.fail(fmt::format("expected {} arguments in parameter variables for {}", known->arguments, function));
  }
  const std::array<OperandPlace*, 4> places = {&b.operation.a, &b.operation.b, &b.operation.c, &b.operation.e};
  for (std::size_t i = 0; i < known->arguments; ++i) {
    *places[i] = static_cast<OperandPlace>(site.arguments[i].here);
  }
  if (!site.results.empty()) {
    b.operation.d = static_cast<OperandPlace>(site.results.front().here);
  }
  b.operation.effect = Effect::kShared;
  b.operation.run = known->run;
}

}  // namespace warpsim
