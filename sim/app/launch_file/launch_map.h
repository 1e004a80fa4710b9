// One map of a launch file, read strictly: unknown keys, values of the wrong kind or out of range are collected with
// file, line and column. Unlike in a GPU description most keys are optional.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/launch_file/launch_file_keys.h"
#include "base/types.h"
#include "config/config_node.h"
#include "config/config_problems.h"

namespace warpsim {

class LaunchMap {
 public:
  // `kinds`: the kinds whose keys are allowed. Unknown keys, and a node that is not a map, are reported at once.
  // `further_keys` are also allowed.
  LaunchMap(const ConfigNode& node, std::vector<const LaunchFileMap*> kinds, ConfigProblems& problems,
            const std::vector<std::string>& further_keys = {});

  bool has(const char* key) const { return map_.find(key) != nullptr; }
  // Null if the key is absent.
  const ConfigNode* find(const char* key) const;
  // The same; an absent key is reported.
  const ConfigNode* require(const char* key) const;

  // Errors are reported; the key then counts as absent.
  static constexpr std::uint64_t kMost = ~std::uint64_t{0};
  std::optional<std::uint64_t> integer(const char* key, std::uint64_t least, std::uint64_t most) const;
  std::uint64_t integer_or(const char* key, std::uint64_t least, std::uint64_t most, std::uint64_t otherwise) const {
    return integer(key, least, most).value_or(otherwise);
  }
  double number_or(const char* key, double otherwise) const;  // finite and not negative
  bool boolean(const char* key) const;                        // false if it is absent
  std::string text(const char* key) const;                    // empty if it is absent
  std::string required_text(const char* key) const;
  std::size_t word(const char* key, const std::vector<std::string>& words) const;  // index; 0 if it is absent
  // An integer or a list of up to three, each from 1 to 2^31 - 1; nothing if it is absent.
  std::optional<Dim3> size(const char* key) const;
  // Items of a list; none if the key is absent.
  const std::vector<ConfigNode>& items(const char* key) const;

  const ConfigOrigin& origin() const { return map_.origin; }
  void complain(const ConfigOrigin& where, const std::string& what) const { problems_.add(where, what); }
  ConfigProblems& problems() const { return problems_; }

 private:
  std::string name_of(const char* key) const;  // "'grid' of the launch"

  const ConfigNode& map_;
  std::vector<const LaunchFileMap*> kinds_;
  ConfigProblems& problems_;
};

// A decimal integer without leading zeros.
std::optional<std::uint64_t> integer_of(const ConfigNode& node, std::uint64_t least, std::uint64_t most);

}  // namespace warpsim
