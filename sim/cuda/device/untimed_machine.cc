#include "cuda/device/untimed_machine.h"

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "base/program_threads.h"
#include "cuda/device/kernel_failure.h"
#include "emulator/execution/fault.h"

namespace warpsim::cuda {

namespace {

// Operations of warps: after which the call that launches a kernel returns, of a kernel before another one goes on, and
// of a wait before other threads of the program may make calls (about a second).
constexpr std::uint64_t kFirstTurn = std::uint64_t{1} << 24U;
constexpr std::uint64_t kTurn = std::uint64_t{1} << 20U;
constexpr std::uint32_t kPassesOfWait = 32;

class Flag {
 public:
  explicit Flag(bool& flag) : flag_(flag) { flag_ = true; }
  ~Flag() { flag_ = false; }
  Flag(const Flag&) = delete;
  Flag& operator=(const Flag&) = delete;

 private:
  bool& flag_;
};

bool is_satisfied(const Dependence& dependence) {
  return is_over(dependence.work) || (dependence.edge == Dependence::Edge::kBegin && dependence.work->begun.known);
}

}  // namespace

struct UntimedMachine::Entry {
  Work work;
  WorkHandle state = {};
  std::shared_ptr<PendingLaunch> launch = {};  // null: other work than a kernel
  std::uint32_t resident_blocks = 0;
  std::unique_ptr<GridExecution> execution = {};  // since it has begun
  bool waits_for_host = false;
};

UntimedMachine::UntimedMachine(std::size_t gpus, TraceRecorder* recorder, GridExecutor& executor)
    : recorder_(recorder), executor_(executor), streams_(gpus) {}

UntimedMachine::~UntimedMachine() {
  drop();
}

// --- requests ---

WorkHandle UntimedMachine::launch(std::shared_ptr<PendingLaunch> launch, WorkPlace place,
                                  std::uint32_t resident_blocks) {
  Work work;
  work.kind = WorkKind::kKernel;
  work.place = std::move(place);
  work.place.gpu = launch->work.gpu;
  return put({.work = std::move(work), .launch = std::move(launch), .resident_blocks = resident_blocks});
}

WorkHandle UntimedMachine::submit(Work work) {
  return put({.work = std::move(work)});
}

WorkHandle UntimedMachine::add(Entry entry) {
  entry.state = entry.work.state != nullptr ? entry.work.state : std::make_shared<WorkState>();
  entry.state->kind = entry.work.kind;
  entry.state->gpu = entry.work.place.gpu;
  return entries_.emplace_back(std::move(entry)).state;
}

WorkHandle UntimedMachine::put(Entry entry) {
  WorkPlace& place = entry.work.place;
  Streams& streams = streams_[place.gpu];
  WorkHandle state;
  if (place.in_graph) {
    state = add(std::move(entry));
  } else {
    const std::uint64_t stream = place.stream;
    const std::vector<Dependence> before = streams.dependences(stream);
    place.after.insert(place.after.end(), before.begin(), before.end());
    state = add(std::move(entry));
    streams.enter(stream, state);
  }
  settle();
  return state;
}

WorkHandle UntimedMachine::end_graph(Work work) {
  const WorkPlace place = {.gpu = work.place.gpu, .stream = work.place.stream};
  WorkHandle state = add({.work = std::move(work)});
  streams_[place.gpu].enter(place.stream, state);
  settle();
  return state;
}

// --- turns ---

bool UntimedMachine::can_begin(const Entry& entry) const {
  const auto holds_barrier = [&](const Entry& other) {
    return other.execution != nullptr && other.launch->cooperative && other.work.place.gpu == entry.work.place.gpu;
  };
  return std::ranges::all_of(entry.work.place.after, is_satisfied) && (!entry.work.passes || entry.work.passes()) &&
         (entry.launch == nullptr || !entry.launch->cooperative || std::ranges::none_of(entries_, holds_barrier));
}

void UntimedMachine::execute(PendingLaunch& launch, std::uint32_t resident_blocks) {
  if (recorder_ != nullptr && launch.is_profiled) {
    recorder_->run(launch.work, resident_blocks);
  } else {
    executor_.execute(launch.work, resident_blocks);
  }
}

UntimedMachine::Progress UntimedMachine::run(Entry& entry) {
  PendingLaunch& launch = *entry.launch;
  const bool begins = entry.execution == nullptr;
  if (begins) {
    entry.state->started = true;
    launch.notes.emplace(LaunchNotes::Clock::now());
    if (launch.begins) {
      launch.begins();
    }
    if (recorder_ != nullptr || launch.is_whole) {
      execute(launch, entry.resident_blocks);
      return Progress::kEnded;
    }
    const GridExecutionOptions options = executor_.prepare(launch.work, entry.resident_blocks);
    entry.execution = std::make_unique<GridExecution>(launch.work.context, options);
  }
  const std::uint64_t before = entry.execution->executed();
  const GridExecution::State state = entry.execution->run(begins ? kFirstTurn : kTurn);
  entry.state->begun.known = entry.execution->has_begun();
  entry.waits_for_host = state == GridExecution::State::kWaits && entry.execution->waits_for_host();
  if (state == GridExecution::State::kEnded) {
    return Progress::kEnded;
  }
  return entry.execution->executed() == before ? Progress::kNone : Progress::kSome;
}

// The entry is over.
void UntimedMachine::end(Place at) {
  const Entry own = std::move(*at);
  entries_.erase(at);
  if (own.launch == nullptr && own.work.effect) {
    own.work.effect();
  } else if (own.launch != nullptr && own.launch->ends) {
    own.launch->ends();
  }
  own.state->over = true;
}

bool UntimedMachine::give_turn(Place at) {
  const std::shared_ptr<PendingLaunch> launch = at->launch;
  const WorkHandle state = at->state;
  try {
    if (at->execution == nullptr && !can_begin(*at)) {
      return false;
    }
    const Progress progress = launch == nullptr ? Progress::kEnded : run(*at);
    if (progress == Progress::kEnded) {
      state->started = true;
      end(at);
    }
    return progress != Progress::kNone;
  } catch (const KernelFault& fault) {
    fail(fault, launch.get());
  } catch (const ConfigError& error) {
    failure_ = {Failure::kInvalidConfiguration, error.what()};
    drop();
  } catch (...) {  // the call reports it; what is half executed cannot go on
    failure_ = {Failure::kTrap, "the device has failed"};
    drop();
    state->over = true;
    throw;
  }
  state->over = true;  // also if its end has failed: waits for it end
  return true;
}

bool UntimedMachine::begin_all() {
  bool any = false;
  for (Place at = entries_.begin(); at != entries_.end();) {
    if (at->execution == nullptr && give_turn(at)) {
      any = true;
      at = entries_.begin();  // what waited for it comes first
    } else {
      ++at;
    }
  }
  return any;
}

void UntimedMachine::settle() {
  if (!is_working_) {
    const Flag working(is_working_);
    begin_all();
  }
}

bool UntimedMachine::pass() {
  const Flag working(is_working_);
  bool progress = begin_all();
  std::vector<WorkHandle> begun;
  for (const Entry& entry : entries_) {
    if (entry.execution != nullptr) {
      begun.push_back(entry.state);
    }
  }
  for (const WorkHandle& state : begun) {
    const Place at = std::ranges::find(entries_, state, &Entry::state);
    if (at != entries_.end() && give_turn(at)) {
      begin_all();
      progress = true;
    }
  }
  return progress;
}

void UntimedMachine::work_on() {
  if (!is_working_) {
    pass();
  }
}

// Other threads of the program, or the host without a call, may bring what is waited for.
bool UntimedMachine::others_may_act() const {
  const auto may_be_released = [](const Entry& entry) {
    return entry.waits_for_host || (entry.work.passes && std::ranges::all_of(entry.work.place.after, is_satisfied));
  };
  const auto has_begun = [](const Entry& entry) { return entry.execution != nullptr; };
  return std::ranges::any_of(entries_, may_be_released) || std::ranges::none_of(entries_, has_begun) ||
         threads_of_program() > 1;
}

void UntimedMachine::wait(const std::function<bool()>& done) {
  is_stuck_ = false;
  for (std::uint32_t passes = 0; !is_working_ && !done(); ++passes) {
    if (passes == kPassesOfWait) {
      is_stuck_ = true;
      return;
    }
    if (pass()) {
      continue;
    }
    if (others_may_act()) {
      is_stuck_ = true;
      return;
    }
    const Entry& oldest =
        *std::ranges::find_if(entries_, [](const Entry& entry) { return entry.execution != nullptr; });
    const std::shared_ptr<PendingLaunch> launch = oldest.launch;
    try {
      oldest.execution->end_deadlocked();
    } catch (const KernelFault& fault) {
      fail(fault, launch.get());
    }
  }
}

void UntimedMachine::finish() {
  do {
    wait([this] { return entries_.empty(); });
  } while (is_stuck_ && pass());
}

// --- ends ---

void UntimedMachine::fail(const KernelFault& fault, const PendingLaunch* launch) {
  const std::string waiting = launch != nullptr && launch->abandon ? launch->abandon() : std::string();
  failure_ = {failure_of(fault.kind()), fault.what() + (fault.kind() == FaultKind::kDeadlock ? waiting : "")};
  drop();
}

Outcome UntimedMachine::take_failure() {
  return std::exchange(failure_, {});
}

void UntimedMachine::drop() {
  const std::list<Entry> dropped = std::move(entries_);
  entries_.clear();
  for (const Entry& entry : dropped) {
    entry.state->over = true;
    if (entry.launch != nullptr && entry.launch->abandon) {
      entry.launch->abandon();
    }
  }
}

bool UntimedMachine::idle(std::uint32_t gpu) const {
  return std::ranges::none_of(entries_, [gpu](const Entry& entry) { return entry.work.place.gpu == gpu; });
}

}  // namespace warpsim::cuda
