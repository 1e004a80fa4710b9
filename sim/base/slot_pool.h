// Entries that are allocated and freed in any order and are identified by a number while allocated. Grows when no entry
// is free; the number freed last is allocated next.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace warpsim {

template <typename T>
class SlotPool {
 public:
  std::uint32_t take(T value) {
    if (free_.empty()) {
      slots_.push_back(std::move(value));
      return static_cast<std::uint32_t>(slots_.size() - 1);
    }
    const std::uint32_t number = free_.back();
    free_.pop_back();
    slots_[number] = std::move(value);
    return number;
  }
  // The entry keeps its value until its number is allocated again.
  void give_back(std::uint32_t number) { free_.push_back(number); }

  T& operator[](std::uint32_t number) { return slots_[number]; }
  const T& operator[](std::uint32_t number) const { return slots_[number]; }

 private:
  std::vector<T> slots_;
  std::vector<std::uint32_t> free_;
};

}  // namespace warpsim
