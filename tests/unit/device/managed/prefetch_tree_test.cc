#include "device/managed/prefetch_tree.h"

#include <bit>
#include <catch2/catch.hpp>
#include <vector>

namespace warpsim {
namespace {

constexpr std::uint32_t kDensity = 51;
constexpr PieceMask kWholeBlock = ~PieceMask{0};

// Pieces that fault when a block is touched piece by piece.
std::vector<std::uint32_t> faults_in_order(PieceMask exists) {
  std::vector<std::uint32_t> faults;
  PieceMask there = 0;
  for (std::uint32_t piece = 0; piece < ManagedPages::kPiecesOfBlock; ++piece) {
    const PieceMask bit = PieceMask{1} << piece;
    if ((exists & bit) != 0 && (there & bit) == 0) {
      faults.push_back(piece);
      there |= pieces_to_move(bit, there, exists, kDensity);
    }
  }
  return faults;
}

// tests/hardware/managed, each.*: accesses 0, 16, 32, 64, 128, 256 of pages of 4 KiB fault, and so on after 2 MiB.
TEST_CASE("prefetch tree: an H100 faults at 0, 64, 128, 256, 512 KiB and 1 MiB of a block") {
  CHECK(faults_in_order(kWholeBlock) == std::vector<std::uint32_t>{0, 1, 2, 4, 8, 16});
}

TEST_CASE("prefetch tree: pieces outside of allocations do not count and do not move") {
  constexpr PieceMask kFirstThree = 0b111;
  CHECK(faults_in_order(kFirstThree) == std::vector<std::uint32_t>{0, 1});
  CHECK(pieces_to_move(0b1, 0b10, kFirstThree, kDensity) == 0b101);
}

TEST_CASE("prefetch tree: half a region is not enough, scattered faults move a whole block") {
  CHECK(pieces_to_move(0b1, 0, kWholeBlock, kDensity) == 0b1);
  CHECK(pieces_to_move(0xffff, 0, kWholeBlock, kDensity) == 0xffff);
  CHECK(pieces_to_move(0x1ffff, 0, kWholeBlock, kDensity) == kWholeBlock);
  CHECK(pieces_to_move(0x55555555, 0, kWholeBlock, kDensity) == 0x55555555);
  CHECK(std::popcount(pieces_to_move(0x77777777, 0, kWholeBlock, kDensity)) == 32);
}

TEST_CASE("prefetch tree: a density of one per cent moves everything") {
  CHECK(pieces_to_move(1, 0, kWholeBlock, 1) == kWholeBlock);
}

}  // namespace
}  // namespace warpsim
