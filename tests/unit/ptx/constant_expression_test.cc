#include "ptx/constant_expression.h"

#include <bit>
#include <catch2/catch.hpp>
#include <cstdint>
#include <string>

#include "ptx/name_pool.h"

namespace warpsim::ptx {
namespace {

Constant evaluate(const std::string& text) {
  NamePool names;
  TokenReader reader(text, "t.ptx", names);
  const Constant value = read_constant(reader);
  REQUIRE(reader.at_end());
  return value;
}

std::int64_t integer(const std::string& text) {
  INFO(text);
  const Constant value = evaluate(text);
  CHECK(value.is_integer());
  return static_cast<std::int64_t>(value.bits);
}

double number(const std::string& text) {
  INFO(text);
  const Constant value = evaluate(text);
  CHECK(value.kind == Constant::Kind::kDouble);
  return std::bit_cast<double>(value.bits);
}

TEST_CASE("Integers in every base") {
  CHECK(integer("42") == 42);
  CHECK(integer("0x1F") == 31);
  CHECK(integer("0X1fU") == 31);
  CHECK(integer("017") == 15);
  CHECK(integer("0b101") == 5);
  CHECK(integer("0") == 0);
  CHECK(integer("0U") == 0);
  CHECK(integer("0xFFFFFFFFFFFFFFFF") == -1);
  CHECK(evaluate("0x7FFFFFFFFFFFFFFF").kind == Constant::Kind::kSigned);
  CHECK(evaluate("0x8000000000000000").kind == Constant::Kind::kUnsigned);
  CHECK(evaluate("1U").kind == Constant::Kind::kUnsigned);
  CHECK(integer("WARP_SZ * 2") == 64);
}

TEST_CASE("Numbers with a fraction") {
  CHECK(number("1.5") == 1.5);
  CHECK(number("1.") == 1.0);
  CHECK(number(".5e-3") == 0.0005);
  CHECK(number("-1e3") == -1000.0);
  CHECK(number("0d3FF8000000000000") == 1.5);
  CHECK(number("1.0 / 4.0 + 2.0 * 3.0 - 1.0") == 5.25);
  CHECK(number("-(1.5)") == -1.5);
  CHECK(number("1 ? 2.5 : 3.5") == 2.5);
  const Constant single = evaluate("0f3FC00000");
  CHECK(single.kind == Constant::Kind::kSingle);
  CHECK(single.bits == 0x3FC00000);
  CHECK(float_bits(single) == 0x3FC00000);
  CHECK(evaluate("-0f3FC00000").bits == 0xBFC00000);
  CHECK(float_bits(evaluate("0.1")) == 0x3DCCCCCD);
}

TEST_CASE("Operators bind as in C") {
  CHECK(integer("1 + 2 * 3 - 4 / 2") == 5);
  CHECK(integer("(1 + 2) * 3") == 9);
  CHECK(integer("1 << 2 + 1") == 8);
  CHECK(integer("8 >> 1 << 1") == 8);
  CHECK(integer("1 | 6 & 3 ^ 5") == 7);
  CHECK(integer("1 < 2 == 1") == 1);
  CHECK(integer("2 && 0 || 1") == 1);
  CHECK(integer("1 ? 0 ? 1 : 2 : 3") == 2);
  CHECK(integer("0 ? 1 : 0 ? 2 : 3") == 3);
  CHECK(integer("- -3") == 3);
  CHECK(integer("!5 + !0") == 1);
  CHECK(integer("10 - 3 - 2") == 5);
  CHECK(integer("1.5 < 2.0") == 1);
  CHECK(integer("3 != 3") == 0);
  CHECK(integer("3 >= 3") == 1);
  CHECK(integer("2 <= 1") == 0);
}

// The values are those that ptxas writes to the initial data of a variable.
TEST_CASE("The sign of an operation follows from the operands") {
  CHECK(integer("-1 < 1") == 1);
  CHECK(integer("-1 < 1U") == 0);
  CHECK(integer("5 - 6 < 0") == 1);
  CHECK(integer("5U - 6 < 0") == 0);
  CHECK(integer("-7 / 2") == -3);
  CHECK(integer("(.u64)-7 / 2") == 0x7FFFFFFFFFFFFFFC);
  CHECK(integer("-1 >> 3") == -1);
  CHECK(integer("(.u64)-1 >> 60") == 15);
  CHECK(integer("(.s64)0xFFFFFFFFFFFFFFFF >> 4") == -1);
  CHECK(integer("-7 % 4") == 1);  // a remainder is unsigned
  CHECK(integer("5 % -3") == 5);
  CHECK(integer("~1 < 0") == 0);  // so is a complement
  CHECK(integer("1 << 65") == 2);
  CHECK(integer("(1 ? -1 : 3U) < 0") == 1);
  CHECK(integer("(-9223372036854775807 - 1) / -1 < 0") == 1);
}

TEST_CASE("An invalid expression is reported with its place") {
  const auto check_error = [](const std::string& text, const std::string& message) {
    INFO(text);
    CHECK_THROWS_WITH(evaluate(text), "t.ptx:" + message);
  };
  check_error("1 / 0", "1:5: expected a divisor other than 0, found '0'");
  check_error("1 % (2 - 2)", "1:5: expected a divisor other than 0, found '('");
  check_error("1 + 1.5", "1:5: expected an integer, found '1.5'");
  check_error("1.5 + 1", "1:1: expected an integer, found '1.5'");
  check_error("1.5 % 2.5", "1:5: expected an operator for numbers with a fraction, found '%'");
  check_error("!1.5", "1:2: expected an integer, found '1.5'");
  check_error("1.5 ? 1 : 2", "1:1: expected an integer, found '1.5'");
  check_error("1 ? 1.5 : 2", "1:11: expected a value of the same kind as before ':', found '2'");
  check_error("1 ? 2", "1:6: expected ':' between the two values of '?', found the end of the text");
  check_error("0f3F800000 + 1.0", "1:12: expected an exact single-precision number outside of expressions, found '+'");
  check_error("(1", "1:3: expected ')' after an expression, found the end of the text");
  check_error("(.u32)1", "1:2: expected '.s64' or '.u64', found '.u32'");
  check_error("(.u64)1.5", "1:7: expected an integer, found '1.5'");
  check_error("1 +", "1:4: expected a number, found the end of the text");
  check_error("1 + x", "1:5: expected a number, found 'x'");
  check_error("08", "1:1: expected a number, found '08'");
  check_error("0x", "1:1: expected a number, found '0x'");
  check_error("1u", "1:1: expected a number, found '1u'");
  check_error("1.5f", "1:1: expected a number, found '1.5f'");
  check_error("18446744073709551616", "1:1: expected an integer of at most 64 bits, found '18446744073709551616'");
  check_error("1e999", "1:1: expected a number that a double holds, found '1e999'");
  check_error(std::string(300, '('), "1:257: expected at most 256 levels of nesting, found more");
  check_error(std::string(300, '-'), "1:256: expected at most 256 levels of nesting, found more");
}

}  // namespace
}  // namespace warpsim::ptx
