#include "config/config_tree.h"

#include <xxhash.h>

#include <algorithm>
#include <filesystem>

#include "base/input_file.h"
#include "config/config_factor.h"
#include "config/config_reader.h"
#include "config/gpu_files.h"
#include "config/near_miss.h"
#include "config/yaml_source.h"

namespace warpsim {

namespace {

namespace fs = std::filesystem;

constexpr const char* kExtends = "extends";

std::string read_file(const fs::path& path) {
  return require_input<ConfigError>(path.string(), "a GPU description in YAML", kYamlLimitBytes);
}

// Lays `over` on `base`: maps key by key, everything else replaces.
void merge(ConfigNode& base, ConfigNode over) {
  const bool maps = base.kind == ConfigNode::Kind::kMap && over.kind == ConfigNode::Kind::kMap;
  if (!maps) {
    apply_factor(base, over);
    base = std::move(over);
    return;
  }
  base.origin = over.origin;
  for (ConfigNode::Entry& entry : over.entries) {
    if (ConfigNode::Entry* below = base.find(entry.key)) {
      below->key_origin = entry.key_origin;
      merge(below->value, std::move(entry.value));
    } else {
      base.entries.push_back(std::move(entry));
    }
  }
}

class Loader {
 public:
  Loader(ConfigProblems& problems, std::vector<std::string>& files) : problems_(problems), files_(files) {}

  ConfigNode load_file(const fs::path& path) {
    std::error_code ignored;
    const fs::path canonical = fs::weakly_canonical(path, ignored);
    open_.push_back(canonical);
    files_.push_back(path.string());
    ConfigNode node = load_text(read_file(path), path);
    open_.pop_back();
    return node;
  }

  ConfigNode load_text(const std::string& text, const fs::path& path) {
    ConfigNode node = parse_yaml(text, path.string(), problems_);
    if (node.kind != ConfigNode::Kind::kMap) {
      throw ConfigError(node.origin.position() + ": expected a map of sections (key: value), found " + kind_name(node));
    }
    const auto extends = std::find_if(node.entries.begin(), node.entries.end(),
                                      [](const ConfigNode::Entry& entry) { return entry.key == kExtends; });
    if (extends == node.entries.end()) {
      return node;
    }
    const ConfigNode value = extends->value;
    node.entries.erase(extends);
    if (value.kind != ConfigNode::Kind::kScalar || value.scalar.empty()) {
      throw ConfigError(value.origin.position() + ": 'extends' must name a file, got " + kind_name(value));
    }
    ConfigNode base = load_base(base_file(path, value), value.origin);
    merge(base, std::move(node));
    return base;
  }

 private:
  ConfigNode load_base(const fs::path& path, const ConfigOrigin& where) {
    std::error_code ignored;
    const fs::path canonical = fs::weakly_canonical(path, ignored);
    if (std::find(open_.begin(), open_.end(), canonical) != open_.end()) {
      throw ConfigError(where.position() + ": 'extends' forms a cycle with " + path.lexically_normal().string());
    }
    if (const std::string fault = input_fault(path.string()); !fault.empty()) {
      throw ConfigError(where.position() + ": 'extends' names " + path.string() + ", which cannot be read: " + fault);
    }
    return load_file(path);
  }

  // The file that 'extends' names: a path relative to the file that contains the key, or a shipped description.
  static fs::path base_file(const fs::path& path, const ConfigNode& value) {
    fs::path file = (path.parent_path() / value.scalar).lexically_normal();
    std::error_code ignored;
    if (fs::exists(file, ignored)) {
      return file;
    }
    std::vector<std::string> names;
    for (const ShippedGpu& shipped : shipped_gpus()) {
      if (shipped.name == value.scalar) {
        return shipped.path;
      }
      names.push_back(shipped.name);
    }
    throw ConfigError(value.origin.position() + ": 'extends' names '" + value.scalar + "', which is neither a file (" +
                      file.string() + "; the path is relative to this file) nor a shipped description" +
                      did_you_mean(value.scalar, names));
  }

  ConfigProblems& problems_;
  std::vector<std::string>& files_;
  std::vector<fs::path> open_;  // the chain of files being read
};

std::vector<std::string> split_path(const std::string& path, const std::string& source) {
  std::vector<std::string> parts;
  std::size_t begin = 0;
  while (true) {
    const std::size_t dot = path.find('.', begin);
    parts.push_back(path.substr(begin, dot - begin));
    if (parts.back().empty()) {
      throw ConfigError(source + ": expected section.key=value");
    }
    if (dot == std::string::npos) {
      return parts;
    }
    begin = dot + 1;
  }
}

// The override as a map around the value, so that it merges like a file.
ConfigNode parse_override(const std::string& text, ConfigProblems& problems) {
  const std::string source = "--set " + text;
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos) {
    throw ConfigError(source + ": expected section.key=value");
  }
  const std::vector<std::string> parts = split_path(text.substr(0, equals), source);
  if (parts.front() == kExtends) {
    throw ConfigError(source + ": 'extends' is allowed only in a file");
  }
  ConfigNode node = parse_yaml_value(text.substr(equals + 1), source, problems);
  for (auto part = parts.rbegin(); part != parts.rend(); ++part) {
    ConfigNode map;
    map.kind = ConfigNode::Kind::kMap;
    map.origin = {source, 0, 0};
    map.entries.push_back({*part, map.origin, std::move(node)});
    node = std::move(map);
  }
  return node;
}

// Merges one override. Unlike a file it does not become the origin of the maps on its path: a missing key of such a map
// is missing in the file.
void apply_override(ConfigNode& base, ConfigNode over) {
  if (base.kind != ConfigNode::Kind::kMap || over.kind != ConfigNode::Kind::kMap) {
    apply_factor(base, over);
    base = std::move(over);
    return;
  }
  for (ConfigNode::Entry& entry : over.entries) {
    if (ConfigNode::Entry* below = base.find(entry.key)) {
      if (entry.value.kind != ConfigNode::Kind::kMap) {
        below->key_origin = entry.key_origin;
      }
      apply_override(below->value, std::move(entry.value));
    } else {
      base.entries.push_back(std::move(entry));
    }
  }
}

void apply_overrides(ConfigNode& root, const std::vector<std::string>& overrides, ConfigProblems& problems) {
  for (const std::string& text : overrides) {
    apply_override(root, parse_override(text, problems));
  }
}

}  // namespace

ConfigTree ConfigTree::load(const std::string& path, const std::vector<std::string>& overrides) {
  ConfigTree tree;
  tree.root_ = Loader(tree.problems_, tree.files_).load_file(path);
  apply_overrides(tree.root_, overrides, tree.problems_);
  return tree;
}

ConfigTree ConfigTree::parse(const std::string& text, const std::string& source,
                             const std::vector<std::string>& overrides) {
  ConfigTree tree;
  tree.files_.push_back(source);
  tree.root_ = Loader(tree.problems_, tree.files_).load_text(text, source);
  apply_overrides(tree.root_, overrides, tree.problems_);
  return tree;
}

ConfigTree ConfigTree::overridden(const std::vector<std::string>& overrides) const {
  ConfigTree tree = *this;
  tree.values_.clear();
  apply_overrides(tree.root_, overrides, tree.problems_);
  return tree;
}

void ConfigTree::read(const std::function<void(ConfigSection&)>& describe_root) {
  values_.clear();
  ConfigProblems problems = problems_;
  ConfigReader reader(root_, problems, values_, files_);
  describe_root(reader);
  reader.finish();
  problems.throw_if_any();
}

std::uint64_t ConfigTree::hash() const {
  std::string text;
  for (const ConfigValue& value : values_) {
    text += value.path + "=" + value.text + "\n";
  }
  return XXH64(text.data(), text.size(), 0);
}

}  // namespace warpsim
