#include "ptx/function_parser.h"

#include <algorithm>
#include <string>
#include <utility>

#include "ptx/body_parser.h"
#include "ptx/declarations.h"

namespace warpsim::ptx {
namespace {

// "256" or "16, 16, 4": missing extents are 1.
void read_extent(TokenReader& reader, std::uint32_t (&extent)[3], const char* what) {
  std::fill(std::begin(extent), std::end(extent), 1);
  for (std::uint32_t& size : extent) {
    size = static_cast<std::uint32_t>(reader.take_number(1, kMost32, what));
    if (!reader.accept(',')) {
      return;
    }
  }
  reader.fail("at most three extents");
}

std::uint32_t read_count(TokenReader& reader, const char* what) {
  return static_cast<std::uint32_t>(reader.take_number(0, kMost32, what));
}

bool read_launch_bound(TokenReader& reader, LaunchBounds& bounds) {
  if (reader.accept_word("reqntid")) {
    read_extent(reader, bounds.required_threads, "a number of threads");
  } else if (reader.accept_word("maxntid")) {
    read_extent(reader, bounds.most_threads, "a number of threads");
  } else if (reader.accept_word("minnctapersm") || reader.accept_word("maxnctapersm")) {
    bounds.least_blocks = read_count(reader, "a number of blocks");
  } else if (reader.accept_word("maxnreg")) {
    bounds.most_registers = read_count(reader, "a number of registers");
  } else if (reader.accept_word("reqnctapercluster")) {
    read_extent(reader, bounds.cluster_blocks, "a number of blocks");
  } else if (reader.accept_word("maxclusterrank")) {
    bounds.most_cluster_blocks = read_count(reader, "a number of blocks");
  } else if (reader.accept_word("explicitcluster")) {
    bounds.explicit_cluster = true;
  } else if (!reader.accept_word("blocksareclusters")) {
    return false;
  }
  return true;
}

bool read_calling_convention(TokenReader& reader, bool& no_return) {
  if (reader.accept_word("noreturn")) {
    no_return = true;
  } else if (reader.accept_word("abi_preserve") || reader.accept_word("abi_preserve_control")) {
    read_count(reader, "a number of registers");
  } else {
    return false;
  }
  return true;
}

// .attribute(.unified(1, 2)) before the name.
void skip_attributes(TokenReader& reader) {
  if (!reader.accept_word("attribute")) {
    return;
  }
  reader.expect('(', "after '.attribute'");
  for (int open = 1; open > 0; reader.take()) {
    if (reader.at_end()) {
      reader.fail("')' after attributes");
    }
    open += reader.at('(') ? 1 : reader.at(')') ? -1 : 0;
  }
}

void read_directives(TokenReader& reader, Function& function) {
  while (reader.at(TokenKind::kWord)) {
    if (reader.accept_word("pragma")) {
      (void)read_pragma(reader);
    } else if (!(function.is_entry && read_launch_bound(reader, function.bounds)) &&
               !read_calling_convention(reader, function.no_return)) {
      reader.fail(function.is_entry ? "a directive for kernels such as '.maxntid'"
                                    : "a directive for functions such as '.noreturn'");
    }
  }
}

std::vector<Variable> read_parameters_if_any(ParserContext& context) {
  return context.reader.at('(') ? parse_parameters(context) : std::vector<Variable>();
}

// The number of the function of this name, which is declared now or earlier.
std::uint32_t declare(ParserContext& context, const Function& function) {
  Module& module = context.module;
  const Binding* binding = context.scopes.find(function.name);
  if (binding == nullptr) {
    const std::size_t number = module.functions.size();
    context.declare(function.name, NameKind::kSymbol, module.symbols.size(), function.place);
    module.symbols.push_back({Symbol::Kind::kFunction, static_cast<std::uint32_t>(number)});
    Function& declared = module.functions.emplace_back();
    declared.name = function.name;
    declared.is_entry = function.is_entry;
    declared.place = function.place;
    return static_cast<std::uint32_t>(number);
  }
  const Symbol symbol = module.symbols[binding->number];
  if (symbol.kind != Symbol::Kind::kFunction || module.functions[symbol.number].is_entry != function.is_entry ||
      module.functions[symbol.number].name != function.name) {
    context.reader.fail_declared(function.place, function.name, binding->place);
  }
  return symbol.number;
}

void declare_parameters(ParserContext& context, Function& function) {
  const auto declare_all = [&](const std::vector<Variable>& variables, NameKind kind) {
    for (std::size_t i = 0; i < variables.size(); ++i) {
      const Variable& variable = variables[i];
      if (variable.name == "_") {
        continue;
      }
      if (variable.space == StateSpace::kRegister) {
        context.declare(variable.name, NameKind::kRegister, function.registers.size(), variable.place);
        function.registers.push_back({variable.name, variable.type, variable.vector});
      } else {
        context.declare(variable.name, kind, i, variable.place);
      }
    }
  };
  declare_all(function.returns, NameKind::kReturn);
  declare_all(function.parameters, NameKind::kParameter);
}

void store(Function& declared, Function&& function) {
  if (declared.has_body && !function.has_body) {
    return;
  }
  if (function.linkage == Linkage::kInternal && declared.linkage != Linkage::kExtern) {
    function.linkage = declared.linkage;
  }
  function.no_return = function.no_return || declared.no_return;
  declared = std::move(function);
}

}  // namespace

void parse_function(ParserContext& context, Linkage linkage) {
  TokenReader& reader = context.reader;
  Function function;
  function.linkage = linkage;
  function.is_entry = reader.take().text == "entry";
  skip_attributes(reader);
  if (!function.is_entry) {
    function.returns = read_parameters_if_any(context);
  }
  function.place = reader.now().place;
  function.name = reader.take_name("the name of a function");
  function.parameters = read_parameters_if_any(context);
  const std::uint32_t number = declare(context, function);
  read_directives(reader, function);
  context.scopes.enter();
  context.scopes.set_registers(&function.registers);
  context.function = &function;
  declare_parameters(context, function);
  if (!reader.accept(';')) {
    if (context.module.functions[number].has_body) {
      reader.fail_declared(function.place, function.name, context.module.functions[number].place);
    }
    function.has_body = true;
    parse_body(context);
  }
  context.function = nullptr;
  context.scopes.set_registers(nullptr);
  context.scopes.leave();
  store(context.module.functions[number], std::move(function));
}

Prototype parse_prototype(ParserContext& context, std::string_view name) {
  TokenReader& reader = context.reader;
  Prototype prototype;
  prototype.name = name;
  prototype.returns = read_parameters_if_any(context);
  reader.take_name("'_' instead of a function's name");
  prototype.parameters = read_parameters_if_any(context);
  bool no_return = false;
  while (read_calling_convention(reader, no_return)) {
  }
  reader.expect(';', "after a prototype");
  return prototype;
}

}  // namespace warpsim::ptx
