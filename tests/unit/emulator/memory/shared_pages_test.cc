#include "emulator/memory/shared_pages.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cstddef>
#include <new>

namespace warpsim {
namespace {

constexpr std::size_t kPage = 4096;

TEST_CASE("shared pages: each mapping has the same bytes") {
  const SharedPages pages(3 * kPage + 1);
  CHECK(pages.bytes() == 4 * kPage);
  std::byte* const all = pages.map(nullptr, 0, 4 * kPage);
  std::byte* const second = pages.map(nullptr, kPage, kPage);
  REQUIRE(all != nullptr);
  REQUIRE(second != nullptr);
  CHECK(all[kPage + 7] == std::byte{0});
  second[7] = std::byte{5};
  CHECK(all[kPage + 7] == std::byte{5});
  // Another place is replaced by the same bytes.
  REQUIRE(pages.map(all + 2 * kPage, kPage, kPage) == all + 2 * kPage);
  CHECK(all[2 * kPage + 7] == std::byte{5});
  pages.clear(kPage, kPage);
  CHECK(second[7] == std::byte{0});
  munmap(all, 4 * kPage);
  munmap(second, kPage);
}

TEST_CASE("shared pages: a descriptor gives the same pages") {
  const SharedPages pages(2 * kPage);
  std::byte* const first = pages.map(nullptr, 0, kPage);
  REQUIRE(first != nullptr);
  first[1] = std::byte{9};
  const SharedPages same = SharedPages::of_descriptor(dup(pages.descriptor()));
  CHECK(same.bytes() == 2 * kPage);
  std::byte* const again = same.map(nullptr, 0, kPage);
  REQUIRE(again != nullptr);
  CHECK(again[1] == std::byte{9});
  munmap(first, kPage);
  munmap(again, kPage);
  CHECK_THROWS_AS(SharedPages::of_descriptor(open("/dev/null", O_RDONLY)), std::bad_alloc);
}

}  // namespace
}  // namespace warpsim
