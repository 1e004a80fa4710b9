// A hash table from line address to a small number: open addressing, linear probing, deletion without tombstones.
// It grows by doubling when more than half full.
#pragma once

#include <cstdint>
#include <vector>

#include "base/types.h"

namespace warpsim {

class LineIndex {
 public:
  static constexpr std::uint32_t kNone = 0xffffffffU;

  LineIndex();

  std::uint32_t find(Address line) const {
    std::size_t i = home(line);
    while (cells_[i].value != kNone) {
      if (cells_[i].line == line) {
        return cells_[i].value;
      }
      i = (i + 1) & mask_;
    }
    return kNone;
  }
  // The line must be absent.
  void insert(Address line, std::uint32_t value);
  // The line must be present.
  void erase(Address line);
  std::size_t size() const { return size_; }

 private:
  struct Cell {
    Address line = 0;
    std::uint32_t value = kNone;
  };
  std::size_t home(Address line) const {
    return static_cast<std::size_t>(((line / kLineBytes) * 0x9e3779b97f4a7c15ULL) >> shift_);
  }
  void resize(std::size_t cells);

  std::vector<Cell> cells_;
  std::size_t mask_ = 0;
  std::uint32_t shift_ = 0;
  std::size_t size_ = 0;
};

}  // namespace warpsim
