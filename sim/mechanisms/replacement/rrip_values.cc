#include "mechanisms/replacement/rrip_values.h"

#include <algorithm>

namespace warpsim::mechanism {

void RripSettings::describe(Keys& keys) {
  keys.integer("prediction_bits", prediction_bits, 1, 8, "bits of a line's prediction of the distance to its next use");
}

RripValues::RripValues(const RripSettings& settings, const ReplacementSite& site)
    : ways_(site.ways),
      most_distant_(static_cast<std::uint8_t>((1U << settings.prediction_bits) - 1)),
      values_(std::size_t{site.sets} * site.ways, most_distant_) {}

void RripValues::forget_all() {
  std::fill(values_.begin(), values_.end(), most_distant_);
}

std::uint32_t RripValues::victim(std::uint32_t set) {
  std::uint8_t* const values = values_.data() + index({set, 0});
  std::uint32_t victim = 0;
  for (std::uint32_t way = 1; way < ways_; ++way) {
    victim = values[way] > values[victim] ? way : victim;
  }
  const auto missing = static_cast<std::uint8_t>(most_distant_ - values[victim]);
  if (missing != 0) {
    for (std::uint32_t way = 0; way < ways_; ++way) {
      values[way] = static_cast<std::uint8_t>(values[way] + missing);
    }
  }
  return victim;
}

}  // namespace warpsim::mechanism
