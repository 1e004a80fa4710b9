// The initial or expected content of a buffer: elements from a rule, a list or a file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "app/launch_file/element_type.h"
#include "config/config_node.h"

namespace warpsim {

struct ElementValues {
  enum class Kind : std::uint8_t { kZeros, kValue, kIota, kRandom, kList, kFile };
  Kind kind = Kind::kZeros;
  // Element i is start + (i modulo period) * step, as bits of the type. Integers wrap around; floating-point numbers
  // are computed in double precision and rounded once.
  std::uint64_t start = 0;  // also of kValue
  std::uint64_t step = 0;
  std::uint64_t period = 0;  // 0: never restarts
  // Uniform from low to high. Element i depends only on seed and i: its 64 random bits r are those of SplitMix64
  // with state seed + (i + 1) * 0x9e3779b97f4a7c15. Integers: low + floor(r * (high - low + 1) / 2^64); others:
  // low + (high - low) * floor(r / 2^11) / 2^53 in double precision, rounded once.
  std::uint64_t seed = 0;
  std::uint64_t low = 0;
  std::uint64_t high = 0;
  std::vector<std::uint64_t> list = {};  // bits; of kFile after read_file()
  std::string file = {};                 // *.txt: numbers between blanks, comments after #; else little-endian bytes
  ConfigOrigin origin = {};
};

// Reads the file of kFile into `list`; does nothing for others. Throws UserError that names the place in the file.
void read_file(ElementType type, ElementValues& values);

// Number of elements of the values; 0 for rules, which are unlimited.
std::uint64_t count_of(const ElementValues& values);

// Bits of element `index`. `index` must be inside a list.
std::uint64_t element_of(ElementType type, const ElementValues& values, std::uint64_t index);

// 64 random bits of SplitMix64.
std::uint64_t random_bits(std::uint64_t seed, std::uint64_t index);

}  // namespace warpsim
