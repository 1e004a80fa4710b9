// A warp rehearses: whether it can return to its present state without having changed anything.
#include <algorithm>
#include <bit>
#include <cstring>

#include "emulator/execution/fault.h"
#include "emulator/execution/launch_context.h"
#include "emulator/execution/warp.h"
#include "emulator/memory/device_memory.h"
#include "emulator/memory/memory_observer.h"

namespace warpsim {

namespace {

// Undoes the writes of an operation, and reports whether it has changed anything.
class Undoing final : public MemoryObserver {
 public:
  void accessed(const ObservedAccess& access) override {
    if (access.writes) {
      writes_.push_back({access.data, before_.size(), access.bytes});
      before_.insert(before_.end(), access.data, access.data + access.bytes);
    }
    of_global_ = of_global_ || access.space == ptx::StateSpace::kGlobal;
    // Memory of the host is at its own addresses. The host also accesses managed memory.
    of_host_ = of_host_ ||
               (access.space == ptx::StateSpace::kGlobal && (reinterpret_cast<Address>(access.data) == access.address ||
                                                             access.address - managed_.begin < managed_.bytes));
    if (access.reads && access.space != ptx::StateSpace::kLocal && access.bytes <= sizeof(std::uint64_t)) {
      read_.address = access.address;
      read_.bytes = access.bytes;
      read_.shared = access.space == ptx::StateSpace::kShared;
      read_.lanes = LaneMask{1} << access.lane;
      read_.value = 0;
      std::memcpy(&read_.value, access.data, access.bytes);
    }
  }

  bool undo_changes() {
    bool changed = false;
    for (const Write& write : writes_) {
      changed = changed || std::memcmp(write.data, before_.data() + write.before, write.bytes) != 0;
    }
    for (std::size_t i = changed ? writes_.size() : 0; i-- > 0;) {
      std::memcpy(writes_[i].data, before_.data() + writes_[i].before, writes_[i].bytes);
    }
    writes_.clear();
    before_.clear();
    return changed;
  }
  bool is_of_global() const { return of_global_; }
  bool is_of_host() const { return of_host_; }
  const Warp::SpinRead& read() const { return read_; }

 private:
  struct Write {
    std::byte* data;
    std::size_t before;
    std::uint32_t bytes;
  };
  std::vector<Write> writes_;
  std::vector<std::byte> before_;
  DeviceMemory::Reserved managed_ = DeviceMemory::managed_addresses();
  bool of_global_ = false;
  bool of_host_ = false;
  Warp::SpinRead read_;
};

}  // namespace

struct Warp::Snapshot {
  std::vector<Split> splits;
  std::size_t current;
  std::vector<Meeting> meetings;
  std::vector<std::int32_t> free_meetings;
  std::vector<Frame> frames;
  std::vector<Frame*> free_frames;
  Next stopped;
  LaneMask exited;
  std::uint64_t thread_operations;
  std::uint64_t warp_operations;
  WarpContext context;
};

Warp::Snapshot Warp::snapshot() const {
  Snapshot now{splits_,  current_, meetings_,          free_meetings_,   {},      free_frames_,
               stopped_, exited_,  thread_operations_, warp_operations_, context_};
  for (const std::unique_ptr<Frame>& frame : frames_) {
    now.frames.push_back(*frame);
  }
  return now;
}

void Warp::restore(const Snapshot& then) {
  splits_ = then.splits;
  current_ = then.current;
  meetings_ = then.meetings;
  free_meetings_ = then.free_meetings;
  free_frames_ = then.free_frames;
  for (std::size_t i = 0; i < frames_.size(); ++i) {
    if (i < then.frames.size()) {
      *frames_[i] = then.frames[i];
    } else {
      frames_[i]->users = 0;
      free_frames_.push_back(frames_[i].get());
    }
  }
  stopped_ = then.stopped;
  exited_ = then.exited;
  thread_operations_ = then.thread_operations;
  warp_operations_ = then.warp_operations;
  context_ = then.context;
  if (!splits_.empty()) {
    enter(splits_[current_]);
  }
}

bool Warp::Frame::is_as(const Frame& other) const {
  return code == other.code && local_base == other.local_base && users == other.users && return_to == other.return_to &&
         call == other.call && caller == other.caller && memory.size() == other.memory.size() &&
         std::memcmp(memory.data(), other.memory.data(), memory.size()) == 0;
}

// Everything that determines the next operations of the warp, except memory.
bool Warp::is_as(const Snapshot& then) const {
  // First what differs nearly always.
  if (current_ != then.current || splits_.size() != then.splits.size() ||
      splits_[current_].at != then.splits[current_].at) {
    return false;
  }
  const bool none_waits = std::ranges::all_of(meetings_, [](const Meeting& place) { return place.arrived == 0; });
  const auto same_split = [this, none_waits](Split a, Split b) {
    if (!launch_.independent_threads) {
      a.turns = b.turns = 0;  // which only count iterations
    }
    if (!launch_.independent_threads || none_waits) {
      a.patience_used = b.patience_used = 0;  // with those that wait
    }
    return a == b;
  };
  if (exited_ != then.exited || meetings_ != then.meetings || context_.stack_used != then.context.stack_used ||
      !std::ranges::equal(splits_, then.splits, same_split)) {
    return false;
  }
  for (std::size_t i = 0; i < frames_.size(); ++i) {
    const bool known = i < then.frames.size();
    if (frames_[i]->users != (known ? then.frames[i].users : 0)) {
      return false;
    }
    if (frames_[i]->users != 0 && !frames_[i]->is_as(then.frames[i])) {
      return false;
    }
  }
  return true;
}

// Whether it only changes registers, place and memory of the warp.
bool Warp::can_be_undone(const Next& next) {
  const Operation& operation = next.operation();
  if (next.lanes == 0) {
    return true;
  }
  switch (operation.control) {
    case Control::kExit:
    case Control::kTrap:
    case Control::kBlockBarrier:
    case Control::kClusterBarrier:
    case Control::kWarpgroup:
      return false;
    case Control::kReturn:
      return splits_[current_].frame->caller != nullptr;
    case Control::kSleep:
      return true;
    default:
      break;
  }
  const MemoryRole role = operation.memory_role;
  return operation.effect == Effect::kPrivate || role == MemoryRole::kAccess || role == MemoryRole::kFence ||
         role == MemoryRole::kTest;
}

Warp::Rehearsal Warp::rehearse(std::uint64_t most) {
  Rehearsal result;
  if (std::ranges::none_of(splits_, [](const Split& split) { return split.state == State::kReady; })) {
    result.outlook = Outlook::kWaits;
    return result;
  }
  if (launch_.memory->is_shared()) {
    return result;  // other processes may write what it reads, and would see what is undone
  }
  const Snapshot before = snapshot();
  Undoing undoing;
  context_.rehearsing = true;
  context_.observer = &undoing;
  bool open = true;
  try {
    // States are compared after the choice of the next split.
    choose();
    const Snapshot first = snapshot();
    while (open && result.operations < most && can_be_undone(next())) {
      step();
      ++result.operations;
      if (undoing.undo_changes()) {
        break;
      }
      // If no split can continue, the warp waits, and no other one can release it.
      open = choose() && !is_as(first);
    }
  } catch (const KernelFault&) {
    undoing.undo_changes();  // the actual execution will throw it
    open = true;
  }
  restore(before);
  if (!open) {
    result.outlook = Outlook::kRepeats;
    result.of_global = undoing.is_of_global();
    result.of_host = undoing.is_of_host();
    result.read = undoing.read();
    result.read.warp = this;
  }
  return result;
}

std::vector<Warp::Whereabouts> Warp::whereabouts() const {
  std::vector<Whereabouts> places;
  for (const Split& split : splits_) {
    Whereabouts at;
    at.lanes = split.lanes;
    at.code = split.frame->code;
    at.operation = split.at;
    at.waits = split.state != State::kReady;
    at.barrier = split.barrier;
    if (split.state == State::kAtWarpSync) {
      const Operation& operation = at.code->operations[split.at];
      const std::byte* const base = operation.e >= 0 ? split.frame->memory.data() : split.frame->code->constants_end();
      const auto first = static_cast<std::uint32_t>(std::countr_zero(split.lanes));
      LaneMask members = 0;
      std::memcpy(&members, base + operation.e + std::size_t{first} * sizeof(members), sizeof(members));
      at.missing = members & ~exited_ & ~split.lanes;
    }
    if (split.state == State::kAtConvergence) {
      LaneMask mask = 0;
      std::memcpy(&mask, split.frame->memory.data() + split.barrier, sizeof(mask));
      at.missing = mask & ~exited_ & ~lanes_in(State::kAtConvergence, split.barrier);
    }
    places.push_back(at);
  }
  return places;
}

}  // namespace warpsim
