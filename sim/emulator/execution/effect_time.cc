#include "emulator/execution/effect_time.h"

#include <algorithm>

#include "emulator/execution/launch_context.h"
#include "emulator/execution/sm_effects.h"
#include "emulator/memory/generic_address.h"
#include "emulator/memory/memory_access.h"
#include "emulator/memory/shared_place.h"

namespace warpsim {

namespace {

using ptx::StateSpace;

// Where the lanes of an access go.
struct Places {
  LaneMask own = 0;     // memory of the block or the thread
  LaneMask remote = 0;  // shared memory of another block of the cluster
  LaneMask global = 0;
};

Places places_of(const WarpContext& warp, const Operation& operation, LaneMask lanes) {
  Places places;
  if (operation.space == StateSpace::kGlobal || operation.space == StateSpace::kConstant) {
    places.global = lanes;
    return places;
  }
  const bool generic = operation.space == StateSpace::kGeneric;
  if (!generic && (operation.space != StateSpace::kShared || warp.launch->cluster.count() == 1)) {
    places.own = lanes;
    return places;
  }
  LaneValues addresses;
  lane_addresses(warp, operation, lanes, addresses);
  for_lanes(lanes, [&](std::uint32_t lane) {
    const LaneMask bit = LaneMask{1} << lane;
    const Address address = addresses[lane];
    if (!generic || is_in(kSharedWindow, address)) {
      (shared_place(warp, operation, address).own ? places.own : places.remote) |= bit;
    } else if (is_in(kLocalWindow, address) || is_in(kParameterWindow, address)) {
      places.own |= bit;
    } else {
      places.global |= bit;
    }
  });
  return places;
}

// A lane reads what an update that was put off will change.
bool awaits_update(const WarpContext& warp, const Operation& operation, LaneMask lanes) {
  MemoryView& view = warp.effects->view();
  if (!view.has_updates()) {
    return false;
  }
  WarpContext direct = warp;
  direct.effects = nullptr;
  const std::uint32_t bytes = std::uint32_t{operation.bytes} * operation.count;
  const LanePointers pointers = resolve(direct, operation, lanes, bytes, AccessKind::kRead);
  bool any = false;
  for_lanes(lanes, [&](std::uint32_t lane) { any = any || view.awaits_update(pointers.lane[lane]); });
  return any;
}

EffectTime time_of_update(const Operation& operation, const Places& places) {
  if (places.global == 0 && places.remote == 0) {
    return EffectTime::kNow;
  }
  const bool alone = places.own == 0 && places.remote == 0 && operation.d == kNoPlace && operation.count == 1 &&
                     operation.bytes <= sizeof(std::uint64_t);
  return alone ? EffectTime::kWithoutResult : EffectTime::kAtExchange;
}

}  // namespace

EffectTime effect_time(const WarpContext& warp, const Operation& operation, LaneMask lanes) {
  const bool alone_in_cluster = warp.launch->cluster.count() == 1;
  switch (operation.control) {
    case Control::kBlockBarrier:
    case Control::kWarpgroup:
    case Control::kTrap:
      return EffectTime::kNow;
    case Control::kClusterBarrier:
      return EffectTime::kAtExchange;
    case Control::kExit:
    case Control::kReturn:  // the cluster counts its threads
      return alone_in_cluster ? EffectTime::kNow : EffectTime::kAtExchange;
    default:
      break;
  }
  if (operation.reach == EffectReach::kOwn) {
    return EffectTime::kNow;
  }
  if (operation.reach == EffectReach::kAnything) {
    return EffectTime::kAtExchange;
  }
  const Places places = places_of(warp, operation, lanes);
  if (operation.reach == EffectReach::kUpdate) {
    return time_of_update(operation, places);
  }
  if (places.remote != 0) {
    return EffectTime::kAtExchange;
  }
  switch (operation.reach) {
    case EffectReach::kLoad:
      return places.global != 0 && awaits_update(warp, operation, places.global) ? EffectTime::kAtExchange
                                                                                 : EffectTime::kNow;
    case EffectReach::kRead:
      return warp.effects->view().is_clean() ? EffectTime::kNow : EffectTime::kAtExchange;
    default:
      return EffectTime::kNow;
  }
}

Cycle effect_way(const WarpContext& warp, const Operation& operation, LaneMask lanes) {
  const SmEffects::Delay* const delay = warp.effects->delay();
  const bool has_addresses = operation.reach == EffectReach::kStore || operation.reach == EffectReach::kUpdate ||
                             operation.reach == EffectReach::kLoad;
  if (delay == nullptr || !has_addresses) {
    return 0;
  }
  const LaneMask global = places_of(warp, operation, lanes).global;
  if (global == 0) {
    return 0;
  }
  LaneValues addresses;
  lane_addresses(warp, operation, global, addresses);
  Cycle longest = 0;
  for_lanes(global, [&](std::uint32_t lane) { longest = std::max(longest, (*delay)(addresses[lane])); });
  return longest;
}

}  // namespace warpsim
