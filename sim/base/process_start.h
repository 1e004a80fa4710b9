// When a process of this machine was started, which together with its number names it: numbers are reused.
#pragma once

#include <cstdint>

namespace warpsim {

// In the kernel's ticks since it was started. 0: there is no such process, or it has ended and only waits for its
// parent (a zombie).
std::uint64_t process_start(std::int64_t process);

}  // namespace warpsim
