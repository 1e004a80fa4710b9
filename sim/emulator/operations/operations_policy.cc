// createpolicy: eviction policies of L2 in registers of 64 bits, which accesses may name as a hint.
//
// Hints are accepted and have no effect (operations_memory.cc); programs may still store, compare and copy policies.
// The values are those that NVIDIA's assembler makes for 9.0: the kind of the policy and the part of the accesses to
// which it applies, in sixteenths less one, above 52 bits of zeros.
#include <array>
#include <bit>
#include <cstdint>
#include <string_view>

#include "base/types.h"
#include "emulator/execution/warp_context.h"
#include "emulator/operations/lanes.h"
#include "emulator/operations/operation_table.h"

namespace warpsim {

namespace {

using ptx::DataType;

constexpr std::uint32_t kKindShift = 52;
constexpr std::uint64_t kOtherwiseFirst = 0x10;  // the rest of the accesses evict first; otherwise they change nothing
constexpr float kSixteenths = 15.99999F;         // of the whole part, rounded down

struct Kind {
  std::string_view word;
  std::uint64_t value;
};
constexpr auto kKinds = std::to_array<Kind>({
    {"L2::evict_last", 0x140},
    {"L2::evict_normal", 0x160},
    {"L2::evict_first", 0x120},
    {"L2::evict_unchanged", 0x100},
});

void create_fractional(WarpContext& warp, const Operation& operation, LaneMask lanes) {
  auto* const d = warp.write<std::uint64_t>(operation.d);
  const auto* const part = warp.read<std::uint32_t>(operation.a);
  const auto kind = static_cast<std::uint64_t>(operation.offset);
  for_own_lanes(lanes, [=](std::uint32_t lane) {
    const float sixteenths = std::bit_cast<float>(part[lane]) * kSixteenths;
    const bool is_part = sixteenths > 0 && sixteenths < 16;
    const auto whole = static_cast<std::uint64_t>(is_part ? static_cast<std::uint32_t>(sixteenths) : 0);
    d[lane] = (kind | whole) << kKindShift;
  });
}

void copy_policy(WarpContext& warp, const Operation& operation, LaneMask lanes) {
  auto* const d = warp.write<std::uint64_t>(operation.d);
  const auto* const a = warp.read<std::uint64_t>(operation.a);
  for_own_lanes(lanes, [=](std::uint32_t lane) { d[lane] = a[lane]; });
}

// The word of the policy is the first one, that of the rest of the accesses the second.
std::uint64_t take_kind(OperationBuilder& b) {
  const std::string_view word = b.take_next();
  for (const Kind& kind : kKinds) {
    if (kind.word == word) {
      return kind.value;
    }
  }
  b.fail("expected .L2::evict_last, .L2::evict_normal, .L2::evict_first or .L2::evict_unchanged");
}

void bind_create_policy(OperationBuilder& b) {
  b.operation.d = b.destination(0, DataType::kB64);
  if (b.take("cvt")) {
    b.take("L2");
    b.operation.a = b.source(1, DataType::kB64);
    b.operation.run = copy_policy;
  } else if (b.take("fractional")) {
    std::uint64_t kind = take_kind(b);
    if (b.take("L2::evict_first")) {
      kind |= kOtherwiseFirst;
    } else {
      b.take("L2::evict_unchanged");
    }
    b.operation.offset = static_cast<std::int64_t>(kind);
    constexpr std::uint64_t kOne = 0x3f800000;
    b.operation.a = b.operands() > 1 ? b.source(1, DataType::kF32) : b.constant(kOne, 4);
    b.operation.run = create_fractional;
  } else {
    b.fail("only the forms .fractional and .cvt are supported");
  }
  b.take("b64");
}

constexpr auto kPolicyOperations = std::to_array<OpcodeBinder>({{"createpolicy", bind_create_policy}});

}  // namespace

std::span<const OpcodeBinder> policy_operations() {
  return kPolicyOperations;
}

}  // namespace warpsim
