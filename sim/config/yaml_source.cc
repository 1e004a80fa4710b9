#include "config/yaml_source.h"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <sstream>

namespace warpsim {

namespace {

constexpr std::size_t kMostBytes = 1 << 20;
constexpr std::size_t kDeepest = 16;

// Builds the tree from parse events. yaml-cpp's own node tree is not used: it accepts duplicate keys and unfolds
// aliases.
class TreeBuilder final : public YAML::EventHandler {
 public:
  TreeBuilder(std::string source, bool has_lines, ConfigProblems& problems)
      : source_(std::move(source)), has_lines_(has_lines), problems_(problems) {}

  ConfigNode take() { return std::move(root_); }

  void OnDocumentStart(const YAML::Mark& mark) override {
    if (++documents_ > 1) {
      problems_.add(origin(mark), "a second document begins here; one description a file");
    }
  }
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    refuse_decoration(mark, "", anchor);
    ConfigNode node;
    node.origin = origin(mark);
    complete(std::move(node));
  }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t /*anchor*/) override {
    problems_.add(origin(mark), "aliases (*name) are not supported; write the value out or use 'extends'");
    ConfigNode node;
    node.origin = origin(mark);
    complete(std::move(node));
  }
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    refuse_decoration(mark, tag, anchor);
    ConfigNode node;
    node.kind = ConfigNode::Kind::kScalar;
    node.quoted = tag == "!";
    node.scalar = value;
    node.origin = origin(mark);
    complete(std::move(node));
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value /*style*/) override {
    open(mark, tag, anchor, ConfigNode::Kind::kList);
  }
  void OnSequenceEnd() override { close(); }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value /*style*/) override {
    open(mark, tag, anchor, ConfigNode::Kind::kMap);
  }
  void OnMapEnd() override { close(); }

 private:
  struct Level {
    ConfigNode node;
    bool has_key = false;
    std::string key;
    ConfigOrigin key_origin;
  };

  ConfigOrigin origin(const YAML::Mark& mark) const {
    if (!has_lines_) {
      return {source_, 0, 0};
    }
    // yaml-cpp counts from 0.
    return {source_, static_cast<std::size_t>(mark.line) + 1, static_cast<std::size_t>(mark.column) + 1};
  }

  void refuse_decoration(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor) {
    if (anchor != 0) {
      problems_.add(origin(mark), "anchors (&name) are not supported; write the value out or use 'extends'");
    }
    if (!tag.empty() && tag != "?" && tag != "!") {
      problems_.add(origin(mark), "the tag '" + tag + "' is not supported; write the plain value");
    }
  }

  void open(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor, ConfigNode::Kind kind) {
    refuse_decoration(mark, tag, anchor);
    if (levels_.size() >= kDeepest) {
      throw ConfigError(origin(mark).position() + ": nested deeper than " + std::to_string(kDeepest) + " levels");
    }
    Level level;
    level.node.kind = kind;
    level.node.origin = origin(mark);
    levels_.push_back(std::move(level));
  }

  void close() {
    ConfigNode node = std::move(levels_.back().node);
    levels_.pop_back();
    complete(std::move(node));
  }

  void complete(ConfigNode node) {
    if (levels_.empty()) {
      if (documents_ == 1) {
        root_ = std::move(node);
      }
      return;
    }
    Level& level = levels_.back();
    if (level.node.kind == ConfigNode::Kind::kList) {
      level.node.items.push_back(std::move(node));
    } else if (!level.has_key) {
      begin_entry(level, node);
    } else {
      end_entry(level, std::move(node));
    }
  }

  void begin_entry(Level& level, const ConfigNode& key) {
    level.has_key = true;
    level.key = key.scalar;
    level.key_origin = key.origin;
    if (key.kind != ConfigNode::Kind::kScalar) {
      problems_.add(key.origin, "a key must be a word");
      level.key.clear();
    }
  }

  void end_entry(Level& level, ConfigNode value) {
    level.has_key = false;
    if (level.key.empty()) {
      return;
    }
    if (const ConfigNode::Entry* first = level.node.find(level.key)) {
      problems_.add(level.key_origin,
                    "duplicate key '" + level.key + "', first given at " + first->key_origin.position());
      return;
    }
    if (value.kind == ConfigNode::Kind::kNull) {
      value.origin = level.key_origin;  // nothing is written nowhere: name the key
    }
    level.node.entries.push_back({level.key, level.key_origin, std::move(value)});
  }

  std::string source_;
  bool has_lines_;
  ConfigProblems& problems_;
  ConfigNode root_;
  std::vector<Level> levels_;
  int documents_ = 0;
};

ConfigNode parse(const std::string& text, const std::string& source, bool has_lines, ConfigProblems& problems) {
  if (text.size() > kMostBytes) {
    throw ConfigError(source + ": larger than 1 MiB; expected a text in YAML");
  }
  if (text.find('\0') != std::string::npos) {
    throw ConfigError(source + ": not text; expected a text in YAML");
  }
  TreeBuilder builder(source, has_lines, problems);
  try {
    std::istringstream stream(text);
    YAML::Parser parser(stream);
    while (parser.HandleNextDocument(builder)) {
    }
  } catch (const YAML::Exception& error) {
    if (!has_lines) {
      throw ConfigError(source + ": not a YAML value: " + error.msg);
    }
    const ConfigOrigin at{source, static_cast<std::size_t>(error.mark.line) + 1,
                          static_cast<std::size_t>(error.mark.column) + 1};
    throw ConfigError(at.position() + ": not valid YAML: " + error.msg);
  }
  ConfigNode root = builder.take();
  if (root.origin.source.empty()) {
    root.origin = {source, has_lines ? std::size_t{1} : std::size_t{0}, has_lines ? std::size_t{1} : std::size_t{0}};
  }
  return root;
}

}  // namespace

ConfigNode parse_yaml(const std::string& text, const std::string& source, ConfigProblems& problems) {
  return parse(text, source, true, problems);
}

ConfigNode parse_yaml_value(const std::string& text, const std::string& source, ConfigProblems& problems) {
  return parse(text, source, false, problems);
}

}  // namespace warpsim
