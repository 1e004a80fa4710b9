// Shared by the parts of the parser: the text, the module in construction, the names, the current function.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "ptx/module.h"
#include "ptx/name_scopes.h"
#include "ptx/token_reader.h"

namespace warpsim::ptx {

struct ParserContext {
  ParserContext(std::string_view text, Module& parsed) : reader(text, parsed.file, parsed.names), module(parsed) {}

  TokenReader reader;
  Module& module;
  NameScopes scopes;
  Function* function = nullptr;
  std::uint64_t counted_variables = 0;  // declared by count (x<100>), in the whole module
  std::uint64_t padded_values = 0;      // initial values for gaps, in the whole module

  // Fails if the scope already has the name.
  void declare(std::string_view name, NameKind kind, std::size_t number, Place place) {
    if (const auto earlier = scopes.declare(name, kind, static_cast<std::uint32_t>(number), place)) {
      reader.fail_declared(place, name, *earlier);
    }
  }
};

}  // namespace warpsim::ptx
