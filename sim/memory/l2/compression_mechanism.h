// Which lines a slice of L2 reads from DRAM and writes there as one compressed unit, by an exchangeable mechanism
// (warpsim/compression.h).
//
// Modelled: the sectors that move for a line, and those that must be read before a write; what they take in L2 is in
// compressed_room.h, between its partitions in l2_fabric.h. Not modelled: where DRAM has
// the compressed lines, tables that say which lines are compressed. State: the mechanism and its counters. Invariant:
// without a mechanism no function is called except the conversion to bool.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "base/types.h"
#include "mechanisms/mechanism_choice.h"
#include "stats/launch_stats.h"
#include "stats/stat_group.h"

namespace warpsim {

struct CompressionStats : StatGroup {
  using StatGroup::StatGroup;
  Counter line_reads{*this, "line_reads", Unit::kEvents, "reads of compressed lines"};
  Counter filled_sectors{*this, "filled_sectors", Unit::kSectors, "sectors that these reads brought to L2"};
  Counter read_sectors{*this, "read_sectors", Unit::kSectors, "sectors that these reads moved"};
  Counter line_writes{*this, "line_writes", Unit::kEvents, "write-backs of compressed lines"};
  Counter dirty_sectors{*this, "dirty_sectors", Unit::kSectors, "dirty sectors of these write-backs"};
  Counter written_sectors{*this, "written_sectors", Unit::kSectors, "sectors that these write-backs moved"};
  Counter reads_before_writes{*this, "reads_before_writes", Unit::kEvents,
                              "reads of compressed lines of which a write-back lacked sectors"};
};

class CompressionMechanism {
 public:
  using Choice = MechanismChoice<mechanism::Compression>;

  // The counters are a group "compression" below `parent`, if a mechanism is chosen.
  CompressionMechanism(const Choice& choice, LaunchStatsNode& parent);

  explicit operator bool() const { return mechanism_ != nullptr; }

  // The sectors that move for a whole compressed line, as a mask; 0: the line is not compressed. ConfigError for an
  // answer that the interface does not allow.
  std::uint8_t moved(Address line) const;
  std::uint32_t decompression_cycles() const { return decompression_cycles_; }

  void count_read(std::uint8_t filled, std::uint8_t moved, LaunchSeat seat);
  void count_write(std::uint8_t dirty, std::uint8_t moved, bool after_read, LaunchSeat seat);

 private:
  std::optional<LaunchStats<CompressionStats>> stats_;
  std::optional<MechanismCounters> counters_;
  std::unique_ptr<mechanism::Compression> mechanism_;
  std::string name_;
  std::uint32_t decompression_cycles_ = 0;
};

}  // namespace warpsim
