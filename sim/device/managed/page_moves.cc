#include "device/managed/page_moves.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace warpsim {

namespace {

using Processors = ManagedPages::Processors;

}  // namespace

PageMoves::PageMoves(ManagedPages& pages, const ManagedRanges& ranges, Surroundings surroundings)
    : pages_(pages), ranges_(ranges), surroundings_(std::move(surroundings)) {}

PageMoves::Gpu& PageMoves::gpu(std::uint32_t number) {
  if (number >= gpus_.size()) {
    gpus_.resize(number + 1);
  }
  return gpus_[number];
}

void PageMoves::set(std::uint64_t number, const ManagedPages::Piece& piece) {
  const ManagedPages::Piece before = pages_.piece(number);
  for (Processors changed = (before.holders ^ piece.holders) & ~ManagedPages::bit(ManagedPages::kHost); changed != 0;
       changed &= changed - 1) {
    const auto processor = static_cast<std::uint32_t>(std::countr_zero(changed));
    gpu(processor).pieces += piece.is_held_by(processor) ? 1 : std::uint64_t{0} - 1;
  }
  pages_.set(number, piece);
  const bool host_lost = before.is_held_by(ManagedPages::kHost) &&
                         (!piece.is_held_by(ManagedPages::kHost) || (piece.has_copies() && !before.has_copies()));
  if (host_lost && surroundings_.leaves_host) {
    surroundings_.leaves_host(number);
  }
}

bool PageMoves::can_map(std::uint32_t processor, std::uint32_t holder) const {
  if (processor == ManagedPages::kHost) {
    return false;  // the host does not access memory of a GPU over PCIe
  }
  return holder == ManagedPages::kHost || (surroundings_.are_linked && surroundings_.are_linked(processor, holder));
}

void PageMoves::move(std::uint64_t piece, std::uint32_t to) {
  set(piece, {ManagedPages::bit(to), 0});
  map_as_advised(piece);
}

void PageMoves::copy(std::uint64_t piece, std::uint32_t to) {
  ManagedPages::Piece changed = pages_.piece(piece);
  changed.holders |= ManagedPages::bit(to);
  set(piece, changed);
}

void PageMoves::map(std::uint64_t piece, std::uint32_t processor) {
  ManagedPages::Piece changed = pages_.piece(piece);
  changed.mapped |= ManagedPages::bit(processor);
  set(piece, changed);
}

void PageMoves::forget(std::uint64_t piece) {
  set(piece, {});
}

void PageMoves::map_as_advised(std::uint64_t piece) {
  const ManagedPages::Piece& now = pages_.piece(piece);
  if (now.holders == 0) {
    return;
  }
  const auto holder = static_cast<std::uint32_t>(std::countr_zero(now.holders));
  for (Processors left = ranges_.advice(piece).accessed_by; left != 0; left &= left - 1) {
    const auto processor = static_cast<std::uint32_t>(std::countr_zero(left));
    if (processor != holder && can_map(processor, holder)) {
      map(piece, processor);
    }
  }
}

void PageMoves::note_service(std::uint32_t number, std::uint64_t block) {
  Gpu& own = gpu(number);
  if (const auto before = own.service_of.find(block); before != own.service_of.end()) {
    own.by_service.erase(before->second);
  }
  own.service_of[block] = ++services_;
  own.by_service[services_] = block;
}

PageMoves::Evicted PageMoves::make_room(std::uint32_t number, std::uint64_t pieces,
                                        const std::vector<std::uint64_t>& keep) {
  Gpu& own = gpu(number);
  Evicted evicted;
  const std::uint64_t most = surroundings_.capacity(number) / ManagedPages::kPieceBytes;
  auto next = own.by_service.begin();
  while (own.pieces + pieces > most && next != own.by_service.end()) {
    const auto [service, block] = *next;
    if (std::ranges::find(keep, block) != keep.end()) {
      ++next;
      continue;
    }
    std::uint64_t left = 0;
    for (std::uint64_t piece = block * ManagedPages::kPiecesOfBlock; piece < (block + 1) * ManagedPages::kPiecesOfBlock;
         ++piece) {
      ManagedPages::Piece changed = pages_.piece(piece);
      if (!changed.is_held_by(number)) {
        continue;
      }
      if (changed.has_copies()) {
        changed.holders &= ~ManagedPages::bit(number);
        set(piece, changed);
      } else {
        move(piece, ManagedPages::kHost);
        ++left;
      }
    }
    evicted.blocks += 1;
    evicted.bytes += left * ManagedPages::kPieceBytes;
    next = own.by_service.erase(next);
    own.service_of.erase(block);
  }
  return evicted;
}

}  // namespace warpsim
