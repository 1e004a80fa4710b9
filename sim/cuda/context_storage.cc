#include "cuda/context_storage.h"

namespace warpsim::cuda {

const ContextStorage::Value* ContextStorage::find(std::uint32_t gpu, void* key) const {
  const auto found = values_.find({gpu, key});
  return found == values_.end() ? nullptr : &found->second;
}

std::vector<ContextStorage::Value> ContextStorage::take_all(std::uint32_t gpu) {
  std::vector<Value> taken;
  for (auto at = values_.lower_bound({gpu, nullptr}); at != values_.end() && at->first.first == gpu;) {
    taken.push_back(at->second);
    at = values_.erase(at);
  }
  return taken;
}

}  // namespace warpsim::cuda
