// A copy from or to rows of equal width in a GPU's memory, as that GPU sees it: the rest is the host or another GPU.
#pragma once

#include <cstdint>

#include "base/types.h"

namespace warpsim {

struct EngineCopy {
  std::uint64_t number = 0;  // names it
  Address address = 0;
  std::uint64_t width = 0;  // bytes of a row
  std::uint64_t rows = 0;
  std::uint64_t pitch = 0;  // bytes from row to row
  std::uint64_t done = 0;   // bytes that were copied before
  bool writes = false;      // from there
  double gb_per_s = 0;
};

}  // namespace warpsim
