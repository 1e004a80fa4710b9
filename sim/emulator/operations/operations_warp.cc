// Exchange between the lanes of a warp: shuffles, votes, matches, reductions.
#include <algorithm>
#include <array>
#include <bit>

#include "emulator/execution/warp_context.h"
#include "emulator/operations/operation_table.h"
#include "emulator/operations/operation_variants.h"

namespace warpsim {

namespace {

using ptx::DataType;

void shuffle(WarpContext& warp, const Operation& operation, LaneMask lanes) {
  const auto* const a = warp.read<std::uint32_t>(operation.a);
  const auto* const b = warp.read<std::uint32_t>(operation.b);
  const auto* const c = warp.read<std::uint32_t>(operation.c);
  auto* const d = warp.write<std::uint32_t>(operation.d);
  // Lanes that do not take part give 0 (measured on an H200: tests/hardware/waiting_threads, masks.cu).
  std::array<std::uint32_t, kWarpSize> values{};
  for_lanes(lanes, [&](std::uint32_t lane) { values[lane] = a[lane]; });
  LaneMask inside = 0;
  for_lanes(lanes, [&](std::uint32_t lane) {
    const std::int32_t by = static_cast<std::int32_t>(b[lane] & 31U);
    const std::uint32_t clamp = c[lane] & 31U;
    const std::uint32_t segment = c[lane] >> 8U & 31U;
    const auto highest = static_cast<std::int32_t>((lane & segment) | (clamp & ~segment));
    const auto lowest = static_cast<std::int32_t>(lane & segment);
    const auto own = static_cast<std::int32_t>(lane);
    std::int32_t from = own;
    bool is_inside = false;
    switch (static_cast<Shuffle>(operation.variant)) {
      case Shuffle::kUp:
        from = own - by;
        is_inside = from >= highest;
        break;
      case Shuffle::kDown:
        from = own + by;
        is_inside = from <= highest;
        break;
      case Shuffle::kButterfly:
        from = own ^ by;
        is_inside = from <= highest;
        break;
      case Shuffle::kIndex:
        from = lowest | (by & static_cast<std::int32_t>(~segment));
        is_inside = from <= highest;
        break;
    }
    if (!is_inside) {
      from = own;
    }
    inside |= is_inside ? LaneMask{1} << lane : 0;
    // A lane that does not take part has no value: 0, as an H100 gives.
    const bool takes_part = (lanes >> static_cast<unsigned>(from) & 1U) != 0;
    d[lane] = takes_part ? values[static_cast<std::size_t>(from)] : 0;
  });
  if (operation.p != kNoPlace) {
    warp.set_predicate(operation.p, lanes, inside);
  }
}

// The member mask of the forms with .sync; the others use the active lanes.
void take_members(OperationBuilder& b, bool sync, std::size_t operand, Exchange exchange) {
  if (sync) {
    b.operation.exchange = exchange;
    b.operation.control = Control::kWarpSync;
    b.operation.e = b.source(operand, DataType::kU32);
  }
}

void bind_shuffle(OperationBuilder& b) {
  const bool sync = b.take("sync");
  const Shuffle mode = b.take("up")     ? Shuffle::kUp
                       : b.take("down") ? Shuffle::kDown
                       : b.take("bfly") ? Shuffle::kButterfly
                                        : Shuffle::kIndex;
  if (mode == Shuffle::kIndex && !b.take("idx")) {
    b.fail("expected .up, .down, .bfly or .idx");
  }
  b.take("b32");
  b.operation.variant = static_cast<std::uint8_t>(mode);
  b.operation.d = b.destination(0, DataType::kB32);
  b.operation.p = b.second_destination(0);
  b.operation.a = b.source(1, DataType::kB32);
  b.operation.b = b.source(2, DataType::kU32);
  b.operation.c = b.source(3, DataType::kU32);
  b.operation.run = shuffle;
  b.operation.form = HostForm::kShuffle;
  take_members(b, sync, 4, Exchange::kWords);
}

// --- votes ---

enum class Vote : std::uint8_t { kAll, kAny, kUniform, kBallot };

void vote(WarpContext& warp, const Operation& operation, LaneMask lanes) {
  LaneMask votes = warp.predicate(operation.a);
  votes = (operation.count != 0 ? ~votes : votes) & lanes;
  switch (static_cast<Vote>(operation.variant)) {
    case Vote::kAll:
      warp.set_predicate(operation.d, lanes, votes == lanes ? kAllLanes : 0);
      return;
    case Vote::kAny:
      warp.set_predicate(operation.d, lanes, votes != 0 ? kAllLanes : 0);
      return;
    case Vote::kUniform:
      warp.set_predicate(operation.d, lanes, votes == lanes || votes == 0 ? kAllLanes : 0);
      return;
    case Vote::kBallot: {
      auto* const d = warp.write<std::uint32_t>(operation.d);
      for_lanes(lanes, [&](std::uint32_t lane) { d[lane] = votes; });
      return;
    }
  }
}

void bind_vote(OperationBuilder& b) {
  const bool sync = b.take("sync");
  const Vote mode = b.take("all")   ? Vote::kAll
                    : b.take("any") ? Vote::kAny
                    : b.take("uni") ? Vote::kUniform
                                    : Vote::kBallot;
  if (mode == Vote::kBallot && !b.take("ballot")) {
    b.fail("expected .all, .any, .uni or .ballot");
  }
  b.take(mode == Vote::kBallot ? "b32" : "pred");
  b.operation.variant = static_cast<std::uint8_t>(mode);
  b.operation.d = mode == Vote::kBallot ? b.destination(0, DataType::kB32) : b.predicate_destination(0);
  b.operation.a = b.predicate_source(1);
  b.operation.count = b.negates(1) ? 1 : 0;
  b.operation.run = vote;
  take_members(b, sync, 2, mode == Vote::kBallot ? Exchange::kBallot : Exchange::kPredicates);
}

// --- match ---

template <class T>
void match(WarpContext& warp, const Operation& operation, LaneMask lanes) {
  const auto* const a = warp.read<T>(operation.a);
  std::array<LaneMask, kWarpSize> equal{};
  for_lanes(lanes, [&](std::uint32_t lane) {
    for_lanes(lanes, [&](std::uint32_t other) { equal[lane] |= a[lane] == a[other] ? LaneMask{1} << other : 0; });
  });
  auto* const d = warp.write<std::uint32_t>(operation.d);
  const bool all = operation.variant != 0;
  const auto first = static_cast<std::uint32_t>(std::countr_zero(lanes));
  const bool all_equal = equal[first] == lanes;
  for_lanes(lanes, [&](std::uint32_t lane) { d[lane] = all ? (all_equal ? lanes : 0) : equal[lane]; });
  if (operation.p != kNoPlace) {
    warp.set_predicate(operation.p, lanes, all_equal ? kAllLanes : 0);
  }
}

void bind_match(OperationBuilder& b) {
  const bool all = b.take("all");
  if (!all && !b.take("any")) {
    b.fail("expected .any or .all");
  }
  const bool sync = b.take("sync");
  const DataType type = b.take_type();
  b.operation.variant = all ? 1 : 0;
  b.operation.d = b.destination(0, DataType::kB32);
  b.operation.p = b.second_destination(0);
  b.operation.a = b.source(1, type);
  b.operation.run = bytes_of(type) == 8 ? match<std::uint64_t> : match<std::uint32_t>;
  take_members(b, sync, 2, bytes_of(type) == 8 ? Exchange::kWideWords : Exchange::kWords);
}

// --- reductions of integers and single precision ---

enum class Reduction : std::uint8_t { kAdd, kMin, kMax, kAnd, kOr, kXor };

template <class T>
T combine(Reduction how, T a, T b) {
  switch (how) {
    case Reduction::kAdd:
      return static_cast<T>(static_cast<std::uint32_t>(a) + static_cast<std::uint32_t>(b));
    case Reduction::kMin:
      return std::min(a, b);
    case Reduction::kMax:
      return std::max(a, b);
    case Reduction::kAnd:
      return a & b;
    case Reduction::kOr:
      return a | b;
    case Reduction::kXor:
      return a ^ b;
  }
  return a;
}

template <class T>
void reduce(WarpContext& warp, const Operation& operation, LaneMask lanes) {
  const auto* const a = warp.read<T>(operation.a);
  auto* const d = warp.write<T>(operation.d);
  const auto first = static_cast<std::uint32_t>(std::countr_zero(lanes));
  auto result = static_cast<T>(a[first]);
  for_lanes(lanes & (lanes - 1), [&](std::uint32_t lane) {
    result = combine(static_cast<Reduction>(operation.variant), result, static_cast<T>(a[lane]));
  });
  for_lanes(lanes, [&](std::uint32_t lane) { d[lane] = static_cast<std::uint32_t>(result); });
}

void bind_reduce(OperationBuilder& b) {
  const bool sync = b.take("sync");
  constexpr auto kNames = std::to_array<std::string_view>({"add", "min", "max", "and", "or", "xor"});
  const auto* const name = std::ranges::find_if(kNames, [&b](std::string_view word) { return b.take(word); });
  if (name == kNames.end()) {
    b.fail("expected .add, .min, .max, .and, .or or .xor");
  }
  const DataType type = b.take_type();
  if (bytes_of(type) != 4 || type == DataType::kF32) {
    b.fail("only integers of 32 bits are reduced");
  }
  b.operation.variant = static_cast<std::uint8_t>(name - kNames.begin());
  b.operation.d = b.destination(0, type);
  b.operation.a = b.source(1, type);
  b.operation.run = type == DataType::kS32 ? reduce<std::int32_t> : reduce<std::uint32_t>;
  take_members(b, sync, 2, Exchange::kWords);
}

// --- active lanes ---

void active_mask(WarpContext& warp, const Operation& operation, LaneMask lanes) {
  auto* const d = warp.write<std::uint32_t>(operation.d);
  for_lanes(lanes, [&](std::uint32_t lane) { d[lane] = lanes; });
}

void bind_active_mask(OperationBuilder& b) {
  b.take("b32");
  b.operation.d = b.destination(0, DataType::kB32);
  b.operation.run = active_mask;
}

void elect(WarpContext& warp, const Operation& operation, LaneMask lanes) {
  const auto leader = static_cast<std::uint32_t>(std::countr_zero(lanes));
  auto* const d = warp.write<std::uint32_t>(operation.d);
  for_lanes(lanes, [&](std::uint32_t lane) { d[lane] = leader; });
  if (operation.p != kNoPlace) {
    warp.set_predicate(operation.p, lanes, LaneMask{1} << leader);
  }
}

void bind_elect(OperationBuilder& b) {
  b.take("sync");
  b.operation.d = b.destination(0, DataType::kB32);
  b.operation.p = b.second_destination(0);
  b.operation.run = elect;
  take_members(b, true, 1, Exchange::kWords);
}

constexpr auto kWarpOperations = std::to_array<OpcodeBinder>({
    {"activemask", bind_active_mask},
    {"elect", bind_elect},
    {"match", bind_match},
    {"redux", bind_reduce},
    {"shfl", bind_shuffle},
    {"vote", bind_vote},
});

}  // namespace

std::span<const OpcodeBinder> warp_operations() {
  return kWarpOperations;
}

}  // namespace warpsim
