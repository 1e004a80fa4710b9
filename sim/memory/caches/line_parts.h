// How the 128-byte lines of requests are divided: into halves or quarters, or not at all.
//
// Two uses: what one tag of a cache covers, and what a miss fetches together. A part has the address of its first
// sector, and masks of sectors are always those of the whole line. No state but the size.
#pragma once

#include <bit>
#include <cstdint>
#include <string_view>

#include "base/types.h"
#include "config/config_section.h"

namespace warpsim {

class LineParts {
 public:
  // 32, 64 or 128 bytes.
  explicit LineParts(std::uint32_t bytes) : sectors_(bytes / kSectorBytes), first_((1U << sectors_) - 1) {}

  bool divided() const { return sectors_ != kSectorsPerLine; }
  // Sectors of the part at that address.
  std::uint8_t covered(Address part) const { return static_cast<std::uint8_t>(first_ << sector_in_line(part)); }
  // The part with the first of these sectors, of which there is at least one, and those that it has.
  struct Part {
    Address address = 0;
    std::uint8_t sectors = 0;
  };
  Part first_of(Address line, std::uint8_t sectors) const {
    const std::uint32_t sector = static_cast<std::uint32_t>(std::countr_zero(sectors)) / sectors_ * sectors_;
    const Address address = line_of(line) + Address{sector} * kSectorBytes;
    return {address, static_cast<std::uint8_t>(sectors & covered(address))};
  }
  // All sectors of the parts that contain some of these.
  std::uint8_t around(std::uint8_t sectors) const {
    std::uint32_t all = 0;
    for (std::uint32_t part = first_; part < 1U << kSectorsPerLine; part <<= sectors_) {
      all |= (sectors & part) != 0 ? part : 0;
    }
    return static_cast<std::uint8_t>(all);
  }
  // Calls visit(part, sectors) for each part that contains some of these, in ascending order.
  template <typename Visit>
  void for_each(Address line, std::uint8_t sectors, Visit&& visit) const {
    while (sectors != 0) {
      const Part part = first_of(line, sectors);
      visit(part.address, part.sectors);
      sectors = static_cast<std::uint8_t>(sectors & ~part.sectors);
    }
  }

 private:
  std::uint32_t sectors_;  // of a part
  std::uint32_t first_;    // these of the first part, as a mask
};

// A size of parts: `key` is 32, 64 or 128.
inline void describe_parts(ConfigSection& section, std::string_view key, std::uint32_t& bytes,
                           std::string_view meaning) {
  section.integer(key, bytes, kSectorBytes, kLineBytes, meaning);
  if (!std::has_single_bit(bytes)) {
    section.problem(key, "must be 32, 64 or 128");
  }
}

// What a miss fetches is in one line of the cache.
inline void check_fill(ConfigSection& section, std::uint32_t fill_bytes, std::uint32_t line_bytes) {
  if (fill_bytes > line_bytes) {
    section.problem("fill_bytes", "must not exceed line_bytes: a miss fetches parts of one line");
  }
}

}  // namespace warpsim
