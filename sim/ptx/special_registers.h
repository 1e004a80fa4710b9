// The predefined registers of every thread.
#pragma once

#include <string_view>

namespace warpsim::ptx {

// "%tid": with the percent sign.
bool is_special_register(std::string_view name);

}  // namespace warpsim::ptx
