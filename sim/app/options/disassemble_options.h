// Options of `warpsim disassemble`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace warpsim {

struct DisassembleOptions {
  std::string file;
  std::string function;            // part of a mangled or readable name; empty: all
  std::string target;              // "sm_90a"; empty: all
  std::uint32_t architecture = 0;  // of --arch: 90; 0: not given
  bool words = false;              // --hex
  bool is_ptx = false;             // the file's name ends in .ptx: the code that the simulator generates for it
};

// Nothing is returned when help was requested. Throws UsageError.
std::optional<DisassembleOptions> parse_disassemble_options(const std::vector<std::string>& words);

}  // namespace warpsim
