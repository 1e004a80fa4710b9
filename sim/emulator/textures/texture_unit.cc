#include "emulator/textures/texture_unit.h"

namespace warpsim {

std::uint64_t TextureUnit::create(const TextureDescription& texture) {
  objects_.push_back(std::make_unique<const TextureDescription>(texture));
  return objects_.size();
}

void TextureUnit::destroy(std::uint64_t object) {
  if (object - 1 < objects_.size()) {
    objects_[object - 1].reset();
  }
}

}  // namespace warpsim
