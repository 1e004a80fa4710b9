#include "ptx/parser.h"

#include <charconv>
#include <optional>
#include <string>
#include <utility>

#include "ptx/body_parser.h"
#include "ptx/declarations.h"
#include "ptx/function_parser.h"
#include "ptx/parser_context.h"

namespace warpsim::ptx {
namespace {

constexpr std::uint64_t kMostFiles = 1 << 16;

std::optional<std::uint32_t> number_of(std::string_view digits) {
  std::uint32_t number = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  const bool whole = error == std::errc() && end == digits.data() + digits.size();
  return whole ? std::optional(number) : std::nullopt;
}

class ModuleParser {
 public:
  ModuleParser(std::string_view text, Module& module)
      : context_(text, module), reader_(context_.reader), module_(module) {}

  void parse() {
    version();
    target();
    while (!reader_.at_end()) {
      statement();
    }
    forget_unnamed_files();
  }

 private:
  void version() {
    if (!reader_.accept_word("version")) {
      reader_.fail("'.version' at the beginning of the text");
    }
    const Token token = reader_.take();
    // One digit, a dot, one digit.
    const bool short_form = token.kind == TokenKind::kFloat && token.text.size() == 3 && token.text[1] == '.';
    const std::uint32_t whole = short_form ? number_of(token.text.substr(0, 1)).value_or(0) : 0;
    const std::optional<std::uint32_t> rest = short_form ? number_of(token.text.substr(2)) : std::nullopt;
    if (whole == 0 || !rest) {
      reader_.fail(token, "a version of PTX from 1.0 to 9.9");
    }
    module_.version = whole * 10 + *rest;
  }

  void target() {
    if (!reader_.accept_word("target")) {
      reader_.fail("'.target' after '.version'");
    }
    do {
      const Token token = reader_.now();
      const std::string_view name = reader_.take_name("a target such as 'sm_90'");
      if (name.starts_with("sm_") || name.starts_with("compute_")) {
        architecture(token, name.substr(name.find('_') + 1));
      } else {
        module_.target_options.push_back(name);
      }
    } while (reader_.accept(','));
    if (module_.target == 0) {
      reader_.fail("a target such as 'sm_90' in the list after '.target'");
    }
  }

  void architecture(const Token& token, std::string_view digits) {
    if (digits.ends_with('a') || digits.ends_with('f')) {
      module_.architecture_specific = digits.ends_with('a');
      digits.remove_suffix(1);
    }
    const auto number = number_of(digits);
    if (!number || digits.size() < 2 || digits.size() > 3 || digits[0] == '0') {
      reader_.fail(token, "a target such as 'sm_90'");
    }
    module_.target = *number;
  }

  void statement() {
    if (reader_.accept('@')) {
      old_debug_line();
    } else if (reader_.accept_word("address_size")) {
      address_size();
    } else if (reader_.accept_word("file")) {
      file();
    } else if (reader_.accept_word("section")) {
      skip_section();
    } else if (reader_.accept_word("pragma")) {
      (void)read_pragma(reader_);
    } else if (reader_.accept_word("alias")) {
      alias();
    } else {
      declaration();
    }
  }

  // @@DWARF .byte 0x2b, 0x00
  void old_debug_line() {
    reader_.expect('@', "before 'DWARF'");
    if (reader_.now().text != "DWARF") {
      reader_.fail("'DWARF' after '@@'");
    }
    reader_.skip_line();
  }

  void address_size() {
    const Token token = reader_.now();
    module_.address_bits = static_cast<std::uint32_t>(reader_.take_number(32, 64, "the size of addresses in bits"));
    if (module_.address_bits != 32 && module_.address_bits != 64) {
      reader_.fail(token, "addresses of 32 or 64 bits");
    }
  }

  // .file 1 "name", time, size
  void file() {
    const std::uint64_t number = reader_.take_number(0, kMostFiles, "the number of a file");
    const std::string_view name = reader_.take_string("the name of a file");
    if (reader_.accept(',')) {
      reader_.take_number(0, ~std::uint64_t{0}, "the time of a file");
      reader_.expect(',', "between the time and the size of a file");
      reader_.take_number(0, ~std::uint64_t{0}, "the size of a file");
    }
    if (number == 0) {
      return;  // the module's own name, in old compilers' output
    }
    if (module_.files.size() < number) {
      module_.files.resize(number);
    }
    module_.files[number - 1] = name;
  }

  // .section .debug_str { ... }: only debuggers read it.
  void skip_section() {
    if (!reader_.at(TokenKind::kWord)) {
      reader_.fail("the name of a section");
    }
    reader_.take();
    reader_.expect('{', "before the content of a section");
    while (!reader_.accept('}')) {
      if (reader_.at_end()) {
        reader_.fail("'}' after the content of a section");
      }
      reader_.take();
    }
  }

  std::uint32_t symbol_of_function(const char* what) {
    const Token token = reader_.now();
    const Binding* binding = context_.scopes.find(reader_.take_name(what));
    if (binding == nullptr || module_.symbols[binding->number].kind != Symbol::Kind::kFunction) {
      reader_.fail(token, "a function declared before");
    }
    return binding->number;
  }

  // .alias name, function;
  void alias() {
    const Token token = reader_.now();
    const std::uint32_t name = symbol_of_function("the name of an alias");
    reader_.expect(',', "after the name of an alias");
    const std::uint32_t meant = module_.symbols[symbol_of_function("the function that an alias stands for")].number;
    reader_.expect(';', "after an alias");
    const std::uint32_t number = module_.symbols[name].number;
    Function& function = module_.functions[number];
    if (function.has_body || function.is_entry || function.alias_of >= 0 || meant == number ||
        function.name != reader_.intern(token.text)) {
      reader_.fail(token, "the name of a function without a body of its own");
    }
    function.alias_of = static_cast<std::int32_t>(meant);
    module_.symbols[name].number = meant;
  }

  std::optional<Linkage> accept_linkage() {
    constexpr std::pair<std::string_view, Linkage> kLinkages[] = {{"visible", Linkage::kVisible},
                                                                  {"extern", Linkage::kExtern},
                                                                  {"weak", Linkage::kWeak},
                                                                  {"common", Linkage::kCommon}};
    for (const auto& [word, linkage] : kLinkages) {
      if (reader_.accept_word(word)) {
        return linkage;
      }
    }
    return std::nullopt;
  }

  void declaration() {
    const Token first = reader_.now();
    const std::optional<Linkage> given = accept_linkage();
    const Linkage linkage = given.value_or(Linkage::kInternal);
    if (reader_.at_word("entry") || reader_.at_word("func")) {
      parse_function(context_, linkage);
    } else if (at_state_space(reader_)) {
      if (reader_.at_word("reg") || reader_.at_word("param")) {
        reader_.fail("a declaration that is allowed outside of functions");
      }
      parse_variables(context_, linkage);
    } else if (given) {
      reader_.fail("a function or variable after '." + std::string(first.text) + "'");
    } else {
      reader_.fail("a directive such as '.entry', '.func' or '.global'");
    }
  }

  // .file may follow the functions that refer to it. Without it the source is unknown.
  void forget_unnamed_files() {
    for (Function& function : module_.functions) {
      for (Instruction& instruction : function.body) {
        if (instruction.source_file > module_.files.size() || instruction.source_file == 0 ||
            module_.files[instruction.source_file - 1].empty()) {
          instruction.source_file = 0;
          instruction.source_line = 0;
        }
      }
    }
  }

  ParserContext context_;
  TokenReader& reader_;
  Module& module_;
};

}  // namespace

std::unique_ptr<Module> parse_module(std::string_view text, const std::string& file) {
  auto module = std::make_unique<Module>();
  module->file = file;
  ModuleParser(text, *module).parse();
  return module;
}

}  // namespace warpsim::ptx
