// The threads of the process, which may be a program that has loaded a library of warpsim: those of the program, and
// the libraries' own.
#pragma once

#include <cstddef>

namespace warpsim {

// The calling thread is one of the library's own.
void mark_own_thread();
// Those that are not marked; at least 1. Takes some microseconds for each.
std::size_t threads_of_program();
// Whether there are several, marked ones included. Fast.
bool has_several_threads();
// Whether a thread of the process sleeps, or has ended. `number`: as gettid() returns it.
bool is_asleep(int number);

}  // namespace warpsim
