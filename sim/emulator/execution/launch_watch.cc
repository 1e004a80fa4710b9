#include "emulator/execution/launch_watch.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/demangle.h"
#include "emulator/code/kernel_image.h"
#include "emulator/execution/block_execution.h"
#include "emulator/execution/fault.h"
#include "emulator/execution/whereabouts.h"

namespace warpsim {

namespace {

constexpr std::uint64_t kNoteInterval = std::uint64_t{1} << 18U;
constexpr std::uint64_t kMostOfWarp = std::uint64_t{1} << 16U;  // operations of a warp that an examination rehearses
constexpr Cycle kSettled = 100'000;  // cycles without a new block after which a machine starts no further one

}  // namespace

LaunchWatch::LaunchWatch(const KernelImage& kernel, std::uint64_t blocks, Options options)
    : kernel_(kernel),
      grid_blocks_(blocks),
      options_(std::move(options)),
      next_note_(kNoteInterval),
      next_look_(options_.first_look) {
  next_stop_ = std::min(next_note_, options_.most_instructions);
}

void LaunchWatch::stop() {
  if (executed_ > options_.most_instructions) {
    end_at_limit();
  }
  if (executed_ >= next_note_) {
    next_note_ = executed_ + kNoteInterval;
    if (options_.note) {
      options_.note({kernel_.name(), executed_, started_, grid_blocks_});
    }
  }
  // At the limit, only this test remains.
  next_stop_ =
      executed_ >= options_.most_instructions ? executed_ + 1 : std::min(next_note_, options_.most_instructions);
}

void LaunchWatch::end_at_limit() const {
  throw KernelFault(FaultKind::kLimit,
                    fmt::format("kernel {} was ended: it has not finished after {} warp "
                                "instructions (--max-instructions){}",
                                name_for_message(kernel_.name()), options_.most_instructions, whereabouts()));
}

void LaunchWatch::end_deadlocked() const {
  std::string text =
      fmt::format("kernel {}: a deadlock: all threads wait for each other", name_for_message(kernel_.name()));
  if (started_ < grid_blocks_) {
    text += fmt::format("; {} of {} blocks have not started, because the waiting ones fill the GPU",
                        grid_blocks_ - started_, grid_blocks_);
  }
  throw KernelFault(FaultKind::kDeadlock, text + whereabouts());
}

// SMs of several threads add blocks in any order.
std::vector<BlockExecution*> LaunchWatch::blocks_in_order() const {
  std::vector<BlockExecution*> blocks = blocks_;
  std::ranges::stable_sort(blocks, {}, [](const BlockExecution* block) { return block->memory().linear_index; });
  return blocks;
}

std::string LaunchWatch::whereabouts() const {
  return describe_whereabouts(kernel_.module().module(), blocks_in_order(), reads_);
}

void LaunchWatch::look_now() {
  if (is_found_waiting() && !waits_for_host_) {
    end_deadlocked();
  }
}

bool LaunchWatch::is_found_waiting() {
  if (executed_ < next_look_) {
    return false;
  }
  next_look_ = executed_ + executed_ / 2;
  return only_waits();
}

// A machine that has started no block for so long has no space for one.
void LaunchWatch::look_if_settled(Cycle now) {
  if (started_ != started_before_) {
    started_before_ = started_;
    settled_since_ = now;
  }
  const bool is_settled = started_ == grid_blocks_ || now - settled_since_ >= kSettled;
  if (is_settled && (!options_.is_alone || options_.is_alone())) {
    look_now();
  } else {
    next_look_ = executed_ + std::max<std::uint64_t>(executed_ / 8, 1);
  }
}

Warp::Outlook LaunchWatch::outlook(Warp& warp, std::uint64_t& budget) {
  const Warp::Rehearsal rehearsal = warp.rehearse(std::min(budget, kMostOfWarp));
  budget -= std::min(budget, rehearsal.operations);
  if (rehearsal.outlook == Warp::Outlook::kRepeats && rehearsal.read.bytes != 0) {
    reads_.push_back(rehearsal.read);
  }
  waits_for_others_ = waits_for_others_ || rehearsal.of_global;
  waits_for_host_ = waits_for_host_ || rehearsal.of_host;
  return rehearsal.outlook;
}

bool LaunchWatch::only_waits() {
  reads_.clear();
  waits_for_others_ = false;
  waits_for_host_ = false;
  const std::vector<BlockExecution*> blocks = blocks_in_order();
  constexpr std::uint64_t kShare = 4;  // share of the executed instructions
  std::uint64_t budget = executed_ / kShare + kMostOfWarp;
  bool any_left = false;
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const std::size_t number = (last_open_ + i) % blocks.size();
    BlockExecution& block = *blocks[number];
    for (std::uint32_t warp = 0; warp < block.warp_count(); ++warp) {
      if (block.warp(warp).finished()) {
        continue;
      }
      any_left = true;
      if (outlook(block.warp(warp), budget) == Warp::Outlook::kOpen) {
        last_open_ = number;
        reads_.clear();
        return false;
      }
    }
  }
  return any_left;
}

}  // namespace warpsim
