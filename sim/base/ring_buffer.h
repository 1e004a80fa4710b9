// First-in first-out queue with a capacity fixed at construction. Its memory grows by doubling up to that: no
// allocation after the queue has once been as long as it gets, and none for queues that are never used.
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "base/check.h"

namespace warpsim {

template <typename T>
class RingBuffer {
 public:
  explicit RingBuffer(std::size_t capacity) : capacity_(capacity) {}

  bool empty() const { return size_ == 0; }
  bool full() const { return size_ == capacity_; }
  std::size_t size() const { return size_; }
  std::size_t capacity() const { return capacity_; }

  const T& front() const { return slots_[head_]; }
  T& front() { return slots_[head_]; }
  // The i-th oldest element; 0 is the front.
  const T& at(std::size_t i) const { return slots_[(head_ + i) & mask_]; }
  T& at(std::size_t i) { return slots_[(head_ + i) & mask_]; }

  void push(const T& value) {
    SIM_CHECK(!full(), "push into a full ring buffer");
    if (size_ == slots_.size()) [[unlikely]] {
      grow();
    }
    slots_[(head_ + size_) & mask_] = value;
    ++size_;
  }
  void pop() {
    SIM_CHECK(!empty(), "pop from an empty ring buffer");
    head_ = (head_ + 1) & mask_;
    --size_;
  }
  void clear() {
    head_ = 0;
    size_ = 0;
  }

 private:
  static constexpr std::size_t kFirstSlots = 4;

  void grow() {
    std::vector<T> slots(std::max(kFirstSlots, slots_.size() * 2));
    for (std::size_t i = 0; i < size_; ++i) {
      slots[i] = slots_[(head_ + i) & mask_];
    }
    slots_ = std::move(slots);
    mask_ = slots_.size() - 1;
    head_ = 0;
  }

  std::vector<T> slots_;  // a power of two, or none
  std::size_t capacity_;
  std::size_t mask_ = 0;
  std::size_t head_ = 0;
  std::size_t size_ = 0;
};

}  // namespace warpsim
