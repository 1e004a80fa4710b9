// Where a 128-byte line lives: its home L2 partition and slice, and the channel, bank and row of its DRAM.
//
// Modelled: memory is cut into chunks of `interleave_bytes`. Chunk number c = b * S + r with S slices in all goes to
// slice (r + hash(b)) mod S: every aligned run of S chunks covers each slice once, so streams are exactly even for any
// S, and strides of any power of two spread through the hash of b. Neighbouring chunks change partition. A slice owns a
// fixed DRAM channel; within a channel neighbouring chunks change bank group, then fill a row, then change bank.
// Not modelled: NVIDIA's actual hash, address translation.
// Evidence: atomics on 1, 8 and 32 neighbouring lines scale as 1 : 2 : 8, so four lines share a slice (micro.csv
// atomic.global.*.shared_by_blocks.*); evenness on H100 is within about 5 % (microarchitecture.md 2.3).
// Invariant: the map is a bijection; two lines never share slice, line number and partition.
#pragma once

#include <cstdint>

#include "base/types.h"
#include "config/config_section.h"
#include "memory/fast_divider.h"

namespace warpsim {

struct AddressMapConfig {
  std::uint32_t num_partitions = 1;
  std::uint32_t slices_per_partition = 1;
  std::uint32_t num_channels = 1;
  std::uint32_t interleave_bytes = 512;
  std::uint32_t row_bytes = 2048;
  std::uint32_t num_bank_groups = 4;
  std::uint32_t banks_per_group = 4;
  std::uint32_t num_slices() const { return num_partitions * slices_per_partition; }
};
void describe(ConfigSection& section, AddressMapConfig& config);

class AddressMap {
 public:
  struct Home {
    std::uint32_t partition;
    std::uint32_t slice_in_partition;
    std::uint64_t line_number;  // of this slice: consecutive numbers for the lines it owns
  };
  struct DramPlace {
    std::uint32_t channel;
    std::uint32_t bank_group;
    std::uint32_t bank;  // of the channel: bank_group * banks_per_group + bank in the group
    std::uint32_t row;
  };

  explicit AddressMap(const AddressMapConfig& config);

  Home home_of(Address line) const {
    const std::uint64_t number = line / kLineBytes;
    const std::uint64_t chunk = number >> chunk_shift_;
    const std::uint64_t block = slices_.quotient(chunk);
    const std::uint32_t rotated = slices_.remainder(chunk + hash_below(block, slices_.divisor()));
    const std::uint32_t local = static_cast<std::uint32_t>(partitions_.quotient(rotated));
    return {rotated - local * partitions_.divisor(), local, (block << chunk_shift_) + (number & chunk_mask_)};
  }
  // The line of that number: the inverse of home_of().
  Address line_of(const Home& home) const {
    const std::uint64_t block = home.line_number >> chunk_shift_;
    const std::uint32_t count = slices_.divisor();
    const std::uint32_t rotated = home.slice_in_partition * partitions_.divisor() + home.partition;
    const std::uint32_t chunk = slices_.remainder(std::uint64_t{rotated} + count - hash_below(block, count) % count);
    return (((block * count + chunk) << chunk_shift_) + (home.line_number & chunk_mask_)) * kLineBytes;
  }
  DramPlace dram_place_of(Address line) const;

  // Slices are numbered partition * slices_per_partition + slice_in_partition.
  std::uint32_t slice_number(std::uint32_t partition, std::uint32_t slice_in_partition) const {
    return partition * slices_per_partition_ + slice_in_partition;
  }
  std::uint32_t channel_of_slice(std::uint32_t slice) const { return slice / slices_per_channel_.divisor(); }
  std::uint32_t slices_per_channel() const { return slices_per_channel_.divisor(); }

 private:
  std::uint32_t chunk_shift_;
  std::uint64_t chunk_mask_;
  std::uint32_t slices_per_partition_;
  FastDivider slices_;
  FastDivider partitions_;
  FastDivider slices_per_channel_;
  FastDivider bank_groups_;
  FastDivider chunks_per_row_;
  FastDivider banks_per_group_;
};

}  // namespace warpsim
