// Owns the names of a module, each once.
#pragma once

#include <deque>
#include <string>
#include <string_view>
#include <unordered_set>

namespace warpsim::ptx {

class NamePool {
 public:
  // The same view for the same text, valid as long as the pool.
  std::string_view intern(std::string_view text) {
    if (const auto found = views_.find(text); found != views_.end()) {
      return *found;
    }
    return *views_.insert(texts_.emplace_back(text)).first;
  }

 private:
  std::deque<std::string> texts_;
  std::unordered_set<std::string_view> views_;
};

}  // namespace warpsim::ptx
