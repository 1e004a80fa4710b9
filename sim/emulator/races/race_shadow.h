// For each word of memory, its last writer and two readers since then.
//
// A race is found if one of them is not ordered before the next access. Simplifications: of the readers of a
// word two are kept, of its writers the last; so some races may be missed, but none is reported falsely. Memory is
// bounded; accesses beyond the limit are counted.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "base/types.h"
#include "emulator/operations/operation.h"

namespace warpsim {

struct ShadowAccess {
  std::uint32_t block = 0;
  std::uint32_t time = 0;  // of its actor; 0: no access
  std::uint32_t place = 0;
  std::uint16_t actor = 0;
  std::uint8_t bytes = 0;  // bit i: byte i of the word
  bool strong : 1 = false;
  bool updates : 1 = false;  // reads and writes at once
  bool reads : 1 = false;    // and does not write
  MemoryScope scope : 2 = MemoryScope::kBlock;
};

struct ShadowCell {
  ShadowAccess write;
  std::array<ShadowAccess, 2> reads;
};

inline constexpr std::uint32_t kShadowWord = 4;  // bytes

class GlobalShadow {
 public:
  static constexpr std::size_t kMostPages = 65'536;  // each for 4 KiB of the program's memory, and 12 times as large
  explicit GlobalShadow(std::size_t most_pages = kMostPages) : most_pages_(most_pages) {}
  // Of the word that holds the byte; null if the memory limit is reached.
  ShadowCell* cell(Address address);
  std::uint64_t words_left_out() const { return left_out_; }

 private:
  static constexpr std::uint32_t kWordsPerPage = 1024;
  using Page = std::array<ShadowCell, kWordsPerPage>;
  std::size_t most_pages_;
  std::unordered_map<Address, std::unique_ptr<Page>> pages_;
  Address last_number_ = ~Address{0};
  Page* last_ = nullptr;
  std::uint64_t left_out_ = 0;
};

}  // namespace warpsim
