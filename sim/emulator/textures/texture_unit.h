// The texture and surface objects of a device, by the number that tex and surf instructions take.
//
// Numbers are not reused, so that accesses to destroyed objects are detected. A .texref or .surfref variable holds the
// number of the object that the program bound to it, or 0.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "emulator/textures/texture_description.h"

namespace warpsim {

class TextureUnit {
 public:
  // Its number, which is never 0.
  std::uint64_t create(const TextureDescription& texture);
  // An unknown object is ignored.
  void destroy(std::uint64_t object);
  // Null if there is none.
  const TextureDescription* find(std::uint64_t object) const {
    return object - 1 < objects_.size() ? objects_[object - 1].get() : nullptr;
  }

 private:
  std::vector<std::unique_ptr<const TextureDescription>> objects_;  // by number - 1
};

}  // namespace warpsim
