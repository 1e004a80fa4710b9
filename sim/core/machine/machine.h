// One or several GPUs and the time that they share: runs launches on them, one or several at a time.
//
// Modelled: the course of a launch from its submission to the acknowledgement of its last write (launch_run.h);
// launches that are resident at the same time, on one GPU or on several; links between the GPUs (remote_gate.h). Not
// modelled: what the host's queues add between launches (launch_queue.h, for launches one after another). State: the
// system of time, the GPUs, the active launches.
//
// With `flush_before_launch` every launch that finds no other one active finds the whole machine in its initial
// state, not only empty caches: clocks, DRAM rows and refresh, arbiters and the address of the code. A launch then
// depends on no previous launch, so that single launches can be simulated, skipped or resumed with equal results.
// Otherwise the machine keeps its state from launch to launch.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "base/check.h"
#include "core/blocks/grid_order.h"
#include "core/gpu/gpu_config.h"
#include "core/launch/instruction_source.h"
#include "core/machine/launch_hooks.h"
#include "engine/worker_pool.h"
#include "memory/remote/engine_copy.h"
#include "memory/remote/link_shares.h"
#include "memory/remote/memory_homes.h"
#include "memory/remote/page_faults.h"
#include "stats/stat_group.h"

namespace warpsim {

// Nothing in the machine can continue: its warps wait for each other, or the model has a deadlock. It is unusable then.
class DeadlockError : public InternalError {
 public:
  using InternalError::InternalError;
};

struct MachineOptions {
  bool skip = true;                 // false: tick everything at every cycle (reference semantics)
  bool flush_before_launch = true;  // --cache-control all
  Cycle max_cycles = kNever;        // core cycles a launch may take
  std::uint32_t threads = 1;        // that execute launches, where their sources allow that
  // Seed of a random order of components within an instant, for tests: no result depends on it.
  std::optional<std::uint64_t> shuffle = std::nullopt;
  // Memory of other GPUs and of the host; null: each GPU has all memory that it accesses. Outlives the machine, and
  // changes only between its calls.
  const MemoryHomes* homes = nullptr;
};

class Machine {
 public:
  // Of one GPU, or of several, at least one.
  Machine(const GpuConfig& config, const MachineOptions& options);
  Machine(const std::vector<GpuConfig>& configs, const MachineOptions& options);
  ~Machine();
  Machine(const Machine&) = delete;
  Machine& operator=(const Machine&) = delete;

  // --- one launch after another ---

  // Throws ConfigError if the kernel cannot run on the GPU (block too large, too much shared memory, ...).
  LaunchResult run(KernelSource& kernel, const LaunchHooks& hooks = {}, std::uint32_t gpu = 0);
  // Counters of the latest launch of run(), which resets them at its start. Valid until the next launch or renew().
  StatGroup& stats();

  // --- several launches at a time ---

  // Names a launch; not used again.
  enum class LaunchId : std::uint64_t {};
  // Starts a launch now, beside the active ones: on a GPU that has some, blocks of an earlier launch are placed
  // first. Throws like run(). The kernel and what the hooks name outlive the launch; one launch at a time may have a
  // timeline.
  LaunchId submit(KernelSource& kernel, const LaunchHooks& hooks = {}, std::uint32_t gpu = 0,
                  const GridOrder& order = {});
  // Runs all launches until this one has ended, or reached the limit of cycles. Once for each launch.
  LaunchResult wait(LaunchId launch);
  // What a launch reports. Others may depend on all of them.
  struct Event {
    enum class Kind : std::uint8_t {
      kBegun,      // all of its blocks have begun; only if its order asks for it
      kTriggered,  // all of its blocks let dependent launches begin (griddepcontrol.launch_dependents), or have ended
      kOver,       // wait() has its result at once
      kFaults,     // of a GPU: take_faults() has some
    };
    LaunchId launch = {};   // not of kFaults
    std::uint32_t gpu = 0;  // of kFaults
    Kind kind = Kind::kOver;
    double at_ns = 0;  // of kBegun and kTriggered, in the time of the machine; kBegun may be reported shortly before
  };
  // Runs all launches until one of them has something to report, or until all parts of the machine are at `until_ns` or
  // shortly after it, where a launch that is submitted begins.
  std::optional<Event> run_until(double until_ns);
  // After an event, by which time nothing can be beyond it by more than this: what depends on the event and takes place
  // so much later does not depend on how the machine is executed.
  double notice_ns() const;
  // The kernels that a launch depends on, whose order says that it waits, are over at `at_ns`: its warps at
  // griddepcontrol.wait go on then, or as soon as possible afterwards.
  void end_grid_waits(LaunchId launch, double at_ns);
  // Grids that a block of a launch has launched are over at `at_ns`: a warp of the block that waits for them goes on
  // then, or as soon as possible afterwards. Until then the machine does not take its waiting for a deadlock.
  void end_launch_wait(LaunchId launch, std::uint64_t block, std::uint32_t warp, double at_ns);
  // Accesses of a GPU to managed memory that it cannot make where the memory is now (memory_homes.h), since the last
  // call; their times are of the machine.
  struct Fault {
    Address page = 0;
    double at_ns = 0;
    bool writes = false;
  };
  std::vector<Fault> take_faults(std::uint32_t gpu);
  // Pages have come to a GPU: what waits for them goes on at `at_ns`, or as soon as possible afterwards; what waits for
  // others is reported again. Until then the machine does not take its waiting for a deadlock.
  void end_faults(std::uint32_t gpu, double at_ns);
  // A copy between a GPU's memory and the host or another GPU goes on beside launches, from `at_ns` on or as soon as
  // possible: its engine reads or writes there. It does so once for each number, until all of it is done or no launch
  // is active.
  void copy_beside(std::uint32_t gpu, const EngineCopy& copy, double at_ns);
  // Copies leave this of a GPU's links to accesses of launches, from `at_ns` on or as soon as possible.
  void share_links(std::uint32_t gpu, const LinkShares& shares, double at_ns);
  // From now on so many sixteenths of a GPU's L2 are for persisting lines (memory/l2/l2_store.h), also after renew();
  // none of its lines persists any more.
  void set_aside(std::uint32_t gpu, std::uint32_t sixteenths);
  void end_persistence(std::uint32_t gpu);
  // Where a launch would begin if it were submitted now, in the time of the machine: from its initial state on.
  double now_ns() const;
  // Of a launch that was submitted, until another one is submitted after wait() has returned its result.
  StatGroup& stats(LaunchId launch);

  // Throws ConfigError if the GPU could not run this launch.
  void require_possible(const KernelLaunch& launch, std::uint32_t gpu = 0) const;

  // --- between launches ---

  // With `flush_before_launch`: brings the machine into its initial state, as run() does, unless it already is. What
  // stats() returned before is then invalid.
  void renew();
  // With `flush_before_launch`: counts a launch of so many cycles as done. Later ones start after it.
  void skip_launch(Cycle elapsed_cycles);
  void copy_to_device(const CopyToDevice& copy, std::uint32_t gpu = 0);
  // Launches find what launches before them have left.
  bool keeps_caches() const { return !options_.flush_before_launch; }
  // Empties the L2 caches, like a program that reads much other data.
  void evict_l2();

 private:
  class Impl;
  std::vector<GpuConfig> configs_;
  MachineOptions options_;
  WorkerPool pool_;  // serves one machine after another
  std::unique_ptr<Impl> impl_;
  std::vector<std::uint32_t> set_aside_;  // of L2, in sixteenths, by GPU
  bool is_initial_ = true;
  std::uint64_t submitted_ = 0;
  Cycle cycles_before_ = 0;  // of launches before the machine was renewed
};

}  // namespace warpsim
