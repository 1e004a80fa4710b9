// The constants of the native trace format that writer and reader share, and the integer codings of its byte streams.
// docs/trace-format.md is the description; this file and wtrace.proto follow it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include "base/types.h"

namespace warpsim::wtrace {

inline constexpr std::array<char, 8> kMagic = {'\x89', 'W', 'T', 'R', 'A', 'C', 'E', '\n'};
inline constexpr std::array<char, 8> kEndMagic = {'W', 'T', 'R', 'A', 'C', 'E', 'N', 'D'};
inline constexpr std::uint16_t kFormatVersion = 2;     // written by this version
inline constexpr std::uint16_t kMinReaderVersion = 1;  // version that a reader must support to read such a file

inline constexpr std::size_t kFileHeaderBytes = 16;
inline constexpr std::size_t kFrameHeaderBytes = 32;
inline constexpr std::size_t kFooterBytes = 32;

enum class FrameKind : std::uint32_t { kFunction = 1, kGroup = 2, kIndex = 3 };

// Limits of the format. A file that exceeds one is refused.
inline constexpr std::uint64_t kMaxGroupBytes = std::uint64_t{1} << 30;   // message before compression
inline constexpr std::uint64_t kMaxOtherBytes = std::uint64_t{64} << 20;  // function or index, the same
inline constexpr std::uint64_t kMaxThreadsPerBlock = 65536;
inline constexpr std::uint64_t kMaxBlockInstructions = std::uint64_t{1} << 27;
inline constexpr std::uint64_t kMaxBlockAddressWords = std::uint64_t{1} << 30;
inline constexpr std::uint64_t kMaxGroupPathInstructions = std::uint64_t{1} << 27;
inline constexpr std::uint64_t kMostTexelSectors = 512;  // of an instruction: 8 texels of 2 levels for each lane
inline constexpr std::uint64_t kMostTexelBytes = 16;
inline constexpr std::uint64_t kMaxBlocks = std::uint64_t{1} << 62;

// A run of a path: the low four bits of its first byte encode the source of its mask. Codes 0 to 3 use that entry of
// the history of flow masks.
inline constexpr std::uint32_t kHistoryDepth = 4;
enum MaskCode : std::uint8_t {
  kMaskZero = 4,         // no lane; the history stays
  kMaskNewFlow = 5,      // next of path_masks, pushed
  kMaskAside = 6,        // next of path_masks, stored as `aside`; the history stays
  kMaskAsideAgain = 7,   // `aside`; the history stays
  kMaskAsideAsFlow = 8,  // `aside`, pushed
  kMaskNotAside = 9,     // history[0] without `aside`, pushed
  kMaskSibling = 10,     // history[1] without history[0], pushed
  kMaskOfWarp = 11,      // each instruction uses the next of its mask column; the history stays
  kMaskOfWarpAgain = 12  // the mask that kMaskOfWarp gave last in this warp; the history stays
};
inline constexpr std::uint8_t kRunMaskBits = 0x0f;
inline constexpr std::uint8_t kRunJumps = 0x10;  // the start differs from the end of the previous run
inline constexpr std::uint32_t kRunLengthShift = 5;
inline constexpr std::uint32_t kRunShortLengths = 7;

// An entry of the shape table begins with its kind.
enum ShapeKind : std::uint8_t {
  kShapeNone = 0,
  kShapeStrided = 1,
  kShapeLanes = 2,
  kShapeScattered = 3,
  kShapeTexels = 4
};

constexpr std::uint64_t zigzag(std::int64_t value) {
  return (static_cast<std::uint64_t>(value) << 1) ^ static_cast<std::uint64_t>(value >> 63);
}
constexpr std::int64_t unzigzag(std::uint64_t value) {
  return static_cast<std::int64_t>(value >> 1) ^ -static_cast<std::int64_t>(value & 1);
}

// The lane that a list of addresses begins with; 0 for a mask without lanes.
constexpr std::uint32_t anchor_lane(LaneMask mask) {
  return mask == 0 ? 0 : first_lane(mask);
}

// Base-128, least significant group first, at most ten bytes: Protobuf's varint.
inline void put_varint(std::string& out, std::uint64_t value) {
  while (value >= 0x80) {
    out.push_back(static_cast<char>(static_cast<std::uint8_t>(value) | 0x80U));
    value >>= 7;
  }
  out.push_back(static_cast<char>(value));
}
inline void put_u32(std::string& out, std::uint32_t value) {
  for (int i = 0; i < 4; ++i) {
    out.push_back(static_cast<char>(static_cast<std::uint8_t>(value >> (8 * i))));
  }
}

}  // namespace warpsim::wtrace
