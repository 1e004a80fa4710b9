// The manual page warpsim(1), made from the same descriptions of commands and options as --help.
#pragma once

#include <string>

namespace warpsim {

// In the macros of man(7); `version` appears in the footer of the page.
std::string manual_page(const std::string& version);

}  // namespace warpsim
