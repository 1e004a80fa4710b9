// Global memory as the blocks of one SM see it between two points at which all SMs exchange what they have written.
//
// A store is kept here until the exchange: reads of the same SM see it at once, those of other SMs after the exchange.
// Memory itself does not change in between, so that SMs can execute at the same time. Updates (reductions) that are put
// off until the exchange are marked: an access to the same bytes has to be put off, too.
// Stores and updates whose memory is far away remain visible here, and only here, until they arrive (far_view.h).
// Bytes are identified by their place in the host's memory. No access crosses a boundary of kPieceBytes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "emulator/memory/far_view.h"

namespace warpsim {

class MemoryView {
 public:
  static constexpr std::uint32_t kPieceBytes = 32;

  // Where to read the bytes at `data`, which are in memory.
  std::byte* read(std::byte* data, std::uint32_t bytes) {
    return pieces_ == 0 && far_.empty() ? data : read_written(data, bytes);
  }
  // Where to write bytes that belong to `data`. They count as written when take_writes() is called.
  std::byte* write(std::byte* data, std::uint32_t bytes);
  // An update of these bytes is put off.
  void put_off_update(const std::byte* data);
  bool awaits_update(const std::byte* data) const;

  // Nothing was written or put off since clear().
  bool is_clean() const { return pieces_ == 0; }
  bool has_updates() const { return updates_ != 0 || far_.has_updates(); }

  // Writes since the last call, in the order in which write() was called. One write may cover several calls.
  struct Writes {
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
  };
  Writes take_writes();
  // Writes the values to memory.
  void apply(const Writes& writes) const;
  // The same values, piece by piece, as they begin their way to memory that is far away.
  std::vector<FarView::Write> send(const Writes& writes);
  FarView& far() { return far_; }
  // After the exchange: everything is in memory.
  void clear();

 private:
  struct Piece {
    std::uintptr_t number;  // host address / kPieceBytes
    std::uint32_t known;    // bit i: byte i
    std::uint32_t place;    // in places_
    bool awaits_update;
    std::array<std::byte, kPieceBytes> bytes;
  };
  struct Write {
    std::byte* target;
    std::uint32_t first;  // in values_; until take_writes(): number of the piece
    std::uint32_t bytes;
  };
  static std::uintptr_t number_of(const std::byte* data) {
    return reinterpret_cast<std::uintptr_t>(data) / kPieceBytes;
  }
  static std::uint32_t offset_of(const std::byte* data) {
    return static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(data) % kPieceBytes);
  }
  static std::uint32_t mask_of(std::uint32_t offset, std::uint32_t bytes) {
    return (bytes == kPieceBytes ? ~0U : (1U << bytes) - 1) << offset;
  }
  std::byte* read_written(std::byte* data, std::uint32_t bytes);
  const FarView::Piece* far_piece(std::uintptr_t number) const { return far_.empty() ? nullptr : far_.find(number); }
  static constexpr std::uint32_t kNone = 0xffffffffU;
  std::uint32_t find(std::uintptr_t number) const;
  std::uint32_t find_or_add(std::uintptr_t number);
  void enter(std::uint32_t index);

  // Pieces do not move, since handlers hold pointers to several of them.
  static constexpr std::uint32_t kChunk = 256;
  using Chunk = std::array<Piece, kChunk>;
  Piece& piece(std::uint32_t number) { return (*chunks_[number / kChunk])[number % kChunk]; }
  const Piece& piece(std::uint32_t number) const { return (*chunks_[number / kChunk])[number % kChunk]; }

  std::vector<std::unique_ptr<Chunk>> chunks_;
  std::uint32_t pieces_ = 0;
  std::vector<std::uint32_t> places_;  // a hash table with open addressing: piece or kNone; size: a power of two
  std::uint32_t updates_ = 0;
  std::vector<Write> writes_;
  std::uint32_t taken_ = 0;  // of writes_
  std::vector<std::byte> values_;
  FarView far_;
};

}  // namespace warpsim
