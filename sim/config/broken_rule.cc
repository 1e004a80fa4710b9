#include "config/broken_rule.h"

#include <algorithm>
#include <cctype>
#include <string_view>

namespace warpsim {

namespace {

// 0: --set; then the files, the user's own first.
std::size_t distance(const ConfigOrigin& origin, const std::vector<std::string>& files) {
  if (origin.line == 0) {
    return 0;
  }
  return static_cast<std::size_t>(std::ranges::find(files, origin.source) - files.begin()) + 1;
}

// Whether the sentence has the key among its words; a word may be a path that ends with it.
bool names(std::string_view sentence, std::string_view key) {
  const auto in_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  for (std::size_t at = sentence.find(key); at != std::string_view::npos; at = sentence.find(key, at + 1)) {
    const std::size_t end = at + key.size();
    if ((at == 0 || !in_word(sentence[at - 1])) && (end == sentence.size() || !in_word(sentence[end]))) {
      return true;
    }
  }
  return false;
}

std::string text_of(const ConfigNode& node) {
  if (node.kind != ConfigNode::Kind::kList) {
    return node.scalar;
  }
  std::string text = "[";
  for (const ConfigNode& item : node.items) {
    text += (text.size() == 1 ? "" : ", ") + item.scalar;
  }
  return text + "]";
}

class Search {
 public:
  Search(const BrokenRule& rule, const std::vector<std::string>& files)
      : rule_(rule), files_(files), section_(rule.path.substr(0, rule.path.rfind('.') + 1)) {}

  std::optional<BrokenBy> in(const ConfigNode& root) {
    best_distance_ = distance(rule_.origin, files_);
    if (best_distance_ == 0) {
      return std::nullopt;
    }
    visit(root, "");
    return best_;
  }

 private:
  void visit(const ConfigNode& map, const std::string& prefix) {
    for (const ConfigNode::Entry& entry : map.entries) {
      const std::string path = prefix + entry.key;
      if (entry.value.kind == ConfigNode::Kind::kMap) {
        visit(entry.value, path + ".");
      } else {
        consider(entry, path);
      }
    }
  }

  void consider(const ConfigNode::Entry& entry, const std::string& path) {
    const bool named = names(rule_.sentence, entry.key);
    // The user's own value may be wrong; a neighbour is reported only if the rule's value is from a base file, which is
    // valid.
    const bool of_base = distance(rule_.origin, files_) > 1;
    const bool related =
        named || (of_base && (path.starts_with(rule_.path + ".") || (!section_.empty() && path.starts_with(section_))));
    const std::size_t far = distance(entry.value.origin, files_);
    const bool nearer = best_ && named == best_named_ ? far < best_distance_ : far < distance(rule_.origin, files_);
    if (!related || !nearer || (best_named_ && !named)) {
      return;
    }
    best_ = BrokenBy{path, text_of(entry.value), entry.value.origin};
    best_named_ = named;
    best_distance_ = far;
  }

  const BrokenRule& rule_;
  const std::vector<std::string>& files_;
  std::string section_;  // with a dot at its end; empty: the whole
  std::optional<BrokenBy> best_;
  bool best_named_ = false;
  std::size_t best_distance_ = 0;
};

}  // namespace

std::optional<BrokenBy> find_culprit(const ConfigNode& root, const BrokenRule& rule,
                                     const std::vector<std::string>& files) {
  return Search(rule, files).in(root);
}

}  // namespace warpsim
