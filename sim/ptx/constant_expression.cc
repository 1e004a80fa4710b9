#include "ptx/constant_expression.h"

#include <array>
#include <bit>
#include <limits>
#include <string>

namespace warpsim::ptx {
namespace {

using ConstantKind = Constant::Kind;

constexpr std::uint64_t kWarpSize = 32;

struct BinaryOperator {
  Symbol2 symbol;
  int precedence;  // higher binds closer
};

constexpr Symbol2 one(char c) {
  return static_cast<Symbol2>(c);
}
constexpr Symbol2 kShiftLeft = symbol_of('<', '<');
constexpr Symbol2 kShiftRight = symbol_of('>', '>');
constexpr Symbol2 kAtMost = symbol_of('<', '=');
constexpr Symbol2 kAtLeast = symbol_of('>', '=');
constexpr Symbol2 kEqual = symbol_of('=', '=');
constexpr Symbol2 kUnequal = symbol_of('!', '=');
constexpr Symbol2 kAnd = symbol_of('&', '&');
constexpr Symbol2 kOr = symbol_of('|', '|');

constexpr std::array kOperators = {
    BinaryOperator{one('*'), 10},  BinaryOperator{one('/'), 10}, BinaryOperator{one('%'), 10},
    BinaryOperator{one('+'), 9},   BinaryOperator{one('-'), 9},  BinaryOperator{kShiftRight, 8},
    BinaryOperator{kShiftLeft, 8}, BinaryOperator{one('<'), 7},  BinaryOperator{one('>'), 7},
    BinaryOperator{kAtMost, 7},    BinaryOperator{kAtLeast, 7},  BinaryOperator{kEqual, 6},
    BinaryOperator{kUnequal, 6},   BinaryOperator{one('&'), 5},  BinaryOperator{one('^'), 4},
    BinaryOperator{one('|'), 3},   BinaryOperator{kAnd, 2},      BinaryOperator{kOr, 1},
};

int precedence_of(const Token& token) {
  for (const BinaryOperator& row : kOperators) {
    if (token.kind == TokenKind::kSymbol && row.symbol == token.symbol) {
      return row.precedence;
    }
  }
  return 0;
}

double as_double(const Constant& c) {
  return std::bit_cast<double>(c.bits);
}
Constant of_double(double value) {
  return {ConstantKind::kDouble, std::bit_cast<std::uint64_t>(value)};
}
Constant of_bool(bool value) {
  return {ConstantKind::kSigned, value ? 1U : 0U};
}

template <typename T>
bool compare(Symbol2 symbol, T left, T right) {
  switch (symbol) {
    case one('<'):
      return left < right;
    case one('>'):
      return left > right;
    case kAtMost:
      return left <= right;
    case kAtLeast:
      return left >= right;
    case kEqual:
      return left == right;
    default:
      return left != right;
  }
}

bool is_comparison(Symbol2 symbol) {
  return symbol == one('<') || symbol == one('>') || symbol == kAtMost || symbol == kAtLeast || symbol == kEqual ||
         symbol == kUnequal;
}

// As in ptxas: shift distances are modulo 64.
Constant shift(Symbol2 symbol, const Constant& left, std::uint64_t distance) {
  distance %= 64;
  if (symbol == kShiftLeft) {
    return {left.kind, left.bits << distance};
  }
  return {left.kind, left.kind == ConstantKind::kSigned
                         ? static_cast<std::uint64_t>(static_cast<std::int64_t>(left.bits) >> distance)
                         : left.bits >> distance};
}

class ExpressionReader {
 public:
  explicit ExpressionReader(TokenReader& reader) : reader_(reader) {}

  Constant conditional() {
    const Nesting nesting(reader_);
    const Token first = reader_.now();
    const Constant condition = binary(1);
    if (!reader_.accept('?')) {
      return condition;
    }
    need_integer(condition, first);
    const Constant yes = conditional();
    reader_.expect(':', "between the two values of '?'");
    const Token third = reader_.now();
    const Constant no = conditional();
    if (yes.is_integer() != no.is_integer()) {
      reader_.fail(third, "a value of the same kind as before ':'");
    }
    return condition.bits != 0 ? yes : no;
  }

 private:
  void need_integer(const Constant& constant, const Token& at) const {
    if (!constant.is_integer()) {
      reader_.fail(at, "an integer");
    }
  }

  Constant binary(int least_precedence) {
    Token first = reader_.now();
    Constant left = unary();
    for (;;) {
      const int precedence = precedence_of(reader_.now());
      if (precedence < least_precedence || precedence == 0) {
        return left;
      }
      const Token sign = reader_.take();
      const Token second = reader_.now();
      const Constant right = binary(precedence + 1);
      left = apply(sign, left, first, right, second);
    }
  }

  Constant apply(const Token& sign, const Constant& left, const Token& first, const Constant& right,
                 const Token& second) {
    if (left.kind == ConstantKind::kSingle || right.kind == ConstantKind::kSingle) {
      reader_.fail(sign, "an exact single-precision number outside of expressions");
    }
    if (left.kind == ConstantKind::kDouble && right.kind == ConstantKind::kDouble) {
      return of_doubles(sign, as_double(left), as_double(right));
    }
    need_integer(left, first);
    need_integer(right, second);
    return of_integers(sign, left, right, second);
  }

  Constant of_doubles(const Token& sign, double left, double right) {
    if (is_comparison(sign.symbol)) {
      return of_bool(compare(sign.symbol, left, right));
    }
    switch (sign.symbol) {
      case one('+'):
        return of_double(left + right);
      case one('-'):
        return of_double(left - right);
      case one('*'):
        return of_double(left * right);
      case one('/'):
        return of_double(left / right);
      default:
        reader_.fail(sign, "an operator for numbers with a fraction");
    }
  }

  Constant of_integers(const Token& sign, const Constant& left, const Constant& right, const Token& second) {
    const bool is_unsigned = left.kind == ConstantKind::kUnsigned || right.kind == ConstantKind::kUnsigned;
    if (is_comparison(sign.symbol)) {
      return of_bool(is_unsigned ? compare(sign.symbol, left.bits, right.bits)
                                 : compare(sign.symbol, static_cast<std::int64_t>(left.bits),
                                           static_cast<std::int64_t>(right.bits)));
    }
    const ConstantKind kind = is_unsigned ? ConstantKind::kUnsigned : ConstantKind::kSigned;
    switch (sign.symbol) {
      case one('+'):
        return {kind, left.bits + right.bits};
      case one('-'):
        return {kind, left.bits - right.bits};
      case one('*'):
        return {kind, left.bits * right.bits};
      case one('&'):
        return {kind, left.bits & right.bits};
      case one('^'):
        return {kind, left.bits ^ right.bits};
      case one('|'):
        return {kind, left.bits | right.bits};
      case kAnd:
        return of_bool(left.bits != 0 && right.bits != 0);
      case kOr:
        return of_bool(left.bits != 0 || right.bits != 0);
      case kShiftLeft:
      case kShiftRight:
        return shift(sign.symbol, left, right.bits);
      default:
        return divide(sign, kind, left.bits, right.bits, second);
    }
  }

  // A remainder is unsigned for all operands.
  Constant divide(const Token& sign, ConstantKind kind, std::uint64_t left, std::uint64_t right, const Token& second) {
    if (right == 0) {
      reader_.fail(second, "a divisor other than 0");
    }
    if (sign.symbol == one('%')) {
      return {ConstantKind::kUnsigned, left % right};
    }
    if (kind == ConstantKind::kUnsigned) {
      return {kind, left / right};
    }
    const auto divisor = static_cast<std::int64_t>(right);
    if (divisor == -1) {
      return {kind, 0 - left};  // the one quotient that does not fit wraps around
    }
    return {kind, static_cast<std::uint64_t>(static_cast<std::int64_t>(left) / divisor)};
  }

  Constant unary() {
    if (reader_.at('-') || reader_.at('+') || reader_.at('!') || reader_.at('~')) {
      const Nesting nesting(reader_);
      const Token sign = reader_.take();
      const Token operand = reader_.now();
      return with_sign(sign.symbol, unary(), operand);
    }
    if (reader_.at('(') && reader_.ahead().kind == TokenKind::kWord) {
      const Nesting nesting(reader_);
      return cast();
    }
    return primary();
  }

  Constant with_sign(Symbol2 sign, const Constant& value, const Token& operand) {
    if (sign == one('+')) {
      return value;
    }
    if (sign == one('-') && !value.is_integer()) {
      return {value.kind,
              value.bits ^ (value.kind == ConstantKind::kSingle ? std::uint64_t{1} << 31 : std::uint64_t{1} << 63)};
    }
    need_integer(value, operand);
    if (sign == one('!')) {
      return of_bool(value.bits == 0);
    }
    return sign == one('-') ? Constant{value.kind, 0 - value.bits} : Constant{ConstantKind::kUnsigned, ~value.bits};
  }

  Constant cast() {
    reader_.expect('(', "before a type");
    const Token type = reader_.take();
    if (type.text != "s64" && type.text != "u64") {
      reader_.fail(type, "'.s64' or '.u64'");
    }
    reader_.expect(')', "after the type");
    const Token operand = reader_.now();
    Constant value = unary();
    need_integer(value, operand);
    value.kind = type.text == "u64" ? ConstantKind::kUnsigned : ConstantKind::kSigned;
    return value;
  }

  Constant primary() {
    if (reader_.accept('(')) {
      const Constant value = conditional();
      reader_.expect(')', "after an expression");
      return value;
    }
    if (!at_constant(reader_)) {
      reader_.fail("a number");
    }
    if (reader_.at(TokenKind::kWord)) {
      reader_.read_word_as_number();
    }
    const Token token = reader_.take();
    if (token.kind == TokenKind::kIdentifier) {
      return {ConstantKind::kSigned, kWarpSize};
    }
    if (token.kind == TokenKind::kInteger) {
      const IntegerLiteral literal = integer_of(reader_, token);
      const bool is_signed = !literal.is_unsigned && literal.bits <= std::numeric_limits<std::int64_t>::max();
      return {is_signed ? ConstantKind::kSigned : ConstantKind::kUnsigned, literal.bits};
    }
    const FloatLiteral literal = float_of(reader_, token);
    return {literal.single ? ConstantKind::kSingle : ConstantKind::kDouble, literal.bits};
  }

  TokenReader& reader_;
};

}  // namespace

bool at_constant(const TokenReader& reader) {
  switch (reader.now().kind) {
    case TokenKind::kInteger:
    case TokenKind::kFloat:
      return true;
    case TokenKind::kIdentifier:
      return reader.now().text == "WARP_SZ";
    case TokenKind::kWord:
      return reader.now().text[0] >= '0' && reader.now().text[0] <= '9';
    default:
      return reader.at('-') || reader.at('+') || reader.at('!') || reader.at('~') || reader.at('(');
  }
}

Constant read_constant(TokenReader& reader) {
  return ExpressionReader(reader).conditional();
}

std::int64_t read_integer_constant(TokenReader& reader, const char* what) {
  const Token first = reader.now();
  if (!at_constant(reader)) {
    reader.fail(what);
  }
  const Constant value = read_constant(reader);
  if (!value.is_integer()) {
    reader.fail(first, what);
  }
  return static_cast<std::int64_t>(value.bits);
}

std::uint32_t float_bits(const Constant& constant) {
  return constant.kind == ConstantKind::kSingle ? static_cast<std::uint32_t>(constant.bits)
                                                : std::bit_cast<std::uint32_t>(static_cast<float>(as_double(constant)));
}

}  // namespace warpsim::ptx
