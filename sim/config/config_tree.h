// One GPU description, complete: a YAML file, the files it extends, and the --set overrides, merged with the origin of
// every value. Reading it fills the config structs of all components through their describe() functions.
//
//     ConfigTree tree = ConfigTree::load("configs/h200.yaml", {"l2.num_ways=24"});
//     GpuConfig config = tree.read<GpuConfig>();
//
// `extends: other.yaml` at the top level names a file relative to the one that contains it. Maps merge key by key,
// anything else is replaced. All problems are reported together, in one ConfigError with one line each.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "config/config_node.h"
#include "config/config_problems.h"
#include "config/config_section.h"

namespace warpsim {

// One value in effect.
struct ConfigValue {
  std::string path;    // "l2.num_ways"
  std::string text;    // canonical: "24", "[1, 2]", "true"
  std::string origin;  // "configs/h200.yaml:12" or "--set"
};

class ConfigTree {
 public:
  // Each override is "path.to.key=value", value in YAML. Throws ConfigError for files that cannot be read or are not
  // YAML, and for overrides without '='; problems with keys wait for read().
  static ConfigTree load(const std::string& path, const std::vector<std::string>& overrides);
  // From text; `source` stands for the file name. `extends` is relative to its folder.
  static ConfigTree parse(const std::string& text, const std::string& source,
                          const std::vector<std::string>& overrides);

  // A copy with further overrides, as if they followed those given to load(). Cheap: no file is parsed again.
  ConfigTree overridden(const std::vector<std::string>& overrides) const;

  // `describe_root` names every key of the top level. Throws ConfigError with all problems.
  void read(const std::function<void(ConfigSection&)>& describe_root);
  template <typename Config>
  Config read() {
    Config config{};
    read([&config](ConfigSection& section) { describe(section, config); });
    return config;
  }

  // In effect after read(), in the order in which describe() names them.
  const std::vector<ConfigValue>& values() const { return values_; }
  // The files that it was read from: the file itself and those that it extends, directly or not.
  const std::vector<std::string>& files() const { return files_; }
  // xxHash64 of paths and values: equal for equal descriptions, however they are written.
  std::uint64_t hash() const;

 private:
  ConfigNode root_;
  ConfigProblems problems_;
  std::vector<std::string> files_;
  std::vector<ConfigValue> values_;
};

}  // namespace warpsim
