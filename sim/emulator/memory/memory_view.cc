#include "emulator/memory/memory_view.h"

#include <algorithm>
#include <cstring>

#include "base/check.h"

namespace warpsim {

namespace {

constexpr std::size_t kFirstPlaces = 64;
// Fibonacci hashing: neighbouring pieces spread over the table.
constexpr std::uint64_t kGolden = 0x9e3779b97f4a7c15U;

std::size_t place_of(std::uintptr_t number, std::size_t places) {
  return static_cast<std::size_t>((number * kGolden) >> 32U) & (places - 1);
}

}  // namespace

std::uint32_t MemoryView::find(std::uintptr_t number) const {
  if (pieces_ == 0) {
    return kNone;
  }
  for (std::size_t place = place_of(number, places_.size());; place = (place + 1) & (places_.size() - 1)) {
    if (places_[place] == kNone || piece(places_[place]).number == number) {
      return places_[place];
    }
  }
}

void MemoryView::enter(std::uint32_t index) {
  Piece& entered = piece(index);
  std::size_t place = place_of(entered.number, places_.size());
  while (places_[place] != kNone) {
    place = (place + 1) & (places_.size() - 1);
  }
  places_[place] = index;
  entered.place = static_cast<std::uint32_t>(place);
}

std::uint32_t MemoryView::find_or_add(std::uintptr_t number) {
  if (const std::uint32_t known = find(number); known != kNone) {
    return known;
  }
  if (pieces_ == chunks_.size() * kChunk) {
    chunks_.push_back(std::make_unique_for_overwrite<Chunk>());
  }
  const std::uint32_t added = pieces_++;
  Piece& piece_added = piece(added);
  piece_added.number = number;
  piece_added.known = 0;
  piece_added.awaits_update = false;
  if (const FarView::Piece* const far = far_piece(number); far != nullptr) {
    piece_added.known = far->known;
    piece_added.bytes = far->bytes;
  }
  if (places_.size() < 2 * std::size_t{pieces_}) {
    places_.assign(std::max(kFirstPlaces, 4 * places_.size()), kNone);
    for (std::uint32_t i = 0; i < pieces_; ++i) {
      enter(i);
    }
  } else {
    enter(added);
  }
  return added;
}

// If some of the bytes were written and others not, the others are copied here: they cannot change before the exchange.
std::byte* MemoryView::read_written(std::byte* data, std::uint32_t bytes) {
  std::uint32_t found = find(number_of(data));
  if (found == kNone) {
    if (far_piece(number_of(data)) == nullptr) {
      return data;
    }
    found = find_or_add(number_of(data));
  }
  Piece& written = piece(found);
  const std::uint32_t offset = offset_of(data);
  const std::uint32_t mask = mask_of(offset, bytes);
  if ((written.known & mask) == 0) {
    return data;
  }
  for (std::uint32_t i = 0; i < bytes && (written.known & mask) != mask; ++i) {
    if ((written.known >> (offset + i) & 1U) == 0) {
      written.bytes[offset + i] = data[i];
      written.known |= 1U << (offset + i);
    }
  }
  return written.bytes.data() + offset;
}

std::byte* MemoryView::write(std::byte* data, std::uint32_t bytes) {
  const std::uint32_t offset = offset_of(data);
  SIM_CHECK(offset + bytes <= kPieceBytes, "an access crosses a boundary of 32 bytes");
  const std::uint32_t number = find_or_add(number_of(data));
  Piece& written = piece(number);
  written.known |= mask_of(offset, bytes);
  writes_.push_back({data, number, bytes});
  return written.bytes.data() + offset;
}

void MemoryView::put_off_update(const std::byte* data) {
  piece(find_or_add(number_of(data))).awaits_update = true;
  ++updates_;
}

bool MemoryView::awaits_update(const std::byte* data) const {
  const std::uint32_t found = find(number_of(data));
  if (found != kNone && piece(found).awaits_update) {
    return true;
  }
  const FarView::Piece* const far = far_piece(number_of(data));
  return far != nullptr && far->updates != 0;
}

MemoryView::Writes MemoryView::take_writes() {
  std::uint32_t kept = taken_;
  for (std::uint32_t i = taken_; i < writes_.size(); ++i) {
    const Write write = writes_[i];
    const std::byte* const value = piece(write.first).bytes.data() + offset_of(write.target);
    const auto first = static_cast<std::uint32_t>(values_.size());
    values_.insert(values_.end(), value, value + write.bytes);
    if (kept != taken_ && writes_[kept - 1].target + writes_[kept - 1].bytes == write.target) {
      writes_[kept - 1].bytes += write.bytes;
    } else {
      writes_[kept++] = {write.target, first, write.bytes};
    }
  }
  writes_.resize(kept);
  const Writes taken{taken_, kept};
  taken_ = kept;
  return taken;
}

void MemoryView::apply(const Writes& writes) const {
  for (std::uint32_t i = writes.begin; i < writes.end; ++i) {
    std::memcpy(writes_[i].target, values_.data() + writes_[i].first, writes_[i].bytes);
  }
}

std::vector<FarView::Write> MemoryView::send(const Writes& writes) {
  std::vector<FarView::Write> sent;
  for (std::uint32_t i = writes.begin; i < writes.end; ++i) {
    const std::byte* value = values_.data() + writes_[i].first;
    std::byte* target = writes_[i].target;
    for (std::byte* const end = target + writes_[i].bytes; target != end;) {
      const std::uint32_t offset = offset_of(target);
      const std::uint32_t bytes = std::min(kPieceBytes - offset, static_cast<std::uint32_t>(end - target));
      FarView::Write& write = sent.emplace_back();
      write.piece = number_of(target);
      write.mask = mask_of(offset, bytes);
      std::memcpy(write.bytes.data() + offset, value, bytes);
      far_.begin(write);
      target += bytes;
      value += bytes;
    }
  }
  return sent;
}

void MemoryView::clear() {
  for (std::uint32_t i = 0; i < pieces_; ++i) {
    places_[piece(i).place] = kNone;
  }
  pieces_ = 0;
  updates_ = 0;
  writes_.clear();
  taken_ = 0;
  values_.clear();
}

}  // namespace warpsim
