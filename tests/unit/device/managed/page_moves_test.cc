#include "device/managed/page_moves.h"

#include <catch2/catch.hpp>
#include <vector>

namespace warpsim {
namespace {

constexpr Address kMovesBegin = 0x6800'0000'0000;
constexpr std::uint64_t kMovesPieces = ManagedPages::kPiecesOfBlock;
constexpr std::uint32_t kMovesHost = ManagedPages::kHost;

struct Moves {
  ManagedPages pages{kMovesBegin, std::uint64_t{1} << 30U};
  ManagedRanges ranges{pages};
  std::uint64_t capacity = 3 * ManagedPages::kBlockBytes;
  std::vector<std::uint64_t> left_host = {};
  PageMoves moves{pages,
                  ranges,
                  {.capacity = [this](std::uint32_t) { return capacity; },
                   .leaves_host = [this](std::uint64_t piece) { left_host.push_back(piece); },
                   .are_linked = [](std::uint32_t, std::uint32_t) { return true; }}};
};

TEST_CASE("page moves: a piece has one place, or copies") {
  Moves m;
  m.moves.move(3, kMovesHost);
  CHECK(m.left_host.empty());
  m.moves.copy(3, 1);
  CHECK(m.pages.piece(3).has_copies());
  CHECK(m.left_host == std::vector<std::uint64_t>{3});  // the host's writes are to be seen
  CHECK(m.moves.pieces_of(1) == 1);
  m.moves.move(3, 0);
  CHECK(m.left_host.size() == 2);
  CHECK(m.moves.pieces_of(1) == 0);
  CHECK(m.moves.pieces_of(0) == 1);
  m.moves.forget(3);
  CHECK(m.moves.pieces_of(0) == 0);
}

TEST_CASE("page moves: who is to access a piece gets a way to it after each move, the host none to a GPU") {
  Moves m;
  m.ranges.add(kMovesBegin, ManagedPages::kBlockBytes);
  m.ranges.advice_of(2).accessed_by = ManagedPages::bit(0) | ManagedPages::bit(kMovesHost);
  m.moves.move(2, kMovesHost);
  CHECK(m.pages.piece(2).mapped == ManagedPages::bit(0));
  m.moves.move(2, 1);
  CHECK(m.pages.piece(2).mapped == ManagedPages::bit(0));
  m.moves.move(2, 0);
  CHECK(m.pages.piece(2).mapped == 0);
}

TEST_CASE("page moves: blocks leave a full GPU in the order of their last service") {
  Moves m;
  for (std::uint64_t block = 0; block < 3; ++block) {
    for (std::uint64_t i = 0; i < kMovesPieces; ++i) {
      m.moves.move(block * kMovesPieces + i, 0);
    }
    m.moves.note_service(0, block);
  }
  m.moves.note_service(0, 0);  // block 1 is the oldest now
  CHECK(m.moves.make_room(0, 0, {}).blocks == 0);
  const PageMoves::Evicted evicted = m.moves.make_room(0, 1, {});
  CHECK(evicted.blocks == 1);
  CHECK(evicted.bytes == ManagedPages::kBlockBytes);
  CHECK(m.pages.piece(kMovesPieces).is_held_by(kMovesHost));
  CHECK(m.pages.piece(0).is_held_by(0));
  // One that is in use stays.
  CHECK(m.moves.make_room(0, kMovesPieces + 1, {2}).blocks == 1);
  CHECK(m.pages.piece(2 * kMovesPieces).is_held_by(0));
  CHECK(m.pages.piece(0).is_held_by(kMovesHost));
}

}  // namespace
}  // namespace warpsim
