// The header of an Accel-Sim kernel file: lines `-key = value` up to the comment `#traces format` or the first block.
//
// Required keys: kernel name, grid dim, block dim, shmem, nregs, binary version, accelsim tracer version. If the
// others are missing: stream 0, no source lines, cluster (1,1,1), no local memory, windows unknown, reserve
// inferred later (frontend/accelsim/shared_reserve.h). Unknown keys are skipped. Numbers are checked against what CUDA
// allows, so that later code need not check them.
#pragma once

#include <cstdint>
#include <optional>

#include "core/launch/instruction_source.h"
#include "frontend/accelsim/input_stream.h"

namespace warpsim {

struct AccelsimHeader {
  KernelLaunch launch;  // `program` is empty; shared_bytes as stated
  std::uint32_t architecture = 0;
  std::uint32_t version = 0;
  bool has_source_lines = false;
  std::optional<std::uint64_t> function;        // -function id
  std::optional<std::uint32_t> shared_reserve;  // -shmem reserve: bytes of -shmem that belong to the driver
};

// Reads up to and including the last header line.
AccelsimHeader read_accelsim_header(InputStream& input);

}  // namespace warpsim
