// A set of a function's registers, by number.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace warpsim::ptx {

class RegisterSet {
 public:
  explicit RegisterSet(std::size_t registers) : words_((registers + 63) / 64) {}

  bool contains(std::uint32_t reg) const { return (words_[reg / 64] >> reg % 64 & 1U) != 0; }
  // Returns whether it is new.
  bool add(std::uint32_t reg) {
    std::uint64_t& word = words_[reg / 64];
    const std::uint64_t bit = std::uint64_t{1} << reg % 64;
    const bool is_new = (word & bit) == 0;
    word |= bit;
    return is_new;
  }
  // Returns whether it was there.
  bool remove(std::uint32_t reg) {
    std::uint64_t& word = words_[reg / 64];
    const std::uint64_t bit = std::uint64_t{1} << reg % 64;
    const bool was_there = (word & bit) != 0;
    word &= ~bit;
    return was_there;
  }
  // Returns whether anything was added.
  bool merge(const RegisterSet& other) {
    bool changed = false;
    for (std::size_t i = 0; i < words_.size(); ++i) {
      const std::uint64_t merged = words_[i] | other.words_[i];
      changed = changed || merged != words_[i];
      words_[i] = merged;
    }
    return changed;
  }
  template <class Visit>
  void each(Visit&& visit) const {
    for (std::size_t i = 0; i < words_.size(); ++i) {
      for (std::uint64_t rest = words_[i]; rest != 0; rest &= rest - 1) {
        visit(static_cast<std::uint32_t>(i * 64) + static_cast<std::uint32_t>(std::countr_zero(rest)));
      }
    }
  }

 private:
  std::vector<std::uint64_t> words_;
};

}  // namespace warpsim::ptx
