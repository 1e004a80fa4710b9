// NVIDIA's fat binaries: code embedded by compilers in programs, one entry for each target and kind of code.
//
// A container is a header of 16 bytes (magic, version, size of header, size of all entries) and entries of a header and
// a payload each: PTX, or machine code (ELF), plain or compressed with LZ4 (flag 0x2000, "speed") or Zstandard (0x8000,
// "default", "balance" and "size"). Evidence: containers made by nvcc 13 in each mode (tests/data/fatbin). Offsets and
// sizes are checked: anything out of bounds is an InvalidFatBinary.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/error.h"

namespace warpsim::cuda {

class InvalidFatBinary : public UserError {
 public:
  using UserError::UserError;
};
// Nothing in the fat binary is for the GPU; the message names the existing code and the compiler option that adds some.
class NoUsableCode : public UserError {
 public:
  using UserError::UserError;
};
class NoUsablePtx : public NoUsableCode {
 public:
  using NoUsableCode::NoUsableCode;
};

struct FatBinaryEntry {
  enum class Kind : std::uint8_t { kPtx, kMachineCode, kOther };
  enum class Compression : std::uint8_t { kNone, kLz4, kZstd };
  Kind kind = Kind::kOther;
  Compression compression = Compression::kNone;
  std::uint32_t target = 0;              // 90
  char suffix = 0;                       // 'a': this capability only, 'f': its family only
  std::span<const std::byte> payload;    // as stored
  std::uint64_t uncompressed_bytes = 0;  // of a compressed payload
};
// "sm_90a" or, for PTX, "compute_90a".
std::string target_name(const FatBinaryEntry& entry);

// The magic of a container.
inline constexpr std::uint32_t kFatBinaryMagic = 0xba55ed50;
// Whether a container begins here.
bool is_fat_binary(std::span<const std::byte> bytes);
// Size of the container at this address, from its header. Throws InvalidFatBinary.
std::uint64_t fat_binary_bytes(std::span<const std::byte> header);
// The entries refer to `bytes`. Throws InvalidFatBinary.
std::vector<FatBinaryEntry> read_fat_binary(std::span<const std::byte> bytes);
// The text of a PTX entry. Throws InvalidFatBinary.
std::string ptx_text(const FatBinaryEntry& entry);
// The cubin of an entry of machine code. Throws InvalidFatBinary.
std::vector<std::byte> machine_code(const FatBinaryEntry& entry);

// Whether code with this target and suffix is for a GPU of the capability (90 for 9.0).
bool runs_on(const FatBinaryEntry& entry, std::uint32_t capability);
// Of the PTX that the GPU can run, that with the highest target; with `force_target` that with the lowest of the others
// if there is none. Throws NoUsablePtx.
const FatBinaryEntry& choose_ptx(std::span<const FatBinaryEntry> entries, std::uint32_t capability, bool force_target);

// Whether choose_ptx() finds one.
bool has_usable_ptx(std::span<const FatBinaryEntry> entries, std::uint32_t capability, bool force_target);
// The machine code with the highest target that runs on the GPU: of its major capability, not newer. Null: none.
const FatBinaryEntry* choose_machine_code(std::span<const FatBinaryEntry> entries, std::uint32_t capability);
// Machine code of other GPUs, which a simulator can execute: that with the highest target of 7.0 to 9.0. Null: none.
const FatBinaryEntry* choose_code_of_others(std::span<const FatBinaryEntry> entries);
// The error for a fat binary in which both find none.
NoUsableCode no_machine_code(std::span<const FatBinaryEntry> entries, std::uint32_t capability);

}  // namespace warpsim::cuda
