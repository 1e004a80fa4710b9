// One text of PTX for the parser, in the form that libFuzzer calls.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "ptx/parser.h"
#include "support/ptx_invariants.h"

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer's name
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const auto module = warpsim::ptx::parse_module({reinterpret_cast<const char*>(data), size}, "fuzz.ptx");
    warpsim::ptx::check_invariants(*module);
    return 0;
  } catch (const warpsim::ptx::PtxError&) {
    return -1;
  }
}
