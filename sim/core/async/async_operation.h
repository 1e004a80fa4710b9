// The operation of an asynchronous instruction, as far as its source knows it: barriers in shared memory with
// transaction counts (mbarriers), bulk copies between global and shared memory, and their addresses in the blocks of a
// cluster; for a block barrier (BAR) with number or count in registers, these values.
#pragma once

#include <cstdint>

#include "base/types.h"

namespace warpsim {

struct AsyncOperation {
  enum class Kind : std::uint8_t {
    kInitialise,  // a barrier, with `arrivals` expected in each phase
    kArrive,      // `arrivals`, and `bytes` more expected in the current phase
    kDrop,        // the same; later phases expect so many arrivals less
    kWait,        // until the phase of `parity` has ended
    kCheck,       // whether it has; the warp does not wait for the outcome
    kComplete,    // `bytes` have been written to another block's shared memory
    kCopyIn,      // global to shared memory, `bytes` at `global`; reports to `barrier`
    kCopyOut,     // shared to global memory
    kReduceOut,
    kCommit,        // closes a group of copies out of shared memory
    kBlockBarrier,  // BAR: number `barrier`, for `arrivals` warps; 0: all of the block
    kIgnore,        // no modelled effect
  };
  Kind kind = Kind::kIgnore;
  bool last = true;  // of its instruction; the next entry belongs to the same instruction otherwise
  bool parity = false;
  bool by_descriptor = false;  // copies: a box of a tensor
  bool after_copies = false;   // when the warp's own copies (LDGSTS) so far have arrived
  bool continues = false;      // copies: a further part of the copy of the entry before
  std::uint8_t lanes = 0;      // lanes that share this entry; for information
  std::uint16_t blocks = 0;    // bit i: rank i in the cluster is addressed; 0: the own block
  std::uint32_t barrier = 0;   // offset in shared memory
  std::uint32_t shared = 0;    // copies: offset in shared memory
  std::int32_t arrivals = 0;
  std::int32_t bytes = 0;
  std::int32_t unread = 0;  // copies: further bytes that report to the barrier: zeros outside of a tensor
  Address global = 0;
};

}  // namespace warpsim
