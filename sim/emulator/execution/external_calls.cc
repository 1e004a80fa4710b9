#include "emulator/execution/external_calls.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <optional>

#include "emulator/code/function_decoder.h"
#include "emulator/execution/call_memory.h"
#include "emulator/execution/device_printf.h"
#include "emulator/execution/device_runtime_calls.h"
#include "emulator/execution/launch_context.h"
#include "emulator/execution/system_calls.h"
#include "emulator/execution/warp_context.h"
#include "emulator/memory/block_memory.h"
#include "emulator/memory/device_heap.h"

namespace warpsim {

namespace {

// The warp is busy with the call, in a machine with timing.
void take_time(WarpContext& warp, SystemCall call, LaneMask lanes) {
  if (SystemCalls* const calls = warp.launch->system_calls; calls != nullptr) {
    const auto threads = static_cast<std::uint32_t>(std::popcount(lanes));
    warp.held_until = std::max(warp.held_until, calls->ends_at(call, warp.launch->grid_id, threads, warp.now));
  }
}

// Operands a, b, c, e and d of such a call are offsets in the parameter area.

void print(WarpContext& warp, const Operation& operation, LaneMask lanes) {
  for_lanes(lanes, [&](std::uint32_t lane) {
    const std::optional<std::string> format = string_at(warp, call_argument<Address>(warp, operation.a, lane), lane);
    if (!format) {
      set_call_result<std::int32_t>(warp, operation.d, lane, -1);
      return;
    }
    const BytesAt arguments = bytes_at(warp, call_argument<Address>(warp, operation.b, lane), lane);
    const PrintedText printed = format_device_text(*format, arguments.begin, arguments.count,
                                                   [&](Address address) { return string_at(warp, address, lane); });
    if (warp.launch->print) {
      warp.launch->print(printed.text);
    }
    set_call_result<std::int32_t>(warp, operation.d, lane, printed.arguments);
  });
  take_time(warp, SystemCall::kPrint, lanes);
}

void fail_assertion(WarpContext& warp, const Operation& operation, LaneMask lanes) {
  const auto lane = static_cast<std::uint32_t>(std::countr_zero(lanes));
  const auto text = [&](OperandPlace place) {
    return string_at(warp, call_argument<Address>(warp, place, lane), lane).value_or("?");
  };
  const Dim3 thread = warp.thread(lane);
  const Dim3& block = warp.block->index;
  const std::string message =
      fmt::format("{}:{}: {}: block: [{},{},{}], thread: [{},{},{}] Assertion `{}` failed.\n", text(operation.b),
                  call_argument<std::uint32_t>(warp, operation.c, lane), text(operation.e), block.x, block.y, block.z,
                  thread.x, thread.y, thread.z, text(operation.a));
  if (warp.launch->print) {
    warp.launch->print(message);
  }
  warp.fault(FaultKind::kAssert, operation, lane, "an assertion failed: " + text(operation.a));
}

void allocate(WarpContext& warp, const Operation& operation, LaneMask lanes) {
  for_lanes(lanes, [&](std::uint32_t lane) {
    const auto bytes = call_argument<std::uint64_t>(warp, operation.a, lane);
    DeviceHeap* const heap = warp.launch->heap;
    set_call_result<Address>(warp, operation.d, lane, heap == nullptr ? 0 : heap->allocate(bytes));
  });
  take_time(warp, SystemCall::kAllocate, lanes);
}

void release(WarpContext& warp, const Operation& operation, LaneMask lanes) {
  for_lanes(lanes, [&](std::uint32_t lane) {
    const auto address = call_argument<Address>(warp, operation.a, lane);
    DeviceHeap* const heap = warp.launch->heap;
    if (address != 0 && (heap == nullptr || !heap->release(address))) {
      warp.fault(FaultKind::kIllegalAddress, operation, lane,
                 fmt::format("frees {:#x}, {}", address,
                             heap == nullptr ? "which malloc() has not returned" : heap->why_not_released(address)));
    }
  });
  take_time(warp, SystemCall::kRelease, lanes);
}

// The handle is the address of the value.
void set_condition(WarpContext& warp, const Operation& operation, LaneMask lanes) {
  for_lanes(lanes, [&](std::uint32_t lane) {
    const auto handle = call_argument<Address>(warp, operation.a, lane);
    const auto value = call_argument<std::uint32_t>(warp, operation.b, lane);
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
    if (const DeviceRuntimeForm* const form = find_device_runtime_form(function)) {
      bind_device_runtime_call(b, *form, site);
      return;
    }
    if (function.starts_with("cuda") || function.starts_with("__cuda")) {
      b.fail(fmt::format("function {} of CUDA's device runtime is not supported in kernels", function));
    }
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
