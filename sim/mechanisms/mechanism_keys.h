// The keys of a mechanism as a section of the description of a GPU.
#pragma once

#include <string>
#include <vector>

#include "config/config_section.h"
#include "warpsim/mechanism.h"

namespace warpsim {

// The rules of the keys that one mechanism declares.
class DeclaredKeys {
 public:
  // Throws ConfigError for a name that is not one or is declared twice, for a key without a sentence, and for a default
  // out of range.
  void add(const char* key, const char* sentence, bool in_range);

 private:
  std::vector<std::string> names_;
};

// Keys as a ConfigSection. Throws ConfigError for keys that a mechanism declares wrongly.
class ConfigKeys final : public mechanism::Keys {
 public:
  explicit ConfigKeys(ConfigSection& section) : section_(&section) {}

  void integer(const char* key, std::uint32_t& value, std::uint32_t min, std::uint32_t max,
               const char* sentence) override;
  void real(const char* key, double& value, double min, double max, const char* sentence) override;
  void boolean(const char* key, bool& value, const char* sentence) override;

 private:
  ConfigSection* section_;
  DeclaredKeys declared_;
};

template <typename Interface>
void describe_keys(mechanism::Factory<Interface>& factory, ConfigSection& section) {
  ConfigKeys keys(section);
  factory.describe(keys);
}

}  // namespace warpsim
