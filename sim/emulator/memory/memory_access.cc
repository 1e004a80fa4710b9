#include "emulator/memory/memory_access.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "base/check.h"
#include "emulator/code/function_code.h"
#include "emulator/execution/launch_context.h"
#include "emulator/execution/sm_effects.h"
#include "emulator/memory/block_memory.h"
#include "emulator/memory/generic_address.h"
#include "emulator/memory/memory_observer.h"
#include "emulator/memory/shared_place.h"
#include "emulator/memory/usual_access.h"

namespace warpsim {

namespace {

using ptx::StateSpace;

std::uint32_t first_of(LaneMask lanes) {
  return static_cast<std::uint32_t>(std::countr_zero(lanes));
}

std::string verb(AccessKind kind) {
  return kind == AccessKind::kRead ? "reads" : kind == AccessKind::kWrite ? "writes" : "updates";
}

[[noreturn]] void refuse(const WarpContext& warp, const Operation& operation, std::uint32_t lane, std::uint32_t bytes,
                         AccessKind kind, const std::string& where) {
  warp.fault(FaultKind::kIllegalAddress, operation, lane, fmt::format("{} {} bytes {}", verb(kind), bytes, where));
}

// Global and constant memory. The warp stores its latest allocations.
class GlobalAccess {
 public:
  GlobalAccess(WarpContext& warp, const Operation& operation, std::uint32_t bytes, AccessKind kind)
      : warp_(warp), operation_(operation), bytes_(bytes), kind_(kind) {}

  std::byte* pointer(Address address, std::uint32_t lane) {
    const DeviceMemory& memory = *warp_.launch->memory;
    const RecentAllocation* recent = warp_.recent.find(address, memory.generation());
    if (recent == nullptr || bytes_ > recent->bytes - (address - recent->begin)) {
      const DeviceMemory::Allocation* const allocation = memory.find(address);
      const bool writes = kind_ != AccessKind::kRead;
      if (allocation == nullptr || !memory.reaches(*allocation, writes) ||
          (bytes_ > allocation->end() - address && bytes_ > memory.end_of_run(*allocation, writes) - address)) {
        return seen(tolerated(address, lane));
      }
      // What the GPU may only read is looked for at each access, and so is a range over several mappings.
      if (!memory.reaches(*allocation, true) || bytes_ > allocation->end() - address) {
        return seen(allocation->host + (address - allocation->begin));
      }
      recent = &warp_.recent.keep({allocation->begin, allocation->bytes, allocation->host}, memory.generation());
    }
    return seen(recent->host + (address - recent->begin));
  }

 private:
  std::byte* seen(std::byte* data) const { return warp_.effects == nullptr ? data : viewed(data); }

  // Updates of global memory are executed when nothing sees them early.
  std::byte* viewed(std::byte* data) const {
    SIM_CHECK(kind_ != AccessKind::kUpdate, "global memory is updated before the SMs exchange their effects");
    MemoryView& view = warp_.effects->view();
    return kind_ == AccessKind::kRead ? view.read(data, bytes_) : view.write(data, bytes_);
  }

  // Beside allocations, as hardware does if its page is mapped. Otherwise a fault.
  std::byte* tolerated(Address address, std::uint32_t lane) const {
    std::byte* const data = warp_.launch->tolerate ? warp_.launch->memory->mapped_bytes(address, bytes_) : nullptr;
    if (data == nullptr) {
      outside(address, lane);
    }
    warp_.note_tolerated(operation_, lane,
                         fmt::format("{} {} bytes at {:#x} outside of allocations, in a page that is mapped",
                                     verb(kind_), bytes_, address));
    return data;
  }

  [[noreturn]] void outside(Address address, std::uint32_t lane) const {
    const DeviceMemory::Allocation* const nearest = warp_.launch->memory->nearest(address);
    std::string where = fmt::format("at {:#x}, which ", address);
    const DeviceMemory::Allocation* const inside = warp_.launch->memory->find(address);
    if (inside != nullptr && inside->mapped && !warp_.launch->memory->reaches(*inside, kind_ != AccessKind::kRead)) {
      where += fmt::format("is in a mapping of {} bytes at {:#x} that GPU {} may {} (cuMemSetAccess)", inside->bytes,
                           inside->begin, warp_.launch->memory->gpu(),
                           warp_.launch->memory->reaches(*inside) ? "only read" : "not access");
    } else if (const ReservedRanges::Range* const range = warp_.launch->memory->mapped().ranges().find(address);
               range != nullptr && inside == nullptr) {
      where += fmt::format("is in a reserved range of {} bytes at {:#x}, where no memory is mapped (cuMemMap)",
                           range->bytes, range->begin);
    } else if (inside != nullptr && !warp_.launch->memory->reaches(*inside)) {
      const std::string owner = inside->registered ? "the host" : fmt::format("GPU {}", inside->gpu);
      where +=
          fmt::format("is memory of {}, which is not open to kernels of GPU {}", owner, warp_.launch->memory->gpu());
    } else if (const FreedMemory::Range* const freed = warp_.launch->memory->freed(address)) {
      where += fmt::format("is in memory that was freed: {} bytes at {:#x}{}", freed->bytes, freed->begin,
                           freed->name.empty() ? "" : " (" + freed->name + ")");
    } else if (nearest == nullptr) {
      where += "is outside allocations";
    } else {
      const std::string name = nearest->name.empty() ? "" : fmt::format(" ({})", nearest->name);
      if (nearest == inside) {
        where += fmt::format("exceeds its allocation of {} bytes at {:#x}{}", nearest->bytes, nearest->begin, name);
      } else {
        const bool behind = address >= nearest->begin;
        where += fmt::format("is outside allocations; the nearest has {} bytes at {:#x}{}, {} bytes {}", nearest->bytes,
                             nearest->begin, name, behind ? address - nearest->end() : nearest->begin - address,
                             behind ? "before" : "after");
      }
    }
    refuse(warp_, operation_, lane, bytes_, kind_, where);
  }

  WarpContext& warp_;
  const Operation& operation_;
  std::uint32_t bytes_;
  AccessKind kind_;
};

std::byte* shared_pointer(WarpContext& warp, const Operation& operation, Address address, std::uint32_t lane,
                          std::uint32_t bytes, AccessKind kind) {
  const SharedPlace place = shared_place(warp, operation, address);
  const std::uint32_t offset = place.offset;
  BlockMemory* block = warp.block;
  if (!place.own) {
    if (place.rank >= block->cluster.size()) {
      refuse(warp, operation, lane, bytes, kind, fmt::format("of shared memory of rank {} in its cluster", place.rank));
    }
    block = block->cluster[place.rank];
  }
  if (offset + std::uint64_t{bytes} > block->shared_bytes()) {
    refuse(warp, operation, lane, bytes, kind,
           fmt::format("at {:#x} of shared memory, which has {} bytes", offset, block->shared_bytes()));
  }
  if (kind == AccessKind::kWrite) {
    block->mark_written(offset, bytes);
  } else if (!block->is_written(offset, bytes)) {
    warp.warn(operation, lane, fmt::format("reads {} bytes at {:#x} of uninitialised shared memory", bytes, offset));
    if (!warp.rehearsing) {
      block->mark_written(offset, bytes);
    }
  }
  return block->shared(offset);
}

std::byte* local_pointer(WarpContext& warp, const Operation& operation, Address address, std::uint32_t lane,
                         std::uint32_t bytes, AccessKind kind) {
  if (address + bytes > warp.block->local_bytes() || address + bytes < address) {
    refuse(warp, operation, lane, bytes, kind,
           fmt::format("at {:#x} of local memory, of which a thread has {} bytes", address, warp.block->local_bytes()));
  }
  return warp.block->local(warp.index, lane, static_cast<std::uint32_t>(address));
}

// The launch's buffer for kernels, the parameter area for calls.
std::byte* parameter_pointer(WarpContext& warp, const Operation& operation, Address address, std::uint32_t lane,
                             std::uint32_t bytes, AccessKind kind) {
  const std::uint64_t size = operation.of_frame ? warp.parameter_bytes : warp.launch->parameters.size();
  if (address + bytes > size || address + bytes < address) {
    refuse(warp, operation, lane, bytes, kind, fmt::format("at {:#x} of {} bytes of parameters", address, size));
  }
  if (operation.of_frame) {
    return warp.parameters + std::size_t{lane} * warp.parameter_bytes + address;
  }
  if (kind != AccessKind::kRead) {
    refuse(warp, operation, lane, bytes, kind, "of a kernel's parameters, which cannot be written");
  }
  return const_cast<std::byte*>(warp.launch->parameters.data()) + address;  // only read
}

std::byte* generic_pointer(WarpContext& warp, const Operation& operation, Address address, std::uint32_t lane,
                           std::uint32_t bytes, AccessKind kind) {
  if (is_in(kSharedWindow, address)) {
    return shared_pointer(warp, operation, address - kSharedWindow, lane, bytes, kind);
  }
  if (is_in(kLocalWindow, address)) {
    return local_pointer(warp, operation, address - kLocalWindow, lane, bytes, kind);
  }
  if (is_in(kParameterWindow, address)) {
    return parameter_pointer(warp, operation, address - kParameterWindow, lane, bytes, kind);
  }
  return GlobalAccess(warp, operation, bytes, kind).pointer(address, lane);
}

using PointerOf = std::byte* (*)(WarpContext&, const Operation&, Address, std::uint32_t, std::uint32_t, AccessKind);

PointerOf pointer_of(StateSpace space) {
  switch (space) {
    case StateSpace::kShared:
      return shared_pointer;
    case StateSpace::kLocal:
      return local_pointer;
    case StateSpace::kParameter:
      return parameter_pointer;
    default:
      return generic_pointer;
  }
}

// Notifies the observer of a lane's access, if others may see it or it outlasts the operation.
struct Reached {
  StateSpace space;
  std::uint32_t lane;
  std::byte* data;
};
void observe(const WarpContext& warp, const Operation& operation, const ByteRange& range, const Reached& reached) {
  StateSpace space = reached.space;
  Address address = range.address;
  if (space == StateSpace::kGeneric) {
    space = is_in(kSharedWindow, address)      ? StateSpace::kShared
            : is_in(kLocalWindow, address)     ? StateSpace::kLocal
            : is_in(kParameterWindow, address) ? StateSpace::kParameter
                                               : StateSpace::kGlobal;
  }
  if (space == StateSpace::kParameter || space == StateSpace::kConstant) {
    return;
  }
  ObservedAccess access;
  access.data = reached.data;
  access.space = space;
  access.bytes = range.bytes;
  access.lane = reached.lane;
  access.reads = range.kind != AccessKind::kWrite;
  access.writes = range.kind != AccessKind::kRead;
  if (space == StateSpace::kShared) {
    const SharedPlace place = shared_place(warp, operation, address);
    access.block = place.own ? warp.block : warp.block->cluster[place.rank];
    access.address = place.offset;
  } else if (space == StateSpace::kGlobal) {
    access.address = address;
  }
  warp.observer->accessed(access);
}

}  // namespace

std::byte* shared_range(WarpContext& warp, const Operation& operation, std::uint32_t lane, const ByteRange& range) {
  std::byte* const data = shared_pointer(warp, operation, range.address, lane, range.bytes, range.kind);
  if (warp.observer != nullptr) [[unlikely]] {
    observe(warp, operation, range, {StateSpace::kShared, lane, data});
  }
  return data;
}

std::byte* global_range(WarpContext& warp, const Operation& operation, std::uint32_t lane, const ByteRange& range) {
  SIM_CHECK(warp.effects == nullptr || warp.effects->view().is_clean(),
            "a range of global memory is accessed before the SMs exchange their effects");
  std::byte* const data = GlobalAccess(warp, operation, range.bytes, range.kind).pointer(range.address, lane);
  if (warp.observer != nullptr) [[unlikely]] {
    observe(warp, operation, range, {StateSpace::kGlobal, lane, data});
  }
  return data;
}

void lane_addresses(const WarpContext& warp, const Operation& operation, LaneMask lanes, LaneValues& addresses) {
  const auto offset = static_cast<Address>(operation.offset);
  if (operation.address_bits == 32) {
    const auto* const base = warp.read<std::uint32_t>(operation.a);
    for_lanes(lanes, [&](std::uint32_t lane) { addresses[lane] = static_cast<std::uint32_t>(base[lane] + offset); });
    return;
  }
  if (operation.a_high != kNoPlace) {
    const auto* const low = warp.read<std::uint32_t>(operation.a);
    const auto* const high = warp.read<std::uint32_t>(operation.a_high);
    for_lanes(lanes, [&](std::uint32_t lane) { addresses[lane] = (Address{high[lane]} << 32U | low[lane]) + offset; });
    return;
  }
  const auto* const base = warp.read<std::uint64_t>(operation.a);
  const Address frame = operation.of_frame && operation.space == StateSpace::kLocal ? warp.local_base : 0;
  for_lanes(lanes, [&](std::uint32_t lane) { addresses[lane] = base[lane] + offset + frame; });
}

void second_addresses(const WarpContext& warp, std::uint32_t list, LaneMask lanes, LaneValues& addresses) {
  Operation operation;
  operation.a = warp.lists[list];
  operation.offset = warp.lists[list + 1];
  operation.address_bits = static_cast<std::uint8_t>(warp.lists[list + 2]);
  operation.a_high = warp.lists[list + 3];
  lane_addresses(warp, operation, lanes, addresses);
}

LanePointers resolve(WarpContext& warp, const Operation& operation, LaneMask lanes, std::uint32_t bytes,
                     AccessKind kind) {
  LaneValues addresses;
  lane_addresses(warp, operation, lanes, addresses);
  return resolve(warp, operation, addresses, lanes, bytes, kind);
}

LanePointers resolve(WarpContext& warp, const Operation& operation, const LaneValues& addresses, LaneMask lanes,
                     std::uint32_t bytes, AccessKind kind) {
  LanePointers pointers;
  Address all = 0;
  for_lanes(lanes, [&](std::uint32_t lane) { all |= addresses[lane]; });
  for (LaneMask rest = (all & (bytes - 1)) == 0 ? 0 : lanes; rest != 0; rest &= rest - 1) {
    const std::uint32_t lane = first_of(rest);
    if ((addresses[lane] & (bytes - 1)) != 0) {
      warp.fault(FaultKind::kMisalignedAddress, operation, lane,
                 fmt::format("{} {} bytes at {:#x}, which is not a multiple of {}", verb(kind), bytes, addresses[lane],
                             bytes));
    }
  }
  UsualAccess usual;
  if (lanes != 0 && usual.find(warp, operation, addresses, lanes, bytes, kind)) {
    for_lanes(lanes, [&](std::uint32_t lane) { pointers.lane[lane] = usual.of(lane); });
    return pointers;
  }
  const StateSpace space = operation.space;
  const bool is_global = space == StateSpace::kGlobal || space == StateSpace::kConstant ||
                         (space == StateSpace::kGeneric && all < kSharedWindow);
  if (is_global) {
    GlobalAccess global(warp, operation, bytes, kind);
    for_lanes(lanes, [&](std::uint32_t lane) { pointers.lane[lane] = global.pointer(addresses[lane], lane); });
  } else {
    const PointerOf pointer = pointer_of(space);
    for_lanes(lanes, [&](std::uint32_t lane) {
      pointers.lane[lane] = pointer(warp, operation, addresses[lane], lane, bytes, kind);
    });
  }
  if (warp.observer != nullptr) [[unlikely]] {
    for_lanes(lanes, [&](std::uint32_t lane) {
      observe(warp, operation, {addresses[lane], bytes, kind}, {space, lane, pointers.lane[lane]});
    });
  }
  return pointers;
}

}  // namespace warpsim
