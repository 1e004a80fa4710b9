// Which part of a block moves when some of its pieces fault: the driver moves more than what faults.
//
// Modelled: a binary tree over the pieces of a block of 2 MiB. A fault moves the largest subtree of which more than a
// given share is at the target or faults. Evidence: tests/hardware/managed, of pages touched in order those at 0, 64,
// 128, 256, 512 KiB and 1 MiB fault, on the GPU and on the host; the driver's parameter uvm_perf_prefetch_threshold is
// 51 per cent there, and its source (NVIDIA/open-gpu-kernel-modules, uvm_perf_prefetch.c) names the tree.
#pragma once

#include <cstdint>

#include "memory/remote/managed_pages.h"

namespace warpsim {

// A bit for each piece of a block.
using PieceMask = std::uint32_t;
static_assert(ManagedPages::kPiecesOfBlock == 32);

// `faults`, at least one: pieces that fault; `there`: at the target already; `exists`: pieces that belong to
// allocations, all others do not count. Returns the pieces to be moved, without those that are there.
PieceMask pieces_to_move(PieceMask faults, PieceMask there, PieceMask exists, std::uint32_t density_percent);

}  // namespace warpsim
