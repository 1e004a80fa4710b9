// Operations of machine code on a warp as a whole: uniform registers, votes into them, convergence barriers; and the
// functions of the special function unit that PTX does not have in this form.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "emulator/code/function_decoder.h"
#include "emulator/execution/barriers.h"
#include "emulator/execution/warp_context.h"
#include "emulator/numbers/float_rounding.h"
#include "emulator/numbers/interpolated_functions.h"
#include "emulator/operations/lane_functions.h"
#include "emulator/operations/operation_table.h"

namespace warpsim {

namespace {

using ptx::DataType;
using Word = std::uint32_t;

void to_all_lanes(Word* d, Word value) {
  std::fill_n(d, kWarpSize, value);
}

// A uniform register holds the same word for each lane; the first executing lane's value is taken.
void to_uniform(WarpContext& warp, const Operation& operation, LaneMask lanes) {
  const Word value = warp.read<Word>(operation.a)[std::countr_zero(lanes)];
  to_all_lanes(warp.write<Word>(operation.d), value);
}

void bind_to_uniform(OperationBuilder& b) {
  b.operation.d = b.destination(0, DataType::kB32);
  b.operation.a = b.source(1, DataType::kB32);
  b.operation.run = to_uniform;
}

// The same; p: lanes with other values, with `count` in addition to those that have it already.
void to_uniform_with_others(WarpContext& warp, const Operation& operation, LaneMask lanes) {
  const Word* const a = warp.read<Word>(operation.a);
  const Word value = a[std::countr_zero(lanes)];
  LaneMask others = operation.count != 0 ? warp.predicate(operation.p) : 0;
  for_lanes(lanes, [&](std::uint32_t lane) { others |= LaneMask{a[lane] != value ? 1U : 0U} << lane; });
  to_all_lanes(warp.write<Word>(operation.d), value);
  warp.set_predicate(operation.p, lanes, others);
}

void bind_to_uniform_with_others(OperationBuilder& b) {
  b.operation.count = b.take("or") ? 1 : 0;
  b.operation.d = b.destination(0, DataType::kB32);
  b.operation.p = b.predicate_destination(1);
  b.operation.a = b.source(2, DataType::kB32);
  b.operation.run = to_uniform_with_others;
}

// Votes of the executing lanes into uniform registers and predicates.
enum class Vote : std::uint8_t { kAll, kAny, kEqual };

void vote_uniform(WarpContext& warp, const Operation& operation, LaneMask lanes) {
  const LaneMask source = warp.predicate(operation.a);
  const LaneMask votes = (operation.count != 0 ? ~source : source) & lanes;
  bool result = false;
  switch (static_cast<Vote>(operation.variant)) {
    case Vote::kAll:
      result = votes == lanes;
      break;
    case Vote::kAny:
      result = votes != 0;
      break;
    case Vote::kEqual:
      result = votes == lanes || votes == 0;
      break;
  }
  to_all_lanes(warp.write<Word>(operation.d), votes);
  if (operation.p != kNoPlace) {
    warp.set_predicate(operation.p, kAllLanes, result ? kAllLanes : 0);
  }
}

void bind_vote_uniform(OperationBuilder& b) {
  const Vote mode = b.take("all") ? Vote::kAll : b.take("eq") ? Vote::kEqual : (b.take("any"), Vote::kAny);
  b.operation.variant = static_cast<std::uint8_t>(mode);
  b.operation.d = b.destination(0, DataType::kB32);
  b.operation.p = b.is_discarded(1) ? kNoPlace : b.predicate_destination(1);
  b.operation.a = b.predicate_source(2);
  b.operation.count = b.negates(2) ? 1 : 0;
  b.operation.run = vote_uniform;
}

// Reductions over the executing lanes.
enum class Reduce : std::uint8_t { kAnd, kOr, kXor, kSum, kLeast, kGreatest, kLeastSigned, kGreatestSigned };

template <Reduce kHow>
Word combined(Word one, Word other) {
  const auto as_signed = [](Word word) { return static_cast<std::int32_t>(word); };
  switch (kHow) {
    case Reduce::kAnd:
      return one & other;
    case Reduce::kOr:
      return one | other;
    case Reduce::kXor:
      return one ^ other;
    case Reduce::kSum:
      return one + other;
    case Reduce::kLeast:
      return std::min(one, other);
    case Reduce::kGreatest:
      return std::max(one, other);
    case Reduce::kLeastSigned:
      return as_signed(other) < as_signed(one) ? other : one;
    case Reduce::kGreatestSigned:
      return as_signed(other) > as_signed(one) ? other : one;
  }
  return one;
}

template <Reduce kHow>
void reduce_uniform(WarpContext& warp, const Operation& operation, LaneMask lanes) {
  const Word* const a = warp.read<Word>(operation.a);
  // What does not change the result, for lanes that do not execute.
  constexpr bool kFromZero = kHow == Reduce::kXor || kHow == Reduce::kSum;
  const Word none = kFromZero ? 0 : a[std::countr_zero(lanes)];
  Word value = none;
  for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
    value = combined<kHow>(value, (lanes >> lane & 1U) != 0 ? a[lane] : none);
  }
  to_all_lanes(warp.write<Word>(operation.d), value);
}

void bind_reduce_uniform(OperationBuilder& b) {
  static constexpr std::string_view kModes[] = {"and", "or", "xor", "sum", "min", "max", "mins", "maxs"};
  const auto* const mode = std::ranges::find_if(kModes, [&](std::string_view name) { return b.take(name); });
  if (mode == std::end(kModes)) {
    b.fail("expected a reduction");
  }
  static constexpr Handler kHandlers[] = {
      reduce_uniform<Reduce::kAnd>,         reduce_uniform<Reduce::kOr>,
      reduce_uniform<Reduce::kXor>,         reduce_uniform<Reduce::kSum>,
      reduce_uniform<Reduce::kLeast>,       reduce_uniform<Reduce::kGreatest>,
      reduce_uniform<Reduce::kLeastSigned>, reduce_uniform<Reduce::kGreatestSigned>,
  };
  b.operation.d = b.destination(0, DataType::kB32);
  b.operation.a = b.source(1, DataType::kB32);
  b.operation.run = kHandlers[mode - std::begin(kModes)];
}

// --- convergence barriers: masks of lanes ---

// The executing lanes will wait for each other there.
void set_barrier(WarpContext& warp, const Operation& operation, LaneMask lanes) {
  warp.set_predicate(operation.d, kAllLanes, lanes);
}
void clear_barrier(WarpContext& warp, const Operation& operation, LaneMask /*lanes*/) {
  warp.set_predicate(operation.d, kAllLanes, 0);
}
void leave_barrier(WarpContext& warp, const Operation& operation, LaneMask lanes) {
  warp.set_predicate(operation.d, lanes, 0);
}
void barrier_to_register(WarpContext& warp, const Operation& operation, LaneMask lanes) {
  const LaneMask mask = warp.predicate(operation.a);
  Word* const d = warp.write<Word>(operation.d);
  for_lanes(lanes, [=](std::uint32_t lane) { d[lane] = mask; });
}
void register_to_barrier(WarpContext& warp, const Operation& operation, LaneMask lanes) {
  warp.set_predicate(operation.d, kAllLanes, warp.read<Word>(operation.a)[std::countr_zero(lanes)]);
}

// Restores the executing lanes, which have not changed.
void restore_lanes(WarpContext& warp, const Operation& operation, LaneMask lanes) {
  if (warp.predicate(operation.a) != lanes) {
    warp.fault(FaultKind::kIllegalInstruction, operation, static_cast<std::uint32_t>(std::countr_zero(lanes)),
               "a change of the executing threads by the program is not supported");
  }
}

// Hardware now executes for whole quads. Without that, results are the same if the first thread of each quad executes,
// whose results the others use.
void extend_to_quads(WarpContext& warp, const Operation& operation, LaneMask lanes) {
  constexpr std::uint32_t kQuad = 4;
  for (std::uint32_t first = 0; first < kWarpSize; first += kQuad) {
    const LaneMask quad = lanes >> first & 0xfU;
    if (quad != 0 && (quad & 1U) == 0) {
      warp.fault(FaultKind::kIllegalInstruction, operation, first + static_cast<std::uint32_t>(std::countr_zero(quad)),
                 "gradients of textures are not supported where the first thread of four is on another path");
    }
  }
}

void bind_lane_state(OperationBuilder& b, std::string_view name) {
  b.operation.a = b.predicate_source(0);
  b.operation.run = name == "quads" ? extend_to_quads : restore_lanes;
}

void bind_convergence(OperationBuilder& b, std::string_view name) {
  if (name == "bsync") {
    b.operation.control = Control::kConverge;
    b.operation.variant = b.take("all") ? kConvergesAgain : 0;
    b.operation.a = b.predicate_source(0);
  } else if (name == "frombar") {
    b.operation.d = b.destination(0, DataType::kB32);
    b.operation.a = b.predicate_source(1);
    b.operation.run = barrier_to_register;
  } else {
    b.operation.d = b.predicate_destination(0);
    if (name == "break") {
      b.operation.control = Control::kConverge;
      b.operation.variant = kLeavesBarrier;
    }
    if (name == "tobar") {
      b.operation.a = b.source(1, DataType::kB32);
    }
    b.operation.run = name == "bssy"    ? set_barrier
                      : name == "break" ? leave_barrier
                      : name == "clear" ? clear_barrier
                                        : register_to_barrier;
  }
}

// --- the special function unit ---

constexpr std::uint32_t kReducedNan = 0x7fffffff;

// Angles are in revolutions.
struct Sine {
  static float of(float a) { return std::isfinite(a) ? interpolated::sine(a) : std::bit_cast<float>(kReducedNan); }
};
struct Cosine {
  static float of(float a) { return std::isfinite(a) ? interpolated::cosine(a) : std::bit_cast<float>(kReducedNan); }
};

// Whether a quotient needs more than one division step: its exponents are near the ends of their range. The limits are
// those of an H100 for all pairs of exponents.
void check_quotient(WarpContext& warp, const Operation& operation, LaneMask lanes) {
  const Word* const a = warp.read<Word>(operation.a);
  const Word* const b = warp.read<Word>(operation.b);
  LaneMask slow = 0;
  for_lanes(lanes, [&](std::uint32_t lane) {
    const auto exponent = [](Word word) { return static_cast<std::int32_t>(word >> 23U & 0xffU); };
    const std::int32_t of_a = exponent(a[lane]);
    const std::int32_t of_b = exponent(b[lane]);
    const std::int32_t difference = of_a - of_b;
    const bool extreme =
        of_a <= 24 || of_a == 255 || of_b <= 1 || of_b >= 252 || difference <= -125 || difference >= 127;
    slow |= static_cast<LaneMask>(extreme) << lane;
  });
  warp.set_predicate(operation.d, lanes, slow);
}

void bind_check_quotient(OperationBuilder& b) {
  b.operation.d = b.predicate_destination(0);
  b.operation.a = b.source(1, DataType::kF32);
  b.operation.b = b.source(2, DataType::kF32);
  b.operation.run = check_quotient;
  b.operation.form = HostForm::kCheckQuotient;
}

}  // namespace

void bind_machine_warp_operation(OperationBuilder& b, std::string_view name) {
  if (name == "r2ur") {
    bind_to_uniform(b);
  } else if (name == "r2urdiff") {
    bind_to_uniform_with_others(b);
  } else if (name == "voteu") {
    bind_vote_uniform(b);
  } else if (name == "redux") {
    bind_reduce_uniform(b);
  } else if (name == "bssy" || name == "bsync" || name == "break" || name == "clear" || name == "tobar" ||
             name == "frombar") {
    bind_convergence(b, name);
  } else if (name == "quads" || name == "active") {
    bind_lane_state(b, name);
  } else if (name == "sin" || name == "cos") {
    b.operation.d = b.destination(0, DataType::kF32);
    b.operation.a = b.source(1, DataType::kF32);
    b.operation.run =
        name == "sin" ? best_for_host<map_one<Sine, float, float>>() : best_for_host<map_one<Cosine, float, float>>();
    b.operation.form = name == "sin" ? HostForm::kSine : HostForm::kCosine;
  } else if (name == "warpgroup") {
    b.operation.control = Control::kWarpgroup;
    b.operation.effect = Effect::kShared;
    b.operation.reach = EffectReach::kOwn;
    b.operation.variant = b.take("wait") ? kWarpgroupWait : (b.take("arrive"), kWarpgroupArrive);
    b.operation.run = do_nothing;
  } else if (name == "fchk") {
    bind_check_quotient(b);
  } else if (name == "yield") {
    b.operation.control = Control::kSleep;
    b.operation.variant = kYields;
  } else if (name == "nocode") {
    b.operation.run = [](WarpContext& warp, const Operation& operation, LaneMask lanes) {
      warp.fault(FaultKind::kIllegalInstruction, operation, static_cast<std::uint32_t>(std::countr_zero(lanes)),
                 "jumped to an address that no instruction has");
    };
  } else if (name == "nop") {
    b.operation.run = do_nothing;
  } else {
    b.fail("there is no such operation of machine code");
  }
}

}  // namespace warpsim
