#include "memory/remote/managed_pages.h"

#include <algorithm>

namespace warpsim {

void ManagedPages::set(std::uint64_t number, const Piece& piece) {
  if (this->piece(number) == piece) {
    return;
  }
  if (number >= pieces_.size()) {
    pieces_.resize(std::max<std::uint64_t>(number + 1, (number / kPiecesOfBlock + 1) * kPiecesOfBlock));
  }
  pieces_[number] = piece;
  ++version_;
}

ManagedPages::Access ManagedPages::access(const Piece& piece, std::uint32_t processor, bool writes) {
  if (piece.is_held_by(processor)) {
    return {writes && piece.has_copies() ? Way::kFault : Way::kOwn, processor};
  }
  if (piece.holders != 0 && (piece.mapped & bit(processor)) != 0 && !(writes && piece.has_copies())) {
    return {Way::kRemote, static_cast<std::uint32_t>(std::countr_zero(piece.holders))};
  }
  return {};
}

}  // namespace warpsim
