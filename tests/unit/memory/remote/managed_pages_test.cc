#include "memory/remote/managed_pages.h"

#include <catch2/catch.hpp>

#include "memory/remote/memory_homes.h"

namespace warpsim {
namespace {

using Way = ManagedPages::Way;
constexpr Address kPagesBegin = 0x6800'0000'0000;
constexpr std::uint64_t kPagesPiece = ManagedPages::kPieceBytes;

TEST_CASE("managed pages: an untouched piece faults, one in the own memory does not") {
  ManagedPages pages(kPagesBegin, std::uint64_t{1} << 30U);
  CHECK(pages.contains(kPagesBegin));
  CHECK_FALSE(pages.contains(kPagesBegin - 1));
  CHECK_FALSE(pages.contains(pages.end()));
  CHECK(pages.number_of(kPagesBegin + kPagesPiece + 1) == 1);
  CHECK(ManagedPages::access(pages.piece(5), 0, false).way == Way::kFault);
  const std::uint64_t before = pages.version();
  pages.set(5, {ManagedPages::bit(0), 0});
  CHECK(pages.version() != before);
  CHECK(ManagedPages::access(pages.piece(5), 0, true).way == Way::kOwn);
  CHECK(ManagedPages::access(pages.piece(5), 1, false).way == Way::kFault);
  const std::uint64_t after = pages.version();
  pages.set(5, {ManagedPages::bit(0), 0});
  CHECK(pages.version() == after);
}

TEST_CASE("managed pages: a mapped piece is accessed where it is") {
  const ManagedPages::Piece at_host{ManagedPages::bit(ManagedPages::kHost), ManagedPages::bit(1)};
  const ManagedPages::Access access = ManagedPages::access(at_host, 1, true);
  CHECK(access.way == Way::kRemote);
  CHECK(access.holder == ManagedPages::kHost);
  CHECK(ManagedPages::access(at_host, 0, false).way == Way::kFault);
}

TEST_CASE("managed pages: copies are read, and writes to them fault") {
  const ManagedPages::Piece copies{ManagedPages::bit(0) | ManagedPages::bit(ManagedPages::kHost), 0};
  CHECK(ManagedPages::access(copies, 0, false).way == Way::kOwn);
  CHECK(ManagedPages::access(copies, 0, true).way == Way::kFault);
}

TEST_CASE("managed pages: a GPU's view of homes follows them, also after other addresses") {
  ManagedPages pages(kPagesBegin, std::uint64_t{1} << 30U);
  MemoryHomes homes;
  homes.set_managed(&pages);
  HomeLookup of_0(&homes, 0, false);
  CHECK(of_0.of(0x1000, false) == MemoryHomes::kOwn);
  CHECK(of_0.of(kPagesBegin, false) == MemoryHomes::kFault);
  pages.set(0, {ManagedPages::bit(0) | ManagedPages::bit(1), 0});
  CHECK(of_0.of(kPagesBegin, false) == MemoryHomes::kOwn);
  CHECK(of_0.of(kPagesBegin, true) == MemoryHomes::kFault);
  CHECK(of_0.of(kPagesBegin + kPagesPiece, false) == MemoryHomes::kFault);
  pages.set(1, {ManagedPages::bit(ManagedPages::kHost), ManagedPages::bit(0)});
  CHECK(of_0.of(kPagesBegin + kPagesPiece, true) == MemoryHomes::kHost);
  pages.set(1, {ManagedPages::bit(3), ManagedPages::bit(0)});
  CHECK(of_0.of(kPagesBegin + kPagesPiece, true) == 3);
  CHECK(of_0.of(pages.end(), false) == MemoryHomes::kOwn);
}

}  // namespace
}  // namespace warpsim
