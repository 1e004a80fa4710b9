// Keys for tests of mechanisms: keeps names, defaults and ranges, and sets values by name.
//
//     TestKeys keys;
//     keys.set("degree", 4);
//     factory->describe(keys);
//
// Numbers of all kinds are kept as double, which holds each 32-bit integer exactly; a boolean is 0 or 1.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "warpsim/mechanism.h"
#include "warpsim/testing/test_counters.h"

namespace warpsim::mechanism::testing {

class TestKeys final : public Keys {
 public:
  enum class Kind : std::uint8_t { kInteger, kReal, kBoolean };
  struct Key {
    std::string name;
    Kind kind;
    double value;  // before set() has an effect
    double min;
    double max;
    std::string sentence;
    bool operator==(const Key&) const = default;
  };

  TestKeys() = default;

  // The next describe() gives this value to the key, or throws std::out_of_range if the key does not allow it.
  void set(const std::string& name, double value) { values_[name] = value; }

  void integer(const char* key, std::uint32_t& value, std::uint32_t min, std::uint32_t max,
               const char* sentence) override {
    keys_.push_back({text_of(key), Kind::kInteger, static_cast<double>(value), static_cast<double>(min),
                     static_cast<double>(max), text_of(sentence)});
    value = static_cast<std::uint32_t>(value_of(keys_.back()));
  }
  void real(const char* key, double& value, double min, double max, const char* sentence) override {
    keys_.push_back({text_of(key), Kind::kReal, value, min, max, text_of(sentence)});
    value = value_of(keys_.back());
  }
  void boolean(const char* key, bool& value, const char* sentence) override {
    keys_.push_back({text_of(key), Kind::kBoolean, value ? 1.0 : 0.0, 0, 1, text_of(sentence)});
    value = value_of(keys_.back()) != 0;
  }

  // In the order of description.
  const std::vector<Key>& keys() const { return keys_; }
  bool has(const std::string& name) const {
    return std::any_of(keys_.begin(), keys_.end(), [&](const Key& key) { return key.name == name; });
  }
  // Names that were set and that no key has: errors of the test.
  std::vector<std::string> unknown() const {
    std::vector<std::string> names;
    for (const auto& [name, value] : values_) {
      if (!has(name)) {
        names.push_back(name);
      }
    }
    return names;
  }

 private:
  double value_of(const Key& key) const {
    const auto found = values_.find(key.name);
    if (found == values_.end()) {
      return key.value;
    }
    const bool whole = found->second == static_cast<double>(static_cast<std::int64_t>(found->second));
    if (found->second < key.min || found->second > key.max || (key.kind != Kind::kReal && !whole)) {
      throw std::out_of_range("the key '" + key.name + "' does not allow " + std::to_string(found->second));
    }
    return found->second;
  }

  std::map<std::string, double> values_;
  std::vector<Key> keys_;
};

}  // namespace warpsim::mechanism::testing
