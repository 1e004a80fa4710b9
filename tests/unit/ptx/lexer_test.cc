#include "ptx/lexer.h"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "ptx/ptx_error.h"

namespace warpsim::ptx {
namespace {

std::vector<Token> tokens_of(std::string_view text) {
  Lexer lexer(text, "t.ptx");
  std::vector<Token> tokens;
  for (Token token = lexer.next(); token.kind != TokenKind::kEnd; token = lexer.next()) {
    tokens.push_back(token);
  }
  return tokens;
}

struct Expected {
  TokenKind kind;
  std::string text;
  std::uint32_t line;
  std::uint32_t column;
};

void check(std::string_view text, const std::vector<Expected>& expected) {
  INFO(text);
  const std::vector<Token> tokens = tokens_of(text);
  REQUIRE(tokens.size() == expected.size());
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    CHECK(tokens[i].kind == expected[i].kind);
    CHECK(tokens[i].text == expected[i].text);
    CHECK(tokens[i].place.line == expected[i].line);
    CHECK(tokens[i].place.column == expected[i].column);
  }
}

constexpr TokenKind kName = TokenKind::kIdentifier;
constexpr TokenKind kWord = TokenKind::kWord;
constexpr TokenKind kInteger = TokenKind::kInteger;
constexpr TokenKind kFloat = TokenKind::kFloat;
constexpr TokenKind kString = TokenKind::kString;
constexpr TokenKind kSymbol = TokenKind::kSymbol;

TEST_CASE("An instruction: a name, words with and without colons, registers, each with its place") {
  check("@%p1 ld.global.L2::128B.b32\t%r1, [%rd2+-4];\n$L_1:", {{kSymbol, "@", 1, 1},
                                                                {kName, "%p1", 1, 2},
                                                                {kName, "ld", 1, 6},
                                                                {kWord, "global", 1, 8},
                                                                {kWord, "L2::128B", 1, 15},
                                                                {kWord, "b32", 1, 24},
                                                                {kName, "%r1", 1, 29},
                                                                {kSymbol, ",", 1, 32},
                                                                {kSymbol, "[", 1, 34},
                                                                {kName, "%rd2", 1, 35},
                                                                {kSymbol, "+", 1, 39},
                                                                {kSymbol, "-", 1, 40},
                                                                {kInteger, "4", 1, 41},
                                                                {kSymbol, "]", 1, 42},
                                                                {kSymbol, ";", 1, 43},
                                                                {kName, "$L_1", 2, 1},
                                                                {kSymbol, ":", 2, 5}});
  check("cp.async.mbarrier::complete_tx::bytes",
        {{kName, "cp", 1, 1}, {kWord, "async", 1, 3}, {kWord, "mbarrier::complete_tx::bytes", 1, 9}});
  check("a.x::", {{kName, "a", 1, 1}, {kWord, "x", 1, 2}, {kSymbol, ":", 1, 4}, {kSymbol, ":", 1, 5}});
  check("_ % %0 4%r",
        {{kName, "_", 1, 1}, {kSymbol, "%", 1, 3}, {kName, "%0", 1, 5}, {kInteger, "4", 1, 8}, {kName, "%r", 1, 9}});
}

TEST_CASE("Numbers of every form are one token each") {
  for (const char* number : {"0", "12", "12U", "0x1fU", "0XAB", "017", "0b101", "08", "0xq"}) {
    check(number, {{kInteger, number, 1, 1}});
  }
  for (const char* number : {"1.", "1.5", "1e3", "1.5e-3", "1E+3", "0f3F800000", "0F00000000", "0d3FF0000000000000"}) {
    check(number, {{kFloat, number, 1, 1}});
  }
  check("1e", {{kInteger, "1e", 1, 1}});
  check("1.5 2", {{kFloat, "1.5", 1, 1}, {kInteger, "2", 1, 5}});
}

TEST_CASE("A word that begins with a digit can be read again as a number") {
  Lexer lexer("x\n .5e-3\n y", "t.ptx");
  lexer.next();
  const Token word = lexer.next();
  CHECK(word.kind == TokenKind::kWord);
  lexer.next();
  const Token number = lexer.again_as_number(word);
  CHECK(number.kind == TokenKind::kFloat);
  CHECK(number.text == ".5e-3");
  CHECK(number.place.line == 2);
  CHECK(number.place.column == 2);
  CHECK(lexer.next().text == "y");
}

TEST_CASE("Comments, line marks and zeros at the end are not tokens") {
  check("a // b\n/* c\n * d */ e\n# 1 \"x.cu\"\nf", {{kName, "a", 1, 1}, {kName, "e", 3, 9}, {kName, "f", 5, 1}});
  check(std::string_view("a\0\0", 3), {{kName, "a", 1, 1}});
  check("", {});
  check("/**/", {});
}

TEST_CASE("Strings end in their line; a character after a backslash does not end them") {
  check(R"("a b" "c\"d" "")", {{kString, "a b", 1, 1}, {kString, "c\\\"d", 1, 7}, {kString, "", 1, 14}});
}

TEST_CASE("Punctuation of two characters is one token") {
  check("<<=>>===!=&&|| < > | %p|q", {{kSymbol, "<<", 1, 1},
                                      {kSymbol, "=", 1, 3},
                                      {kSymbol, ">>", 1, 4},
                                      {kSymbol, "==", 1, 6},
                                      {kSymbol, "=", 1, 8},
                                      {kSymbol, "!=", 1, 9},
                                      {kSymbol, "&&", 1, 11},
                                      {kSymbol, "||", 1, 13},
                                      {kSymbol, "<", 1, 16},
                                      {kSymbol, ">", 1, 18},
                                      {kSymbol, "|", 1, 20},
                                      {kName, "%p", 1, 22},
                                      {kSymbol, "|", 1, 24},
                                      {kName, "q", 1, 25}});
}

TEST_CASE("An invalid token is reported with its place") {
  const auto check_error = [](std::string_view text, const char* message) {
    INFO(text);
    CHECK_THROWS_WITH(tokens_of(text), message);
    CHECK_THROWS_AS(tokens_of(text), PtxError);
  };
  check_error("a\n `", "t.ptx:2:2: expected a character of PTX, found the character '`'");
  check_error("a .", "t.ptx:1:3: expected a character of PTX, found the character '.'");
  check_error("\xc3", "t.ptx:1:1: expected a character of PTX, found the character '?'");
  check_error("a /* b\n c", "t.ptx:1:3: expected a comment that ends with '*/', found one without an end");
  check_error("\n\"abc\n\"",
              "t.ptx:2:1: expected a string that ends in the line in which it begins, found one that does not");
  check_error("\"abc\\",
              "t.ptx:1:1: expected a string that ends in the line in which it begins, found one that does not");
  check_error("0f3f80000", "t.ptx:1:1: expected 8 hexadecimal digits after '0f', found '0f3f80000'");
  check_error("0d3f800000g", "t.ptx:1:1: expected 16 hexadecimal digits after '0d', found '0d3f800000g'");
}

TEST_CASE("Messages quote tokens as written, shortened") {
  CHECK(describe(Token{}) == "the end of the text");
  CHECK(describe({TokenKind::kWord, 0, {}, "b32"}) == "'.b32'");
  CHECK(describe({TokenKind::kString, 0, {}, "a\n"}) == "the string 'a?'");
  CHECK(quoted(std::string(50, 'x')) == "'" + std::string(40, 'x') + "...'");
}

}  // namespace
}  // namespace warpsim::ptx
