// Values that libraries keep with a context of the driver, each under a key of its own. NVIDIA's runtime keeps its
// state of a context there. All contexts of a GPU are its primary one.
//
// Source: the table "context local storage" of the driver, public knowledge (driver/tables/export_tables.h); observed
// on an H100 with driver 580: a value that is missing gives "invalid handle", a thread without a context "invalid
// context".
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace warpsim::cuda {

class ContextStorage {
 public:
  // Called with the context's handle, the key and the value when the context is reset.
  using WhenGone = void (*)(void* context, void* key, void* value);
  struct Value {
    void* key = nullptr;
    void* value = nullptr;
    WhenGone when_gone = nullptr;
  };

  // Replaces the value under this key.
  void put(std::uint32_t gpu, const Value& value) { values_[{gpu, value.key}] = value; }
  // Null if there is none.
  const Value* find(std::uint32_t gpu, void* key) const;
  // Whether there was one.
  bool erase(std::uint32_t gpu, void* key) { return values_.erase({gpu, key}) != 0; }
  // All values of a GPU, which are no longer kept.
  std::vector<Value> take_all(std::uint32_t gpu);

 private:
  std::map<std::pair<std::uint32_t, void*>, Value> values_;
};

}  // namespace warpsim::cuda
