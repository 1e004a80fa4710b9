#include "ptx/declarations.h"

#include <bit>
#include <optional>
#include <string>
#include <utility>

#include "ptx/initial_values.h"

namespace warpsim::ptx {
namespace {

// Larger than any GPU memory; sums of a few such sizes still fit into 64 bits.
constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 40;
constexpr std::uint64_t kMostAlignment = std::uint64_t{1} << 20;
constexpr std::uint64_t kMostCounted = std::uint64_t{1} << 16;

std::optional<StateSpace> space_of(std::string_view word) {
  constexpr std::pair<std::string_view, StateSpace> kSpaces[] = {
      {"reg", StateSpace::kRegister}, {"const", StateSpace::kConstant},  {"global", StateSpace::kGlobal},
      {"local", StateSpace::kLocal},  {"param", StateSpace::kParameter}, {"shared", StateSpace::kShared},
      {"tex", StateSpace::kTexture}};
  for (const auto& [name, space] : kSpaces) {
    if (name == word) {
      return space;
    }
  }
  return std::nullopt;
}

std::uint32_t read_alignment(TokenReader& reader) {
  const Token token = reader.now();
  const std::uint64_t alignment = reader.take_number(1, kMostAlignment, "an alignment in bytes");
  if (!std::has_single_bit(alignment)) {
    reader.fail(token, "an alignment that is a power of two");
  }
  return static_cast<std::uint32_t>(alignment);
}

// .attribute(.managed, .unified(1, 2))
void read_attributes(TokenReader& reader, Variable& variable) {
  reader.expect('(', "after '.attribute'");
  do {
    if (reader.accept_word("managed")) {
      variable.managed = true;
    } else if (reader.accept_word("unified")) {
      reader.expect('(', "after '.unified'");
      reader.take_number(0, ~std::uint64_t{0}, "the upper half of an identifier");
      reader.expect(',', "between the halves of an identifier");
      reader.take_number(0, ~std::uint64_t{0}, "the lower half of an identifier");
      reader.expect(')', "after an identifier");
    } else {
      reader.fail("'.managed' or '.unified'");
    }
  } while (reader.accept(','));
  reader.expect(')', "after attributes");
}

// The part between the state space and the names: alignment, attributes, vector, type.
void read_type(TokenReader& reader, Variable& variable) {
  for (;;) {
    if (reader.accept_word("align")) {
      variable.alignment = read_alignment(reader);
    } else if (reader.accept_word("attribute")) {
      read_attributes(reader, variable);
    } else if (reader.accept_word("v2")) {
      variable.vector = 2;
    } else if (reader.accept_word("v4")) {
      variable.vector = 4;
    } else if (reader.accept_word("v8")) {
      variable.vector = 8;
    } else {
      break;
    }
  }
  const std::optional<DataType> type = reader.at(TokenKind::kWord) ? data_type_of(reader.now().text) : std::nullopt;
  if (!type) {
    reader.fail("a type such as '.b32'");
  }
  if (*type == DataType::kPredicate && variable.space != StateSpace::kRegister) {
    reader.fail("a type that memory can hold");
  }
  reader.take();
  variable.type = *type;
  if (variable.alignment == 0) {
    variable.alignment = bytes_of(*type) * variable.vector;
  }
}

void check_size(const TokenReader& reader, const Variable& variable) {
  // Compared by division: the product may not fit.
  if (variable.elements > kMostBytes / (std::uint64_t{bytes_of(variable.type)} * variable.vector)) {
    reader.fail(variable.place, "an array of at most " + std::to_string(kMostBytes) + " bytes",
                quoted(variable.name) + ", which is larger");
  }
}

// [4][2]; the first may be open.
std::vector<std::uint64_t> read_dimensions(TokenReader& reader, Variable& variable) {
  std::vector<std::uint64_t> dimensions;
  while (reader.accept('[')) {
    variable.is_array = true;
    if (dimensions.empty() && reader.accept(']')) {
      dimensions.push_back(0);
      continue;
    }
    const std::uint64_t size = reader.take_number(1, ~std::uint64_t{0}, "the number of elements");
    reader.expect(']', "after the number of elements");
    dimensions.push_back(size);
    if (size > kMostBytes / variable.elements) {
      variable.elements = kMostBytes + 1;
      check_size(reader, variable);
    }
    variable.elements *= size;
  }
  check_size(reader, variable);
  return dimensions;
}

// A declaration may be repeated if at most one of them defines the variable. nullptr: it is the first.
Variable* merge_with_earlier(ParserContext& context, const Variable& variable) {
  const Binding* binding = context.scopes.find(variable.name);
  if (binding == nullptr || context.module.symbols[binding->number].kind != Symbol::Kind::kVariable) {
    return nullptr;
  }
  Variable& earlier = context.module.variables[context.module.symbols[binding->number].number];
  if (earlier.linkage != Linkage::kExtern && variable.linkage != Linkage::kExtern) {
    return nullptr;
  }
  if (earlier.space != variable.space || bytes_of(earlier.type) != bytes_of(variable.type)) {
    context.reader.fail(
        variable.place,
        "the state space and type size of the declaration in line " + std::to_string(earlier.place.line),
        "another declaration of " + quoted(variable.name));
  }
  if (variable.linkage != Linkage::kExtern) {
    earlier = variable;
  }
  return &earlier;
}

Variable& add(ParserContext& context, const Variable& variable) {
  if (context.function != nullptr) {
    std::vector<Variable>& variables = context.function->variables;
    context.declare(variable.name, NameKind::kVariable, variables.size(), variable.place);
    return variables.emplace_back(variable);
  }
  Module& module = context.module;
  if (Variable* earlier = merge_with_earlier(context, variable)) {
    return *earlier;
  }
  context.declare(variable.name, NameKind::kSymbol, module.symbols.size(), variable.place);
  module.symbols.push_back({Symbol::Kind::kVariable, static_cast<std::uint32_t>(module.variables.size())});
  return module.variables.emplace_back(variable);
}

// x<4>: x0, x1, x2, x3.
void add_counted(ParserContext& context, Variable variable, std::uint64_t count) {
  context.counted_variables += count;
  if (context.counted_variables > kMostCounted) {
    context.reader.fail(variable.place, "at most " + std::to_string(kMostCounted) + " variables declared by count",
                        "more");
  }
  const std::string prefix(variable.name);
  for (std::uint64_t i = 0; i < count; ++i) {
    variable.name = context.reader.intern(prefix + std::to_string(i));
    add(context, variable);
  }
}

std::uint64_t read_count(TokenReader& reader) {
  const std::uint64_t count = reader.take_number(0, kMost32, "a number of names");
  reader.expect('>', "after a number of names");
  return count;
}

// The length of an open array comes from its initial values, or from another module if it is only declared here.
void settle_open_array(const TokenReader& reader, Variable& variable, const std::vector<std::uint64_t>& dimensions) {
  if (dimensions.empty() || dimensions[0] != 0 || reader.at('=')) {
    return;
  }
  if (variable.linkage != Linkage::kExtern) {
    reader.fail(variable.place, "the number of elements of an array that is not .extern",
                quoted(variable.name) + " without it");
  }
  variable.elements = 0;
}

bool may_have_initial_values(const Variable& variable) {
  return variable.linkage != Linkage::kExtern &&
         (variable.space == StateSpace::kGlobal || variable.space == StateSpace::kConstant);
}

void parse_declarator(ParserContext& context, Variable variable) {
  TokenReader& reader = context.reader;
  variable.place = reader.now().place;
  variable.name = reader.take_name("the name of a variable");
  if (reader.accept('<')) {
    check_size(reader, variable);
    add_counted(context, variable, read_count(reader));
    return;
  }
  std::vector<std::uint64_t> dimensions = read_dimensions(reader, variable);
  settle_open_array(reader, variable, dimensions);
  if (reader.at('=') && !may_have_initial_values(variable)) {
    reader.fail("no initial value for a variable of this kind");
  }
  // Declared before its initial values are read: a list may point to itself.
  Variable& added = add(context, variable);
  if (reader.accept('=')) {
    parse_initial_values(context, added, std::move(dimensions));
    check_size(reader, added);
  }
}

}  // namespace

bool at_state_space(const TokenReader& reader) {
  return reader.at(TokenKind::kWord) && space_of(reader.now().text).has_value();
}

void parse_variables(ParserContext& context, Linkage linkage) {
  TokenReader& reader = context.reader;
  Variable like;
  like.linkage = linkage;
  like.space = *space_of(reader.take().text);
  if (like.space == StateSpace::kConstant && reader.accept('[')) {
    like.bank = static_cast<std::uint32_t>(reader.take_number(0, kMostBanks - 1, "the number of a bank"));
    reader.expect(']', "after the number of a bank");
  }
  read_type(reader, like);
  do {
    parse_declarator(context, like);
  } while (reader.accept(','));
  reader.expect(';', "after a declaration");
}

void parse_registers(ParserContext& context) {
  TokenReader& reader = context.reader;
  reader.take();
  Variable like;
  like.space = StateSpace::kRegister;
  read_type(reader, like);
  Register made{{}, like.type, like.vector};
  do {
    const Place place = reader.now().place;
    made.name = reader.take_name("the name of a register");
    if (reader.accept('<')) {
      if (const auto earlier = context.scopes.declare_registers(made.name, read_count(reader), made, place)) {
        reader.fail_declared(place, made.name, *earlier);
      }
    } else {
      context.declare(made.name, NameKind::kRegister, context.function->registers.size(), place);
      context.function->registers.push_back(made);
    }
  } while (reader.accept(','));
  reader.expect(';', "after a declaration");
}

namespace {

// .ptr .global .align 16
void read_pointer(TokenReader& reader, Variable& parameter) {
  for (;;) {
    const std::optional<StateSpace> space = reader.at(TokenKind::kWord) ? space_of(reader.now().text) : std::nullopt;
    if (space) {
      reader.take();
      parameter.pointer_space = *space;
    } else if (reader.accept_word("align")) {
      parameter.pointer_alignment = read_alignment(reader);
    } else {
      return;
    }
  }
}

Variable read_parameter(TokenReader& reader) {
  Variable parameter;
  if (!reader.at_word("param") && !reader.at_word("reg")) {
    reader.fail("'.param' or '.reg'");
  }
  parameter.space = *space_of(reader.take().text);
  read_type(reader, parameter);
  if (reader.accept_word("ptr")) {
    read_pointer(reader, parameter);
  }
  parameter.place = reader.now().place;
  parameter.name = reader.take_name("the name of a parameter");
  const std::vector<std::uint64_t> dimensions = read_dimensions(reader, parameter);
  if (!dimensions.empty() && dimensions[0] == 0) {
    parameter.elements = 0;
  }
  return parameter;
}

}  // namespace

std::vector<Variable> parse_parameters(ParserContext& context) {
  TokenReader& reader = context.reader;
  std::vector<Variable> parameters;
  reader.expect('(', "before parameters");
  if (!reader.accept(')')) {
    do {
      parameters.push_back(read_parameter(reader));
    } while (reader.accept(','));
    reader.expect(')', "after parameters");
  }
  return parameters;
}

}  // namespace warpsim::ptx
