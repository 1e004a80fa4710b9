// Options of `warpsim disassemble`.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace warpsim {

struct DisassembleOptions {
  std::string file;
  std::string function;  // part of a mangled or readable name; empty: all
  std::string target;    // "sm_90a"; empty: all
  bool words = false;    // --hex
};

// Nothing is returned when help was requested. Throws UsageError.
std::optional<DisassembleOptions> parse_disassemble_options(const std::vector<std::string>& words);

}  // namespace warpsim
