#include "emulator/memory/touched_pages.h"

#include <sys/mman.h>

#include <catch2/catch.hpp>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "emulator/memory/shared_pages.h"

namespace warpsim {
namespace {

constexpr std::uint64_t kPart = std::uint64_t{64} << 10U;

// At a multiple of a part, as managed memory is: the system also maps pages around one that is read, within as much.
std::byte* place_of(std::uint64_t bytes) {
  void* const reserved = mmap(nullptr, bytes + kPart, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  const auto address = reinterpret_cast<std::uintptr_t>(reserved);
  return static_cast<std::byte*>(reserved) + (kPart - address % kPart) % kPart;
}

TEST_CASE("touched pages: accesses through the mapping are found, also after pages were taken out") {
  const SharedPages pages(4 * kPart);
  std::byte* const program = pages.map(place_of(4 * kPart), 0, 4 * kPart);
  std::byte* const emulator = pages.map(nullptr, 0, 4 * kPart);
  REQUIRE(program != nullptr);
  REQUIRE(emulator != nullptr);
  const TouchedPages touched;
  REQUIRE(touched.works());
  using Parts = std::vector<bool>;
  CHECK(touched.touched(program, 4 * kPart, kPart) == Parts{false, false, false, false});
  emulator[2 * kPart] = std::byte{7};  // another mapping
  CHECK(touched.touched(program, 4 * kPart, kPart) == Parts{false, false, false, false});
  const std::uint64_t before = TouchedPages::faults();
  program[kPart + 5000] = std::byte{1};
  CHECK(TouchedPages::faults() > before);
  CHECK(touched.touched(program, 4 * kPart, kPart) == Parts{false, true, false, false});
  touched.take_out(program, 4 * kPart);
  CHECK(touched.touched(program, 4 * kPart, kPart) == Parts{false, false, false, false});
  CHECK(program[2 * kPart] == std::byte{7});  // contents stay
  CHECK(touched.touched(program, 4 * kPart, kPart) == Parts{false, false, true, false});
  munmap(program, 4 * kPart);
  munmap(emulator, 4 * kPart);
}

}  // namespace
}  // namespace warpsim
