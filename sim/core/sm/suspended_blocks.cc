#include "core/sm/suspended_blocks.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "base/check.h"

namespace warpsim {

Cycle SuspendedBlocks::cycles_of(std::uint64_t bytes) const {
  return bytes_per_cycle_ <= 0 ? 0 : static_cast<Cycle>(std::llround(static_cast<double>(bytes) / bytes_per_cycle_));
}

std::vector<SuspendedBlocks::Entry>::iterator SuspendedBlocks::find(LaunchSeat seat, std::uint64_t linear_index) {
  return std::ranges::find_if(blocks_, [&](const Entry& entry) {
    return entry.block.seat == seat && entry.block.linear_index == linear_index;
  });
}

// The scheduler must hear that a block has left before it hears that the block wants to come back.
void SuspendedBlocks::tell(const BlockDone& done, Cycle at) {
  messages_.push_back({done, at});
  std::ranges::stable_sort(messages_, {}, &Message::at);
}

void SuspendedBlocks::put(ResidentBlock block, std::uint32_t slot, const State& state, Cycle now) {
  tell({block.seat, slot, BlockDone::Kind::kLeaves, block.linear_index}, now + 1 + cycles_of(state.bytes));
  blocks_.push_back({std::move(block), state});
}

Cycle SuspendedBlocks::call(LaunchSeat seat, std::uint64_t linear_index, Cycle at) {
  const auto found = find(seat, linear_index);
  if (found == blocks_.end() || found->is_called) {
    return kNever;
  }
  found->is_called = true;
  const auto leaves = std::ranges::find_if(messages_, [&](const Message& message) {
    return message.done.seat == seat && message.done.block == linear_index;
  });
  const Cycle from = leaves == messages_.end() ? at : std::max(at, leaves->at);
  tell({seat, 0, BlockDone::Kind::kReturns, linear_index}, from);
  return from;
}

ResidentBlock SuspendedBlocks::take(LaunchSeat seat, std::uint64_t linear_index, State& state) {
  const auto found = find(seat, linear_index);
  SIM_CHECK(found != blocks_.end(), "a block comes back that has not left");
  ResidentBlock block = std::move(found->block);
  state = found->state;
  blocks_.erase(found);
  return block;
}

void SuspendedBlocks::send(Link<BlockDone>& link, std::size_t reserve, Cycle now) {
  while (!messages_.empty() && messages_.front().at <= now && link.free_slots(now) > reserve) {
    link.send(messages_.front().done, now);
    messages_.pop_front();
  }
}

bool SuspendedBlocks::holds(LaunchSeat seat) const {
  return std::ranges::any_of(blocks_, [seat](const Entry& entry) { return entry.block.seat == seat; });
}

std::string SuspendedBlocks::describe_stall() const {
  return blocks_.empty() ? std::string() : fmt::format(" {} blocks that wait for their launches;", blocks_.size());
}

}  // namespace warpsim
