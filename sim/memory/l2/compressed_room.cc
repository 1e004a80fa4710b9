#include "memory/l2/compressed_room.h"

#include "memory/slice_message.h"

namespace warpsim {
namespace {

bool has_further_tags(const L2Config& config) {
  return config.compression.chosen() && config.compressed_ways > config.num_ways;
}

}  // namespace

CompressedRoom::CompressedRoom(const L2Config& config, const CompressionMechanism& compression)
    : compression_(&compression), capacity_(config.num_ways * kSectorsPerLine) {
  if (has_further_tags(config)) {
    used_.assign(config.num_sets, 0);
  }
}

std::uint32_t CompressedRoom::tags_of_set(const L2Config& config) {
  return has_further_tags(config) ? config.compressed_ways : config.num_ways;
}

std::uint32_t CompressedRoom::sectors(Address line) const {
  const std::uint8_t moved = compression_->moved(line);
  return moved == 0 ? kSectorsPerLine : sector_count(moved);
}

}  // namespace warpsim
