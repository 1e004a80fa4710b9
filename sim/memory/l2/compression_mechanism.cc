#include "memory/l2/compression_mechanism.h"

#include <fmt/format.h>

#include "base/error.h"
#include "memory/slice_message.h"

namespace warpsim {

CompressionMechanism::CompressionMechanism(const Choice& choice, LaunchStatsNode& parent) {
  if (choice.chosen()) {
    constexpr std::uint32_t kMaxCycles = 10000;
    stats_.emplace(parent, "compression");
    counters_.emplace(*stats_, "mechanism");
    mechanism_ = choice.make({}, *counters_);
    name_ = choice.name();
    decompression_cycles_ = mechanism_->decompression_cycles();
    if (decompression_cycles_ > kMaxCycles) {
      throw ConfigError(fmt::format("mechanism '{}' decompresses a line in {} cycles; expected at most {}", name_,
                                    decompression_cycles_, kMaxCycles));
    }
  }
}

std::uint8_t CompressionMechanism::moved(Address line) const {
  const std::uint32_t sectors = mechanism_->sectors(line);
  if (sectors == 0 || sectors > kSectorsPerLine) {
    throw ConfigError(fmt::format("mechanism '{}' compresses the line {:#x} to {} sectors; expected 1 to {}", name_,
                                  line, sectors, kSectorsPerLine));
  }
  return static_cast<std::uint8_t>(sectors == kSectorsPerLine ? 0 : (1U << sectors) - 1);
}

void CompressionMechanism::count_read(std::uint8_t filled, std::uint8_t moved, LaunchSeat seat) {
  CompressionStats& stats = (*stats_)[seat];
  ++stats.line_reads;
  stats.filled_sectors += sector_count(filled);
  stats.read_sectors += sector_count(moved);
}

void CompressionMechanism::count_write(std::uint8_t dirty, std::uint8_t moved, bool after_read, LaunchSeat seat) {
  CompressionStats& stats = (*stats_)[seat];
  ++stats.line_writes;
  stats.dirty_sectors += sector_count(dirty);
  stats.written_sectors += sector_count(moved);
  stats.reads_before_writes += after_read ? 1 : 0;
}

}  // namespace warpsim
