#include "sass/cubin_notes.h"

#include <algorithm>
#include <cstddef>
#include <span>

namespace warpsim::sass {

namespace {

std::uint32_t little_endian(std::span<const std::byte> bytes) {
  std::uint32_t value = 0;
  for (std::size_t i = bytes.size(); i-- > 0;) {
    value = value << 8U | std::to_integer<std::uint32_t>(bytes[i]);
  }
  return value;
}

}  // namespace

// Up to CUDA 12 in the third byte of the flags, from CUDA 13 on in a note: the lengths of its name and description, its
// type, the name, and in the description's second half word the architecture. That of the code if it is absent.
std::uint32_t virtual_architecture(const ElfImage& image, std::uint32_t architecture) {
  constexpr std::size_t kName = 12;
  constexpr std::uint32_t kFlagsShift = 16;
  constexpr std::uint32_t kByte = 0xff;
  std::uint32_t found = image.os_abi() == kNewerAbi ? 0 : image.flags() >> kFlagsShift & kByte;
  for (const ElfSection& section : image.sections()) {
    if (section.name != ".note.nv.cuinfo" || section.bytes.size() < kName) {
      continue;
    }
    const std::size_t name_bytes = little_endian(section.bytes.first(4));
    const std::size_t place = kName + (std::min(name_bytes, section.bytes.size()) + 3) / 4 * 4 + 2;
    if (place + 2 <= section.bytes.size()) {
      found = little_endian(section.bytes.subspan(place, 2));
    }
  }
  return found == 0 || found > architecture ? architecture : found;
}

}  // namespace warpsim::sass
