// One GPU: owns and connects clock domains, block scheduler, SMs and memory system, and runs kernels.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "base/check.h"
#include "core/blocks/occupancy.h"
#include "core/gpu/gpu_config.h"
#include "core/launch/instruction_source.h"
#include "core/launch/queue_probe.h"
#include "engine/worker_pool.h"
#include "stats/hot_spot_table.h"
#include "stats/stat_group.h"

namespace warpsim {

// Nothing in the GPU can continue: its warps wait for each other, or the model has a deadlock. It is unusable then.
class DeadlockError : public InternalError {
 public:
  using InternalError::InternalError;
};

struct GpuOptions {
  bool skip = true;                 // false: tick everything at every cycle (reference semantics)
  bool flush_before_launch = true;  // --cache-control all
  Cycle max_cycles = kNever;        // core cycles a launch may take
  std::uint32_t threads = 1;        // that execute one launch, where its source allows that
  // Seed of a random order of components within an instant, for tests: no result depends on it.
  std::optional<std::uint64_t> shuffle = std::nullopt;
};

// Progress of a launch; passed to the progress callback a few times a second of host time.
struct LaunchProgress {
  Cycle cycle = 0;  // since the launch began
  std::uint64_t instructions = 0;
  std::uint64_t blocks_done = 0;
  std::uint64_t blocks = 0;
};

// What is reported during a launch.
struct LaunchHooks {
  std::function<void(const LaunchProgress&)> progress = {};
  // All counters are as of `cycle` of the launch: every `sample_interval` cycles and once at the end (`last`).
  std::function<void(Cycle cycle, bool last)> sample = {};
  Cycle sample_interval = kNever;
  // Has a row for each instruction of the kernel's program; null: not recorded.
  HotSpotTable* hot_spots = nullptr;
  TimelineRequest timeline = {};
};

struct LaunchResult {
  enum class Status : std::uint8_t { kComplete, kCycleLimit };
  Status status = Status::kComplete;
  // Core cycles since the simulation began. With caches emptied before each launch: sum over the previous launches.
  Cycle start_cycle = 0;
  Cycle elapsed_cycles = 0;  // core cycles from launch to completion, overhead included: gpc__cycles_elapsed
  double duration_ns = 0;    // the same, as time
  // Work of the host, not of the GPU: component-cycles ticked, of those that passed.
  std::uint64_t component_ticks = 0;
  std::uint64_t component_cycles = 0;
  Occupancy occupancy;               // theoretical occupancy and its limits
  std::uint64_t l1_bytes = 0;        // L1 data capacity that the carve-out leaves
  std::uint64_t carveout_bytes = 0;  // shared memory configured per SM
  // Warps that waited at barriers in shared memory that nothing could complete, and were released: the source's data
  // about these barriers are wrong.
  std::uint64_t waits_given_up = 0;
};

// With `flush_before_launch` every launch finds the whole machine in its initial state, not only empty caches: clocks,
// DRAM rows and refresh, arbiters and the address of the code. A launch then depends on no previous launch, so
// that single launches can be simulated, skipped or resumed with equal results. Otherwise the machine keeps
// its state from launch to launch.
class Gpu {
 public:
  Gpu(const GpuConfig& config, const GpuOptions& options);
  ~Gpu();
  Gpu(const Gpu&) = delete;
  Gpu& operator=(const Gpu&) = delete;

  // Throws ConfigError if the kernel cannot run on this GPU (block too large, too much shared memory, ...).
  LaunchResult run(KernelSource& kernel, const LaunchHooks& hooks = {});
  // With `flush_before_launch`: brings the machine into its initial state, as run() does, unless it already is. What
  // stats() returned before is then invalid.
  void renew();
  // With `flush_before_launch`: counts a launch of so many cycles as done. Later ones start after it.
  void skip_launch(Cycle elapsed_cycles);
  void copy_to_device(const CopyToDevice& copy);
  // Empties L2 between launches, like a program that reads much other data.
  void evict_l2();

  // Counters since the last reset; run() resets them at its start. Valid until the next run() or renew().
  StatGroup& stats();

 private:
  struct Impl;
  WorkerPool pool_;  // serves one machine after another
  std::unique_ptr<Impl> impl_;
  bool is_initial_ = true;
  Cycle cycles_before_ = 0;  // of launches before the machine was renewed
};

}  // namespace warpsim
