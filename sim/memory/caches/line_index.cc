#include "memory/caches/line_index.h"

#include <bit>
#include <utility>

#include "base/check.h"

namespace warpsim {

LineIndex::LineIndex() {
  constexpr std::size_t kFirstCells = 16;
  resize(kFirstCells);
}

void LineIndex::resize(std::size_t cells) {
  std::vector<Cell> old(cells);
  old.swap(cells_);
  mask_ = cells - 1;
  shift_ = 64 - static_cast<std::uint32_t>(std::countr_zero(cells));
  size_ = 0;
  for (const Cell& cell : old) {
    if (cell.value != kNone) {
      insert(cell.line, cell.value);
    }
  }
}

void LineIndex::insert(Address line, std::uint32_t value) {
  if ((size_ + 1) * 2 > cells_.size()) {
    resize(cells_.size() * 2);
  }
  std::size_t i = home(line);
  while (cells_[i].value != kNone) {
    i = (i + 1) & mask_;
  }
  cells_[i] = {line, value};
  ++size_;
}

void LineIndex::erase(Address line) {
  std::size_t hole = home(line);
  while (cells_[hole].line != line || cells_[hole].value == kNone) {
    SIM_CHECK(cells_[hole].value != kNone, "erasing a line that is not in the index");
    hole = (hole + 1) & mask_;
  }
  // Moves back entries that would no longer be found across the hole.
  std::size_t i = hole;
  while (true) {
    i = (i + 1) & mask_;
    if (cells_[i].value == kNone) {
      break;
    }
    const std::size_t wanted = home(cells_[i].line);
    if (((i - wanted) & mask_) >= ((i - hole) & mask_)) {
      cells_[hole] = cells_[i];
      hole = i;
    }
  }
  cells_[hole] = Cell{};
  --size_;
}

}  // namespace warpsim
