// The waiting requests of one DRAM channel, per bank in order of arrival, with separate lists of reads and writes.
//
// Keeps for each bank the oldest request and the oldest one for the open row, so that the scheduler examines banks and
// not requests. No timing.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

#include "base/check.h"
#include "base/types.h"
#include "memory/dram/dram_bank.h"
#include "stats/launch_stats.h"

namespace warpsim {

struct DramQueueEntry {
  std::uint64_t order = 0;  // of arrival
  Cycle arrival = 0;
  std::uint32_t row = 0;
  std::uint32_t tag = 0;
  std::uint32_t next = 0;
  std::uint16_t slice = 0;
  std::uint8_t bank = 0;
  std::uint8_t sector_mask = 0;
  std::uint8_t moved = 0;  // sectors on the bus
  std::uint8_t bursts = 0;
  bool wants_reply = false;
  LaunchSeat seat = 0;
  std::uint16_t requester = 0;
  bool activated = false;   // an activate was issued for it
  bool precharged = false;  // a precharge was issued for it
};

// Requests of one kind, reads or writes.
class DramQueue {
 public:
  static constexpr std::uint32_t kNone = 0xffffffffU;

  DramQueue(std::uint32_t capacity, std::uint32_t num_banks) : entries_(capacity), banks_(num_banks) {
    for (std::uint32_t i = 0; i < capacity; ++i) {
      entries_[i].next = i + 1 < capacity ? i + 1 : kNone;
    }
    free_ = 0;
  }

  std::uint32_t size() const { return size_; }
  bool full() const { return free_ == kNone; }
  // Bit b: bank b has requests.
  std::uint64_t busy_banks() const { return busy_; }
  std::uint32_t oldest(std::uint32_t bank) const { return banks_[bank].head; }
  // Oldest request for the open row, or kNone.
  std::uint32_t hit(std::uint32_t bank) const { return banks_[bank].hit; }
  // Oldest request of all banks, or kNone.
  std::uint32_t oldest() const {
    std::uint32_t found = kNone;
    for (std::uint64_t banks = busy_; banks != 0; banks &= banks - 1) {
      const std::uint32_t head = oldest(static_cast<std::uint32_t>(std::countr_zero(banks)));
      found = found == kNone || entries_[head].order < entries_[found].order ? head : found;
    }
    return found;
  }
  DramQueueEntry& operator[](std::uint32_t entry) { return entries_[entry]; }
  const DramQueueEntry& operator[](std::uint32_t entry) const { return entries_[entry]; }

  // `open_row`: of the entry's bank.
  void push(DramQueueEntry entry, std::uint32_t open_row) {
    SIM_CHECK(!full(), "push into a full DRAM queue");
    const std::uint32_t index = free_;
    free_ = entries_[index].next;
    entry.next = kNone;
    entries_[index] = entry;
    List& list = banks_[entry.bank];
    if (list.head == kNone) {
      list.head = index;
      busy_ |= std::uint64_t{1} << entry.bank;
    } else {
      entries_[list.tail].next = index;
    }
    list.tail = index;
    if (list.hit == kNone && entry.row == open_row) {
      list.hit = index;
    }
    ++size_;
  }
  // The bank has opened `row`, or closed (DramBanks::kClosed).
  void row_changed(std::uint32_t bank, std::uint32_t row) { banks_[bank].hit = first_of_row(banks_[bank].head, row); }
  // Removes the oldest request for the open row.
  void pop_hit(std::uint32_t bank) { pop(bank, banks_[bank].hit); }
  // Removes a request of the bank.
  void pop(std::uint32_t bank, std::uint32_t gone) {
    List& list = banks_[bank];
    const std::uint32_t row = entries_[gone].row;
    const std::uint32_t after = entries_[gone].next;
    if (list.head == gone) {
      list.head = after;
      if (after == kNone) {
        busy_ &= ~(std::uint64_t{1} << bank);
      }
    } else {
      std::uint32_t before = list.head;
      while (entries_[before].next != gone) {
        before = entries_[before].next;
      }
      entries_[before].next = after;
      list.tail = after == kNone ? before : list.tail;
    }
    if (list.hit == gone) {
      list.hit = first_of_row(after, row);
    }
    entries_[gone].next = free_;
    free_ = gone;
    --size_;
  }

 private:
  struct List {
    std::uint32_t head = kNone;
    std::uint32_t tail = kNone;
    std::uint32_t hit = kNone;
  };
  std::uint32_t first_of_row(std::uint32_t from, std::uint32_t row) const {
    while (from != kNone && entries_[from].row != row) {
      from = entries_[from].next;
    }
    return from;
  }

  std::vector<DramQueueEntry> entries_;
  std::vector<List> banks_;
  std::uint64_t busy_ = 0;
  std::uint32_t free_ = kNone;
  std::uint32_t size_ = 0;
};

}  // namespace warpsim
