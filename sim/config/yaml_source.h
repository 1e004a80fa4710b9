// Turns YAML text into a ConfigNode tree. The only file that uses yaml-cpp.
//
// Supported: block and flow maps and lists, plain and quoted scalars, comments. Refused with a message: anchors and
// aliases (so that no text can expand to more than it contains), tags, a second document, keys that are not words.
// Bounded: 1 MiB of text, 16 levels of nesting.
#pragma once

#include <cstdint>
#include <string>

#include "config/config_node.h"
#include "config/config_problems.h"

namespace warpsim {

constexpr std::uint64_t kYamlLimitBytes = 1U << 20U;

// `source` names the text in origins and messages. Text that is not YAML throws ConfigError at once; duplicate keys and
// refused features are added to `problems`. Empty text gives a kNull node.
ConfigNode parse_yaml(const std::string& text, const std::string& source, ConfigProblems& problems);

// The same for a value on the command line: every origin is `source`, without a line.
ConfigNode parse_yaml_value(const std::string& text, const std::string& source, ConfigProblems& problems);

}  // namespace warpsim
