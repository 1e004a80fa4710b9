// Kernel names as people read them.
#pragma once

#include <string>

namespace warpsim {

// Readable form of a mangled C++ name ("k_saxpy(float*, int)"), or the name itself if it is none.
std::string demangle(const std::string& name);

}  // namespace warpsim
