#include "ptx/body_parser.h"

#include <iterator>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "ptx/declarations.h"
#include "ptx/function_parser.h"
#include "ptx/operand_parser.h"

namespace warpsim::ptx {
namespace {

// A label may follow its uses, so that uses are resolved at the end of the block.
struct LabelUse {
  std::string_view name;
  Place place;
  std::uint32_t owner = 0;  // number of the instruction, or of the table of targets
  std::uint32_t element = 0;
  bool in_table = false;
};

class BodyParser {
 public:
  explicit BodyParser(ParserContext& context)
      : context_(context), reader_(context.reader), function_(*context.function) {}

  void parse() {
    block();
    if (!uses_.empty()) {
      reader_.fail(uses_.front().place, "a label of this block or of an enclosing one", quoted(uses_.front().name));
    }
  }

 private:
  void block() {
    const Nesting nesting(reader_);
    const std::size_t first_use = uses_.size();
    reader_.expect('{', "before the body of a function");
    while (!reader_.accept('}')) {
      statement();
    }
    resolve_labels(first_use);
  }

  void resolve_labels(std::size_t first_use) {
    std::size_t kept = first_use;
    for (std::size_t i = first_use; i < uses_.size(); ++i) {
      const LabelUse& use = uses_[i];
      const Binding* binding = context_.scopes.find(use.name);
      if (binding == nullptr || binding->kind != NameKind::kLabel || binding->depth != context_.scopes.depth()) {
        uses_[kept++] = use;
      } else if (use.in_table) {
        function_.branch_targets[use.owner].targets[use.element] = binding->number;
      } else {
        function_.body[use.owner].operands[use.element].number = binding->number;
      }
    }
    uses_.resize(kept);
  }

  void statement() {
    if (reader_.at('{')) {
      context_.scopes.enter();
      block();
      context_.scopes.leave();
    } else if (reader_.at(TokenKind::kWord)) {
      directive();
    } else if (reader_.at(TokenKind::kIdentifier) && reader_.ahead().symbol == ':') {
      label();
    } else if (reader_.at(TokenKind::kIdentifier) || reader_.at('@')) {
      instruction();
    } else {
      reader_.fail("an instruction, a label, a directive or '}'");
    }
  }

  void directive() {
    if (reader_.at_word("reg")) {
      parse_registers(context_);
    } else if (at_state_space(reader_)) {
      parse_variables(context_, Linkage::kInternal);
    } else if (reader_.accept_word("loc")) {
      location();
    } else if (reader_.accept_word("pragma")) {
      keeps_loop_ = read_pragma(reader_);
    } else {
      reader_.fail("an instruction or a directive such as '.reg'");
    }
  }

  // .loc 1 20 5, function_name $name + 4, inlined_at 1 10 3
  void location() {
    source_file_ = number("the number of a file");
    source_line_ = number("the number of a line");
    number("the number of a column");
    while (reader_.accept(',')) {
      const Token token = reader_.now();
      const std::string_view what = reader_.take_name("'function_name' or 'inlined_at'");
      if (what == "function_name") {
        reader_.take_name("the label of a function's name");
        if (reader_.accept('+')) {
          number("an offset in bytes");
        }
      } else if (what == "inlined_at") {
        number("the number of a file");
        number("the number of a line");
        number("the number of a column");
      } else {
        reader_.fail(token, "'function_name' or 'inlined_at'");
      }
    }
  }

  std::uint32_t number(const char* what) { return static_cast<std::uint32_t>(reader_.take_number(0, kMost32, what)); }

  void label() {
    const Place place = reader_.now().place;
    const std::string_view name = reader_.take_name("a label");
    reader_.expect(':', "after a label");
    if (reader_.accept_word("branchtargets")) {
      context_.declare(name, NameKind::kBranchTargets, function_.branch_targets.size(), place);
      branch_targets(name);
    } else if (reader_.accept_word("calltargets")) {
      context_.declare(name, NameKind::kCallTargets, function_.call_targets.size(), place);
      call_targets(name);
    } else if (reader_.accept_word("callprototype")) {
      context_.declare(name, NameKind::kPrototype, function_.prototypes.size(), place);
      function_.prototypes.push_back(parse_prototype(context_, name));
    } else {
      context_.declare(name, NameKind::kLabel, function_.labels.size(), place);
      function_.labels.push_back({name, static_cast<std::uint32_t>(function_.body.size())});
    }
  }

  void branch_targets(std::string_view name) {
    TargetTable& table = function_.branch_targets.emplace_back();
    table.name = name;
    do {
      const Place place = reader_.now().place;
      const std::string_view target = reader_.take_name("a label");
      uses_.push_back({target, place, static_cast<std::uint32_t>(function_.branch_targets.size() - 1),
                       static_cast<std::uint32_t>(table.targets.size()), true});
      table.targets.push_back(0);
    } while (reader_.accept(','));
    reader_.expect(';', "after a list of labels");
  }

  void call_targets(std::string_view name) {
    TargetTable& table = function_.call_targets.emplace_back();
    table.name = name;
    do {
      const Token token = reader_.now();
      const Binding* binding = context_.scopes.find(reader_.take_name("a function"));
      if (binding == nullptr || binding->kind != NameKind::kSymbol ||
          context_.module.symbols[binding->number].kind != Symbol::Kind::kFunction) {
        reader_.fail(token, "a function declared before");
      }
      table.targets.push_back(binding->number);
    } while (reader_.accept(','));
    reader_.expect(';', "after a list of functions");
  }

  Guard guard() {
    Guard result;
    result.negated = reader_.accept('!');
    const Token token = reader_.now();
    const Binding* binding = context_.scopes.find(reader_.take_name("a predicate after '@'"));
    if (binding == nullptr || binding->kind != NameKind::kRegister ||
        function_.registers[binding->number].type != DataType::kPredicate) {
      reader_.fail(token, "a predicate declared before");
    }
    result.predicate = binding->number;
    return result;
  }

  void instruction() {
    Instruction result;
    if (reader_.accept('@')) {
      result.guard = guard();
    }
    result.place = reader_.now().place;
    result.source_file = source_file_;
    result.source_line = source_line_;
    result.keeps_loop = std::exchange(keeps_loop_, false);
    result.opcode = reader_.take_name("an instruction");
    modifiers(result);
    operands_.clear();
    parse_operands(context_, result.opcode, operands_);
    reader_.expect(';', operands_.empty() ? "or an operand after an instruction" : "or ',' after an operand");
    result.operands.assign(std::make_move_iterator(operands_.begin()), std::make_move_iterator(operands_.end()));
    note_labels(result);
    function_.body.push_back(std::move(result));
  }

  void modifiers(Instruction& result) {
    modifiers_.clear();
    while (reader_.at(TokenKind::kWord)) {
      const std::string_view word = reader_.take().text;
      if (word == "const" && reader_.accept('[')) {
        const std::uint64_t bank = reader_.take_number(0, kMostBanks - 1, "the number of a bank");
        reader_.expect(']', "after the number of a bank");
        modifiers_.push_back(reader_.intern("const[" + std::to_string(bank) + "]"));
      } else {
        modifiers_.push_back(reader_.intern(word));
      }
    }
    result.modifiers = modifiers_;
  }

  void note_labels(const Instruction& instruction) {
    for (std::size_t i = 0; i < instruction.operands.size(); ++i) {
      const Operand& operand = instruction.operands[i];
      if (operand.kind == Operand::Kind::kLabel) {
        uses_.push_back({operand.name, operand.place, static_cast<std::uint32_t>(function_.body.size()),
                         static_cast<std::uint32_t>(i)});
      }
    }
  }

  ParserContext& context_;
  TokenReader& reader_;
  Function& function_;
  std::vector<LabelUse> uses_;
  std::vector<Operand> operands_;            // of the current instruction
  std::vector<std::string_view> modifiers_;  // same
  std::uint32_t source_file_ = 0;
  bool keeps_loop_ = false;  // a pragma precedes the next instruction
  std::uint32_t source_line_ = 0;
};

}  // namespace

void parse_body(ParserContext& context) {
  BodyParser(context).parse();
}

bool read_pragma(TokenReader& reader) {
  bool keeps_loop = false;
  do {
    keeps_loop =
        reader.take_string("a string after '.pragma'").find("nounroll") != std::string_view::npos || keeps_loop;
  } while (reader.accept(','));
  reader.expect(';', "after a pragma");
  return keeps_loop;
}

}  // namespace warpsim::ptx
