// The content of web/bundle, embedded in the program by cmake/embed_bundle.cmake: script, style and licences of
// the page, built from web/src.
#pragma once

#include <string_view>

namespace warpsim {

std::string_view bundle_script();
std::string_view bundle_style();
// "sha256-..." of the script, for a Content-Security-Policy.
std::string_view bundle_script_hash();

}  // namespace warpsim
