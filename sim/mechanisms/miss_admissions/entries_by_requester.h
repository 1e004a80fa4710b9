// How many entries of a cache's table of misses each requester has.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace warpsim::mechanism {

class EntriesByRequester {
 public:
  void begin(std::uint32_t entry, std::uint32_t requester) {
    place(owners_, entry) = requester;
    ++place(held_, requester);
  }
  void end(std::uint32_t entry) { --held_[owners_[entry]]; }
  std::uint32_t held(std::uint32_t requester) const { return requester < held_.size() ? held_[requester] : 0; }

 private:
  static std::uint32_t& place(std::vector<std::uint32_t>& numbers, std::uint32_t index) {
    if (index >= numbers.size()) {
      numbers.resize(std::size_t{index} + 1);
    }
    return numbers[index];
  }

  std::vector<std::uint32_t> owners_;  // by entry
  std::vector<std::uint32_t> held_;    // by requester
};

}  // namespace warpsim::mechanism
