#include "ptx/initial_values.h"

#include <algorithm>
#include <bit>
#include <string>
#include <utility>

#include "ptx/constant_expression.h"

namespace warpsim::ptx {
namespace {

// Values stored for gaps that inner braces leave open. They take memory without a counterpart in the text.
constexpr std::uint64_t kMostPaddedValues = std::uint64_t{1} << 22;

bool is_opaque(DataType type) {
  return type == DataType::kTextureReference || type == DataType::kSamplerReference ||
         type == DataType::kSurfaceReference;
}

bool is_half(DataType type) {
  return type == DataType::kF16 || type == DataType::kF16x2 || type == DataType::kBf16 || type == DataType::kBf16x2 ||
         type == DataType::kF32x2;
}

class InitialValueReader {
 public:
  InitialValueReader(ParserContext& context, Variable& variable, std::vector<std::uint64_t> dimensions)
      : context_(context), reader_(context.reader), variable_(variable), dimensions_(std::move(dimensions)) {
    if (variable.vector > 1) {
      dimensions_.push_back(variable.vector);
    }
    strides_.assign(dimensions_.size(), 1);
    for (std::size_t level = dimensions_.size(); level-- > 1;) {
      strides_[level - 1] = strides_[level] * dimensions_[level];
    }
  }

  void read() {
    if (is_opaque(variable_.type)) {
      read_fields();
    } else if (dimensions_.empty()) {
      variable_.initial.push_back(value());
    } else {
      const std::uint64_t count = braces(0, 0);
      if (dimensions_[0] == 0) {
        variable_.elements *= count;
      }
    }
  }

 private:
  // Returns the number of values or inner braces.
  std::uint64_t braces(std::size_t level, std::uint64_t position) {
    const Nesting nesting(reader_);
    reader_.expect('{', "before the initial values of an array");
    std::uint64_t count = 0;
    if (!reader_.at('}')) {
      do {
        const bool open = level == 0 && dimensions_[0] == 0;
        if (!open && count == dimensions_[level]) {
          reader_.fail("at most " + std::to_string(count) + " values here");
        }
        const std::uint64_t at = position + count * strides_[level];
        if (level + 1 == dimensions_.size()) {
          put(at, value());
        } else {
          braces(level + 1, at);
        }
        ++count;
      } while (reader_.accept(','));
    }
    if (variable_.vector > 1 && level + 1 == dimensions_.size() && count != variable_.vector) {
      reader_.fail("a value for each of the " + std::to_string(variable_.vector) + " elements of the vector");
    }
    reader_.expect('}', "after initial values");
    return count;
  }

  void put(std::uint64_t position, const InitialValue& value) {
    const std::uint64_t gap = position - variable_.initial.size();
    context_.padded_values += gap;
    if (context_.padded_values > kMostPaddedValues) {
      reader_.fail(variable_.place, "initial values that leave at most " + std::to_string(kMostPaddedValues) + " gaps",
                   "more gaps before " + quoted(variable_.name) + " is filled");
    }
    variable_.initial.resize(position);
    variable_.initial.push_back(value);
  }

  InitialValue value() {
    if (reader_.at(TokenKind::kIdentifier) && !at_constant(reader_)) {
      return address();
    }
    const Token first = reader_.now();
    if (!at_constant(reader_)) {
      reader_.fail("an initial value");
    }
    const Constant constant = read_constant(reader_);
    if (constant.is_integer() && reader_.at('(')) {
      return masked_address(first, constant.bits);
    }
    InitialValue result;
    result.bits = bits_of(first, constant);
    return result;
  }

  InitialValue masked_address(const Token& first, std::uint64_t mask) {
    const int lowest = std::countr_zero(mask);
    if (lowest % 8 != 0 || mask >> (lowest & 63) != 0xff) {
      reader_.fail(first, "a mask of one byte, such as 0xff00");
    }
    reader_.expect('(', "before the address that is masked");
    InitialValue result = address();
    reader_.expect(')', "after the address that is masked");
    result.byte_of_mask = static_cast<std::uint8_t>(lowest / 8 + 1);
    return result;
  }

  InitialValue address() {
    InitialValue result;
    if (reader_.now().text == "generic" && reader_.ahead().symbol == '(') {
      reader_.take();
      reader_.take();
      result.generic = true;
      result.symbol = symbol();
      reader_.expect(')', "after the name of a variable");
    } else {
      result.symbol = symbol();
    }
    if (reader_.at('+') || reader_.at('-')) {
      result.bits = static_cast<std::uint64_t>(read_integer_constant(reader_, "an offset in bytes"));
    }
    return result;
  }

  std::int32_t symbol() {
    const Token token = reader_.now();
    const Binding* binding = context_.scopes.find(reader_.take_name("the name of a variable or function"));
    if (binding == nullptr || binding->kind != NameKind::kSymbol) {
      reader_.fail(token, "a variable or function declared before");
    }
    return static_cast<std::int32_t>(binding->number);
  }

  std::uint64_t bits_of(const Token& first, const Constant& constant) {
    const DataType type = variable_.type;
    const std::uint32_t bytes = bytes_of(type);
    const bool fraction = type == DataType::kF32 || type == DataType::kF64;
    const bool bare_bits = type == DataType::kB32 || type == DataType::kB64;
    if (is_half(type) || type == DataType::kB128) {
      reader_.fail(first, "no initial value for a variable of type '." + std::string(name_of(type)) + "'");
    }
    if (constant.is_integer()) {
      if (fraction) {
        reader_.fail(first, "a number with a fraction");
      }
      return bytes == 8 ? constant.bits : constant.bits & ((std::uint64_t{1} << (8 * bytes)) - 1);
    }
    if (!fraction && !bare_bits) {
      reader_.fail(first, "an integer");
    }
    // Exact single-precision digits are bits, also in 8 bytes, as in ptxas.
    return bytes == 4 || constant.kind == Constant::Kind::kSingle ? float_bits(constant) : constant.bits;
  }

  // { filter_mode = linear, addr_mode_0 = wrap, force_unnormalized_coords = 1 }
  void read_fields() {
    reader_.expect('{', "before the fields of a texture, sampler or surface");
    if (!reader_.accept('}')) {
      do {
        std::string field(reader_.take_name("the name of a field"));
        reader_.expect('=', "after the name of a field");
        if (!reader_.at(TokenKind::kIdentifier) && !reader_.at(TokenKind::kInteger)) {
          reader_.fail("the value of a field");
        }
        field.append(" = ").append(reader_.take().text);
        variable_.opaque_fields.push_back(reader_.intern(field));
      } while (reader_.accept(','));
      reader_.expect('}', "after the fields");
    }
  }

  ParserContext& context_;
  TokenReader& reader_;
  Variable& variable_;
  std::vector<std::uint64_t> dimensions_;
  std::vector<std::uint64_t> strides_;
};

}  // namespace

void parse_initial_values(ParserContext& context, Variable& variable, std::vector<std::uint64_t> dimensions) {
  InitialValueReader(context, variable, std::move(dimensions)).read();
}

}  // namespace warpsim::ptx
