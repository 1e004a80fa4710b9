// What is told to a user who requests more threads than there are processors.
#pragma once

#include <cstdint>
#include <string>

namespace warpsim {

// A line without its end; empty if `processors` are enough for `jobs` with `threads` each.
std::string thread_note(std::uint64_t jobs, std::uint32_t threads, std::uint32_t processors);

// Prints the note, if there is one, on stderr, for the processors that this process may use.
void tell_thread_note(std::uint64_t jobs, std::uint32_t threads);

}  // namespace warpsim
