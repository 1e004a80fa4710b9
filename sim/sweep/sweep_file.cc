#include "sweep/sweep_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <system_error>

#include "base/error.h"
#include "base/input_file.h"
#include "config/config_problems.h"
#include "config/config_reader.h"
#include "config/near_miss.h"
#include "config/yaml_source.h"

namespace warpsim {

namespace {

namespace fs = std::filesystem;
using Kind = ConfigNode::Kind;

const std::vector<std::string> kTopKeys = {"gpus", "traces", "launches", "options", "set", "grid", "points"};
const std::vector<std::string> kTraceKeys = {"path", "name", "launches"};

bool is_text(const ConfigNode& node) {
  return node.kind == Kind::kScalar && !node.scalar.empty();
}

class SweepReader {
 public:
  explicit SweepReader(const std::string& path) { file_.path = path; }

  SweepFile read(const std::string& text) {
    const ConfigNode root = parse_yaml(text, file_.path, problems_);
    file_.origin = root.origin;
    if (root.kind != Kind::kMap) {
      problems_.add(root.origin, "expected a sweep, a map with " + fmt::format("{}", fmt::join(kTopKeys, ", ")) +
                                     "; found " + kind_name(root));
      problems_.throw_if_any();
    }
    refuse_unknown(root, kTopKeys, "");
    read_gpus(root);
    read_traces(root);
    read_options(root.find("options"));
    read_settings(root.find("set"));
    read_grid(root.find("grid"));
    read_points(root.find("points"));
    problems_.throw_if_any();
    return std::move(file_);
  }

 private:
  void refuse_unknown(const ConfigNode& map, const std::vector<std::string>& known, const std::string& where) {
    for (const ConfigNode::Entry& entry : map.entries) {
      if (std::ranges::find(known, entry.key) == known.end()) {
        problems_.add(entry.key_origin, fmt::format("unknown key '{}'{}{}; expected {}", entry.key, where,
                                                    did_you_mean(entry.key, known), fmt::join(known, ", ")));
      }
    }
  }

  // One or several: a single value is equivalent to a list of one.
  std::vector<const ConfigNode*> items_of(const ConfigNode& root, const char* key, const char* what) {
    std::vector<const ConfigNode*> items;
    const ConfigNode::Entry* entry = root.find(key);
    if (entry == nullptr) {
      problems_.add(root.origin, fmt::format("missing key '{}' ({})", key, what));
      return items;
    }
    if (entry->value.kind != Kind::kList) {
      items.push_back(&entry->value);
      return items;
    }
    if (entry->value.items.empty()) {
      problems_.add(entry->value.origin, fmt::format("'{}' is empty; expected {}", key, what));
    }
    for (const ConfigNode& item : entry->value.items) {
      items.push_back(&item);
    }
    return items;
  }

  SweepText text_of(const ConfigNode& node, const std::string& what) {
    if (!is_text(node)) {
      problems_.add(node.origin, fmt::format("{} must be a text, got {}", what, kind_name(node)));
    }
    return {node.scalar, node.origin};
  }

  void read_gpus(const ConfigNode& root) {
    for (const ConfigNode* item : items_of(root, "gpus", "names of GPU descriptions, or files")) {
      file_.gpus.push_back(text_of(*item, "a GPU"));
    }
  }

  void read_traces(const ConfigNode& root) {
    SweepText launches;
    if (const ConfigNode::Entry* entry = root.find("launches")) {
      launches = text_of(entry->value, "'launches'");
    }
    for (const ConfigNode* item : items_of(root, "traces", "paths of traces")) {
      SweepTrace trace;
      trace.launches = launches;
      if (item->kind == Kind::kMap) {
        read_trace_map(*item, trace);
      } else {
        trace.pattern = text_of(*item, "a trace");
      }
      file_.traces.push_back(std::move(trace));
    }
  }

  void read_trace_map(const ConfigNode& map, SweepTrace& trace) {
    refuse_unknown(map, kTraceKeys, " of a trace");
    if (const ConfigNode::Entry* entry = map.find("path")) {
      trace.pattern = text_of(entry->value, "'path'");
    } else {
      problems_.add(map.origin, "missing key 'path' (of a trace)");
    }
    if (const ConfigNode::Entry* entry = map.find("name")) {
      trace.name = text_of(entry->value, "'name'");
    }
    if (const ConfigNode::Entry* entry = map.find("launches")) {
      trace.launches = text_of(entry->value, "'launches'");
    }
  }

  // True if the entry is there and a map.
  bool is_section(const ConfigNode::Entry* entry, const char* example) {
    if (entry == nullptr) {
      return false;
    }
    if (entry->value.kind != Kind::kMap) {
      problems_.add(entry->value.origin, fmt::format("'{}' must be a section like {}, got {}", entry->key, example,
                                                     kind_name(entry->value)));
      return false;
    }
    return true;
  }

  void read_options(const ConfigNode::Entry* entry) {
    if (is_section(entry, "{cache_control: none}")) {
      for (const ConfigNode::Entry& option : entry->value.entries) {
        file_.options.push_back(
            {{option.key, option.key_origin}, text_of(option.value, fmt::format("option '{}'", option.key))});
      }
    }
  }

  void read_settings(const ConfigNode::Entry* entry) {
    if (is_section(entry, "{l2.num_ways: 24}")) {
      file_.settings = settings_of(entry->value);
    }
  }

  std::vector<SweepSetting> settings_of(const ConfigNode& map) {
    std::vector<SweepSetting> settings;
    for (const ConfigNode::Entry& entry : map.entries) {
      settings.push_back(setting(entry.key, entry.value));
    }
    return settings;
  }

  SweepSetting setting(const std::string& path, const ConfigNode& value) {
    return {path, value_text(path, value), value.origin};
  }

  // In the form of the command line.
  std::string value_text(const std::string& path, const ConfigNode& value) {
    if (value.kind == Kind::kScalar) {
      return value.quoted ? quoted(value.scalar) : value.scalar;
    }
    if (value.kind == Kind::kList) {
      std::vector<std::string> items;
      for (const ConfigNode& item : value.items) {
        items.push_back(value_text(path, item));
      }
      return fmt::format("[{}]", fmt::join(items, ", "));
    }
    problems_.add(value.origin,
                  value.kind == Kind::kMap
                      ? fmt::format("'{0}' must be a value; a section's keys are written as '{0}.KEY: VALUE'", path)
                      : fmt::format("'{}' has no value", path));
    return "";
  }

  static std::string quoted(const std::string& text) {
    std::string inner;
    for (const char c : text) {
      inner += c == '\'' ? std::string("''") : std::string(1, c);
    }
    return "'" + inner + "'";
  }

  void read_grid(const ConfigNode::Entry* entry) {
    if (!is_section(entry, "{l2.num_ways: [16, 24]}")) {
      return;
    }
    for (const ConfigNode::Entry& line : entry->value.entries) {
      SweepAxis axis;
      axis.path = {line.key, line.key_origin};
      if (line.value.kind != Kind::kList || line.value.items.empty()) {
        problems_.add(line.value.origin,
                      fmt::format("'{}' must be a list of the values to try, like [16, 24], got {}", line.key,
                                  line.value.kind == Kind::kList ? "an empty list" : kind_name(line.value)));
        continue;
      }
      std::set<std::string> seen;
      for (const ConfigNode& item : line.value.items) {
        axis.values.push_back(setting(line.key, item));
        if (!seen.insert(axis.values.back().value).second) {
          problems_.add(item.origin, fmt::format("'{}' is {} twice", line.key, axis.values.back().value));
        }
      }
      file_.axes.push_back(std::move(axis));
    }
  }

  void read_points(const ConfigNode::Entry* entry) {
    if (entry == nullptr) {
      return;
    }
    if (entry->value.kind != Kind::kList || entry->value.items.empty()) {
      problems_.add(
          entry->value.origin,
          fmt::format(
              "'points' must be a list of the values that each point sets, like [{{}}, {{l2.num_ways: 24}}], got {}",
              entry->value.kind == Kind::kList ? "an empty list" : kind_name(entry->value)));
      return;
    }
    for (const ConfigNode& item : entry->value.items) {
      if (item.kind != Kind::kMap) {
        problems_.add(item.origin, fmt::format("a point must be a section like {{l2.num_ways: 24}}, or {{}} for none, "
                                               "got {}",
                                               kind_name(item)));
        continue;
      }
      file_.points.push_back(settings_of(item));
      file_.point_origins.push_back(item.origin);
    }
  }

  SweepFile file_;
  ConfigProblems problems_;
};

}  // namespace

std::string SweepFile::resolved(const std::string& relative) const {
  const fs::path inner(relative);
  return inner.is_absolute() ? relative : (fs::path(path).parent_path() / inner).lexically_normal().string();
}

SweepFile read_sweep_file(const std::string& path) {
  return parse_sweep(require_input<ConfigError>(path, "a sweep in YAML", kYamlLimitBytes), path);
}

SweepFile parse_sweep(const std::string& text, const std::string& path) {
  return SweepReader(path).read(text);
}

}  // namespace warpsim
