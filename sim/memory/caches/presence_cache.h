// A cache that only records presence (instruction and constant caches): unsectored lines, LRU, identified by line
// number.
#pragma once

#include <algorithm>
#include <cstdint>

#include "memory/caches/tag_array.h"

namespace warpsim {

class PresenceCache {
 public:
  // At least one set; a capacity that is not a multiple of a set is rounded down.
  PresenceCache(std::uint32_t capacity_bytes, std::uint32_t ways, std::uint32_t line_bytes = kLineBytes)
      : tags_(std::max(1U, capacity_bytes / (ways * line_bytes)), ways, Replacement::kLru) {}

  bool contains(std::uint64_t line_number) const { return tags_.find(name_of(line_number)) != TagArray::kNoSlot; }
  // Whether the line is present; counts as a use.
  bool access(std::uint64_t line_number) { return access(tags_.set_of(name_of(line_number)), line_number); }
  void insert(std::uint64_t line_number) { insert(tags_.set_of(name_of(line_number)), line_number); }
  // The same in a given set, for caches that do not choose the set by the line alone.
  std::uint32_t sets() const { return tags_.sets(); }
  bool access(std::uint32_t set, std::uint64_t line_number) {
    const std::uint32_t slot = tags_.find(set, name_of(line_number));
    if (slot == TagArray::kNoSlot) {
      return false;
    }
    tags_.touch(slot);
    return true;
  }
  void insert(std::uint32_t set, std::uint64_t line_number) {
    const Address name = name_of(line_number);
    if (tags_.find(set, name) == TagArray::kNoSlot) {
      tags_.insert(tags_.victim(set), name);
    }
  }
  void invalidate() { tags_.clear(); }
  // Only lines [first, end).
  void invalidate(std::uint64_t first, std::uint64_t end) {
    for (std::uint32_t slot = 0; slot < tags_.num_slots(); ++slot) {
      if (tags_.present(slot) && tags_.line(slot) >= name_of(first) && tags_.line(slot) < name_of(end)) {
        tags_.remove(slot);
      }
    }
  }

 private:
  static Address name_of(std::uint64_t line_number) { return line_number * kLineBytes; }

  TagArray tags_;
};

}  // namespace warpsim
