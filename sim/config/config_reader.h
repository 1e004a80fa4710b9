// Reads one map of a GPU description strictly: every key of describe() must be present once, of the right kind and in
// range; other keys are refused. There are no silent conversions: no octal, hexadecimal or quoted numbers, no yes/no.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "config/config_node.h"
#include "config/config_problems.h"
#include "config/config_section.h"
#include "config/config_tree.h"

namespace warpsim {

// "a map", "the text 'x'", ...: how messages name a value of the wrong kind.
std::string kind_name(const ConfigNode& node);

class ConfigReader final : public ConfigSection {
 public:
  // The root. `values` collects what was read; `files` are those of the description, the user's own first.
  ConfigReader(const ConfigNode& root, ConfigProblems& problems, std::vector<ConfigValue>& values,
               const std::vector<std::string>& files)
      : root_(root), map_(root), where_(root.origin), problems_(problems), values_(values), files_(files) {}

  void integer(std::string_view key, std::uint32_t& out, std::uint64_t min, std::uint64_t max,
               std::string_view sentence) override;
  void integer(std::string_view key, std::uint64_t& out, std::uint64_t min, std::uint64_t max,
               std::string_view sentence) override;
  void real(std::string_view key, double& out, double min, double max, std::string_view sentence) override;
  void boolean(std::string_view key, bool& out, std::string_view sentence) override;
  void text(std::string_view key, std::string& out, std::string_view sentence) override;
  void integers(std::string_view key, std::vector<std::uint32_t>& out, std::uint64_t min, std::uint64_t max,
                std::string_view sentence) override;
  void word(std::string_view key, std::size_t& out, const std::vector<std::string>& words,
            std::string_view sentence) override;
  std::string mechanism(std::string_view key, std::string& out, const std::vector<std::string>& words,
                        std::string_view sentence) override;
  void section(std::string_view key, std::string_view sentence,
               const std::function<void(ConfigSection&)>& describe_nested) override;
  void optional_section(std::string_view key, std::string_view sentence,
                        const std::function<void(ConfigSection&)>& describe_nested) override;
  bool given(std::string_view key, const std::string& fallback) override;
  void refuse(std::string_view key, const std::string& message) override;
  void derived(std::string_view key, const std::string& value) override;
  // Skipped if a key of this section or below could not be read. If the key's own value is from a base file, the
  // message names the value of the user's file or --set that violates the rule.
  void problem(std::string_view key, const std::string& message) override;

  // Reports unknown keys. Call once, after describe().
  void finish();

 private:
  ConfigReader(const ConfigReader& outer, const ConfigNode::Entry& entry)
      : root_(outer.root_),
        map_(entry.value),
        where_(entry.key_origin),
        prefix_(outer.path(entry.key) + "."),
        problems_(outer.problems_),
        values_(outer.values_),
        files_(outer.files_) {}

  void read_nested(const ConfigNode::Entry& entry, const std::function<void(ConfigSection&)>& describe_nested);
  // The key's entry; a missing one is reported with the expected value, and null is returned.
  const ConfigNode::Entry* take(std::string_view key, const std::string& expected);
  void complain(const ConfigNode::Entry& entry, const std::string& what);
  bool parse_integer(const ConfigNode::Entry& entry, const ConfigNode& node, std::uint64_t min, std::uint64_t max,
                     std::uint64_t& out);
  void keep(const ConfigNode::Entry& entry, std::string text);
  std::string path(std::string_view key) const { return prefix_ + std::string(key); }

  const ConfigNode& root_;
  const ConfigNode& map_;
  const ConfigOrigin& where_;  // of the section's key: a block map itself begins only at its first key
  std::string prefix_;         // path of the section followed by a dot; empty for the root
  ConfigProblems& problems_;
  std::vector<ConfigValue>& values_;
  const std::vector<std::string>& files_;
  std::vector<std::string> known_;
  bool bad_ = false;  // a value of this section or below could not be read
};

}  // namespace warpsim
