// Splits a PTX text into tokens.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "ptx/module.h"

namespace warpsim::ptx {

enum class TokenKind : std::uint8_t {
  kEnd,
  kIdentifier,  // "ld", "%r1", "$L_2", "_"
  kWord,        // ".global", ".L2::128B", ".1d": text without the first dot
  kInteger,     // "12", "0x1fU", "017", "0b101"
  kFloat,       // "1.5", "1e3", "0f3f800000", "0d..."
  kString,      // text without the quotes, escapes as written
  kSymbol,      // one or two characters of punctuation
};

// Of kSymbol: its characters, the first of two in the upper byte.
using Symbol2 = std::uint16_t;
constexpr Symbol2 symbol_of(char first, char second) {
  return static_cast<Symbol2>((static_cast<unsigned char>(first) << 8) | static_cast<unsigned char>(second));
}

struct Token {
  TokenKind kind = TokenKind::kEnd;
  Symbol2 symbol = 0;
  Place place = {};
  std::string_view text;  // part of the lexed text
};

class Lexer {
 public:
  // `text` must outlive the lexer. `file` is only for messages. Zeros at the end are not part of the text.
  Lexer(std::string_view text, std::string file);

  // Throws PtxError for an invalid token.
  Token next();
  // `word` is the last token, for example ".5" read as a word: reads it again as a number.
  Token again_as_number(const Token& word);
  // The next token is the first of the next line.
  void skip_line();

  const std::string& file() const { return file_; }
  // "FILE:LINE:COLUMN: expected EXPECTED, found FOUND"
  [[noreturn]] void fail(Place place, const std::string& expected, const std::string& found) const;

 private:
  Place place_of(std::size_t position) const;
  void skip_space();
  void skip_long_comment();
  bool at_name_character(std::size_t position) const;
  std::size_t end_of_name(std::size_t position) const;
  Token token(TokenKind kind, std::size_t begin, std::size_t end);
  Token word();
  Token number();
  Token hexadecimal_float();
  Token string();
  Token symbol();

  std::string_view text_;
  std::string file_;
  std::size_t position_ = 0;
  std::size_t line_begin_ = 0;
  std::uint32_t line_ = 1;
};

// For messages: quoted, shortened, without control characters.
std::string quoted(std::string_view text);
std::string describe(const Token& token);

}  // namespace warpsim::ptx
