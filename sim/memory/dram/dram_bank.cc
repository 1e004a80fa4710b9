#include "memory/dram/dram_bank.h"

#include <algorithm>

#include "base/check.h"

namespace warpsim {

DramBanks::DramBanks(const DramConfig& config, std::uint32_t num_bank_groups, std::uint32_t banks_per_group)
    : timing_(config.timing),
      burst_(config.burst_cycles),
      banks_(std::size_t{num_bank_groups} * banks_per_group),
      groups_(num_bank_groups) {
  for (std::uint32_t bank = 0; bank < banks_.size(); ++bank) {
    banks_[bank].group = bank / banks_per_group;
  }
}

Cycle DramBanks::access(DramCommand command, std::uint32_t index, std::uint32_t bursts, Cycle now) {
  SIM_CHECK(now >= ready_at(command, index), "a DRAM column command is issued too early");
  Bank& bank = banks_[index];
  SIM_CHECK(bank.row != kClosed, "a column command to a closed bank");
  Shared& group = groups_[bank.group];
  const auto at_least = [](Cycle& limit, Cycle value) { limit = std::max(limit, value); };
  const Cycle gap = std::max<Cycle>(timing_.t_ccd_s, burst_);
  const Cycle last = now + (bursts - 1) * gap;
  if (command == DramCommand::kWrite) {
    const Cycle data_end = last + timing_.t_wl + burst_;
    at_least(channel_.write, last + gap);
    at_least(group.write, last + std::max<Cycle>(timing_.t_ccd_l, burst_));
    at_least(channel_.read, data_end + timing_.t_wtr_s);
    at_least(group.read, data_end + timing_.t_wtr_l);
    at_least(bank.precharge, data_end + timing_.t_wr);
  } else {
    at_least(channel_.read, last + gap);
    at_least(group.read, last + std::max<Cycle>(timing_.t_ccd_l, burst_));
    at_least(channel_.write, last + timing_.t_rtw);
    at_least(bank.precharge, last + timing_.t_rtp);
  }
  return last;
}

void DramBanks::activate(std::uint32_t index, std::uint32_t row, Cycle now) {
  SIM_CHECK(now >= ready_at(DramCommand::kActivate, index), "a DRAM activate is issued too early");
  Bank& bank = banks_[index];
  SIM_CHECK(bank.row == kClosed, "an activate of an open bank");
  bank.row = row;
  bank.column = now + timing_.t_rcd;
  bank.precharge = now + timing_.t_ras;
  bank.activate = now + timing_.t_rc;
  groups_[bank.group].activate = now + timing_.t_rrd_l;
  channel_.activate = now + timing_.t_rrd_s;
  last_activates_[oldest_activate_] = now + 1;
  oldest_activate_ = (oldest_activate_ + 1) % last_activates_.size();
}

void DramBanks::precharge(std::uint32_t index, Cycle now) {
  SIM_CHECK(now >= ready_at(DramCommand::kPrecharge, index), "a DRAM precharge is issued too early");
  Bank& bank = banks_[index];
  SIM_CHECK(bank.row != kClosed, "a precharge of a closed bank");
  bank.row = kClosed;
  bank.activate = std::max(bank.activate, now + timing_.t_rp);
}

void DramBanks::refresh(std::uint32_t index, Cycle due) {
  Bank& bank = banks_[index];
  Cycle start = std::max(due, bank.activate);
  if (bank.row != kClosed) {
    start = std::max(due, bank.precharge) + timing_.t_rp;
    bank.row = kClosed;
  }
  bank.activate = start + timing_.t_rfc;
}

}  // namespace warpsim
