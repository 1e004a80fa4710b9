// First-in first-out queue with a capacity fixed at construction: no allocation after that. The capacity is rounded up
// to a power of two internally; `capacity()` returns the requested one.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "base/check.h"

namespace warpsim {

template <typename T>
class RingBuffer {
 public:
  explicit RingBuffer(std::size_t capacity) : capacity_(capacity) {
    std::size_t slots = 1;
    while (slots < capacity) {
      slots *= 2;
    }
    slots_.resize(slots);
    mask_ = slots - 1;
  }

  bool empty() const { return size_ == 0; }
  bool full() const { return size_ == capacity_; }
  std::size_t size() const { return size_; }
  std::size_t capacity() const { return capacity_; }

  const T& front() const { return slots_[head_]; }
  T& front() { return slots_[head_]; }
  // The i-th oldest element; 0 is the front.
  const T& at(std::size_t i) const { return slots_[(head_ + i) & mask_]; }

  void push(const T& value) {
    SIM_CHECK(!full(), "push into a full ring buffer");
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
  std::vector<T> slots_;
  std::size_t capacity_;
  std::size_t mask_ = 0;
  std::size_t head_ = 0;
  std::size_t size_ = 0;
};

}  // namespace warpsim
