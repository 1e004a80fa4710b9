#include "config/yaml_source.h"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <iterator>
#include <sstream>
#include <string_view>

namespace warpsim {

namespace {

constexpr std::size_t kDeepest = 16;

// The beginning of yaml-cpp's message, and the message shown instead.
struct SyntaxError {
  std::string_view theirs;
  const char* ours;
};
constexpr const char* kOtherError =
    "this is not valid YAML; expected 'key: value', an item '- value' of a list, or a comment";
std::string syntax_error(std::string_view theirs) {
  const SyntaxError known_errors[] = {
      {YAML::ErrorMsg::TAB_IN_INDENTATION, "a tab character in the indentation; expected spaces"},
      {YAML::ErrorMsg::MAP_VALUE,
       "':' where no value can begin; expected one 'key: value' per line, indented like its neighbours"},
      {YAML::ErrorMsg::MAP_KEY, "a key is not possible here; expected 'key: value', indented like its neighbours"},
      {YAML::ErrorMsg::BLOCK_ENTRY, "'-' where no list can begin; expected the list on lines of its own, or [a, b]"},
      {YAML::ErrorMsg::END_OF_SEQ_FLOW, "the list that began with '[' has no ']'"},
      {YAML::ErrorMsg::END_OF_MAP_FLOW, "the section that began with '{' has no '}'"},
      {YAML::ErrorMsg::END_OF_SEQ, "the list ends in the middle; expected another item or less indentation"},
      {YAML::ErrorMsg::END_OF_MAP, "the section ends in the middle; expected another 'key: value' or less indentation"},
      {YAML::ErrorMsg::FLOW_END, "']' or '}' without its opening bracket"},
      {YAML::ErrorMsg::UNKNOWN_TOKEN, "no value begins with this character; quote the text if it belongs to it"},
      {YAML::ErrorMsg::INVALID_ESCAPE, "an unknown escape after '\\'; double it, or use single quotes"},
      {YAML::ErrorMsg::INVALID_HEX, "an escape '\\x', '\\u' or '\\U' without its hexadecimal digits"},
      {YAML::ErrorMsg::INVALID_UNICODE, "an escape that is not a Unicode character"},
      {YAML::ErrorMsg::DOC_IN_SCALAR, "'---' or '...' inside a quoted text"},
      {YAML::ErrorMsg::EOF_IN_SCALAR, "the quoted text has no closing quote"},
      {YAML::ErrorMsg::CHAR_IN_BLOCK, "a character that cannot follow '|' or '>'; expected the text on the next line"},
      {YAML::ErrorMsg::ZERO_INDENT_IN_BLOCK, "'|' or '>' with an indentation of 0; expected 1 to 9"},
      {YAML::ErrorMsg::UNKNOWN_ANCHOR, "aliases (*name) are not supported; write the value out or use 'extends'"},
      {YAML::ErrorMsg::ALIAS_NOT_FOUND, "'*' without a name; quote the text if it belongs to it"},
      {YAML::ErrorMsg::CHAR_IN_ALIAS, "aliases (*name) are not supported; quote the text if '*' belongs to it"},
      {YAML::ErrorMsg::ANCHOR_NOT_FOUND, "'&' without a name; quote the text if it belongs to it"},
      {YAML::ErrorMsg::CHAR_IN_ANCHOR, "anchors (&name) are not supported; quote the text if '&' belongs to it"},
      {YAML::ErrorMsg::YAML_VERSION, "a '%YAML' line without a version; leave the line out"},
      {YAML::ErrorMsg::YAML_MAJOR_VERSION, "a '%YAML' line with a newer version; leave the line out"},
  };
  const auto* const known = std::find_if(std::begin(known_errors), std::end(known_errors),
                                         [theirs](const SyntaxError& row) { return theirs.starts_with(row.theirs); });
  return known == std::end(known_errors) ? kOtherError : known->ours;
}

// Where a comment begins in a line, from `from` on; npos: nowhere.
std::size_t comment_in(std::string_view line, std::size_t from) {
  std::size_t at = line.find('#', from);
  while (at != std::string_view::npos && at != 0 && line[at - 1] != ' ') {
    at = line.find('#', at + 1);
  }
  return at;
}

// The same text without comments, with the same lines and columns. Most of a description is comments, and yaml-cpp
// takes longer to skip one than this does. A text with a quoted scalar of several lines or a block scalar stays as it
// is.
std::string without_comments(const std::string& text) {
  constexpr std::string_view kOpening = "'\"|>\r\t";  // what may begin such a scalar, or may precede a comment
  std::string result;
  result.reserve(text.size());
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view line = std::string_view(text).substr(begin, end - begin);
    std::size_t comment = comment_in(line, 0);
    std::size_t checked = 0;  // what follows a quoted text
    if (const std::size_t quote = line.find('"'); quote < comment && quote != std::string_view::npos) {
      checked = line.find_first_of("\"\\", quote + 1);
      if (checked == std::string_view::npos || line[checked] != '"' ||
          line.substr(0, quote).find_first_of(kOpening) != std::string_view::npos) {
        return text;
      }
      comment = comment_in(line, ++checked);
    }
    const std::string_view content = line.substr(0, comment);
    if (content.find_first_of(kOpening, checked) != std::string_view::npos) {
      return text;
    }
    result += content;
    result += end == text.size() ? "" : "\n";
    begin = end + 1;
  }
  return result;
}

// The column, from 1, of a tab in the indentation of a line, counted from 0; 0 if there is none.
std::size_t tab_column(const std::string& text, int line) {
  std::size_t begin = 0;
  for (int i = 0; i < line && begin != std::string::npos; ++i) {
    begin = text.find('\n', begin);
    begin += begin == std::string::npos ? 0 : 1;
  }
  for (std::size_t at = begin; at < text.size() && (text[at] == ' ' || text[at] == '\t'); ++at) {
    if (text[at] == '\t') {
      return at - begin + 1;
    }
  }
  return 0;
}

// Whether the quoted text that begins at `at` has its closing quote. yaml-cpp accepts a missing one at the end of a
// file.
bool is_closed(const std::string& text, std::size_t at) {
  const char quote = text[at];
  for (++at; at < text.size(); ++at) {
    if (quote == '"' && text[at] == '\\') {
      ++at;
    } else if (text[at] == quote) {
      if (quote == '"' || at + 1 == text.size() || text[at + 1] != quote) {
        return true;
      }
      ++at;
    }
  }
  return false;
}

// Builds the tree from parse events. yaml-cpp's own node tree is not used: it accepts duplicate keys and unfolds
// aliases.
class TreeBuilder final : public YAML::EventHandler {
 public:
  TreeBuilder(const std::string& text, std::string source, bool has_lines, ConfigProblems& problems)
      : text_(text), source_(std::move(source)), has_lines_(has_lines), problems_(problems) {}

  ConfigNode take() { return std::move(root_); }

  void OnDocumentStart(const YAML::Mark& mark) override {
    if (++documents_ > 1) {
      problems_.add(origin(mark), "a second document begins here; expected one description per file");
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
    const auto at = static_cast<std::size_t>(mark.pos);
    if (tag == "!" && at < text_.size() && (text_[at] == '"' || text_[at] == '\'') && !is_closed(text_, at)) {
      throw ConfigError(origin(mark).position() + ": " + syntax_error(YAML::ErrorMsg::EOF_IN_SCALAR));
    }
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
      value.origin = level.key_origin;  // an empty value has no position of its own
    }
    level.node.entries.push_back({level.key, level.key_origin, std::move(value)});
  }

  const std::string& text_;
  std::string source_;
  bool has_lines_;
  ConfigProblems& problems_;
  ConfigNode root_;
  std::vector<Level> levels_;
  int documents_ = 0;
};

ConfigNode parse(const std::string& text, const std::string& source, bool has_lines, ConfigProblems& problems) {
  if (text.size() > kYamlLimitBytes) {
    throw ConfigError(source + ": larger than 1 MiB; expected a text in YAML");
  }
  if (text.find('\0') != std::string::npos) {
    throw ConfigError(source + ": not text; expected a text in YAML");
  }
  const std::string content = without_comments(text);
  TreeBuilder builder(content, source, has_lines, problems);
  try {
    std::istringstream stream(content);
    YAML::Parser parser(stream);
    while (parser.HandleNextDocument(builder)) {
    }
  } catch (const YAML::Exception& error) {
    if (!has_lines) {
      throw ConfigError(source + ": " + syntax_error(error.msg));
    }
    ConfigOrigin at{source, static_cast<std::size_t>(error.mark.line) + 1,
                    static_cast<std::size_t>(error.mark.column) + 1};
    if (const std::size_t column = tab_column(text, error.mark.line); column != 0) {
      at.column = column;
      throw ConfigError(at.position() + ": " + syntax_error(YAML::ErrorMsg::TAB_IN_INDENTATION));
    }
    throw ConfigError(at.position() + ": " + syntax_error(error.msg));
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
