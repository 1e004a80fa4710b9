// No hash: chunks of memory go to the places in turn, so that strides of a multiple of all places use one place only
// ("partition camping").
#pragma once

#include <cstdint>

#include "warpsim/address_hash.h"

namespace warpsim::mechanism {

class LinearHash final : public AddressHash {
 public:
  LinearHash(const Settings& /*settings*/, const AddressHashSite& /*site*/, Counters& /*counters*/) {}

  std::uint32_t shift_of(std::uint64_t /*block*/) const override { return 0; }
};

}  // namespace warpsim::mechanism
