#include "mechanisms/replacement/random.h"

namespace warpsim::mechanism {

void RandomReplacement::Settings::describe(Keys& keys) {
  keys.integer("seed", seed, 0, 0xffffffffU, "first state of the generator of random numbers");
}

// Multiplied by an odd number, so that seeds which differ little begin with states that differ in many bits.
RandomReplacement::RandomReplacement(const Settings& settings, const ReplacementSite& site, Counters& /*counters*/)
    : ways_(site.ways),
      first_state_((std::uint64_t{settings.seed} * 2 + 1) * 0x9e3779b97f4a7c15U),
      state_(first_state_) {}

void RandomReplacement::draw() {
  state_ ^= state_ << 13U;
  state_ ^= state_ >> 7U;
  state_ ^= state_ << 17U;
}

void RandomReplacement::inserted(Way /*place*/, Address /*line*/, bool /*leaves_first*/) {
  draw();
}

void RandomReplacement::used(Way /*place*/, Address /*line*/) {}

void RandomReplacement::removed(Way /*place*/) {}

std::uint32_t RandomReplacement::victim(std::uint32_t /*set*/) {
  return static_cast<std::uint32_t>((state_ >> 32U) * ways_ >> 32U);
}

void RandomReplacement::cleared() {
  state_ = first_state_;
}

}  // namespace warpsim::mechanism
