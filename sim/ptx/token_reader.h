// The tokens of a module one after the other, with one token of lookahead, and the operations that all parts of the
// parser use.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "ptx/lexer.h"
#include "ptx/module.h"
#include "ptx/name_pool.h"

namespace warpsim::ptx {

inline constexpr std::uint64_t kMost32 = 0xffffffff;  // what 32 bits hold

class TokenReader {
 public:
  TokenReader(std::string_view text, const std::string& file, NamePool& names);

  const Token& now() const { return now_; }
  const Token& ahead() const { return ahead_; }
  Token take();

  bool at_end() const { return now_.kind == TokenKind::kEnd; }
  bool at(TokenKind kind) const { return now_.kind == kind; }
  bool at(char symbol) const { return now_.symbol == static_cast<Symbol2>(symbol); }
  bool at_word(std::string_view word) const { return now_.kind == TokenKind::kWord && now_.text == word; }
  bool accept(char symbol);
  bool accept_word(std::string_view word);
  // What comes must be this; `where` says in an error what it belongs to ("after an operand").
  void expect(char symbol, const char* where);
  std::string_view take_name(const char* what);
  std::string_view take_string(const char* what);
  // A whole number in digits, no expression.
  std::uint64_t take_number(std::uint64_t least, std::uint64_t most, const char* what);
  // The word at hand begins with a digit: it becomes a number.
  void read_word_as_number();
  void skip_line();

  // "expected ..., found <the token at hand>"
  [[noreturn]] void fail(const std::string& expected) const;
  [[noreturn]] void fail(const Token& token, const std::string& expected) const;
  [[noreturn]] void fail(Place place, const std::string& expected, const std::string& found) const;
  // A name that the scope has already.
  [[noreturn]] void fail_declared(Place place, std::string_view name, Place first) const;

  std::string_view intern(std::string_view text) { return names_.intern(text); }

 private:
  friend class Nesting;

  Lexer lexer_;
  NamePool& names_;
  Token now_;
  Token ahead_;
  std::uint32_t depth_ = 0;
};

// What nests (blocks, braces, parentheses, brackets) nests no deeper than this, so that no text exhausts the stack.
constexpr std::uint32_t kDeepest = 256;

class Nesting {
 public:
  explicit Nesting(TokenReader& reader) : reader_(reader) {
    if (++reader_.depth_ > kDeepest) {
      reader_.depth_ = 0;
      reader_.fail(reader_.now().place, "at most " + std::to_string(kDeepest) + " levels of nesting", "more");
    }
  }
  ~Nesting() { --reader_.depth_; }
  Nesting(const Nesting&) = delete;
  Nesting& operator=(const Nesting&) = delete;

 private:
  TokenReader& reader_;
};

// The value of kInteger; fails when it is malformed or does not fit into 64 bits.
struct IntegerLiteral {
  std::uint64_t bits = 0;
  bool is_unsigned = false;  // U
};
IntegerLiteral integer_of(const TokenReader& reader, const Token& token);

// The value of kFloat.
struct FloatLiteral {
  std::uint64_t bits = 0;  // of a double, or of a float
  bool single = false;     // 0f
};
FloatLiteral float_of(const TokenReader& reader, const Token& token);

}  // namespace warpsim::ptx
