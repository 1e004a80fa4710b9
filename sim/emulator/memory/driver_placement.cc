#include "emulator/memory/driver_placement.h"

#include <algorithm>
#include <iterator>

#include "base/round_up.h"

namespace warpsim {

DriverPlacement::DriverPlacement(Address begin, std::uint64_t bytes) : begin_(begin) {
  const std::uint64_t whole = bytes / kBlock * kBlock;
  const std::uint64_t of_process = std::min(whole, kSegment - kBlock);
  if (of_process != 0) {
    variables_.emplace(begin, of_process);
  }
  if (whole > of_process) {
    blocks_.emplace(begin + of_process, whole - of_process);
  }
}

std::optional<Address> DriverPlacement::take(std::uint64_t bytes, std::uint64_t alignment) {
  if (bytes > kLargestShared) {
    return take_blocks(round_up(bytes, kBlock));
  }
  const std::uint64_t room = round_up(std::max<std::uint64_t>(bytes, 1), kUnit);
  const std::uint64_t step = std::max(alignment, kUnit);
  if (const auto taken = take_lowest(shared_, room, step)) {
    return taken;
  }
  if (const auto block = take_blocks(kBlock)) {
    shared_.emplace(*block, kBlock);  // beside others, but no allocation lies in two blocks
    return take_lowest(shared_, room, step);
  }
  return take_lowest(variables_, room, step);
}

std::optional<Address> DriverPlacement::take_for_variable(std::uint64_t bytes, std::uint64_t alignment) {
  const std::uint64_t room = round_up(std::max<std::uint64_t>(bytes, 1), bytes > kLargestShared ? kBlock : kUnit);
  const auto taken = take_lowest(variables_, room, std::max(alignment, kUnit));
  return taken ? taken : take(bytes, alignment);
}

std::optional<Address> DriverPlacement::take_blocks(std::uint64_t bytes) {
  for (auto range = blocks_.begin(); range != blocks_.end(); ++range) {
    const Address end = range->first + range->second;
    const Address next_segment = begin_ + round_up(range->first - begin_, kSegment);
    const bool crosses = range->first + bytes > next_segment && range->first != next_segment;
    const Address place = crosses ? next_segment : range->first;
    if (place < end && end - place >= bytes) {
      cut(blocks_, range, place, bytes);
      return place;
    }
  }
  return std::nullopt;
}

void DriverPlacement::give_back(Address begin, std::uint64_t bytes) {
  const bool in_blocks = bytes > kLargestShared;
  const std::uint64_t room = round_up(std::max<std::uint64_t>(bytes, 1), in_blocks ? kBlock : kUnit);
  if (begin - begin_ < kSegment - kBlock) {
    put_back(variables_, begin, room);
  } else if (in_blocks) {
    put_back(blocks_, begin, room);
  } else {
    give_back_part(begin, room);
  }
}

// A block without allocations is free for any size.
void DriverPlacement::give_back_part(Address begin, std::uint64_t bytes) {
  const Address block = begin_ + (begin - begin_) / kBlock * kBlock;
  Ranges parts;
  for (auto part = shared_.lower_bound(block); part != shared_.end() && part->first < block + kBlock;) {
    parts.insert(*part);
    part = shared_.erase(part);
  }
  put_back(parts, begin, bytes);
  if (parts.begin()->second == kBlock) {
    put_back(blocks_, block, kBlock);
  } else {
    shared_.merge(parts);
  }
}

std::optional<Address> DriverPlacement::take_lowest(Ranges& ranges, std::uint64_t bytes, std::uint64_t alignment) {
  for (auto range = ranges.begin(); range != ranges.end(); ++range) {
    const Address place = round_up(range->first, alignment);
    const std::uint64_t before = place - range->first;
    if (before < range->second && range->second - before >= bytes) {
      cut(ranges, range, place, bytes);
      return place;
    }
  }
  return std::nullopt;
}

void DriverPlacement::cut(Ranges& ranges, Ranges::iterator range, Address begin, std::uint64_t bytes) {
  const auto [first, length] = *range;
  ranges.erase(range);
  if (begin != first) {
    ranges.emplace(first, begin - first);
  }
  if (const std::uint64_t rest = first + length - (begin + bytes); rest != 0) {
    ranges.emplace(begin + bytes, rest);
  }
}

void DriverPlacement::put_back(Ranges& ranges, Address begin, std::uint64_t bytes) {
  auto next = ranges.lower_bound(begin);
  if (next != ranges.end() && next->first == begin + bytes) {
    bytes += next->second;
    next = ranges.erase(next);
  }
  if (next != ranges.begin() && std::prev(next)->first + std::prev(next)->second == begin) {
    std::prev(next)->second += bytes;
    return;
  }
  ranges.emplace(begin, bytes);
}

}  // namespace warpsim
