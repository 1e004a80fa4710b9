// Outstanding misses: per line the sectors requested from the next level, and the waiting requests.
//
// Modelled: a limited number of entries (lines) and, per entry, of waiting requests; later misses of a line merge into
// its entry. `Waiter` is the owner's payload; it must have a member `std::uint8_t sectors` (bit i: sector i still
// missing). A fill may bring the sectors in parts. Memory grows by doubling with the entries in use.
// Invariant: an entry exists exactly while it has pending sectors.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/check.h"
#include "base/types.h"
#include "memory/caches/line_index.h"

namespace warpsim {

template <typename Waiter>
class MshrTable {
 public:
  static constexpr std::uint32_t kNone = 0xffffffffU;

  struct Limits {
    std::uint32_t entries = 1;
    std::uint32_t waiters_per_entry = 1;
    bool unlimited = false;
  };
  struct Entry {
    Address line = 0;
    Cycle since = 0;           // allocation
    std::uint8_t pending = 0;  // sectors requested and not yet filled
    std::uint8_t mark = 0;     // for the owner's use
    std::uint8_t seat = 0;     // the same: of the launch that began the miss
    bool apart = false;        // find() ignores it
    std::uint32_t waiters = 0;
    std::uint32_t first = kNone;
    std::uint32_t last = kNone;
  };

  explicit MshrTable(const Limits& limits) : limits_(limits) {}

  bool empty() const { return used_ == 0; }
  std::uint32_t used() const { return used_; }
  bool full() const { return !limits_.unlimited && used_ == limits_.entries; }
  bool can_merge(std::uint32_t entry) const {
    return limits_.unlimited || entries_[entry].waiters < limits_.waiters_per_entry;
  }
  Entry& operator[](std::uint32_t entry) { return entries_[entry]; }
  const Entry& operator[](std::uint32_t entry) const { return entries_[entry]; }

  // The entry of a line, or kNone.
  std::uint32_t find(Address line) const { return index_.find(line); }

  std::uint32_t allocate(Address line, Cycle now) {
    const std::uint32_t entry = take(line, now);
    index_.insert(line, entry);
    return entry;
  }
  // An entry with which nothing merges, even if the line has another one.
  std::uint32_t allocate_apart(Address line, Cycle now) {
    const std::uint32_t entry = take(line, now);
    entries_[entry].apart = true;
    return entry;
  }
  void add_waiter(std::uint32_t entry, const Waiter& waiter) {
    if (free_node_ == kNone) {
      grow_nodes(std::max(kFirstEntries, static_cast<std::uint32_t>(nodes_.size())));
    }
    const std::uint32_t node = free_node_;
    free_node_ = nodes_[node].next;
    nodes_[node] = {waiter, kNone};
    Entry& e = entries_[entry];
    if (e.first == kNone) {
      e.first = node;
    } else {
      nodes_[e.last].next = node;
    }
    e.last = node;
    ++e.waiters;
  }
  // Sectors arrive: calls serve(waiter, sectors) for each waiter that misses some of them, oldest first, and frees the
  // entry if nothing is pending any more.
  template <typename Serve>
  void fill(std::uint32_t entry, std::uint8_t sectors, Serve&& serve) {
    Entry& e = entries_[entry];
    SIM_CHECK((e.pending & sectors) == sectors, "a fill brings sectors that were not requested");
    e.pending = static_cast<std::uint8_t>(e.pending & ~sectors);
    std::uint32_t* from = &e.first;
    std::uint32_t last = kNone;
    while (*from != kNone) {
      const std::uint32_t node = *from;
      Waiter& waiter = nodes_[node].waiter;
      const std::uint8_t arrived = static_cast<std::uint8_t>(waiter.sectors & sectors);
      if (arrived != 0) {
        waiter.sectors = static_cast<std::uint8_t>(waiter.sectors & ~sectors);
        serve(waiter, arrived);
      }
      if (waiter.sectors == 0) {
        *from = nodes_[node].next;
        nodes_[node].next = free_node_;
        free_node_ = node;
        --e.waiters;
      } else {
        last = node;
        from = &nodes_[node].next;
      }
    }
    e.last = last;
    if (e.pending == 0) {
      SIM_CHECK(e.waiters == 0, "a waiter is left in a filled MSHR entry");
      if (!e.apart) {
        index_.erase(e.line);
      }
      free_entries_.push_back(entry);
      --used_;
    }
  }

 private:
  static constexpr std::uint32_t kFirstEntries = 8;

  struct Node {
    Waiter waiter;
    std::uint32_t next;
  };
  std::uint32_t take(Address line, Cycle now) {
    SIM_CHECK(!full(), "allocation in a full MSHR table");
    if (free_entries_.empty()) {
      grow_entries(std::max(kFirstEntries, static_cast<std::uint32_t>(entries_.size())));
    }
    const std::uint32_t entry = free_entries_.back();
    free_entries_.pop_back();
    entries_[entry] = Entry{};
    entries_[entry].line = line;
    entries_[entry].since = now;
    ++used_;
    return entry;
  }
  void grow_entries(std::uint32_t more) {
    const std::uint32_t old = static_cast<std::uint32_t>(entries_.size());
    entries_.resize(std::size_t{old} + more);
    free_entries_.reserve(entries_.size());
    for (std::uint32_t i = 0; i < more; ++i) {
      free_entries_.push_back(old + more - 1 - i);
    }
  }
  void grow_nodes(std::uint32_t more) {
    const std::uint32_t old = static_cast<std::uint32_t>(nodes_.size());
    nodes_.resize(std::size_t{old} + more);
    for (std::uint32_t i = 0; i < more; ++i) {
      nodes_[old + i].next = free_node_;
      free_node_ = old + i;
    }
  }

  Limits limits_;
  LineIndex index_;
  std::vector<Entry> entries_;
  std::vector<std::uint32_t> free_entries_;
  std::vector<Node> nodes_;
  std::uint32_t free_node_ = kNone;
  std::uint32_t used_ = 0;
};

}  // namespace warpsim
