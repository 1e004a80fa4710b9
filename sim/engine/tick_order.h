// The order in which what is due at the same time is executed. No result may depend on it: tests run models in their
// usual order and in random ones.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <random>
#include <vector>

namespace warpsim {

class TickOrder {
 public:
  // Without a seed, the usual order: that of construction.
  explicit TickOrder(std::optional<std::uint64_t> seed) {
    if (seed) {
      random_.emplace(*seed);
    }
  }

  template <typename Item>
  void arrange(std::vector<Item>& due) {
    if (random_) [[unlikely]] {
      std::shuffle(due.begin(), due.end(), *random_);
    }
  }

 private:
  std::optional<std::mt19937_64> random_;
};

}  // namespace warpsim
