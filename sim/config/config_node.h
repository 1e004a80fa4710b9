// A GPU description as a tree of values, each with its position in the source. It is the result of parsing YAML: maps,
// lists and scalars, without anchors, tags or merge keys.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace warpsim {

struct ConfigOrigin {
  std::string source;      // path of the file, or "--set l2.num_ways=24"
  std::size_t line = 0;    // from 1; 0: not a file
  std::size_t column = 0;  // from 1

  // "configs/h100.yaml:3:5", or only the source.
  std::string position() const {
    return line == 0 ? source : source + ":" + std::to_string(line) + ":" + std::to_string(column);
  }
  // "configs/h100.yaml:3" or "--set": the origin that the results database stores with each value.
  std::string brief() const { return line == 0 ? "--set" : source + ":" + std::to_string(line); }
};

struct ConfigNode {
  enum class Kind : unsigned char { kNull, kScalar, kList, kMap };

  struct Entry;

  Kind kind = Kind::kNull;
  bool quoted = false;  // scalar in quotes: text, never a number
  std::string scalar;
  std::vector<ConfigNode> items;  // kList
  std::vector<Entry> entries;     // kMap, in the order written, keys unique
  ConfigOrigin origin;

  Entry* find(const std::string& key);
  const Entry* find(const std::string& key) const;
};

struct ConfigNode::Entry {
  std::string key;
  ConfigOrigin key_origin;
  ConfigNode value;
};

inline ConfigNode::Entry* ConfigNode::find(const std::string& key) {
  for (Entry& entry : entries) {
    if (entry.key == key) {
      return &entry;
    }
  }
  return nullptr;
}
inline const ConfigNode::Entry* ConfigNode::find(const std::string& key) const {
  return const_cast<ConfigNode*>(this)->find(key);
}

}  // namespace warpsim
