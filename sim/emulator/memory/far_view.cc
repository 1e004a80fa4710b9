#include "emulator/memory/far_view.h"

#include "base/check.h"

namespace warpsim {

void FarView::begin(Write& write) {
  write.number = ++numbers_;
  Piece& piece = pieces_[write.piece];
  ++piece.writes;
  piece.known |= write.mask;
  for (std::uint32_t i = 0; i < kPieceBytes; ++i) {
    if ((write.mask >> i & 1U) != 0) {
      piece.bytes[i] = write.bytes[i];
      piece.numbers[i] = write.number;
    }
  }
}

void FarView::arrive(const Write& write) {
  const auto found = pieces_.find(write.piece);
  SIM_CHECK(found != pieces_.end() && found->second.writes != 0, "a store arrives that was not on its way");
  Piece& piece = found->second;
  // NOLINTNEXTLINE(performance-no-int-to-ptr): the number of a piece is made of its address in the host's memory
  auto* const memory = reinterpret_cast<std::byte*>(write.piece * kPieceBytes);
  for (std::uint32_t i = 0; i < kPieceBytes; ++i) {
    if ((write.mask >> i & 1U) != 0) {
      memory[i] = write.bytes[i];
      if (piece.numbers[i] == write.number) {
        piece.known &= ~(1U << i);
      }
    }
  }
  --piece.writes;
  remove_if_idle(write.piece);
}

void FarView::begin_update(const std::byte* data) {
  ++pieces_[reinterpret_cast<std::uintptr_t>(data) / kPieceBytes].updates;
  ++updates_;
}

void FarView::arrive_update(const std::byte* data) {
  const std::uintptr_t piece = reinterpret_cast<std::uintptr_t>(data) / kPieceBytes;
  --pieces_[piece].updates;
  --updates_;
  remove_if_idle(piece);
}

void FarView::remove_if_idle(std::uintptr_t piece) {
  const auto found = pieces_.find(piece);
  if (found->second.writes == 0 && found->second.updates == 0) {
    pieces_.erase(found);
  }
}

}  // namespace warpsim
