#include "mechanisms/compressions/drawn_sizes.h"

#include <stdexcept>
#include <string>

#include "mechanisms/table_index.h"

namespace warpsim::mechanism {

namespace {

constexpr std::uint32_t kDraws = 1U << 20U;  // numbers that are drawn: [0, kDraws)

}  // namespace

void DrawnSizes::Settings::describe(Keys& keys) {
  keys.real("one_sector_share", one_sector_share, 0, 1, "share of the regions whose lines take one sector");
  keys.real("two_sectors_share", two_sectors_share, 0, 1, "share of the regions whose lines take two sectors");
  keys.real("three_sectors_share", three_sectors_share, 0, 1, "share of the regions whose lines take three sectors");
  keys.integer("region_lines", region_lines, 1, 1U << 30U, "neighbouring lines of the program with one size");
  keys.integer("decompression_cycles", decompression_cycles, 0, 10000,
               "cycles of L2 from the arrival of a compressed line to its use");
}

DrawnSizes::DrawnSizes(const Settings& settings, const CompressionSite& /*site*/, Counters& /*counters*/)
    : settings_(settings) {
  const double sum = settings.one_sector_share + settings.two_sectors_share + settings.three_sectors_share;
  if (sum > 1) {
    throw std::invalid_argument("the shares of lines with one, two and three sectors are " + std::to_string(sum) +
                                " together; expected at most 1");
  }
}

std::uint32_t DrawnSizes::sectors(Address line) const {
  const double drawn = static_cast<double>(table_index(line / kLineBytes / settings_.region_lines, kDraws)) / kDraws;
  if (drawn < settings_.one_sector_share) {
    return 1;
  }
  if (drawn < settings_.one_sector_share + settings_.two_sectors_share) {
    return 2;
  }
  return drawn < settings_.one_sector_share + settings_.two_sectors_share + settings_.three_sectors_share
             ? 3
             : kSectorsPerLine;
}

}  // namespace warpsim::mechanism
