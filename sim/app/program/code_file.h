// The machine code in a file: a cubin, a fat binary, or the fat binaries in an ELF program, library or object file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cuda/code/fat_binary.h"

namespace warpsim {

struct CodeEntry {
  std::string place;   // the file, and in a fat binary the number of the entry, for messages
  std::string target;  // "sm_90a"
  std::uint32_t architecture = 0;
  std::span<const std::byte> cubin;            // of a file that is a cubin
  std::optional<cuda::FatBinaryEntry> packed;  // of a fat binary
};

class CodeFile {
 public:
  // Throws UserError: cannot be read, none of these kinds, damaged.
  explicit CodeFile(const std::string& path);

  // The machine code, in the order of the file.
  const std::vector<CodeEntry>& entries() const { return entries_; }
  // What else the file has: "compute_90".
  const std::vector<std::string>& others() const { return others_; }
  // Expanded if it is compressed. Throws UserError.
  static std::vector<std::byte> cubin_of(const CodeEntry& entry);

 private:
  void read_containers(std::span<const std::byte> bytes, std::uint64_t offset);

  std::string path_;
  std::string content_;
  std::vector<CodeEntry> entries_;
  std::vector<std::string> others_;
};

}  // namespace warpsim
