// One cubin for the reader, the relocations and the listing, in the form that libFuzzer calls.
#include <cstddef>
#include <cstdint>
#include <span>
#include <sstream>

#include "sass/cubin.h"
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
    if (!cubin.is_relocatable()) {
      cubin.apply_relocations([](const warpsim::sass::CubinSymbol& symbol) { return symbol.offset; });
    }
    std::ostringstream out;
    print_listing(cubin, {.words = true, .wanted = {}}, out);
    return 0;
  } catch (const warpsim::UserError&) {
    return -1;
  }
}
