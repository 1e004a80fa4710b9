// Which code of a program is executed: machine code or PTX.
#pragma once

#include <cstdint>
#include <string_view>

namespace warpsim::cuda {

enum class CodeChoice : std::uint8_t {
  kAny,      // machine code for the GPU; PTX if there is none, or if it cannot be executed
  kPtx,      // PTX, as for a GPU that none of the machine code is for
  kMachine,  // machine code
};
// "ptx", "machine"; empty: kAny. Throws UserError for other words; `what` gave the word.
CodeChoice code_choice_of(std::string_view word, std::string_view what);

}  // namespace warpsim::cuda
