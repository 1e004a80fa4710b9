#include "stats/hot_spot_parts.h"

namespace warpsim {

HotSpotTable& HotSpotParts::part(std::size_t writer) {
  if (parts_.empty()) {
    return whole_;
  }
  std::unique_ptr<HotSpotTable>& part = parts_[writer];
  if (part == nullptr) {
    part = std::make_unique<HotSpotTable>(whole_.rows().size());
  }
  return *part;
}

void HotSpotParts::add_up() {
  for (const std::unique_ptr<HotSpotTable>& part : parts_) {
    if (part != nullptr) {
      whole_.add(*part);
    }
  }
}

}  // namespace warpsim
