// An array of a fixed size whose elements begin as zeros, for large state of which most runs touch little: the system
// provides zeroed pages when they are first used.
#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

namespace warpsim {

// Zeroed memory, of pages of the system unless it is small. Throws std::bad_alloc.
void* allocate_zeroed(std::size_t bytes);
void free_zeroed(void* memory, std::size_t bytes);

template <typename T>
class ZeroedArray {
  static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);

 public:
  ZeroedArray() = default;
  explicit ZeroedArray(std::size_t size) : size_(size) {
    if (size != 0) {
      items_ = static_cast<T*>(allocate_zeroed(size * sizeof(T)));
    }
  }
  ZeroedArray(ZeroedArray&& other) noexcept
      : items_(std::exchange(other.items_, nullptr)), size_(std::exchange(other.size_, 0)) {}
  ZeroedArray& operator=(ZeroedArray&& other) noexcept {
    std::swap(items_, other.items_);
    std::swap(size_, other.size_);
    return *this;
  }
  ZeroedArray(const ZeroedArray&) = delete;
  ZeroedArray& operator=(const ZeroedArray&) = delete;
  ~ZeroedArray() {
    if (items_ != nullptr) {
      free_zeroed(items_, size_ * sizeof(T));
    }
  }

  std::size_t size() const { return size_; }
  T& operator[](std::size_t i) { return items_[i]; }
  const T& operator[](std::size_t i) const { return items_[i]; }
  // All elements are zero again.
  void clear() { *this = ZeroedArray(size_); }

 private:
  T* items_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace warpsim
