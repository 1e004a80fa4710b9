#include "device/managed/prefetch_tree.h"

#include <bit>

namespace warpsim {

PieceMask pieces_to_move(PieceMask faults, PieceMask there, PieceMask exists, std::uint32_t density_percent) {
  constexpr std::uint32_t kPercent = 100;
  const PieceMask touched = (faults | there) & exists;
  PieceMask moved = faults;
  for (PieceMask left = faults; left != 0; left &= left - 1) {
    const auto fault = static_cast<std::uint32_t>(std::countr_zero(left));
    for (std::uint32_t pieces = ManagedPages::kPiecesOfBlock; pieces > 1; pieces /= 2) {
      const std::uint32_t first = fault / pieces * pieces;
      const PieceMask region = (pieces == ManagedPages::kPiecesOfBlock ? ~PieceMask{0} : (PieceMask{1} << pieces) - 1)
                               << first;
      const auto count = [](PieceMask mask) { return static_cast<std::uint32_t>(std::popcount(mask)); };
      if (count(touched & region) * kPercent > count(exists & region) * density_percent) {
        moved |= region & exists;
        break;
      }
    }
  }
  return moved & ~there;
}

}  // namespace warpsim
