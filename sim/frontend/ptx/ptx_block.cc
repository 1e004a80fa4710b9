#include "frontend/ptx/ptx_block.h"

#include <algorithm>
#include <bit>

#include "emulator/execution/device_runtime_call.h"
#include "emulator/execution/effect_time.h"
#include "emulator/execution/launch_watch.h"
#include "emulator/memory/generic_address.h"
#include "emulator/memory/shared_place.h"

namespace warpsim {

namespace {

constexpr std::size_t kPiece = 64;           // machine instructions returned at once, and those of one operation
constexpr std::uint32_t kAccesses = 8;       // in a piece, the same
constexpr std::uint32_t kOperations = 1024;  // executed for a piece
constexpr std::uint32_t kAhead = 16;         // returned after a barrier
constexpr std::uint32_t kFirstWithCopyEngine = 90;

LaneMask live_lanes(const Warp& warp) {
  return warp.present() & ~warp.exited_lanes();
}

}  // namespace

PtxBlock::PtxBlock(const LaunchContext& launch, std::uint32_t local_bytes, const PtxCode& code,
                   std::uint32_t accesses_in_flight)
    : code_(code),
      watch_(launch.watch),
      independent_threads_(launch.independent_threads),
      is_machine_code_(launch.kernel->module().module().is_machine_code),
      execution_(launch, local_bytes),
      warps_(execution_.warp_count()),
      // In addition to those in flight: of a whole piece, and the rest of the previous piece's last operation.
      accesses_(code, execution_.warp_count(), accesses_in_flight + kAccesses + 2 * code.most_parts()),
      barriers_(std::size_t{execution_.warp_count()} * kArrivals),
      times_shared_barriers_(launch.capability >= kFirstWithCopyEngine && code.has_shared_barriers()),
      shared_barriers_(execution_.warp_count(), accesses_in_flight) {}

void PtxBlock::start(std::uint64_t linear_index, std::uint32_t sm, ClusterState& cluster) {
  execution_.start(linear_index, sm, &cluster);
  for (WarpState& state : warps_) {
    state.restart();
  }
}

void PtxBlock::refill(WarpStream& stream, Cycle now) {
  WarpState& state = warps_[stream.warp];
  Warp& warp = execution_.warp(stream.warp);
  warp.context().now = now;
  warp.context().effects = own_effects_;
  const std::uint64_t executed = warp.warp_operations();
  state.piece.erase(state.piece.begin(), state.piece.begin() + static_cast<std::ptrdiff_t>(state.handed_out));
  state.handed_out = 0;
  state.accesses = 0;
  // A call that has been executed, here or when the SMs exchanged their effects, may hold the warp.
  const auto held = [&] {
    const Cycle until = held_until(warp.context());
    state.known_at = now < until ? until : state.known_at;
    return now < until;
  };
  const bool continues = !held() && (!state.pending || execute_pending(stream.warp, now));
  const bool waits = held();
  if (continues && !waits) {
    fill(stream.warp);
    state.handed_out = state.pending ? state.effect_end : state.piece.size();
  }
  warp.context().effects = nullptr;
  const std::uint64_t operations = warp.warp_operations() - executed;
  if (own_effects_ != nullptr) {
    own_effects_->spend(operations);
  } else if (watch_ != nullptr) {
    watch_->spend(operations);
    watch_->look_at_machine(now);
  }
  stream.next = state.piece.data();
  stream.end = stream.next + state.handed_out;
  stream.finished = !waits && !state.pending && warp.finished();
}

// Returns false if the pending operation is executed later.
bool PtxBlock::execute_pending(std::uint32_t number, Cycle now) {
  WarpState& state = warps_[number];
  if (state.put_off) {
    return false;
  }
  Warp& warp = execution_.warp(number);
  if (own_effects_ == nullptr) {
    step_pending(number);
    return true;
  }
  const Warp::Next next = warp.next();
  const Cycle way = effect_way(warp.context(), next.operation(), next.lanes);
  switch (effect_time(warp.context(), next.operation(), next.lanes)) {
    case EffectTime::kNow:
      step_pending(number);
      own_effects_->executed(now, way);
      return true;
    case EffectTime::kWithoutResult:
      own_effects_->put_off_update(warp.context(), next.operation(), {next.lanes, now, way});
      state.pending = false;
      warp.pass();
      return true;
    case EffectTime::kAtExchange:
      own_effects_->put_off(*this, number, now, way);
      state.put_off = true;
      state.known_at = effects_->visible_at(now + way);
      return false;
  }
  return true;
}

void PtxBlock::step_pending(std::uint32_t number) {
  WarpState& state = warps_[number];
  Warp& warp = execution_.warp(number);
  state.pending = false;
  const Warp::Next executed = warp.next();
  warp.step();
  if (state.together && !warp.choose()) {
    hand_out_ahead(number, executed);
  }
  state.together = false;
}

void PtxBlock::execute_put_off(std::uint32_t warp, Cycle cycle) {
  WarpState& state = warps_[warp];
  WarpContext& context = execution_.warp(warp).context();
  context.now = cycle;
  const std::uint64_t executed = execution_.warp(warp).warp_operations();
  state.put_off = false;
  state.known_at = 0;
  step_pending(warp);
  own_effects_->spend(execution_.warp(warp).warp_operations() - executed);
}

void PtxBlock::fill(std::uint32_t number) {
  WarpState& state = warps_[number];
  Warp& warp = execution_.warp(number);
  if (state.ahead != 0 && warp.choose()) {
    for (; state.ahead != 0; --state.ahead) {
      warp.step();
    }
  }
  hand_out_stop(number);
  for (std::uint32_t i = 0; i < kOperations && state.piece.size() < kPiece && state.accesses < kAccesses; ++i) {
    if (state.unreported != 0) {
      report_arrivals(number, false);
    }
    if (!warp.choose()) {
      if (state.unreported != 0) {
        report_arrivals(number, true);
      }
      return;
    }
    if (!take(number, warp.next())) {
      return;
    }
    hand_out_stop(number);
  }
}

// --- operations ---

// Operations without a machine instruction of their own at this time: they divide the split first, and are met
// again, or they return, which the end of their function does.
bool PtxBlock::take_silently(const Warp::Next& next) const {
  if (next.lanes == 0) {
    return false;
  }
  switch (next.operation().control) {
    case Control::kWarpSync:
      return independent_threads_ && next.lanes != next.split;
    case Control::kCall:
    case Control::kIndirectCall:
    case Control::kBlockBarrier:
    case Control::kClusterBarrier:
      return next.lanes != next.split;
    case Control::kReturn:
      return next.lanes == next.split && next.index != next.code->end();
    default:
      return false;
  }
}

bool PtxBlock::take(std::uint32_t number, const Warp::Next& next) {
  Warp& warp = execution_.warp(number);
  const Operation& operation = next.operation();
  bool shared = operation.effect == Effect::kShared;
  if (operation.control != Control::kNone) {
    if (take_silently(next)) {
      warp.step();
      return true;
    }
    if (operation.control == Control::kBlockBarrier || operation.control == Control::kClusterBarrier) {
      return take_barrier(number, next);
    }
    const bool ends =
        operation.control == Control::kExit ||
        (operation.control == Control::kReturn && next.index == next.code->end() && code_.is_entry(*next.code));
    if (ends && warps_[number].unreported != 0 && next.lanes == live_lanes(warp)) {
      report_arrivals(number, true);
    }
    shared = shared || ends;
  }
  const MachinePlace& place = place_of(next);
  hand_out(number, place, next);
  if (shared && next.lanes != 0 && (place.count != 0 || is_other_call(operation))) {
    wait_for_effect(number, place);
    return false;
  }
  warp.step();
  return true;
}

void PtxBlock::hand_out(std::uint32_t number, const MachinePlace& place, const Warp::Next& next) {
  WarpState& state = warps_[number];
  const bool accesses = next.lanes != 0 && next.operation().addresses != AddressForm::kNone;
  const bool at_barrier =
      times_shared_barriers_ && next.lanes != 0 && next.operation().barrier_role != BarrierRole::kNone;
  for (std::uint32_t index = place.first; index < place.first + place.count; ++index) {
    WarpInstruction& instruction = state.piece.emplace_back();
    instruction.index = index;
    const PtxCode::Executors executors = code_.executors(index);
    instruction.active =
        executors == PtxCode::Executors::kOwn ? next.lanes : (executors == PtxCode::Executors::kAll ? next.split : 0);
    if (at_barrier && index == place.first + place.effect) {
      instruction.operation = shared_barrier_operation(number);
    }
    if (accesses) {
      if (const PtxCode::Access& part = code_.access(index); part.parts != 0) {
        const WarpContext& context = execution_.warp(number).context();
        state.accesses += accesses_.add(context, next.operation(), next.lanes, part, instruction) ? 1 : 0;
        instruction.active = executors == PtxCode::Executors::kAll ? next.split : instruction.active;
      }
    }
  }
}

// Lanes that wait where paths meet arrived by an instruction of their own; the last ones pass it with all lanes.
void PtxBlock::hand_out_stop(std::uint32_t number) {
  const Warp::Next stop = execution_.warp(number).take_stopped();
  if (stop.lanes == 0) {
    return;
  }
  const MachinePlace& place = place_of(stop);
  if (place.gathers) {
    WarpInstruction& instruction = warps_[number].piece.emplace_back();
    instruction.index = place.first;
    instruction.active = stop.lanes;
  }
}

const AsyncOperation* PtxBlock::operations(const WarpInstruction& instruction) {
  if (instruction.operation <= barriers_.size()) {
    return &barriers_[instruction.operation - 1];
  }
  // It has not been executed: no later instruction of the warp is returned.
  Warp& warp = execution_.warp(instruction.operation - shared_barrier_operation(0));
  return shared_barriers_.entries(warp.context(), warp.next());
}

// The place was returned last; the instructions after its effect follow with the next refill.
void PtxBlock::wait_for_effect(std::uint32_t number, const MachinePlace& place) {
  WarpState& state = warps_[number];
  state.pending = true;
  state.effect_end = place.count == 0 ? state.piece.size() : state.piece.size() - place.count + place.effect + 1;
  if (state.effect_end == 0) {
    state.known_at = execution_.warp(number).context().now + 1;
  }
}

// --- barriers ---

bool PtxBlock::take_barrier(std::uint32_t number, const Warp::Next& next) {
  WarpState& state = warps_[number];
  Warp& warp = execution_.warp(number);
  const Operation& operation = next.operation();
  const MachinePlace& place = place_of(next);
  if (next.lanes == 0) {
    hand_out(number, place, next);
    warp.step();
    return true;
  }
  const bool of_cluster = operation.control == Control::kClusterBarrier;
  const bool waits = of_cluster ? operation.variant == kClusterWait
                                : static_cast<BarrierMode>(operation.variant) != BarrierMode::kArrive;
  std::uint32_t which = waits ? kClusterWaiting : kClusterArrival;
  if (!of_cluster) {
    which = execution_.number_of(operation, next.lanes, warp.context());
    const auto first = static_cast<std::uint32_t>(std::countr_zero(next.lanes));
    const std::uint32_t threads = operation.b == kNoPlace ? 0 : warp.context().read<std::uint32_t>(operation.b)[first];
    AsyncOperation& known = barriers_[std::size_t{number} * kArrivals + which];
    known.kind = AsyncOperation::Kind::kBlockBarrier;
    known.barrier = which;
    known.arrivals = static_cast<std::int32_t>((threads + kWarpSize - 1) / kWarpSize);
  }
  Arrival& arrival = state.arrivals[which];
  const bool others = (state.unreported >> which & 1U) != 0;
  const LaneMask here = next.lanes | (others ? arrival.lanes : 0);
  const LaneMask live = live_lanes(warp);
  if ((here & live) == live && place.count != 0) {
    state.unreported &= ~(1U << which);
    hand_out_arrival(number, which, place, here);
    wait_for_effect(number, place);
    state.together = waits && !of_cluster && next.lanes == live;
    return false;
  }
  arrival = {here, place, waits};
  state.unreported |= 1U << which;
  warp.step();
  return true;
}

// All lanes wait at the barrier, so they continue together; results of later instructions do not depend on when they
// execute, as long as they are neither guarded nor observable by others.
void PtxBlock::hand_out_ahead(std::uint32_t number, const Warp::Next& barrier) {
  WarpState& state = warps_[number];
  Warp::Next next = barrier;
  for (state.ahead = 0; state.ahead < kAhead; ++state.ahead) {
    ++next.index;
    const Operation& operation = next.operation();
    if (operation.control != Control::kNone || operation.effect != Effect::kPrivate || operation.guard != kNoPlace ||
        operation.addresses != AddressForm::kNone) {
      return;
    }
    hand_out(number, place_of(next), next);
  }
}

void PtxBlock::hand_out_arrival(std::uint32_t number, std::uint32_t arrival, const MachinePlace& place,
                                LaneMask lanes) {
  WarpState& state = warps_[number];
  for (std::uint32_t i = 0; i < place.count; ++i) {
    WarpInstruction& instruction = state.piece.emplace_back();
    instruction.index = place.first + i;
    instruction.active = lanes;
    if (arrival < kBarriersPerBlock && i == place.effect) {
      instruction.operation = number * kArrivals + arrival + 1;
    }
  }
}

// Notifies the machine of arrivals whose barrier has since released the lanes, and of all others if nothing else of the
// warp can continue.
void PtxBlock::report_arrivals(std::uint32_t number, bool all) {
  WarpState& state = warps_[number];
  const Warp& warp = execution_.warp(number);
  for (std::uint32_t rest = state.unreported; rest != 0; rest &= rest - 1) {
    const auto which = static_cast<std::uint32_t>(std::countr_zero(rest));
    const Arrival& arrival = state.arrivals[which];
    const std::uint32_t barrier = std::min(which, kClusterBarrier);
    const bool released = arrival.waits && (warp.waiting_at(barrier) & arrival.lanes) == 0;
    if (all || released) {
      state.unreported &= ~(1U << which);
      hand_out_arrival(number, which, arrival.place, arrival.lanes);
    }
  }
}

}  // namespace warpsim
