#include "emulator/execution/warp.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "emulator/execution/barriers.h"
#include "emulator/execution/breakpoints.h"
#include "emulator/host_code/host_translation.h"
#include "emulator/races/race_check.h"

namespace warpsim {

namespace {

// Operations of a turn in which a warp may write shared and global memory, from the first write on, unless it has read
// some in between: on hardware, whose reads take hundreds of cycles, all warps have read before one of them writes.
constexpr std::uint64_t kWritesInTurn = 32;

}  // namespace

Warp::Warp(const LaunchContext& launch, BlockMemory& block, BlockBarrierPort& barriers, HostState& host,
           std::uint32_t index)
    : launch_(launch), block_(block), barriers_(barriers), host_(host) {
  context_.index = index;
  context_.block = &block;
  context_.launch = &launch;
}

Warp::~Warp() = default;

void Warp::start() {
  for (const std::unique_ptr<Frame>& frame : frames_) {
    frame->users = 0;
  }
  free_frames_.clear();
  for (std::size_t i = frames_.size(); i-- > 0;) {  // the kernel's is the first again
    free_frames_.push_back(frames_[i].get());
  }
  meetings_.clear();
  free_meetings_.clear();
  splits_.clear();
  const std::uint64_t threads = launch_.block.count();
  const std::uint64_t first = std::uint64_t{context_.index} * kWarpSize;
  const std::uint64_t mine = std::min<std::uint64_t>(kWarpSize, threads - first);
  context_.present = mine == kWarpSize ? kAllLanes : (LaneMask{1} << mine) - 1;
  exited_ = ~context_.present;
  stopped_ = {};
  shares_block_ = threads > kWarpSize;
  waits_to_write_ = false;
  context_.stack_used.fill(0);
  context_.held_until = 0;
  context_.awaits_launches = false;
  Frame* const frame = enter_kernel();
  Split& split = splits_.emplace_back();
  split.lanes = context_.present;
  split.frame = frame;
  split.at = frame->code->constant_operations;
  current_ = 0;
  enter(split);
}

// What blocks have in common is computed for the first one that the warp executes: its numbers, and what is constant in
// the launch.
Warp::Frame* Warp::enter_kernel() {
  const FunctionCode& code = launch_.kernel->entry();
  Frame* const frame = add_frame(code);
  frame->users = 1;
  frame->local_base = 0;
  if (!initial_.empty()) {
    for (const FunctionCode::Area& area : code.restored) {
      std::memcpy(frame->memory.data() + area.begin, initial_.data() + area.begin, area.bytes);
    }
    fill_specials(*frame, context_.present, Specials::kOfBlock);
    return frame;
  }
  frame->memory.assign(code.frame_bytes(), std::byte{0});
  fill_specials(*frame, context_.present, Specials::kAll);
  Split split;
  split.frame = frame;
  enter(split);
  for (std::uint32_t i = 0; i < code.constant_operations; ++i) {
    code.operations[i].run(context_, code.operations[i], context_.present);
  }
  initial_ = frame->memory;
  return frame;
}

void Warp::enter(Split& split) {
  Frame& frame = *split.frame;
  context_.registers = frame.registers();
  context_.constants_end = frame.code->constants_end();
  context_.code = frame.code;
  context_.lists = frame.code->lists.data();
  context_.parameters = frame.parameters();
  context_.parameter_bytes = frame.code->parameter_bytes;
  context_.local_base = frame.local_base;
}

bool Warp::choose() {
  if (splits_.empty()) {
    return false;
  }
  const bool turn_over = launch_.independent_threads && splits_[current_].turns >= kTurns;
  if (splits_[current_].state == State::kReady && !turn_over) {
    return true;
  }
  if (turn_over && ++splits_[current_].patience_used == kPatience) {
    splits_[current_].patience_used = 0;
    part_from_waiting(splits_[current_].meeting);
  }
  // The youngest split after the current one, in rotation.
  const std::size_t count = splits_.size();
  for (std::size_t step = 1; step <= count; ++step) {
    const std::size_t candidate = step <= current_ ? current_ - step : current_ + count - step;
    if (splits_[candidate].state == State::kReady) {
      splits_[current_].turns = 0;
      current_ = candidate;
      splits_[current_].turns = 0;
      enter(splits_[current_]);
      return true;
    }
  }
  return launch_.tolerate && let_present_lanes_go_on() && choose();
}

LaneMask Warp::guarded(const Split& split, const Operation& operation) const {
  LaneMask lanes = operation.uniform ? context_.present : split.lanes;
  if (operation.guard != kNoPlace) {
    const LaneMask guard = context_.predicate(operation.guard);
    lanes &= operation.guard_negated ? ~guard : guard;
  }
  return operation.once ? lanes & (~lanes + 1) : lanes;
}

// For an operation with .sync: those of `lanes` (not empty) with the member mask of the first one.
LaneMask Warp::with_same_members(const Operation& operation, LaneMask lanes) const {
  const auto* const members = context_.read<std::uint32_t>(operation.e);
  const std::uint32_t first = members[std::countr_zero(lanes)];
  LaneMask same = 0;
  for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
    same |= static_cast<LaneMask>(members[lane] == first ? 1 : 0) << lane;
  }
  return same & lanes;
}

LaneMask Warp::executing(const Split& split, const Operation& operation) const {
  const LaneMask lanes = guarded(split, operation);
  const bool groups = operation.control == Control::kWarpSync && launch_.independent_threads && lanes != 0;
  return groups ? with_same_members(operation, lanes) : lanes;
}

Warp::Next Warp::next() {
  const Split& split = splits_[current_];
  return {split.frame->code, split.at, executing(split, split.frame->code->operations[split.at]), split.lanes};
}

std::uint64_t Warp::run(std::uint64_t most, std::uint64_t polls_from) {
  std::uint64_t done = 0;
  std::uint64_t writes_until = 0;
  polled_ = false;
  while (done < most && choose()) {
    Split& split = splits_[current_];
    const Operation* const operations = split.frame->code->operations.data();
    const std::uint32_t stop =
        split.meeting >= 0 && meetings_[static_cast<std::size_t>(split.meeting)].frame == split.frame
            ? meetings_[static_cast<std::size_t>(split.meeting)].at
            : 0xffffffffU;
    const HostCode* const host = translated(split);
    if (host != nullptr && host->begins_at(split.at)) {
      const bool writes_first = waits_to_write_ && split.frame->code->operations[split.at].writes_common;
      if (writes_first) {
        writes_until = done + kWritesInTurn;
        waits_to_write_ = false;
      }
      const std::uint64_t write_for = writes_until > done ? writes_until - done : 0;
      done += run_translated(*host, split, stop, most - done, {write_for, writes_first});
      if (launch_.independent_threads && split.turns >= kTurns) {
        continue;
      }
    }
    std::uint32_t at = split.at;
    // step() handles breakpoints.
    std::uint32_t pause =
        launch_.breakpoints == nullptr ? stop : std::min(stop, launch_.breakpoints->next(*split.frame->code, at));
    if (launch_.races != nullptr) {
      pause = std::min(pause, launch_.races->next_observed(*split.frame->code, at));  // also left to step()
    }
    std::uint64_t threads = 0;
    const std::uint64_t before = at;
    std::uint64_t end = std::min(at + std::uint64_t{operations[at].straight}, at + (most - done));
    end = pause < at ? end : std::min(end, std::uint64_t{pause});
    const LaneMask all = split.lanes;
    const auto count = static_cast<std::uint64_t>(std::popcount(all));
    for (; at != end; split.at = ++at) {
      const Operation& operation = operations[at];
      if (operation.plain) [[likely]] {
        operation.run(context_, operation, all);
        threads += count;
      } else if (const LaneMask lanes = guarded(split, operation); lanes != 0) {
        operation.run(context_, operation, lanes);
        threads += static_cast<std::uint64_t>(std::popcount(lanes));
      }
    }
    done += at - before;
    warp_operations_ += at - before;
    thread_operations_ += threads;
    if (host == nullptr) {
      split.frame->code->translation->count(at - before);
    }
    if (at == stop) {
      arrived_at_meeting();
    } else if (done < most) {
      if (operations[at].writes_common && shares_block_) {
        if (waits_to_write_) {
          writes_until = done + kWritesInTurn;
        } else if (done >= writes_until || operations[at].writes_after_read) {
          waits_to_write_ = true;
          break;
        }
        waits_to_write_ = false;
      }
      step();
      ++done;
      // What others do meanwhile ends the wait; what the check looks at in vain takes long.
      if (polled_ && (done >= polls_from || launch_.races != nullptr || launch_.concurrent)) {
        break;
      }
    }
  }
  return done;
}

void Warp::execute(const Operation& operation, LaneMask lanes) {
  if (launch_.races == nullptr || context_.rehearsing) {
    operation.run(context_, operation, lanes);
    return;
  }
  context_.observer = launch_.races->begin();
  operation.run(context_, operation, lanes);
  context_.observer = nullptr;
  launch_.races->end(context_, operation, lanes);
}

void Warp::pass() {
  const Split& split = splits_[current_];
  const Operation& operation = split.frame->code->operations[split.at];
  ++warp_operations_;
  thread_operations_ += static_cast<std::uint64_t>(std::popcount(executing(split, operation)));
  go_to(split.at + 1);
}

void Warp::step() {
  Split& split = splits_[current_];
  const Operation& operation = split.frame->code->operations[split.at];
  const LaneMask lanes = executing(split, operation);
  if (launch_.breakpoints != nullptr && !context_.rehearsing) {
    launch_.breakpoints->reached(context_, split.at, lanes);
  }
  ++warp_operations_;
  thread_operations_ += static_cast<std::uint64_t>(std::popcount(lanes));
  switch (operation.control) {
    case Control::kNone:
    case Control::kTrap:
      if (lanes != 0) {
        execute(operation, lanes);
      }
      go_to(split.at + 1);
      return;
    case Control::kSleep: {
      const LaneMask all = split.lanes;
      go_to(split.at + 1);
      if (lanes != 0) {
        if (operation.variant == kYields) {
          pass_convergence_barriers(true);
        }
        let_others_go_on(all);
      }
      return;
    }
    case Control::kBranch:
      branch(operation, lanes);
      return;
    case Control::kIndirectBranch:
      branch_indirectly(operation, lanes);
      return;
    case Control::kCall:
    case Control::kIndirectCall:
      call(operation, lanes);
      return;
    case Control::kReturn:
      if (lanes == 0) {
        go_to(split.at + 1);
      } else if (lanes != split.lanes) {
        part({{split.frame->code->end(), lanes}, {split.at + 1, split.lanes & ~lanes}}, split.frame->code->end());
      } else if (split.at != split.frame->code->end()) {
        go_to(split.frame->code->end());
      } else {
        return_from_call();
      }
      return;
    case Control::kExit:
      end_lanes(lanes);
      return;
    case Control::kWarpSync:
      synchronise(operation, lanes);
      return;
    case Control::kConverge:
      converge(operation, lanes);
      return;
    case Control::kBlockBarrier:
    case Control::kClusterBarrier:
      wait_at_barrier(operation, lanes);
      return;
    case Control::kWarpgroup:
      wait_in_warpgroup(operation, lanes);
      return;
  }
}

void Warp::go_to(std::uint32_t target) {
  Split& split = splits_[current_];
  split.at = target;
  if (split.meeting >= 0) {
    const Meeting& meeting = meetings_[static_cast<std::size_t>(split.meeting)];
    if (meeting.at == target && meeting.frame == split.frame) {
      arrived_at_meeting();
    }
  }
}

void Warp::end_lanes(LaneMask lanes) {
  Split& split = splits_[current_];
  if (lanes == 0) {
    go_to(split.at + 1);
    return;
  }
  exited_ |= lanes;
  const std::int32_t meeting = split.meeting;
  split.lanes &= ~lanes;
  const bool gone = split.lanes == 0;
  Frame* const frame = split.frame;
  if (gone) {
    remove_current();
  } else {
    go_to(split.at + 1);
  }
  lanes_left_meetings(meeting, lanes);
  if (gone) {
    leave_meeting(meeting);
    leave_frame(frame);
  }
  for (std::uint32_t i = 0; i < splits_.size(); ++i) {
    const bool at_sync = splits_[i].state == State::kAtWarpSync && try_to_synchronise(i);
    if (at_sync || (splits_[i].state == State::kAtConvergence && release_converged(splits_[i].barrier))) {
      break;
    }
  }
  barriers_.exited(context_.index, lanes);
}

// Switches to the split with these lanes, if it still exists.
void Warp::back_to(LaneMask lanes) {
  if (splits_.empty()) {
    return;
  }
  const auto found = std::ranges::find_if(splits_, [lanes](const Split& split) { return (split.lanes & lanes) != 0; });
  current_ = found == splits_.end() ? splits_.size() - 1 : static_cast<std::size_t>(found - splits_.begin());
  enter(splits_[current_]);
}

}  // namespace warpsim
