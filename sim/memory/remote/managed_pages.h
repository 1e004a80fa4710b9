// Where managed memory is: which memories hold each piece of it, and which processors access it without moving it.
//
// Modelled: pieces of 64 KiB, the smallest region that the driver of a GPU with page faults migrates (its fault moves
// the "big page" around it: tests/hardware/managed, accesses 0, 16, 32 of pages of 4 KiB fault). A piece that was
// not touched is in no memory; one with several copies can only be read. Not modelled: parts of pieces with 4 KiB pages
// of their own. Changed only while no engine runs.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

#include "base/types.h"

namespace warpsim {

class ManagedPages {
 public:
  static constexpr std::uint64_t kPieceBytes = std::uint64_t{64} << 10U;
  static constexpr std::uint64_t kBlockBytes = std::uint64_t{2} << 20U;  // the driver decides block by block
  static constexpr std::uint32_t kPiecesOfBlock = kBlockBytes / kPieceBytes;

  // A set of processors: bit i is GPU i, and the last one the host.
  using Processors = std::uint32_t;
  static constexpr std::uint32_t kHost = 31;
  static constexpr Processors bit(std::uint32_t processor) { return Processors{1} << processor; }

  struct Piece {
    Processors holders = 0;  // whose memory has it
    Processors mapped = 0;   // that access it in the memory of a holder
    bool is_held_by(std::uint32_t processor) const { return (holders & bit(processor)) != 0; }
    bool has_copies() const { return std::popcount(holders) > 1; }
    bool operator==(const Piece&) const = default;
  };

  // All managed memory lies in these addresses; `begin` is that of a block.
  ManagedPages(Address begin, std::uint64_t bytes) : begin_(begin), bytes_(bytes) {}

  bool contains(Address address) const { return address - begin_ < bytes_; }
  Address begin() const { return begin_; }
  Address end() const { return begin_ + bytes_; }
  // The number of the piece that holds the address; its first address.
  std::uint64_t number_of(Address address) const { return (address - begin_) / kPieceBytes; }
  Address address_of(std::uint64_t piece) const { return begin_ + piece * kPieceBytes; }
  const Piece& piece(std::uint64_t number) const {
    static constexpr Piece kUntouched;
    return number < pieces_.size() ? pieces_[number] : kUntouched;
  }
  void set(std::uint64_t number, const Piece& piece);
  // Differs after each change.
  std::uint64_t version() const { return version_; }

  // How an access of a processor reaches a piece.
  enum class Way : std::uint8_t {
    kOwn,     // in the processor's memory
    kRemote,  // in that of `holder`
    kFault,   // the piece must be moved or copied first
  };
  struct Access {
    Way way = Way::kFault;
    std::uint32_t holder = 0;
  };
  static Access access(const Piece& piece, std::uint32_t processor, bool writes);

 private:
  Address begin_;
  std::uint64_t bytes_;
  std::vector<Piece> pieces_;  // up to the last one that was ever set
  std::uint64_t version_ = 1;
};

}  // namespace warpsim
