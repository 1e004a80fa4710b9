#include "config/config_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <limits>
#include <optional>

#include "base/check.h"
#include "config/broken_rule.h"
#include "config/near_miss.h"

namespace warpsim {

namespace {

std::string shortened(const std::string& text) {
  constexpr std::size_t kMost = 60;
  return text.size() <= kMost ? text : text.substr(0, kMost) + "...";
}

std::string decimal_range(std::uint64_t min, std::uint64_t max) {
  return max == std::numeric_limits<std::uint64_t>::max() ? fmt::format("a decimal integer from {}", min)
                                                          : fmt::format("a decimal integer from {} to {}", min, max);
}

bool plain(const ConfigNode& node) {
  return node.kind == ConfigNode::Kind::kScalar && !node.quoted;
}

}  // namespace

std::string kind_name(const ConfigNode& node) {
  switch (node.kind) {
    case ConfigNode::Kind::kNull:
      return "nothing";
    case ConfigNode::Kind::kList:
      return "a list";
    case ConfigNode::Kind::kMap:
      return "a section";
    case ConfigNode::Kind::kScalar:
      break;
  }
  return (node.quoted ? "the quoted text '" : "'") + shortened(node.scalar) + "'";
}

const ConfigNode::Entry* ConfigReader::take(std::string_view key, const std::string& expected) {
  const std::string name(key);
  SIM_CHECK(std::find(known_.begin(), known_.end(), name) == known_.end(), "config key described twice: " + path(key));
  known_.push_back(name);
  const ConfigNode::Entry* entry = map_.find(name);
  if (entry == nullptr) {
    problems_.add(where_, fmt::format("missing key '{}' ({})", path(key), expected));
    bad_ = true;
  }
  return entry;
}

void ConfigReader::complain(const ConfigNode::Entry& entry, const std::string& what) {
  problems_.add(entry.value.origin, fmt::format("'{}' {}", path(entry.key), what));
  bad_ = true;
}

void ConfigReader::keep(const ConfigNode::Entry& entry, std::string text) {
  values_.push_back({path(entry.key), std::move(text), entry.value.origin.brief()});
}

bool ConfigReader::parse_integer(const ConfigNode::Entry& entry, const ConfigNode& node, std::uint64_t min,
                                 std::uint64_t max, std::uint64_t& out) {
  std::uint64_t value = 0;
  const char* end = node.scalar.data() + node.scalar.size();
  const auto [stop, error] = std::from_chars(node.scalar.data(), end, value);
  const bool number = plain(node) && error == std::errc() && stop == end;
  if (number && std::to_string(value) != node.scalar) {
    complain(entry, fmt::format("must be written without leading zeros, got '{}'", shortened(node.scalar)));
    return false;
  }
  if (!number || value < min || value > max) {
    complain(entry, fmt::format("must be {}, got {}", decimal_range(min, max), kind_name(node)));
    return false;
  }
  out = value;
  return true;
}

void ConfigReader::integer(std::string_view key, std::uint32_t& out, std::uint64_t min, std::uint64_t max,
                           std::string_view sentence) {
  SIM_CHECK(max <= std::numeric_limits<std::uint32_t>::max(), "range of a 32-bit config key is too wide: " + path(key));
  std::uint64_t value = out;
  integer(key, value, min, max, sentence);
  out = static_cast<std::uint32_t>(value);
}

void ConfigReader::integer(std::string_view key, std::uint64_t& out, std::uint64_t min, std::uint64_t max,
                           std::string_view /*sentence*/) {
  const ConfigNode::Entry* entry = take(key, decimal_range(min, max));
  if (entry != nullptr && parse_integer(*entry, entry->value, min, max, out)) {
    keep(*entry, std::to_string(out));
  }
}

void ConfigReader::real(std::string_view key, double& out, double min, double max, std::string_view /*sentence*/) {
  const std::string expected = fmt::format("a number from {} to {}", min, max);
  const ConfigNode::Entry* entry = take(key, expected);
  if (entry == nullptr) {
    return;
  }
  const std::string& text = entry->value.scalar;
  double value = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool number = plain(entry->value) && error == std::errc() && stop == text.data() + text.size();
  if (!number || !std::isfinite(value) || value < min || value > max) {
    complain(*entry, fmt::format("must be {}, got {}", expected, kind_name(entry->value)));
    return;
  }
  out = value;
  keep(*entry, fmt::format("{}", value));
}

void ConfigReader::boolean(std::string_view key, bool& out, std::string_view /*sentence*/) {
  const ConfigNode::Entry* entry = take(key, "true or false");
  if (entry == nullptr) {
    return;
  }
  const std::string& text = entry->value.scalar;
  if (!plain(entry->value) || (text != "true" && text != "false")) {
    complain(*entry, "must be true or false, got " + kind_name(entry->value));
    return;
  }
  out = text == "true";
  keep(*entry, text);
}

void ConfigReader::text(std::string_view key, std::string& out, std::string_view /*sentence*/) {
  const ConfigNode::Entry* entry = take(key, "a text");
  if (entry == nullptr) {
    return;
  }
  if (entry->value.kind != ConfigNode::Kind::kScalar || entry->value.scalar.empty()) {
    complain(*entry, "must be a text, got " + kind_name(entry->value));
    return;
  }
  out = entry->value.scalar;
  keep(*entry, out);
}

void ConfigReader::integers(std::string_view key, std::vector<std::uint32_t>& out, std::uint64_t min, std::uint64_t max,
                            std::string_view /*sentence*/) {
  SIM_CHECK(max <= std::numeric_limits<std::uint32_t>::max(), "range of a 32-bit config key is too wide: " + path(key));
  const ConfigNode::Entry* entry = take(key, "a list, each item " + decimal_range(min, max));
  if (entry == nullptr) {
    return;
  }
  if (entry->value.kind != ConfigNode::Kind::kList) {
    complain(*entry, "must be a list like [1, 2], got " + kind_name(entry->value));
    return;
  }
  std::vector<std::uint32_t> values;
  bool good = true;
  for (const ConfigNode& item : entry->value.items) {
    std::uint64_t value = 0;
    good = parse_integer(*entry, item, min, max, value) && good;
    values.push_back(static_cast<std::uint32_t>(value));
  }
  if (good) {
    out = std::move(values);
    keep(*entry, fmt::format("[{}]", fmt::join(out, ", ")));
  }
}

void ConfigReader::word(std::string_view key, std::size_t& out, const std::vector<std::string>& words,
                        std::string_view /*sentence*/) {
  const std::string expected = fmt::format("one of {}", fmt::join(words, ", "));
  const ConfigNode::Entry* entry = take(key, expected);
  if (entry == nullptr) {
    return;
  }
  const auto found = std::find(words.begin(), words.end(), entry->value.scalar);
  if (entry->value.kind != ConfigNode::Kind::kScalar || found == words.end()) {
    complain(*entry, fmt::format("must be {}, got {}{}", expected, kind_name(entry->value),
                                 did_you_mean(entry->value.scalar, words)));
    return;
  }
  out = static_cast<std::size_t>(found - words.begin());
  keep(*entry, *found);
}

std::string ConfigReader::mechanism(std::string_view key, std::string& out, const std::vector<std::string>& words,
                                    std::string_view /*sentence*/) {
  const std::string expected = fmt::format("one of {} or LIBRARY:NAME", fmt::join(words, ", "));
  const ConfigNode::Entry* entry = take(key, expected);
  if (entry == nullptr) {
    return {};
  }
  const std::string& name = entry->value.scalar;
  const std::size_t colon = name.rfind(':');
  const bool of_library = colon != std::string::npos && colon != 0 && colon + 1 != name.size();
  if (entry->value.kind != ConfigNode::Kind::kScalar ||
      (!of_library && std::find(words.begin(), words.end(), name) == words.end())) {
    complain(*entry, fmt::format("must be {}, got {}{}", expected, kind_name(entry->value), did_you_mean(name, words)));
    return {};
  }
  out = name;
  keep(*entry, name);
  const ConfigOrigin& origin = entry->value.origin;
  return origin.line == 0 ? std::string() : std::filesystem::path(origin.source).parent_path().string();
}

void ConfigReader::section(std::string_view key, std::string_view /*sentence*/,
                           const std::function<void(ConfigSection&)>& describe_nested) {
  if (const ConfigNode::Entry* entry = take(key, "a section"); entry != nullptr) {
    read_nested(*entry, describe_nested);
  }
}

void ConfigReader::read_nested(const ConfigNode::Entry& entry,
                               const std::function<void(ConfigSection&)>& describe_nested) {
  if (entry.value.kind != ConfigNode::Kind::kMap) {
    complain(entry, "must be a section (keys below it), got " + kind_name(entry.value));
    return;
  }
  ConfigReader nested(*this, entry);
  describe_nested(nested);
  nested.finish();
  bad_ = bad_ || nested.bad_;
}

void ConfigReader::optional_section(std::string_view key, std::string_view sentence,
                                    const std::function<void(ConfigSection&)>& describe_nested) {
  if (map_.find(std::string(key)) != nullptr) {
    section(key, sentence, describe_nested);
    return;
  }
  known_.emplace_back(key);
  ConfigNode::Entry absent{std::string(key), where_, {}};
  absent.value.kind = ConfigNode::Kind::kMap;
  read_nested(absent, describe_nested);
}

bool ConfigReader::given(std::string_view key, const std::string& fallback) {
  if (map_.find(std::string(key)) != nullptr) {
    return true;
  }
  known_.emplace_back(key);
  values_.push_back({path(key), fallback, "default"});
  return false;
}

void ConfigReader::refuse(std::string_view key, const std::string& message) {
  if (const ConfigNode::Entry* entry = map_.find(std::string(key)); entry != nullptr) {
    known_.emplace_back(key);
    complain(*entry, message);
  }
}

void ConfigReader::derived(std::string_view key, const std::string& value) {
  values_.push_back({path(key), value, "derived"});
}

void ConfigReader::problem(std::string_view key, const std::string& message) {
  if (bad_) {
    return;
  }
  const ConfigNode::Entry* entry = map_.find(std::string(key));
  const ConfigOrigin& where = entry == nullptr ? where_ : entry->value.origin;
  const std::optional<BrokenBy> culprit = find_culprit(root_, {path(key), where, message}, files_);
  if (!culprit) {
    problems_.add(where, fmt::format("'{}' {}", path(key), message));
    return;
  }
  problems_.add(culprit->origin, fmt::format("'{}' = {} violates a rule of '{}' ({}): {}", culprit->path,
                                             culprit->value, path(key), where.position(), message));
}

void ConfigReader::finish() {
  for (const ConfigNode::Entry& entry : map_.entries) {
    if (std::find(known_.begin(), known_.end(), entry.key) == known_.end()) {
      problems_.add(entry.key_origin,
                    fmt::format("unknown key '{}'{}", path(shortened(entry.key)), did_you_mean(entry.key, known_)));
    }
  }
}

}  // namespace warpsim
