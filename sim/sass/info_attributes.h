// The records of .nv.info sections: numbers of attributes and forms of values (function_info.h has the evidence).
#pragma once

#include <cstdint>

namespace warpsim::sass {

inline constexpr std::uint32_t kInfoType = 0x70000000;  // of the sections

// What a record is about; those that are not named here are skipped.
enum Attribute : std::uint8_t {
  kMaxThreads = 0x05,
  kParameterBank = 0x0a,
  kExternals = 0x0f,
  kRequiredThreads = 0x10,
  kFrameSize = 0x11,
  kMinStackSize = 0x12,
  kParameter = 0x17,
  kExits = 0x1c,
  kMaxStackSize = 0x23,
  kRegisters = 0x2f,
  kIndirectBranches = 0x34,
  kCluster = 0x3d,
  kExplicitCluster = 0x3e,
  kMaxClusterBlocks = 0x3f,
  kLargeParameter = 0x45,
  kSystemCalls = 0x46,
  kBarriers = 0x4c,
  kLast = 0x5f,  // MERCURY_ISA_VERSION
};

// How a record stores its value.
enum Format : std::uint8_t { kNoValue = 1, kByte = 2, kHalf = 3, kBytes = 4 };

}  // namespace warpsim::sass
