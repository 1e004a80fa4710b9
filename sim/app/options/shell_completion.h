// Completions for shells, made from the same descriptions of commands and options as --help: commands, options, the
// words that an option takes, names of GPUs (queried from the program when needed) and files.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace warpsim {

enum class Shell : std::uint8_t { kBash, kZsh, kFish };

std::string completion_script(Shell shell);

// Of the words after 'completion'. Returns nothing if help was requested. Throws UsageError.
std::optional<Shell> parse_completion(const std::vector<std::string>& words);

}  // namespace warpsim
