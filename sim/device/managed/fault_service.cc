#include "device/managed/fault_service.h"

#include <algorithm>
#include <bit>

namespace warpsim {

void FaultService::add(const std::vector<Fault>& faults) {
  waiting_.insert(waiting_.end(), faults.begin(), faults.end());
}

std::optional<double> FaultService::next_time() const {
  if (batch_) {
    return batch_->end_ns;
  }
  if (waiting_.empty()) {
    return std::nullopt;
  }
  const double first_ns = std::ranges::min_element(waiting_, {}, &Fault::at_ns)->at_ns;
  const bool is_awake = has_served_ && first_ns <= last_end_ns_ + config_.awake_ns;
  return std::max(first_ns, last_end_ns_) + (is_awake ? config_.poll_ns : config_.wake_ns);
}

std::optional<FaultBatch> FaultService::advance(double now_ns) {
  if (!batch_) {
    begin(now_ns);
    return std::nullopt;
  }
  for (const Planned& planned : planned_) {
    switch (planned.change) {
      case Change::kMove:
        moves_.move(planned.piece, gpu_);
        break;
      case Change::kCopy:
        moves_.copy(planned.piece, gpu_);
        break;
      case Change::kMap:
        if (pages_.piece(planned.piece).holders == 0) {
          moves_.move(planned.piece, *ranges_.advice(planned.piece).preferred);
        }
        moves_.map(planned.piece, gpu_);
        break;
    }
    moves_.note_service(gpu_, planned.piece / ManagedPages::kPiecesOfBlock);
  }
  planned_.clear();
  waiting_.clear();  // what still faults is reported again
  has_served_ = true;
  last_end_ns_ = now_ns;
  const FaultBatch batch = *batch_;
  batch_.reset();
  return batch;
}

// Faults that were reported until now, by block. Those beyond the limit of a batch are reported again.
std::vector<FaultService::Block> FaultService::take_blocks(double now_ns) {
  std::ranges::stable_sort(waiting_, {}, &Fault::at_ns);
  std::vector<Fault> taken;
  for (const Fault& fault : waiting_) {
    if (fault.at_ns <= now_ns && taken.size() < config_.batch_faults) {
      taken.push_back(fault);
    }
  }
  std::ranges::stable_sort(taken, {}, &Fault::page);
  std::vector<Block> blocks;
  for (std::size_t i = 0; i < taken.size(); ++i) {
    const std::uint64_t piece = pages_.number_of(taken[i].page);
    if (blocks.empty() || blocks.back().number != piece / ManagedPages::kPiecesOfBlock) {
      blocks.push_back({piece / ManagedPages::kPiecesOfBlock, 0, 0, 0});
    }
    Block& block = blocks.back();
    const PieceMask bit = PieceMask{1} << (piece % ManagedPages::kPiecesOfBlock);
    (taken[i].writes ? block.writes : block.reads) |= bit;
    const bool is_new = i == 0 || taken[i - 1].page != taken[i].page;
    batch_->faults += is_new ? 1 : 0;
    block.pages_written += taken[i].writes && pages_.piece(piece).has_copies() && is_new ? 1 : 0;
  }
  return blocks;
}

void FaultService::begin(double now_ns) {
  batch_ = FaultBatch{.gpu = gpu_, .start_ns = now_ns, .end_ns = now_ns};
  const std::vector<Block> blocks = take_blocks(now_ns);
  double ns = config_.batch_ns + static_cast<double>(batch_->faults) * config_.fault_ns;
  std::vector<std::uint64_t> keep;
  keep.reserve(blocks.size());
  for (const Block& block : blocks) {
    ns += plan(block);
    keep.push_back(block.number);
  }
  const auto arrives = [this](const Planned& planned) {
    return planned.change != Change::kMap && !pages_.piece(planned.piece).is_held_by(gpu_);
  };
  const auto arriving = static_cast<std::uint64_t>(std::ranges::count_if(planned_, arrives));
  const PageMoves::Evicted evicted = moves_.make_room(gpu_, arriving, keep);
  batch_->bytes_evicted = evicted.bytes;
  ns += static_cast<double>(evicted.blocks) * config_.evict_ns + transfer_ns(evicted.bytes, config_.evict_gb_per_s);
  batch_->end_ns = now_ns + ns;
}

// The program wants the piece to be in another memory, from which the GPU can access it, and it is there or nowhere.
bool FaultService::stays_with_another(std::uint64_t piece) const {
  const std::optional<std::uint32_t> preferred = ranges_.advice(piece).preferred;
  const ManagedPages::Piece& now = pages_.piece(piece);
  return preferred && *preferred != gpu_ && (now.holders == 0 || now.is_held_by(*preferred)) &&
         moves_.can_map(gpu_, *preferred);
}

double FaultService::cost_of(std::uint64_t bytes_from_others, std::uint64_t bytes_new, bool copies) const {
  return config_.block_ns + (copies ? config_.copy_ns : 0) + transfer_ns(bytes_from_others, config_.to_gpu_gb_per_s) +
         transfer_ns(bytes_new, config_.new_gb_per_s);
}

// Decides what becomes of a block, and returns the time that it takes.
double FaultService::plan(const Block& block) {
  PieceMask there = 0;
  PieceMask moving = 0;  // faults that move pieces here
  double ns = 0;
  std::uint64_t from_others = 0;
  std::uint64_t fresh = 0;
  for (std::uint32_t i = 0; i < ManagedPages::kPiecesOfBlock; ++i) {
    const PieceMask bit = PieceMask{1} << i;
    const std::uint64_t number = block.number * ManagedPages::kPiecesOfBlock + i;
    const ManagedPages::Piece& piece = pages_.piece(number);
    const bool writes = (block.writes & bit) != 0;
    const bool still_faults = ManagedPages::access(piece, gpu_, writes).way == ManagedPages::Way::kFault;
    there |= piece.is_held_by(gpu_) ? bit : 0;
    if (((block.reads | block.writes) & bit) == 0 || !still_faults) {
      continue;
    }
    if (stays_with_another(number) && !(writes && piece.has_copies())) {
      planned_.push_back({number, Change::kMap});
      ns += config_.map_ns;
    } else if (piece.is_held_by(gpu_)) {
      planned_.push_back({number, Change::kMove});  // gives up the copies of others
    } else {
      moving |= bit;
    }
  }
  ns += static_cast<double>(block.pages_written) * config_.write_to_copies_ns;
  const PieceMask moved =
      moving == 0 ? 0 : pieces_to_move(moving, there, ranges_.existing(block.number) | moving, config_.density_percent);
  for (std::uint32_t i = 0; i < ManagedPages::kPiecesOfBlock; ++i) {
    const PieceMask bit = PieceMask{1} << i;
    const std::uint64_t number = block.number * ManagedPages::kPiecesOfBlock + i;
    if ((moved & bit) == 0 || ((moving & bit) == 0 && stays_with_another(number))) {
      continue;
    }
    const bool is_fresh = pages_.piece(number).holders == 0;
    const bool copies = ranges_.advice(number).read_mostly && (block.writes & bit) == 0 && !is_fresh;
    planned_.push_back({number, copies ? Change::kCopy : Change::kMove});
    (is_fresh ? fresh : from_others) += ManagedPages::kPieceBytes;
  }
  batch_->bytes_from_others += from_others;
  batch_->bytes_new += fresh;
  return ns + cost_of(from_others, fresh, from_others != 0);
}

}  // namespace warpsim
