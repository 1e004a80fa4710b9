#include "mechanisms/write_policies/write_through.h"

#include <stdexcept>

namespace warpsim::mechanism {

void WriteThrough::Settings::describe(Keys& keys) {
  keys.boolean("allocate", allocate, "an absent line enters when it is written");
  keys.boolean("update", update, "written sectors of a present line stay; false: they leave");
}

WriteThrough::WriteThrough(const Settings& settings, const WritePolicySite& /*site*/, Counters& /*counters*/)
    : absent_(settings.allocate ? WriteWay::kThrough : WriteWay::kAround),
      present_(settings.update ? WriteWay::kThrough : WriteWay::kInvalidate) {
  if (settings.allocate && !settings.update) {
    throw std::invalid_argument(
        "update is false and allocate is true; lines that leave when they are written cannot "
        "enter when they are written");
  }
}

WriteWay WriteThrough::write(const LineWrite& write, std::uint32_t& /*memo*/) {
  return write.line_present ? present_ : absent_;
}

}  // namespace warpsim::mechanism
