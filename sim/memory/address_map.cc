#include "memory/address_map.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "base/check.h"
#include "base/error.h"
#include "stats/launch_stats.h"

namespace warpsim {
namespace {

std::shared_ptr<const mechanism::AddressHash> make_hash(const MechanismChoice<mechanism::AddressHash>& choice,
                                                        std::uint32_t places) {
  if (!choice.chosen()) {
    return nullptr;
  }
  LaunchStats<StatGroup> nowhere("address_map");
  MechanismCounters counters(nowhere, "hash");
  std::shared_ptr<const mechanism::AddressHash> hash = choice.make({places}, counters);
  if (!counters.declared().empty()) {
    throw ConfigError(fmt::format("address hash '{}' declares the counter '{}', expected none: a hash counts nothing",
                                  choice.name(), counters.declared().front().name));
  }
  return hash;
}

}  // namespace

void describe(ConfigSection& section, AddressMapConfig& config) {
  section.integer("num_partitions", config.num_partitions, 1, 8, "L2 partitions; with 1 all lines are near");
  section.integer("slices_per_partition", config.slices_per_partition, 1, 512, "L2 slices of one partition");
  section.integer("num_channels", config.num_channels, 1, 4096, "DRAM channels, evenly shared by the slices");
  section.integer("num_stacks", config.num_stacks, 1, 64,
                  "stacks (or modules) of DRAM, evenly shared by the partitions");
  section.integer("interleave_bytes", config.interleave_bytes, kLineBytes, 65536,
                  "neighbouring bytes that share a slice; a power of two");
  section.integer("partition_bytes", config.partition_bytes, kLineBytes, 1U << 20,
                  "neighbouring bytes that share a partition; a power of two");
  section.integer("row_bytes", config.row_bytes, kLineBytes, 1U << 20, "bytes of a DRAM row (page) of one channel");
  enum class Own : std::uint8_t { kMixed, kOther } own{};
  describe_mechanism(section, "hash", own, {{"mixed", Own::kMixed}}, Own::kOther, config.hash,
                     "how lines are spread over partitions and slices; `mixed`: by a hash of all bits");
  section.integer("num_bank_groups", config.num_bank_groups, 1, 16, "bank groups of a channel");
  section.integer("banks_per_group", config.banks_per_group, 1, 64, "banks of a bank group");
  if (!std::has_single_bit(config.interleave_bytes)) {
    section.problem("interleave_bytes", "must be a power of two");
  }
  if (!std::has_single_bit(config.partition_bytes) || config.partition_bytes < config.interleave_bytes) {
    section.problem("partition_bytes", "must be a power of two, no less than interleave_bytes");
  }
  if (config.row_bytes % config.interleave_bytes != 0) {
    section.problem("row_bytes", "must be a multiple of interleave_bytes");
  }
  if (config.num_slices() % config.num_channels != 0 || config.num_channels % config.num_partitions != 0) {
    section.problem("num_channels", "must divide the number of slices and be a multiple of num_partitions");
  }
  if (config.num_stacks % config.num_partitions != 0 || config.num_channels % config.num_stacks != 0) {
    section.problem("num_stacks", "must divide the number of channels and be a multiple of num_partitions");
  }
  if (config.num_bank_groups * config.banks_per_group > 64) {
    section.problem("banks_per_group", "a channel has at most 64 banks");
  }
}

AddressMap::AddressMap(const AddressMapConfig& config)
    : mixed_(!config.hash.chosen()),
      chunk_shift_(static_cast<std::uint32_t>(std::countr_zero(config.interleave_bytes / kLineBytes))),
      chunk_mask_(config.interleave_bytes / kLineBytes - 1),
      piece_shift_(static_cast<std::uint32_t>(std::countr_zero(config.partition_bytes / kLineBytes))),
      chunks_of_piece_shift_(piece_shift_ - chunk_shift_),
      chunks_of_piece_mask_((std::uint64_t{1} << chunks_of_piece_shift_) - 1),
      slices_per_partition_(config.slices_per_partition),
      channels_per_partition_(config.num_channels / config.num_partitions),
      stacks_per_partition_(std::max(config.num_stacks / config.num_partitions, 1U)),
      slices_(config.slices_per_partition),
      partitions_(config.num_partitions),
      slices_per_channel_(config.num_slices() / config.num_channels),
      bank_groups_(config.num_bank_groups),
      chunks_per_row_(config.row_bytes / config.interleave_bytes),
      banks_per_group_(config.banks_per_group),
      hash_name_(config.hash.name()),
      slice_hash_(make_hash(config.hash, config.slices_per_partition)),
      partition_hash_(make_hash(config.hash, config.num_partitions)) {
  SIM_CHECK(config.num_slices() % config.num_channels == 0, "slices do not divide evenly over channels");
}

std::uint32_t AddressMap::shift_by(const mechanism::AddressHash& hash, std::uint64_t block,
                                   std::uint32_t places) const {
  const std::uint32_t shift = hash.shift_of(block);
  if (shift >= places) {
    throw ConfigError(fmt::format("address hash '{}' shifts block {} by {}, expected less than {}", hash_name_, block,
                                  shift, places));
  }
  return shift;
}

AddressMap::DramPlace AddressMap::dram_place_of(Address line) const {
  const Home home = home_of(line);
  const std::uint32_t slice = slice_number(home.partition, home.slice_in_partition);
  const std::uint64_t block = home.line_number >> chunk_shift_;
  // Chunks of a channel in order, then groups, columns, banks and rows from the least significant end.
  const std::uint64_t chunk = block * slices_per_channel_.divisor() + slices_per_channel_.remainder(slice);
  const std::uint64_t in_group = bank_groups_.quotient(chunk);
  const std::uint64_t row_of_group = chunks_per_row_.quotient(in_group);
  const std::uint64_t row = banks_per_group_.quotient(row_of_group);
  const std::uint32_t group = bank_groups_.remainder(chunk + mix_bits(row_of_group) % 64);
  const std::uint32_t bank = banks_per_group_.remainder(row_of_group + mix_bits(row) % 64);
  return {channel_of_slice(slice), group, group * banks_per_group_.divisor() + bank, static_cast<std::uint32_t>(row)};
}

}  // namespace warpsim
