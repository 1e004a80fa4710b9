#pragma once

#include <cstdint>

namespace warpsim {

// The use of functions translated to the host's instructions (host_translation.h) in a launch. The results are the
// same.
enum class HostCodeUse : std::uint8_t { kNever, kOften, kAlways };

}  // namespace warpsim
