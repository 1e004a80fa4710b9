#include "ptx/lexer.h"

#include <array>
#include <utility>

#include "ptx/ptx_error.h"

namespace warpsim::ptx {
namespace {

enum CharacterClass : std::uint8_t { kOther = 0, kNameFirst = 1, kName = 2, kDigit = 4, kHexadecimal = 8, kSpace = 16 };

constexpr std::array<std::uint8_t, 256> character_classes() {
  std::array<std::uint8_t, 256> classes = {};
  for (unsigned char c = 'a'; c <= 'z'; ++c) {
    classes[c] = kNameFirst | kName | (c <= 'f' ? kHexadecimal : kOther);
  }
  for (unsigned char c = 'A'; c <= 'Z'; ++c) {
    classes[c] = kNameFirst | kName | (c <= 'F' ? kHexadecimal : kOther);
  }
  for (unsigned char c = '0'; c <= '9'; ++c) {
    classes[c] = kName | kDigit | kHexadecimal;
  }
  classes['_'] = kNameFirst | kName;
  classes['$'] = kNameFirst | kName;
  for (const char c : {' ', '\t', '\r', '\v', '\f'}) {
    classes[static_cast<unsigned char>(c)] = kSpace;
  }
  return classes;
}

constexpr std::array<std::uint8_t, 256> kClasses = character_classes();

bool is(char c, std::uint8_t classes) {
  return (kClasses[static_cast<unsigned char>(c)] & classes) != 0;
}

constexpr std::size_t kShownCharacters = 40;

std::string_view without_zeros_at_end(std::string_view text) {
  while (!text.empty() && text.back() == '\0') {
    text.remove_suffix(1);
  }
  return text;
}

}  // namespace

std::string quoted(std::string_view text) {
  std::string shown = "'";
  for (const char c : text.substr(0, kShownCharacters)) {
    shown += c >= ' ' && c <= '~' ? c : '?';
  }
  return shown + (text.size() > kShownCharacters ? "...'" : "'");
}

std::string describe(const Token& token) {
  switch (token.kind) {
    case TokenKind::kEnd:
      return "the end of the text";
    case TokenKind::kWord:
      return quoted("." + std::string(token.text.substr(0, kShownCharacters + 1)));
    case TokenKind::kString:
      return "the string " + quoted(token.text);
    default:
      return quoted(token.text);
  }
}

Lexer::Lexer(std::string_view text, std::string file) : text_(without_zeros_at_end(text)), file_(std::move(file)) {}

void Lexer::fail(Place place, const std::string& expected, const std::string& found) const {
  throw PtxError(file_ + ":" + std::to_string(place.line) + ":" + std::to_string(place.column) + ": expected " +
                 expected + ", found " + found);
}

Place Lexer::place_of(std::size_t position) const {
  return {line_, static_cast<std::uint32_t>(position - line_begin_ + 1)};
}

void Lexer::skip_long_comment() {
  const Place begin = place_of(position_);
  position_ += 2;
  for (; position_ < text_.size(); ++position_) {
    if (text_[position_] == '\n') {
      ++line_;
      line_begin_ = position_ + 1;
    } else if (text_[position_] == '*' && position_ + 1 < text_.size() && text_[position_ + 1] == '/') {
      position_ += 2;
      return;
    }
  }
  fail(begin, "a comment that ends with '*/'", "one without an end");
}

void Lexer::skip_line() {
  const std::size_t end = text_.find('\n', position_);
  position_ = end == std::string_view::npos ? text_.size() : end;
}

void Lexer::skip_space() {
  while (position_ < text_.size()) {
    const char c = text_[position_];
    if (is(c, kSpace)) {
      ++position_;
    } else if (c == '\n') {
      ++position_;
      ++line_;
      line_begin_ = position_;
    } else if (text_.substr(position_, 2) == "//" || (c == '#' && position_ == line_begin_)) {
      skip_line();  // a comment, or a line mark of a preprocessor
    } else if (text_.substr(position_, 2) == "/*") {
      skip_long_comment();
    } else {
      return;
    }
  }
}

bool Lexer::at_name_character(std::size_t position) const {
  return position < text_.size() && is(text_[position], kName);
}

std::size_t Lexer::end_of_name(std::size_t position) const {
  while (at_name_character(position)) {
    ++position;
  }
  return position;
}

Token Lexer::token(TokenKind kind, std::size_t begin, std::size_t end) {
  position_ = end;
  return {kind, 0, place_of(begin), text_.substr(begin, end - begin)};
}

Token Lexer::next() {
  skip_space();
  if (position_ == text_.size()) {
    return token(TokenKind::kEnd, position_, position_);
  }
  const char c = text_[position_];
  if (is(c, kNameFirst) || (c == '%' && at_name_character(position_ + 1))) {
    return token(TokenKind::kIdentifier, position_, end_of_name(position_ + 1));
  }
  if (c == '.' && at_name_character(position_ + 1)) {
    return word();
  }
  if (is(c, kDigit)) {
    return number();
  }
  return c == '"' ? string() : symbol();
}

Token Lexer::word() {
  const std::size_t begin = position_;
  std::size_t end = end_of_name(begin + 1);
  while (end + 2 < text_.size() && text_[end] == ':' && text_[end + 1] == ':' && at_name_character(end + 2)) {
    end = end_of_name(end + 2);
  }
  Token result = token(TokenKind::kWord, begin, end);
  result.text.remove_prefix(1);
  return result;
}

Token Lexer::again_as_number(const Token& word) {
  position_ = static_cast<std::size_t>(word.text.data() - text_.data()) - 1;
  line_ = word.place.line;
  line_begin_ = position_ + 1 - word.place.column;
  return number();
}

Token Lexer::hexadecimal_float() {
  const std::size_t begin = position_;
  const std::size_t digits = (text_[begin + 1] | 0x20) == 'f' ? 8 : 16;
  const std::size_t end = end_of_name(begin);
  std::size_t valid = begin + 2;
  while (valid < end && is(text_[valid], kHexadecimal)) {
    ++valid;
  }
  if (valid != end || end - begin != digits + 2) {
    fail(place_of(begin),
         std::to_string(digits) + " hexadecimal digits after '" + std::string(text_.substr(begin, 2)) + "'",
         quoted(text_.substr(begin, end - begin)));
  }
  return token(TokenKind::kFloat, begin, end);
}

Token Lexer::number() {
  const std::size_t begin = position_;
  const char second = begin + 1 < text_.size() ? static_cast<char>(text_[begin + 1] | 0x20) : '\0';
  if (text_[begin] == '0' && (second == 'f' || second == 'd')) {
    return hexadecimal_float();
  }
  const bool based = text_[begin] == '0' && (second == 'x' || second == 'b');
  std::size_t end = begin;
  bool fraction = false;
  while (end < text_.size() && is(text_[end], kDigit)) {
    ++end;
  }
  if (!based) {
    if (end < text_.size() && text_[end] == '.') {
      fraction = true;
      ++end;
      while (end < text_.size() && is(text_[end], kDigit)) {
        ++end;
      }
    }
    if (end < text_.size() && (text_[end] | 0x20) == 'e') {
      std::size_t exponent = end + 1;
      if (exponent < text_.size() && (text_[exponent] == '+' || text_[exponent] == '-')) {
        ++exponent;
      }
      if (exponent < text_.size() && is(text_[exponent], kDigit)) {
        fraction = true;
        end = exponent;
      }
    }
  }
  // Adjacent characters belong to a number; reading its value checks whether they are allowed.
  return token(fraction ? TokenKind::kFloat : TokenKind::kInteger, begin, end_of_name(end));
}

Token Lexer::string() {
  const std::size_t begin = position_;
  for (std::size_t end = begin + 1; end < text_.size() && text_[end] != '\n'; ++end) {
    if (text_[end] == '"') {
      Token result = token(TokenKind::kString, begin, end + 1);
      result.text = result.text.substr(1, result.text.size() - 2);
      return result;
    }
    if (text_[end] == '\\' && end + 1 < text_.size() && text_[end + 1] != '\n') {
      ++end;
    }
  }
  fail(place_of(begin), "a string that ends in the line in which it begins", "one that does not");
}

Token Lexer::symbol() {
  const std::size_t begin = position_;
  const char first = text_[begin];
  const char second = begin + 1 < text_.size() ? text_[begin + 1] : '\0';
  const bool doubled =
      second == first && (first == '<' || first == '>' || first == '&' || first == '|' || first == '=');
  const bool with_equals = second == '=' && (first == '<' || first == '>' || first == '!');
  if (std::string_view(",;:{}[]()<>@!|+-*/%&^~?=").find(first) == std::string_view::npos) {
    fail(place_of(begin), "a character of PTX", "the character " + quoted(text_.substr(begin, 1)));
  }
  Token result = token(TokenKind::kSymbol, begin, begin + (doubled || with_equals ? 2 : 1));
  result.symbol = result.text.size() == 2 ? symbol_of(first, second) : static_cast<Symbol2>(first);
  return result;
}

}  // namespace warpsim::ptx
