#include "mechanisms/mechanism_keys.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "mechanisms/mechanism_name.h"

namespace warpsim {

void DeclaredKeys::add(const char* key, const char* sentence, bool in_range) {
  if (!is_mechanism_name(key) || sentence == nullptr || !in_range) {
    throw ConfigError(
        fmt::format("key '{}': expected a name of lower-case letters, digits and '_', a "
                    "sentence, and a default in its range",
                    key == nullptr ? "" : key));
  }
  if (std::find(names_.begin(), names_.end(), key) != names_.end()) {
    throw ConfigError(fmt::format("key '{}' is declared twice", key));
  }
  names_.emplace_back(key);
}

void ConfigKeys::integer(const char* key, std::uint32_t& value, std::uint32_t min, std::uint32_t max,
                         const char* sentence) {
  declared_.add(key, sentence, min <= value && value <= max);
  if (section_->given(key, std::to_string(value))) {
    section_->integer(key, value, min, max, sentence);
  }
}

void ConfigKeys::real(const char* key, double& value, double min, double max, const char* sentence) {
  declared_.add(key, sentence, min <= value && value <= max);
  if (section_->given(key, fmt::format("{}", value))) {
    section_->real(key, value, min, max, sentence);
  }
}

void ConfigKeys::boolean(const char* key, bool& value, const char* sentence) {
  declared_.add(key, sentence, true);
  if (section_->given(key, value ? "true" : "false")) {
    section_->boolean(key, value, sentence);
  }
}

}  // namespace warpsim
