// Generates the reference of all keys from the same describe() functions that read them.
#pragma once

#include <functional>
#include <string>

#include "config/config_section.h"

namespace warpsim {

// Markdown: one heading per section, one table row per key with its kind, range or words, and sentence.
std::string config_reference(const std::function<void(ConfigSection&)>& describe_root);

template <typename Config>
std::string config_reference() {
  Config config{};
  return config_reference([&config](ConfigSection& section) { describe(section, config); });
}

}  // namespace warpsim
