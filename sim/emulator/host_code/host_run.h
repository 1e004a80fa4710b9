// What translated code (host_code.h) reads and changes while it executes a warp.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <exception>

#include "base/types.h"
#include "emulator/memory/block_memory.h"
#include "emulator/operations/operation.h"

namespace warpsim {

class WarpContext;

// Addresses of global memory that one operation may access without a further check: begin to begin + span are those of
// first bytes of an element, less the operation's offset. They have the same upper word, and span is below 2^31.
struct HostWindow {
  std::uint64_t generation = ~std::uint64_t{0};  // of the memory for which it holds
  std::byte* base = nullptr;                     // of `begin`, with the operation's offset
  Address begin = 0;
  std::uint64_t span = 0;
};

// Of one call of translated code. Counts are of operations of the warp unless named otherwise.
struct HostRun {
  std::byte* registers = nullptr;
  const std::byte* constants_end = nullptr;
  WarpContext* context = nullptr;
  std::int64_t left = 0;                             // operations that it may still execute
  std::int64_t write_floor = 0;                      // common memory may be written while `left` is above it
  std::int64_t read_floor = 0;                       // the same for writes after reads
  std::int64_t turns_left = 0;                       // branches backwards that it may still execute
  std::uint64_t threads = 0;                         // operations of threads that it has executed
  std::uint64_t lane_count = 0;                      // of `lanes`
  LaneMask lanes = 0;                                // of the split
  LaneMask present = 0;                              // of the warp
  LaneMask exited = 0;                               // lanes of the warp that have ended
  std::uint32_t stop = 0;                            // the operation before which it ends
  const std::uint64_t* generation = nullptr;         // of global memory
  HostWindow* windows = nullptr;                     // of the translated function
  SharedBytes* shared = nullptr;                     // of the block
  std::byte* local = nullptr;                        // local memory of the warp, lane after lane
  std::uint64_t local_bytes = 0;                     // of a lane; below 2^26
  std::uint64_t local_base = 0;                      // of the function's frame in it
  std::array<std::uint32_t, kWarpSize> places = {};  // of an access that is executed lane by lane
  std::array<std::uint32_t, kWarpSize> values = {};
  std::exception_ptr error;  // thrown by the operation at which it ended
};

// Called by translated code, which exceptions cannot leave: executes the operation. False: it has thrown `error`.
bool execute_operation(HostRun* run, const Operation* operation, LaneMask lanes) noexcept;
// The same for an access to global memory, for which it sets the window if there is one.
bool execute_access(HostRun* run, const Operation* operation, LaneMask lanes, HostWindow* window) noexcept;

}  // namespace warpsim
