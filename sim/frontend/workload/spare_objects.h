// Objects that later users take over with their memory. For several threads.
#pragma once

#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace warpsim {

template <typename T>
class SpareObjects {
 public:
  explicit SpareObjects(T first = {}) : first_(std::move(first)) {}

  // One that was given back, as it was then, or a copy of the first.
  std::unique_ptr<T> take() {
    {
      const std::scoped_lock lock(mutex_);
      if (!objects_.empty()) {
        std::unique_ptr<T> object = std::move(objects_.back());
        objects_.pop_back();
        return object;
      }
    }
    return std::make_unique<T>(first_);
  }
  void give_back(std::unique_ptr<T> object) {
    const std::scoped_lock lock(mutex_);
    objects_.push_back(std::move(object));
  }

 private:
  const T first_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<T>> objects_;
};

}  // namespace warpsim
