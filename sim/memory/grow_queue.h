// First-in first-out queue that doubles when full: for queues whose bound follows from that of others (for example MSHR
// entries) and where a refusal would cause a deadlock. Its owner stops accepting new work at a threshold.
#pragma once

#include <cstddef>
#include <vector>

#include "base/check.h"

namespace warpsim {

template <typename T>
class GrowQueue {
 public:
  GrowQueue() : slots_(8) {}

  bool empty() const { return size_ == 0; }
  std::size_t size() const { return size_; }
  const T& front() const { return slots_[head_]; }
  void push(const T& value) {
    if (size_ == slots_.size()) {
      grow();
    }
    slots_[(head_ + size_) & (slots_.size() - 1)] = value;
    ++size_;
  }
  void pop() {
    SIM_CHECK(size_ > 0, "pop from an empty queue");
    head_ = (head_ + 1) & (slots_.size() - 1);
    --size_;
  }

 private:
  void grow() {
    std::vector<T> bigger(slots_.size() * 2);
    for (std::size_t i = 0; i < size_; ++i) {
      bigger[i] = slots_[(head_ + i) & (slots_.size() - 1)];
    }
    slots_.swap(bigger);
    head_ = 0;
  }

  std::vector<T> slots_;
  std::size_t head_ = 0;
  std::size_t size_ = 0;
};

}  // namespace warpsim
