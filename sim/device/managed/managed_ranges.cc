#include "device/managed/managed_ranges.h"

#include <algorithm>

namespace warpsim {

ManagedRanges::Span ManagedRanges::span_of(Address begin, std::uint64_t bytes) const {
  const std::uint64_t first = pages_.number_of(begin);
  return {first, pages_.number_of(begin + std::max<std::uint64_t>(bytes, 1) - 1) + 1};
}

void ManagedRanges::add(Address begin, std::uint64_t bytes) {
  ranges_[begin] = bytes;
  const Span span = span_of(begin, bytes);
  const std::uint64_t blocks = (span.end + ManagedPages::kPiecesOfBlock - 1) / ManagedPages::kPiecesOfBlock;
  if (existing_.size() < blocks) {
    existing_.resize(blocks);
    advice_.resize(blocks * ManagedPages::kPiecesOfBlock);
  }
  for (std::uint64_t piece = span.first; piece < span.end; ++piece) {
    existing_[piece / ManagedPages::kPiecesOfBlock] |= PieceMask{1} << (piece % ManagedPages::kPiecesOfBlock);
  }
}

// Small allocations may share a piece: it exists as long as one of them does.
void ManagedRanges::remove(Address begin) {
  const auto found = ranges_.find(begin);
  if (found == ranges_.end()) {
    return;
  }
  const Span span = span_of(begin, found->second);
  ranges_.erase(found);
  for (std::uint64_t piece = span.first; piece < span.end; ++piece) {
    existing_[piece / ManagedPages::kPiecesOfBlock] &= ~(PieceMask{1} << (piece % ManagedPages::kPiecesOfBlock));
    advice_[piece] = {};
  }
  for (const auto& [other, bytes] : ranges_) {
    const Span others = span_of(other, bytes);
    for (std::uint64_t piece = std::max(span.first, others.first); piece < std::min(span.end, others.end); ++piece) {
      existing_[piece / ManagedPages::kPiecesOfBlock] |= PieceMask{1} << (piece % ManagedPages::kPiecesOfBlock);
    }
  }
}

ManagedRanges::Span ManagedRanges::allocation_at(Address address) const {
  const auto after = ranges_.upper_bound(address);
  if (after == ranges_.begin()) {
    return {};
  }
  const auto& [begin, bytes] = *std::prev(after);
  return address - begin < std::max<std::uint64_t>(bytes, 1) ? span_of(begin, bytes) : Span{};
}

std::vector<ManagedRanges::Span> ManagedRanges::allocations() const {
  std::vector<Span> spans;
  spans.reserve(ranges_.size());
  for (const auto& [begin, bytes] : ranges_) {
    const Span span = span_of(begin, bytes);
    if (!spans.empty() && span.first < spans.back().end) {
      spans.back().end = std::max(spans.back().end, span.end);  // they share a piece
    } else {
      spans.push_back(span);
    }
  }
  return spans;
}

PieceMask ManagedRanges::existing(std::uint64_t block) const {
  return block < existing_.size() ? existing_[block] : 0;
}

const PageAdvice& ManagedRanges::advice(std::uint64_t piece) const {
  static const PageAdvice none;
  return piece < advice_.size() ? advice_[piece] : none;
}

PageAdvice& ManagedRanges::advice_of(std::uint64_t piece) {
  if (piece >= advice_.size()) {
    advice_.resize(piece + 1);
  }
  return advice_[piece];
}

}  // namespace warpsim
