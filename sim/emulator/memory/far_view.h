// What the blocks of one SM have written to memory that is far away (of another GPU or the host) and that has not
// arrived there: reads of the SM see it (MemoryView looks here), nobody else does.
//
// Bytes are identified by their place in the memory of this program, as in MemoryView. Each store has a number: a byte
// is known until the last store to it has arrived.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <unordered_map>

namespace warpsim {

class FarView {
 public:
  static constexpr std::uint32_t kPieceBytes = 32;
  // Bytes of one piece: bit i of the mask is byte i.
  struct Write {
    std::uintptr_t piece = 0;  // address / kPieceBytes
    std::uint32_t mask = 0;
    std::uint64_t number = 0;
    std::array<std::byte, kPieceBytes> bytes;
  };
  struct Piece {
    std::uint32_t known = 0;
    std::uint32_t writes = 0;   // on their way
    std::uint32_t updates = 0;  // the same: operations on memory, whose results are not known before
    std::array<std::byte, kPieceBytes> bytes;
    std::array<std::uint64_t, kPieceBytes> numbers;  // of the latest store
  };

  bool empty() const { return pieces_.empty(); }
  bool has_updates() const { return updates_ != 0; }
  // Null: nothing is on its way.
  const Piece* find(std::uintptr_t piece) const {
    const auto found = pieces_.find(piece);
    return found == pieces_.end() ? nullptr : &found->second;
  }

  // A store begins its way; the view gives it its number.
  void begin(Write& write);
  // It arrives: its bytes are in memory.
  void arrive(const Write& write);
  void begin_update(const std::byte* data);
  void arrive_update(const std::byte* data);

 private:
  void remove_if_idle(std::uintptr_t piece);

  std::unordered_map<std::uintptr_t, Piece> pieces_;
  std::uint64_t numbers_ = 0;
  std::uint64_t updates_ = 0;
};

}  // namespace warpsim
