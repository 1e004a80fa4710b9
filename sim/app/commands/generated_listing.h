// The machine code that the simulator assumes for PTX, as text: what sim/codegen generates, with the registers that it
// assigns. It is used for timing only; no assembler accepts it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <iosfwd>
#include <string>
#include <string_view>

namespace warpsim {

// Prints each kernel of the PTX file whose mangled name `wanted` accepts, with the functions that it calls.
// `architecture`: of the code, 90 for sm_90; 0: that of the file's .target. Returns the number of printed kernels.
// Throws UserError: the file cannot be read, is no PTX that the simulator executes, or there is no table of
// instructions for the architecture.
std::size_t print_generated(const std::string& file, std::uint32_t architecture,
                            const std::function<bool(std::string_view)>& wanted, std::ostream& out);

}  // namespace warpsim
