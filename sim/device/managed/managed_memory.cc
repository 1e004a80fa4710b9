#include "device/managed/managed_memory.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace warpsim {

namespace {

constexpr std::uint64_t kBytes = ManagedPages::kPieceBytes;

// Calls `visit(block, pieces of it)` for a span of pieces.
template <typename Visit>
void for_blocks(const ManagedRanges::Span& span, Visit&& visit) {
  for (std::uint64_t first = span.first; first < span.end;) {
    const std::uint64_t block = first / ManagedPages::kPiecesOfBlock;
    PieceMask pieces = 0;
    for (; first < span.end && first / ManagedPages::kPiecesOfBlock == block; ++first) {
      pieces |= PieceMask{1} << (first % ManagedPages::kPiecesOfBlock);
    }
    visit(block, pieces);
  }
}

template <typename Visit>
void for_pieces(std::uint64_t block, PieceMask pieces, Visit&& visit) {
  for (; pieces != 0; pieces &= pieces - 1) {
    visit(block * ManagedPages::kPiecesOfBlock + static_cast<std::uint64_t>(std::countr_zero(pieces)));
  }
}

// The processor gets a piece that is not in its memory: a copy if it only reads what is mostly read.
void fetch(PageMoves& moves, std::uint64_t number, std::uint32_t to, bool copies) {
  if (copies) {
    moves.copy(number, to);
  } else {
    moves.move(number, to);
  }
}

}  // namespace

ManagedMemory::ManagedMemory(ManagedPages& pages, const std::vector<const GpuConfig*>& configs,
                             PageMoves::Surroundings around)
    : pages_(pages), configs_(configs), ranges_(pages), moves_(pages, ranges_, std::move(around)) {
  services_.reserve(configs.size());
  for (std::uint32_t gpu = 0; gpu < configs.size(); ++gpu) {
    services_.emplace_back(gpu, configs[gpu]->managed_memory, pages_, ranges_, moves_);
  }
}

// --- allocations and advice ---

void ManagedMemory::remove(Address begin) {
  const ManagedRanges::Span span = ranges_.allocation_at(begin);
  ranges_.remove(begin);
  for (std::uint64_t piece = span.first; piece < span.end; ++piece) {
    if ((ranges_.existing(piece / ManagedPages::kPiecesOfBlock) >> (piece % ManagedPages::kPiecesOfBlock) & 1U) == 0) {
      moves_.forget(piece);
    }
  }
}

void ManagedMemory::set_read_mostly(const Range& range, bool value) {
  const ManagedRanges::Span span = ranges_.span_of(range.begin, range.bytes);
  for (std::uint64_t piece = span.first; piece < span.end; ++piece) {
    ranges_.advice_of(piece).read_mostly = value;
    const ManagedPages::Piece& now = pages_.piece(piece);
    if (!value && now.has_copies()) {
      const std::optional<std::uint32_t> preferred = ranges_.advice(piece).preferred;
      moves_.move(piece, preferred && now.is_held_by(*preferred)
                             ? *preferred
                             : static_cast<std::uint32_t>(std::countr_zero(now.holders)));
    }
  }
}

void ManagedMemory::set_preferred(const Range& range, std::optional<std::uint32_t> processor) {
  const ManagedRanges::Span span = ranges_.span_of(range.begin, range.bytes);
  for (std::uint64_t piece = span.first; piece < span.end; ++piece) {
    ranges_.advice_of(piece).preferred = processor;
  }
}

void ManagedMemory::set_accessed_by(const Range& range, std::uint32_t processor, bool value) {
  const ManagedRanges::Span span = ranges_.span_of(range.begin, range.bytes);
  for (std::uint64_t piece = span.first; piece < span.end; ++piece) {
    ManagedPages::Processors& all = ranges_.advice_of(piece).accessed_by;
    all = value ? all | ManagedPages::bit(processor) : all & ~ManagedPages::bit(processor);
    moves_.map_as_advised(piece);
  }
}

void ManagedMemory::note_prefetch(const Range& range, std::uint32_t to) {
  const ManagedRanges::Span span = ranges_.span_of(range.begin, range.bytes);
  for (std::uint64_t piece = span.first; piece < span.end; ++piece) {
    ranges_.advice_of(piece).prefetched = to;
  }
}

// --- faults of GPUs ---

std::optional<double> ManagedMemory::next_time() const {
  std::optional<double> next;
  for (const FaultService& service : services_) {
    if (const std::optional<double> own = service.next_time(); own && (!next || *own < *next)) {
      next = own;
    }
  }
  return next;
}

std::vector<FaultBatch> ManagedMemory::advance(double now_ns) {
  std::vector<FaultBatch> ended;
  for (FaultService& service : services_) {
    const std::optional<double> next = service.next_time();
    if (next && *next <= now_ns) {
      if (const std::optional<FaultBatch> batch = service.advance(now_ns)) {
        ended.push_back(*batch);
      }
    }
  }
  return ended;
}

// --- the host ---

double ManagedMemory::move_to_host(std::uint64_t block, PieceMask pieces, std::uint32_t gpu) {
  const ManagedMemoryConfig& config = configs_[gpu]->managed_memory;
  std::uint64_t bytes = 0;
  for_pieces(block, pieces, [&](std::uint64_t piece) {
    const ManagedPages::Piece& now = pages_.piece(piece);
    if (now.holders == 0) {
      return;  // it was not touched: nothing to move
    }
    bytes += kBytes;
    fetch(moves_, piece, ManagedPages::kHost, ranges_.advice(piece).read_mostly);
  });
  return bytes == 0 ? 0 : config.host_fault_ns + transfer_ns(bytes, config.to_host_gb_per_s);
}

double ManagedMemory::host_touches(const std::vector<Touch>& touches, std::uint32_t gpu) {
  const ManagedMemoryConfig& config = configs_[gpu]->managed_memory;
  double ns = 0;
  for (const Touch& touch : touches) {
    const ManagedPages::Piece now = pages_.piece(touch.piece);
    const std::uint64_t block = touch.piece / ManagedPages::kPiecesOfBlock;
    const PieceMask bit = PieceMask{1} << (touch.piece % ManagedPages::kPiecesOfBlock);
    if (now.holders == 0) {
      moves_.move(touch.piece, ManagedPages::kHost);
    } else if (now.is_held_by(ManagedPages::kHost)) {
      if (touch.writes && now.has_copies()) {
        ns += config.host_fault_ns;
        moves_.move(touch.piece, ManagedPages::kHost);
      }
    } else if (!config.page_faults) {
      // The whole allocation comes back.
      const ManagedRanges::Span span = ranges_.allocation_at(pages_.address_of(touch.piece));
      std::uint64_t bytes = 0;
      for (std::uint64_t piece = span.first; piece < span.end; ++piece) {
        bytes += pages_.piece(piece).is_held_by(ManagedPages::kHost) ? 0 : kBytes;
        moves_.move(piece, ManagedPages::kHost);
      }
      moves_.move(touch.piece, ManagedPages::kHost);
      ns += config.host_fault_ns + transfer_ns(bytes, config.to_host_gb_per_s);
    } else {
      PieceMask there = 0;
      for_pieces(block, ~PieceMask{0}, [&](std::uint64_t piece) {
        there |= pages_.piece(piece).is_held_by(ManagedPages::kHost)
                     ? PieceMask{1} << (piece % ManagedPages::kPiecesOfBlock)
                     : 0;
      });
      ns += move_to_host(block, pieces_to_move(bit, there, ranges_.existing(block) | bit, config.density_percent), gpu);
    }
  }
  return ns;
}

// --- moves on request ---

double ManagedMemory::prefetch_ns(const Range& range, std::uint32_t to, std::uint32_t gpu) const {
  const ManagedMemoryConfig& config = configs_[gpu]->managed_memory;
  const ManagedRanges::Span span = ranges_.span_of(range.begin, range.bytes);
  std::uint64_t moved = 0;
  std::uint64_t fresh = 0;
  for (std::uint64_t number = span.first; number < span.end; ++number) {
    const ManagedPages::Piece& piece = pages_.piece(number);
    moved += piece.holders != 0 && !piece.is_held_by(to) ? kBytes : 0;
    fresh += piece.holders == 0 ? kBytes : 0;
  }
  const double rate = to == ManagedPages::kHost ? config.prefetch_to_host_gb_per_s : config.prefetch_to_gpu_gb_per_s;
  return config.prefetch_ns + transfer_ns(moved, rate) + transfer_ns(fresh, config.prefetch_new_gb_per_s);
}

void ManagedMemory::prefetch(const Range& range, std::uint32_t to) {
  for_blocks(ranges_.span_of(range.begin, range.bytes), [&](std::uint64_t block, PieceMask pieces) {
    if (to != ManagedPages::kHost) {
      moves_.make_room(to, static_cast<std::uint64_t>(std::popcount(pieces)), {block});
      moves_.note_service(to, block);
    }
    for_pieces(block, pieces, [&](std::uint64_t number) {
      const ManagedPages::Piece& piece = pages_.piece(number);
      if (!piece.is_held_by(to)) {
        fetch(moves_, number, to, ranges_.advice(number).read_mostly && piece.holders != 0);
      }
    });
  });
}

double ManagedMemory::bring_block(std::uint64_t block, PieceMask pieces, std::uint32_t gpu, bool writes) {
  const ManagedMemoryConfig& config = configs_[gpu]->managed_memory;
  std::uint64_t moved = 0;
  std::uint64_t fresh = 0;
  PieceMask faulting = 0;
  for_pieces(block, pieces, [&](std::uint64_t number) {
    const ManagedPages::Piece& piece = pages_.piece(number);
    if (ManagedPages::access(piece, gpu, writes).way == ManagedPages::Way::kFault) {
      faulting |= PieceMask{1} << (number % ManagedPages::kPiecesOfBlock);
      (piece.holders == 0 ? fresh : moved) += piece.is_held_by(gpu) ? 0 : kBytes;
    }
  });
  if (faulting == 0) {
    return 0;
  }
  const PageMoves::Evicted evicted =
      moves_.make_room(gpu, static_cast<std::uint64_t>(std::popcount(faulting)), {block});
  for_pieces(block, faulting, [&](std::uint64_t number) {
    fetch(moves_, number, gpu, !writes && ranges_.advice(number).read_mostly && pages_.piece(number).holders != 0);
  });
  moves_.note_service(gpu, block);
  return services_[gpu].cost_of(moved, fresh, moved != 0) + static_cast<double>(evicted.blocks) * config.evict_ns +
         transfer_ns(evicted.bytes, config.evict_gb_per_s);
}

double ManagedMemory::bring(const Range& range, std::uint32_t gpu, bool writes) {
  double ns = 0;
  for_blocks(ranges_.span_of(range.begin, range.bytes),
             [&](std::uint64_t block, PieceMask pieces) { ns += bring_block(block, pieces, gpu, writes); });
  const ManagedMemoryConfig& config = configs_[gpu]->managed_memory;
  return ns == 0 ? 0 : ns + config.wake_ns + config.batch_ns;
}

bool ManagedMemory::host_has_any() const {
  for (const ManagedRanges::Span& span : ranges_.allocations()) {
    for (std::uint64_t number = span.first; number < span.end; ++number) {
      if (pages_.piece(number).is_held_by(ManagedPages::kHost)) {
        return true;
      }
    }
  }
  return false;
}

std::uint64_t ManagedMemory::bring_all(std::uint32_t gpu) {
  std::uint64_t bytes = 0;
  for (const ManagedRanges::Span& span : ranges_.allocations()) {
    for (std::uint64_t number = span.first; number < span.end; ++number) {
      const ManagedPages::Piece& piece = pages_.piece(number);
      if (!piece.is_held_by(gpu)) {
        bytes += piece.holders == 0 ? 0 : kBytes;
        moves_.move(number, gpu);
      }
    }
  }
  return bytes;
}

}  // namespace warpsim
