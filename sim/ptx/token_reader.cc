#include "ptx/token_reader.h"

#include <bit>
#include <charconv>
#include <system_error>

namespace warpsim::ptx {

TokenReader::TokenReader(std::string_view text, const std::string& file, NamePool& names)
    : lexer_(text, file), names_(names), now_(lexer_.next()), ahead_(lexer_.next()) {}

Token TokenReader::take() {
  const Token taken = now_;
  now_ = ahead_;
  if (now_.kind != TokenKind::kEnd) {
    ahead_ = lexer_.next();
  }
  return taken;
}

bool TokenReader::accept(char symbol) {
  if (!at(symbol)) {
    return false;
  }
  take();
  return true;
}

bool TokenReader::accept_word(std::string_view word) {
  if (!at_word(word)) {
    return false;
  }
  take();
  return true;
}

void TokenReader::expect(char symbol, const char* where) {
  if (!accept(symbol)) {
    fail("'" + std::string(1, symbol) + "' " + where);
  }
}

std::string_view TokenReader::take_name(const char* what) {
  if (!at(TokenKind::kIdentifier)) {
    fail(what);
  }
  return intern(take().text);
}

std::string_view TokenReader::take_string(const char* what) {
  if (!at(TokenKind::kString)) {
    fail(what);
  }
  return intern(take().text);
}

std::uint64_t TokenReader::take_number(std::uint64_t least, std::uint64_t most, const char* what) {
  if (!at(TokenKind::kInteger)) {
    fail(what);
  }
  const Token token = take();
  const std::uint64_t value = integer_of(*this, token).bits;
  if (value < least || value > most) {
    fail(token, std::string(what) + " (" + std::to_string(least) + " to " + std::to_string(most) + ")");
  }
  return value;
}

void TokenReader::read_word_as_number() {
  // The token after the word has already been read; the lexer steps back before both.
  now_ = lexer_.again_as_number(now_);
  ahead_ = lexer_.next();
}

void TokenReader::skip_line() {
  const std::uint32_t line = now_.place.line;
  while (!at_end() && now_.place.line == line) {
    take();
  }
}

void TokenReader::fail(const std::string& expected) const {
  fail(now_, expected);
}

void TokenReader::fail(const Token& token, const std::string& expected) const {
  fail(token.place, expected, describe(token));
}

void TokenReader::fail(Place place, const std::string& expected, const std::string& found) const {
  lexer_.fail(place, expected, found);
}

void TokenReader::fail_declared(Place place, std::string_view name, Place first) const {
  fail(place, "a name that is new in its scope",
       quoted(name) + ", which line " + std::to_string(first.line) + " declares");
}

IntegerLiteral integer_of(const TokenReader& reader, const Token& token) {
  std::string_view digits = token.text;
  IntegerLiteral literal;
  if (digits.ends_with('U')) {
    literal.is_unsigned = true;
    digits.remove_suffix(1);
  }
  int base = 10;
  if (digits.size() > 1 && digits[0] == '0') {
    const char mark = static_cast<char>(digits[1] | 0x20);
    base = mark == 'x' ? 16 : mark == 'b' ? 2 : 8;
    digits.remove_prefix(base == 8 ? 1 : 2);
  }
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), literal.bits, base);
  if (error == std::errc::result_out_of_range) {
    reader.fail(token, "an integer of at most 64 bits");
  }
  if (error != std::errc() || end != digits.data() + digits.size()) {
    reader.fail(token, "a number");
  }
  return literal;
}

FloatLiteral float_of(const TokenReader& reader, const Token& token) {
  FloatLiteral literal;
  const char mark = token.text.size() > 1 && token.text[0] == '0' ? static_cast<char>(token.text[1] | 0x20) : '\0';
  const char* end = token.text.data() + token.text.size();
  if (mark == 'f' || mark == 'd') {
    std::from_chars(token.text.data() + 2, end, literal.bits, 16);
    literal.single = mark == 'f';
    return literal;
  }
  double value = 0;
  const auto [read, error] = std::from_chars(token.text.data(), end, value);
  if (error == std::errc::result_out_of_range) {
    reader.fail(token, "a number that a double holds");
  }
  if (error != std::errc() || read != end) {
    reader.fail(token, "a number");
  }
  literal.bits = std::bit_cast<std::uint64_t>(value);
  return literal;
}

}  // namespace warpsim::ptx
