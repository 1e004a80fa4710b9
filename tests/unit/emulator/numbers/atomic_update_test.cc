#include "emulator/numbers/atomic_update.h"

#include <array>
#include <catch2/catch.hpp>
#include <cstdint>
#include <thread>
#include <vector>

namespace warpsim {
namespace {

TEST_CASE("atomic update: it returns what was there, with and without others that update") {
  for (const bool atomically : {false, true}) {
    alignas(8) std::array<std::byte, 8> place = {};
    CHECK(update_value<std::uint32_t>(place.data(), atomically, [](std::uint32_t old) { return old + 5; }) == 0);
    CHECK(update_value<std::uint32_t>(place.data(), atomically, [](std::uint32_t old) { return old * 3; }) == 5);
    const ElementUpdate add = element_update(Atomic::kAdd, ptx::DataType::kU32, atomically);
    const std::uint32_t value = 7;
    add(place.data(), reinterpret_cast<const std::byte*>(&value));
    CHECK(update_value<std::uint32_t>(place.data(), atomically, [](std::uint32_t old) { return old; }) == 22);
    update_value<double>(place.data(), atomically, [](double) { return 0.5; });
    CHECK(update_value<double>(place.data(), atomically, [](double old) { return old; }) == 0.5);
    CHECK(element_update(Atomic::kExchange, ptx::DataType::kU32, atomically) == nullptr);
  }
}

TEST_CASE("atomic update: no update of several threads is lost") {
  constexpr int kUpdates = 50'000;
  alignas(8) std::array<std::byte, 8> place = {};
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&place] {
      const ElementUpdate add = element_update(Atomic::kAdd, ptx::DataType::kU64, true);
      const std::uint64_t one = 1;
      for (int update = 0; update < kUpdates; ++update) {
        add(place.data(), reinterpret_cast<const std::byte*>(&one));
      }
    });
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
  CHECK(update_value<std::uint64_t>(place.data(), true, [](std::uint64_t old) { return old; }) == 4 * kUpdates);
}

}  // namespace
}  // namespace warpsim
