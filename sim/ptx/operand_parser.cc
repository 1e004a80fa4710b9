#include "ptx/operand_parser.h"

#include <string>
#include <utility>

#include "ptx/constant_expression.h"
#include "ptx/special_registers.h"

namespace warpsim::ptx {
namespace {

using OperandKind = Operand::Kind;

std::int32_t component_of(std::string_view word) {
  if (word.size() != 1) {
    return -1;
  }
  for (const std::string_view letters : {std::string_view("xyzw"), std::string_view("rgba")}) {
    if (const std::size_t found = letters.find(word[0]); found != std::string_view::npos) {
      return static_cast<std::int32_t>(found);
    }
  }
  return -1;
}

// b0, h1, b3210: bytes or halves of a register that video instructions select.
bool is_selector(std::string_view word) {
  return word.size() > 1 && (word[0] == 'b' || word[0] == 'h') &&
         word.find_first_not_of("01234567", 1) == std::string_view::npos;
}

class OperandParser {
 public:
  OperandParser(ParserContext& context, std::string_view opcode)
      : context_(context),
        reader_(context.reader),
        is_call_(opcode == "call"),
        is_move_(opcode == "mov"),
        is_branch_(opcode == "bra") {}

  Operand outermost() {
    if (is_branch_ && reader_.at(TokenKind::kIdentifier)) {
      Operand label = begin(OperandKind::kLabel);
      label.name = reader_.intern(reader_.take().text);
      return label;
    }
    if (is_call_ && reader_.at('(')) {
      return group('(', ')', OperandKind::kList);
    }
    return operand();
  }

 private:
  Operand begin(OperandKind kind) const {
    Operand operand;
    operand.kind = kind;
    operand.place = reader_.now().place;
    return operand;
  }

  Operand operand() {
    if (reader_.at('{')) {
      Operand vector = group('{', '}', OperandKind::kVector);
      read_second(vector);
      return vector;
    }
    if (reader_.at('[')) {
      return address();
    }
    const bool sign_of_name = (reader_.at('!') || reader_.at('-')) && reader_.ahead().kind == TokenKind::kIdentifier &&
                              reader_.ahead().text != "WARP_SZ";
    if (!sign_of_name && at_constant(reader_)) {
      return constant();
    }
    if (!sign_of_name && !reader_.at(TokenKind::kIdentifier)) {
      reader_.fail("an operand");
    }
    Operand result = begin(OperandKind::kDiscard);
    result.negated = reader_.accept('!');
    result.minus = !result.negated && reader_.accept('-');
    named(result);
    read_second(result);
    return result;
  }

  // d|p
  void read_second(Operand& first) {
    if (!reader_.accept('|')) {
      return;
    }
    if (!reader_.at(TokenKind::kIdentifier)) {
      reader_.fail("a register or '_' after '|'");
    }
    first.second = std::make_unique<Operand>(begin(OperandKind::kDiscard));
    named(*first.second);
  }

  // {a, b} and (a, b)
  Operand group(char open, char close, OperandKind kind) {
    const Nesting nesting(reader_);
    Operand result = begin(kind);
    reader_.expect(open, "before a list");
    if (kind == OperandKind::kList && reader_.accept(close)) {
      return result;
    }
    do {
      result.elements.push_back(operand());
    } while (reader_.accept(','));
    reader_.expect(close, "or ',' after an element of a list");
    return result;
  }

  Operand constant() {
    Operand result = begin(OperandKind::kInteger);
    const Constant value = read_constant(reader_);
    result.kind = value.is_integer() ? OperandKind::kInteger : OperandKind::kFloat;
    result.bits = value.bits;
    result.single = value.kind == Constant::Kind::kSingle;
    result.unsigned_literal = value.kind == Constant::Kind::kUnsigned;
    return result;
  }

  // [base + offset, ...]
  Operand address() {
    const Nesting nesting(reader_);
    Operand result = begin(OperandKind::kAddress);
    reader_.expect('[', "before an address");
    if (reader_.at(TokenKind::kIdentifier) && !at_constant(reader_)) {
      Operand base = begin(OperandKind::kDiscard);
      resolve(base);
      component(base);
      result.offset = offset();
      result.elements.push_back(std::move(base));
    } else {
      result.elements.push_back(operand());
    }
    while (reader_.accept(',')) {
      result.elements.push_back(operand());
    }
    reader_.expect(']', "after an address");
    return result;
  }

  std::int64_t offset() {
    return reader_.at('+') || reader_.at('-') ? read_integer_constant(reader_, "an offset in bytes") : 0;
  }

  // A name with optional component or selector, offset, index of an array.
  void named(Operand& result) {
    resolve(result);
    component(result);
    if (result.kind == OperandKind::kSymbol && reader_.at('[')) {
      index(result);
    } else if (result.kind == OperandKind::kSymbol || result.kind == OperandKind::kRegister) {
      result.offset = offset();
    }
  }

  void component(Operand& result) {
    if (!reader_.at(TokenKind::kWord)) {
      return;
    }
    const std::string_view word = reader_.now().text;
    const bool is_register = result.kind == OperandKind::kRegister;
    const bool whole = is_register && context_.function->registers[result.number].vector == 1;
    if ((is_register || result.kind == OperandKind::kSpecial) && !whole && component_of(word) >= 0) {
      result.component = component_of(word);
      reader_.take();
    } else if (is_register && is_selector(word)) {
      result.video = true;
      result.name = reader_.intern(reader_.take().text);
    }
  }

  // a[2], a[%r], a[%r+1]: old forms of addresses; in elements if constant, in bytes if they contain a register.
  void index(Operand& result) {
    const Nesting nesting(reader_);
    reader_.take();
    Operand at = begin(OperandKind::kAddress);
    if (reader_.at(TokenKind::kIdentifier) && !at_constant(reader_)) {
      reader_.fail("a constant index; write the address as [register + offset]");
    }
    const std::int64_t number = read_integer_constant(reader_, "the index of an element");
    reader_.expect(']', "after an index");
    const std::int64_t offset =
        static_cast<std::int64_t>(static_cast<std::uint64_t>(number) * bytes_of_element(result));
    if (is_move_) {
      result.offset = offset;
      return;
    }
    at.place = result.place;
    at.offset = offset;
    at.elements.push_back(std::move(result));
    result = std::move(at);
  }

  std::uint64_t bytes_of_element(const Operand& operand) const {
    const Variable* variable = variable_of(operand);
    return variable == nullptr ? 1 : std::uint64_t{bytes_of(variable->type)} * variable->vector;
  }

  // nullptr: a function.
  const Variable* variable_of(const Operand& operand) const {
    switch (operand.scope) {
      case Operand::Scope::kVariables:
        return &context_.function->variables[operand.number];
      case Operand::Scope::kParameters:
        return &context_.function->parameters[operand.number];
      case Operand::Scope::kReturns:
        return &context_.function->returns[operand.number];
      case Operand::Scope::kModule:
        break;
    }
    const Symbol symbol = context_.module.symbols[operand.number];
    return symbol.kind == Symbol::Kind::kVariable ? &context_.module.variables[symbol.number] : nullptr;
  }

  void resolve(Operand& result) {
    const Token token = reader_.take();
    if (token.text == "_") {
      result.kind = OperandKind::kDiscard;
      return;
    }
    const std::string_view name = reader_.intern(token.text);
    const Binding* binding = context_.scopes.find(name);
    result.name = name;
    if (binding == nullptr) {
      if (!is_special_register(name)) {
        reader_.fail(token, "a name declared before");
      }
      result.kind = OperandKind::kSpecial;
      result.name.remove_prefix(1);
      return;
    }
    result.number = binding->number;
    result.kind = kind_of(binding->kind, token);
    result.scope = scope_of(binding->kind);
  }

  static Operand::Scope scope_of(NameKind kind) {
    switch (kind) {
      case NameKind::kVariable:
        return Operand::Scope::kVariables;
      case NameKind::kParameter:
        return Operand::Scope::kParameters;
      case NameKind::kReturn:
        return Operand::Scope::kReturns;
      default:
        return Operand::Scope::kModule;
    }
  }

  OperandKind kind_of(NameKind kind, const Token& token) const {
    switch (kind) {
      case NameKind::kRegister:
        return OperandKind::kRegister;
      case NameKind::kSymbol:
      case NameKind::kVariable:
      case NameKind::kParameter:
      case NameKind::kReturn:
        return OperandKind::kSymbol;
      case NameKind::kBranchTargets:
        return OperandKind::kBranchTargets;
      case NameKind::kCallTargets:
        return OperandKind::kCallTargets;
      case NameKind::kPrototype:
        return OperandKind::kPrototype;
      case NameKind::kLabel:
        break;
    }
    reader_.fail(token, "a register, variable or function, not a label");
  }

  ParserContext& context_;
  TokenReader& reader_;
  bool is_call_;
  bool is_move_;
  bool is_branch_;
};

}  // namespace

void parse_operands(ParserContext& context, std::string_view opcode, std::vector<Operand>& operands) {
  TokenReader& reader = context.reader;
  if (reader.at(';')) {
    return;
  }
  OperandParser parser(context, opcode);
  do {
    operands.push_back(parser.outermost());
    // [address].unified
    while (operands.back().kind == Operand::Kind::kAddress || operands.back().kind == Operand::Kind::kText) {
      if (!reader.at(TokenKind::kWord)) {
        break;
      }
      Operand option;
      option.kind = Operand::Kind::kText;
      option.place = reader.now().place;
      option.name = reader.intern(reader.take().text);
      operands.push_back(std::move(option));
    }
  } while (reader.accept(','));
}

}  // namespace warpsim::ptx
