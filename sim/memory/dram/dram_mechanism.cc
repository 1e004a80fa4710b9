#include "memory/dram/dram_mechanism.h"

namespace warpsim {

std::unique_ptr<DramMechanism> DramMechanism::make(const Choice& choice, const DramBanks& banks, std::uint32_t channel,
                                                   LaunchStatsNode& parent) {
  return choice.chosen() ? std::make_unique<DramMechanism>(choice, banks, channel, parent) : nullptr;
}

DramMechanism::DramMechanism(const Choice& choice, const DramBanks& banks, std::uint32_t channel,
                             LaunchStatsNode& parent)
    : banks_(&banks),
      counters_(parent, "scheduler"),
      mechanism_(choice.make({banks.num_banks(), channel}, counters_)) {}

mechanism::DramAccess DramMechanism::access_of(const DramQueueEntry& entry) const {
  return {.order = entry.order,
          .arrival = entry.arrival,
          .bank = entry.bank,
          .row = entry.row,
          .requester = entry.requester,
          .write = writing_,
          .row_open = banks_->open_row(entry.bank) == entry.row};
}

std::uint32_t DramMechanism::next_in(std::uint32_t bank, const DramQueue& waiting) const {
  const std::uint32_t open_row = banks_->open_row(bank);
  std::uint32_t best = waiting.oldest(bank);
  for (std::uint32_t entry = best; entry != DramQueue::kNone; entry = waiting[entry].next) {
    if (waiting[entry].activated && waiting[entry].row == open_row) {
      return entry;
    }
    best = goes_before(waiting[entry], waiting[best]) ? entry : best;
  }
  return best;
}

}  // namespace warpsim
