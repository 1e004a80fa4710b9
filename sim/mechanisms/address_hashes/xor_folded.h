// The bits of the block's number, folded to as many as the places need by exclusive or.
//
// Source: Rau, "Pseudo-randomly Interleaved Memory", ISCA 1991, whose polynomials are replaced by folding. Modelled:
// folding for any number of places (the folded number modulo the places). State: the width of a fold.
#pragma once

#include <bit>
#include <cstdint>

#include "warpsim/address_hash.h"

namespace warpsim::mechanism {

class XorFoldedHash final : public AddressHash {
 public:
  XorFoldedHash(const Settings& /*settings*/, const AddressHashSite& site, Counters& /*counters*/)
      : places_(site.places), bits_(static_cast<std::uint32_t>(std::bit_width(site.places - 1))) {}

  std::uint32_t shift_of(std::uint64_t block) const override {
    if (bits_ == 0) {
      return 0;
    }
    std::uint64_t folded = 0;
    for (; block != 0; block >>= bits_) {
      folded ^= block & ((std::uint64_t{1} << bits_) - 1);
    }
    return static_cast<std::uint32_t>(folded % places_);
  }

 private:
  std::uint32_t places_;
  std::uint32_t bits_;
};

}  // namespace warpsim::mechanism
