// The tokens of a module in order, with one token of lookahead, and the operations that all parts of the
// parser use.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "ptx/lexer.h"
#include "ptx/module.h"
#include "ptx/name_pool.h"

namespace warpsim::ptx {

inline constexpr std::uint64_t kMost32 = 0xffffffff;  // maximum of 32 bits

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
  // The next token must be this one; `where` is its context in errors ("after an operand").
  void expect(char symbol, const char* where);
  std::string_view take_name(const char* what);
  std::string_view take_string(const char* what);
  // An integer in digits, not an expression.
  std::uint64_t take_number(std::uint64_t least, std::uint64_t most, const char* what);
  // The current word begins with a digit: it becomes a number.
  void read_word_as_number();
  void skip_line();

  // "expected ..., found <current token>"
  [[noreturn]] void fail(const std::string& expected) const;
  [[noreturn]] void fail(const Token& token, const std::string& expected) const;
  [[noreturn]] void fail(Place place, const std::string& expected, const std::string& found) const;
  // A name that already exists in the scope.
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

// The maximum depth of nested blocks, braces, parentheses and brackets, so that no text exhausts the stack.
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

// The value of kInteger; fails if it is malformed or does not fit into 64 bits.
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
