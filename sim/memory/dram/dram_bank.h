// Banks of one DRAM channel under its timing table: which row is open, and when each command may be issued next.
//
// A passive model: `ready_at` says when a command is allowed, activate(), precharge() and
// access() execute it and check that it was not early. No queue, no scheduling.
// Modelled: all constraints of DramTiming within a bank, a bank group and the channel; refresh.
// Invariant: a column command is issued only to the open row, at or after ready_at of every constraint.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "base/types.h"
#include "memory/dram/dram_timing.h"

namespace warpsim {

enum class DramCommand : std::uint8_t { kRead, kWrite, kActivate, kPrecharge };

class DramBanks {
 public:
  static constexpr std::uint32_t kClosed = 0xffffffffU;

  DramBanks(const DramConfig& config, std::uint32_t num_bank_groups, std::uint32_t banks_per_group);

  std::uint32_t num_banks() const { return static_cast<std::uint32_t>(banks_.size()); }
  std::uint32_t open_row(std::uint32_t bank) const { return banks_[bank].row; }

  // First cycle at which the command may be issued to the bank. Column commands and precharge need an open row,
  // activate a closed one; the caller must know this.
  Cycle ready_at(DramCommand command, std::uint32_t index) const {
    const Bank& bank = banks_[index];
    const Shared& group = groups_[bank.group];
    switch (command) {
      case DramCommand::kRead:
        return std::max({bank.column, group.read, channel_.read});
      case DramCommand::kWrite:
        return std::max({bank.column, group.write, channel_.write});
      case DramCommand::kActivate: {
        const Cycle fourth = last_activates_[oldest_activate_];
        const Cycle window = fourth == 0 ? 0 : fourth - 1 + timing_.t_faw;
        return std::max({bank.activate, group.activate, channel_.activate, window});
      }
      case DramCommand::kPrecharge:
        return bank.precharge;
    }
    return kNever;
  }
  void activate(std::uint32_t bank, std::uint32_t row, Cycle now);
  void precharge(std::uint32_t bank, Cycle now);
  // Reads or writes `bursts` bursts of the open row, back to back. Returns when the last one's command is due.
  Cycle access(DramCommand command, std::uint32_t bank, std::uint32_t bursts, Cycle now);
  // Refreshes one bank: closes its row as soon as allowed from `due` on and blocks it for t_rfc.
  void refresh(std::uint32_t bank, Cycle due);

 private:
  struct Bank {
    std::uint32_t row = kClosed;
    std::uint32_t group = 0;
    Cycle column = 0;
    Cycle activate = 0;
    Cycle precharge = 0;
  };
  // Earliest next command of a bank group, and of the channel.
  struct Shared {
    Cycle read = 0;
    Cycle write = 0;
    Cycle activate = 0;
  };

  DramTiming timing_;
  Cycle burst_;
  std::vector<Bank> banks_;
  std::vector<Shared> groups_;
  Shared channel_;
  std::array<Cycle, 4> last_activates_{};  // cycle plus one, 0 for none; oldest at next_activate_
  std::size_t oldest_activate_ = 0;
};

}  // namespace warpsim
