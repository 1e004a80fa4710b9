// Location of a 128-byte line: its home L2 partition and slice, and its DRAM channel, bank and row.
//
// Modelled: memory is divided into pieces of `partition_bytes`, which the partitions share evenly: of as many pieces as
// there are partitions each has one, in an order that a hash rotates. A partition's pieces are cut into chunks of
// `interleave_bytes`. Its chunk number c = b * S + r with S slices goes to slice (r + hash(b)) mod S: every aligned run
// covers each slice once, so streams are exactly even for any S, and strides of any power of two spread through the
// hash of b. A slice owns a fixed DRAM channel; within a channel neighbouring chunks change bank group, then fill a
// row, then change bank.
// A description can choose another hash (warpsim/address_hash.h) for both. Not modelled: NVIDIA's actual hash.
// Evidence: atomics on 1, 8 and 32 neighbouring lines scale as 1 : 2 : 8, so four lines share a slice (micro.csv
// atomic.global.*.shared_by_blocks.*); atomics on 32 neighbouring lines are all near or all far
// (tests/hardware/atomics); evenness on H100 is within about 5 % (microarchitecture.md 2.3).
// Invariant: the map is a bijection; two lines never share slice, line number and partition.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "base/types.h"
#include "config/config_section.h"
#include "mechanisms/mechanism_choice.h"
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
  std::uint32_t partition_bytes = 4096;
  std::uint32_t num_stacks = 1;                       // of all partitions; fewer than one per partition count as one
  MechanismChoice<mechanism::AddressHash> hash = {};  // none: mix_bits()
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

  // Throws ConfigError if the constructor of the hash does, or if the hash declares counters.
  explicit AddressMap(const AddressMapConfig& config);

  Home home_of(Address line) const {
    const std::uint64_t number = line / kLineBytes;
    const std::uint64_t piece = number >> piece_shift_;
    const std::uint64_t turn = partitions_.quotient(piece);
    const std::uint32_t partition = partitions_.remainder(piece + shift_of(turn, partitions_, partition_hash_.get()));
    const std::uint64_t chunk = (turn << chunks_of_piece_shift_) + (number >> chunk_shift_ & chunks_of_piece_mask_);
    const std::uint64_t block = slices_.quotient(chunk);
    const std::uint32_t slice = slices_.remainder(chunk + shift_of(block, slices_, slice_hash_.get()));
    return {partition, slice, (block << chunk_shift_) + (number & chunk_mask_)};
  }
  // The line with that number: the inverse of home_of().
  Address line_of(const Home& home) const {
    const std::uint64_t block = home.line_number >> chunk_shift_;
    const std::uint32_t slices = slices_.divisor();
    const std::uint64_t chunk = block * slices + slices_.remainder(home.slice_in_partition + slices -
                                                                   shift_of(block, slices_, slice_hash_.get()));
    const std::uint64_t turn = chunk >> chunks_of_piece_shift_;
    const std::uint32_t count = partitions_.divisor();
    const std::uint64_t piece =
        turn * count +
        partitions_.remainder(home.partition + count - shift_of(turn, partitions_, partition_hash_.get()));
    const std::uint64_t in_piece = ((chunk & chunks_of_piece_mask_) << chunk_shift_) + (home.line_number & chunk_mask_);
    return ((piece << piece_shift_) + in_piece) * kLineBytes;
  }
  DramPlace dram_place_of(Address line) const;

  std::uint32_t slices_per_partition() const { return slices_per_partition_; }
  // Slices are numbered partition * slices_per_partition + slice_in_partition.
  std::uint32_t slice_number(std::uint32_t partition, std::uint32_t slice_in_partition) const {
    return partition * slices_per_partition_ + slice_in_partition;
  }
  std::uint32_t num_partitions() const { return partitions_.divisor(); }
  std::uint32_t partition_of_slice(std::uint32_t slice) const { return slice / slices_per_partition_; }
  std::uint32_t channel_of_slice(std::uint32_t slice) const { return slice / slices_per_channel_.divisor(); }
  std::uint32_t num_stacks() const { return stacks_per_partition_ * partitions_.divisor(); }
  // The channels of a partition alternate between its stacks.
  std::uint32_t stack_of_channel(std::uint32_t channel) const {
    return channel / channels_per_partition_ * stacks_per_partition_ +
           channel % channels_per_partition_ % stacks_per_partition_;
  }
  std::uint32_t slices_per_channel() const { return slices_per_channel_.divisor(); }

 private:
  std::uint32_t shift_of(std::uint64_t block, const FastDivider& places, const mechanism::AddressHash* hash) const {
    return mixed_ ? hash_below(block, places.divisor()) : shift_by(*hash, block, places.divisor());
  }
  std::uint32_t shift_by(const mechanism::AddressHash& hash, std::uint64_t block, std::uint32_t places) const;

  bool mixed_;  // no hash is chosen
  std::uint32_t chunk_shift_;
  std::uint64_t chunk_mask_;
  std::uint32_t piece_shift_;
  std::uint32_t chunks_of_piece_shift_;
  std::uint64_t chunks_of_piece_mask_;
  std::uint32_t slices_per_partition_;
  std::uint32_t channels_per_partition_;
  std::uint32_t stacks_per_partition_;
  FastDivider slices_;  // of a partition
  FastDivider partitions_;
  FastDivider slices_per_channel_;
  FastDivider bank_groups_;
  FastDivider chunks_per_row_;
  FastDivider banks_per_group_;
  std::string hash_name_;
  // Null: mix_bits(). Shared by copies of the map: a hash has no state that changes.
  std::shared_ptr<const mechanism::AddressHash> slice_hash_;
  std::shared_ptr<const mechanism::AddressHash> partition_hash_;
};

}  // namespace warpsim
