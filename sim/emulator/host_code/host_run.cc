#include "emulator/host_code/host_run.h"

#include <algorithm>
#include <bit>

#include "emulator/execution/launch_context.h"
#include "emulator/execution/warp_context.h"

namespace warpsim {

namespace {

// The register value from which the operation computes the lane's address.
Address address_register(const WarpContext& warp, const Operation& operation, std::uint32_t lane) {
  if (operation.a_high != kNoPlace) {
    return Address{warp.read<std::uint32_t>(operation.a_high)[lane]} << 32U |
           warp.read<std::uint32_t>(operation.a)[lane];
  }
  return operation.address_bits == 32 ? Address{warp.read<std::uint32_t>(operation.a)[lane]}
                                      : warp.read<std::uint64_t>(operation.a)[lane];
}

// The largest window around the value, if its access is to a recent allocation. Distances in it fit 31 bits, since
// vectors of places are signed.
void set_window(const WarpContext& warp, const Operation& operation, Address value, HostWindow& window) {
  constexpr std::uint64_t kHalf = std::uint64_t{1} << 30U;
  constexpr std::uint64_t kUpperWord = ~std::uint64_t{0xffffffff};
  constexpr std::uint64_t kStep = 256;  // keeps the alignment of addresses in the allocation
  const std::uint64_t generation = warp.launch->memory->generation();
  const std::uint64_t bytes = std::uint64_t{operation.bytes} * operation.count;
  const auto offset = static_cast<Address>(operation.offset);
  const RecentAllocation* const recent = warp.recent.find(value + offset, generation);
  if (recent == nullptr || recent->begin % kStep != 0 || recent->bytes - (value + offset - recent->begin) < bytes) {
    return;
  }
  const Address begin = recent->begin - offset;
  const Address last = begin + (recent->bytes - bytes);
  if (begin > value || value > last) {  // wraps around
    return;
  }
  const Address least = std::max({begin, value & kUpperWord, value - std::min(value, kHalf)});
  window.begin = begin + (least - begin + kStep - 1) / kStep * kStep;
  if (window.begin > value) {
    return;
  }
  window.span = std::min({last, value | ~kUpperWord, value + (kHalf - 1)}) - window.begin;
  window.base = recent->host + (window.begin - begin);
  window.generation = generation;
}

}  // namespace

bool execute_operation(HostRun* run, const Operation* operation, LaneMask lanes) noexcept {
  try {
    operation->run(*run->context, *operation, lanes);
    return true;
  } catch (...) {
    run->error = std::current_exception();
    return false;
  }
}

bool execute_access(HostRun* run, const Operation* operation, LaneMask lanes, HostWindow* window) noexcept {
  const WarpContext& warp = *run->context;
  // Before the execution, which may change the register.
  const Address value = address_register(warp, *operation, static_cast<std::uint32_t>(std::countr_zero(lanes)));
  if (!execute_operation(run, operation, lanes)) {
    return false;
  }
  set_window(warp, *operation, value, *window);
  return true;
}

}  // namespace warpsim
