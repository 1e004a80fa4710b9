// One cubin for the reader, the linker, the relocations and the listing, in the form that libFuzzer calls.
#include <cstddef>
#include <cstdint>
#include <span>
#include <sstream>
#include <string>
#include <string_view>

#include "sass/cubin.h"
#include "sass/cubin_linker.h"
#include "sass/cubin_listing.h"
#include "sass/decoder.h"

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer's name
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using warpsim::sass::Cubin;
  try {
    Cubin cubin(std::as_bytes(std::span(data, size)), "fuzz.cubin");
    for (const warpsim::sass::CubinFunction& function : cubin.functions()) {
      cubin.code(function);
      cubin.constant_bank(function, 0);
    }
    for (const warpsim::sass::CubinVariable& variable : cubin.variables()) {
      cubin.initial_bytes(variable);
    }
    if (cubin.is_relocatable()) {
      const warpsim::sass::LinkInput alone[] = {{std::as_bytes(std::span(data, size)), "fuzz.cubin"}};
      const auto is_external = [](std::string_view name) { return name == "vprintf"; };
      const std::string linked = warpsim::sass::link_cubins(alone, is_external, "linked.cubin");
      const Cubin result(std::as_bytes(std::span(linked)), "linked.cubin");
    } else {
      cubin.apply_relocations([](const warpsim::sass::CubinSymbol& symbol) { return symbol.offset; });
    }
    std::ostringstream out;
    print_listing(cubin, {.words = true, .wanted = {}}, out);
    return 0;
  } catch (const warpsim::UserError&) {
    return -1;
  }
}
