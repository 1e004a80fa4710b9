#include "app/launch_file/launch_map.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "base/check.h"
#include "config/config_reader.h"
#include "config/near_miss.h"

namespace warpsim {

namespace {

constexpr std::uint64_t kLargestSize = 0x7fffffff;

bool is_plain(const ConfigNode& node) {
  return node.kind == ConfigNode::Kind::kScalar && !node.quoted;
}

std::string range_text(std::uint64_t least, std::uint64_t most) {
  return most == ~std::uint64_t{0} ? fmt::format("an integer, at least {}", least)
                                   : fmt::format("an integer from {} to {}", least, most);
}

}  // namespace

LaunchMap::LaunchMap(const ConfigNode& node, std::vector<const LaunchFileMap*> kinds, ConfigProblems& problems,
                     const std::vector<std::string>& further_keys)
    : map_(node), kinds_(std::move(kinds)), problems_(problems) {
  if (node.kind != ConfigNode::Kind::kMap) {
    problems_.add(node.origin, fmt::format("expected a {}, which is a map (key: value), got {}", kinds_.front()->name,
                                           kind_name(node)));
    return;
  }
  std::vector<std::string> known = further_keys;
  for (const LaunchFileMap* kind : kinds_) {
    for (const LaunchFileKey& key : kind->keys) {
      known.emplace_back(key.key);
    }
  }
  for (const ConfigNode::Entry& entry : node.entries) {
    if (std::ranges::find(known, entry.key) == known.end()) {
      problems_.add(entry.key_origin, fmt::format("a {} has no key '{}'{}", kinds_.front()->name, entry.key,
                                                  did_you_mean(entry.key, known)));
    }
  }
}

std::string LaunchMap::name_of(const char* key) const {
  return fmt::format("'{}' of a {}", key, kinds_.back()->name);
}

const ConfigNode* LaunchMap::find(const char* key) const {
  const bool known = std::ranges::any_of(kinds_, [key](const LaunchFileMap* kind) {
    return std::ranges::any_of(kind->keys, [key](const LaunchFileKey& row) { return std::string(key) == row.key; });
  });
  SIM_CHECK(known, std::string("no key of launch files: ") + key);
  const ConfigNode::Entry* const entry = map_.find(key);
  return entry == nullptr ? nullptr : &entry->value;
}

const ConfigNode* LaunchMap::require(const char* key) const {
  const ConfigNode* const node = find(key);
  if (node == nullptr && map_.kind == ConfigNode::Kind::kMap) {
    problems_.add(map_.origin, fmt::format("{} is missing", name_of(key)));
  }
  return node;
}

std::optional<std::uint64_t> integer_of(const ConfigNode& node, std::uint64_t least, std::uint64_t most) {
  std::uint64_t value = 0;
  const char* const end = node.scalar.data() + node.scalar.size();
  const auto [stop, error] = std::from_chars(node.scalar.data(), end, value);
  const bool good = is_plain(node) && error == std::errc() && stop == end && std::to_string(value) == node.scalar;
  return good && value >= least && value <= most ? std::optional(value) : std::nullopt;
}

std::optional<std::uint64_t> LaunchMap::integer(const char* key, std::uint64_t least, std::uint64_t most) const {
  const ConfigNode* const node = find(key);
  if (node == nullptr) {
    return std::nullopt;
  }
  const std::optional<std::uint64_t> value = integer_of(*node, least, most);
  if (!value) {
    problems_.add(node->origin,
                  fmt::format("{} must be {}, got {}", name_of(key), range_text(least, most), kind_name(*node)));
  }
  return value;
}

double LaunchMap::number_or(const char* key, double otherwise) const {
  const ConfigNode* const node = find(key);
  if (node == nullptr) {
    return otherwise;
  }
  double value = 0;
  const char* const end = node->scalar.data() + node->scalar.size();
  const auto [stop, error] = std::from_chars(node->scalar.data(), end, value);
  if (!is_plain(*node) || error != std::errc() || stop != end || !std::isfinite(value) || value < 0) {
    problems_.add(node->origin, fmt::format("{} must be a number, at least 0, got {}", name_of(key), kind_name(*node)));
    return otherwise;
  }
  return value;
}

bool LaunchMap::boolean(const char* key) const {
  const ConfigNode* const node = find(key);
  if (node != nullptr && (!is_plain(*node) || (node->scalar != "true" && node->scalar != "false"))) {
    problems_.add(node->origin, fmt::format("{} must be true or false, got {}", name_of(key), kind_name(*node)));
  }
  return node != nullptr && node->scalar == "true";
}

std::string LaunchMap::text(const char* key) const {
  const ConfigNode* const node = find(key);
  if (node == nullptr) {
    return "";
  }
  if (node->kind != ConfigNode::Kind::kScalar || node->scalar.empty()) {
    problems_.add(node->origin, fmt::format("{} must be a text, got {}", name_of(key), kind_name(*node)));
    return "";
  }
  return node->scalar;
}

std::string LaunchMap::required_text(const char* key) const {
  return require(key) == nullptr ? "" : text(key);
}

std::size_t LaunchMap::word(const char* key, const std::vector<std::string>& words) const {
  const ConfigNode* const node = find(key);
  if (node == nullptr) {
    return 0;
  }
  const auto found = std::ranges::find(words, node->scalar);
  if (node->kind != ConfigNode::Kind::kScalar || found == words.end()) {
    problems_.add(node->origin, fmt::format("{} must be one of {}, got {}{}", name_of(key), fmt::join(words, ", "),
                                            kind_name(*node), did_you_mean(node->scalar, words)));
    return 0;
  }
  return static_cast<std::size_t>(found - words.begin());
}

std::optional<Dim3> LaunchMap::size(const char* key) const {
  const ConfigNode* const node = find(key);
  if (node == nullptr) {
    return std::nullopt;
  }
  constexpr std::size_t kDimensions = 3;
  const bool list = node->kind == ConfigNode::Kind::kList;
  std::vector<std::optional<std::uint64_t>> numbers;
  if (!list) {
    numbers.push_back(integer_of(*node, 1, kLargestSize));
  } else {
    for (const ConfigNode& item : node->items) {
      numbers.push_back(integer_of(item, 1, kLargestSize));
    }
  }
  const bool wrong = std::ranges::any_of(numbers, [](const auto& number) { return !number; });
  if (numbers.empty() || numbers.size() > kDimensions || wrong) {
    problems_.add(node->origin, fmt::format("{} must be an integer from 1 to {}, or a list of one to three of them",
                                            name_of(key), kLargestSize));
    return std::nullopt;
  }
  numbers.resize(kDimensions, 1);
  return Dim3{static_cast<std::uint32_t>(*numbers[0]), static_cast<std::uint32_t>(*numbers[1]),
              static_cast<std::uint32_t>(*numbers[2])};
}

const std::vector<ConfigNode>& LaunchMap::items(const char* key) const {
  static const std::vector<ConfigNode> none;
  const ConfigNode* const node = find(key);
  if (node == nullptr) {
    return none;
  }
  if (node->kind != ConfigNode::Kind::kList) {
    problems_.add(node->origin, fmt::format("{} must be a list, got {}", name_of(key), kind_name(*node)));
    return none;
  }
  return node->items;
}

}  // namespace warpsim
