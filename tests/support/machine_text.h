// Runs text as machine code is lifted to it on the emulator: for tests of operations and convergence barriers of
// machine code.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace warpsim::test {

// The output of one block, a word for each thread, 0 before. `body` has the registers %r<64> and %u<8> .b32, %p<8> and
// %b<8> .pred (convergence barriers are %b), %q<8> .b64. %t is the thread's number, %own the address of its word of the
// output, %out that of the first word; %r0 is its word of `input`. Paths meet at convergence barriers only.
std::vector<std::uint32_t> execute_machine_text(const std::string& body, const std::vector<std::uint32_t>& input = {},
                                                std::uint32_t threads = 32);

}  // namespace warpsim::test
