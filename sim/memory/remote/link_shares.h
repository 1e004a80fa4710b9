// What copies leave of the rates of a GPU's links to accesses of kernels, by direction; 1: all.
#pragma once

namespace warpsim {

struct LinkShares {
  double to_peers = 1;
  double from_peers = 1;
  double to_host = 1;
  double from_host = 1;
  friend bool operator==(const LinkShares&, const LinkShares&) = default;
};

}  // namespace warpsim
