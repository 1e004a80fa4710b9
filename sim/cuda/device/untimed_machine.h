// The simulated GPUs of a process without timing: their streams, and what waits in them.
//
// Work is done when it is requested, in the order of the calls, as soon as what it depends on is over. A kernel then
// executes to its end, unless it waits for memory that only others can change, or is long: then the call returns, and
// the kernel goes on while the host waits or asks, in turns with the kernels of other streams and GPUs. So the order
// depends on the program's calls alone. With several threads the blocks of a kernel execute beside each other. Not
// modelled: that kernels which wait for each other must be resident at once.
#pragma once

#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <vector>

#include "cuda/device/device.h"
#include "cuda/device/grid_executor.h"
#include "cuda/device/pending_launch.h"
#include "cuda/device/trace_recorder.h"
#include "device/streams.h"
#include "device/work.h"
#include "emulator/execution/fault.h"
#include "emulator/execution/grid_execution.h"

namespace warpsim::cuda {

class UntimedMachine final {
 public:
  // `recorder` records each profiled kernel as a whole; may be null. Both outlive this.
  UntimedMachine(std::size_t gpus, TraceRecorder* recorder, GridExecutor& executor);
  ~UntimedMachine();
  UntimedMachine(const UntimedMachine&) = delete;
  UntimedMachine& operator=(const UntimedMachine&) = delete;

  Streams& streams(std::uint32_t gpu) { return streams_[gpu]; }

  // A failure of a kernel is known when it has executed so far; the other work that waits is thrown away then.
  WorkHandle launch(std::shared_ptr<PendingLaunch> launch, WorkPlace place, std::uint32_t resident_blocks);
  WorkHandle submit(Work work);
  // The end of a graph: later work of the stream waits for it.
  WorkHandle end_graph(Work work);
  // A kernel that a kernel has launched, as a whole. Throws KernelFault.
  void execute(PendingLaunch& launch, std::uint32_t resident_blocks);

  // The host waits. It ends too early, and is_stuck(), if only others than the devices can bring what work waits for,
  // and from time to time, so that other threads of the program can make calls.
  void wait(const std::function<bool()>& done);
  bool is_stuck() const { return is_stuck_; }
  // The host does something else: each kernel has a turn.
  void work_on();
  // Everything is done that can be done.
  void finish();
  // Why a kernel has failed, once.
  Outcome take_failure();
  // Throws all work away.
  void drop();

  bool idle(std::uint32_t gpu) const;

 private:
  struct Entry;
  using Place = std::list<Entry>::iterator;
  enum class Progress : std::uint8_t { kNone, kSome, kEnded };

  WorkHandle add(Entry entry);
  WorkHandle put(Entry entry);  // and enters it into its stream, unless it is in a graph
  bool can_begin(const Entry& entry) const;
  Progress run(Entry& entry);
  void end(Place at);
  // Of a kernel, or all of other work, if it can begin. Returns whether there was progress.
  bool give_turn(Place at);
  bool begin_all();  // that can begin; returns whether there was any
  bool pass();       // each kernel has a turn
  // Begins what can begin. No effect while work is done, after which what has been added follows.
  void settle();
  bool others_may_act() const;
  void fail(const KernelFault& fault, const PendingLaunch* launch);

  TraceRecorder* recorder_;
  GridExecutor& executor_;
  std::vector<Streams> streams_;  // by GPU
  std::list<Entry> entries_;      // in the order of requests; not over
  Outcome failure_;
  bool is_working_ = false;
  bool is_stuck_ = false;
};

}  // namespace warpsim::cuda
