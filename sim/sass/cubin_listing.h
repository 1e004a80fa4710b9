// The text of a cubin's code, as NVIDIA's cuobjdump prints it with -sass.
//
// One part for each section of code: a kernel with the functions inside its section, or a function with a section of
// its own. Branch targets are offsets in the section. Values that relocations fill in later are printed as they are in
// the file, where cuobjdump prints the symbol; header flags are not printed. sim/isa/sass_listing.h reads the text.
#pragma once

#include <cstddef>
#include <functional>
#include <iosfwd>
#include <string_view>

#include "sass/cubin.h"

namespace warpsim::sass {

struct ListingOptions {
  bool words = false;  // print the instructions' words too
  // Whether the section with a function of this mangled name is printed; unset: all.
  std::function<bool(std::string_view function)> wanted;
};

// Returns the number of printed sections. Throws UnknownInstruction, which names file, section, address and bits,
// before anything is written.
std::size_t print_listing(const Cubin& cubin, const ListingOptions& options, std::ostream& out);

}  // namespace warpsim::sass
