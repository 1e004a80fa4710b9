// The course of one launch on a GPU: its blocks run, memory acknowledges what they wrote, the launch ends. The machine
// runs time up to each stop() and asks after it how the launch stands.
//
// State: the phase, the next stop, what was reported. Uses the GPU.
#pragma once

#include <cstdint>
#include <optional>

#include "core/gpu/gpu.h"
#include "core/machine/launch_hooks.h"

namespace warpsim {

class LaunchRun {
 public:
  // Granularity of the search for the end of the last write.
  static constexpr Cycle kDrainStepCycles = 16;
  static constexpr Cycle kPagesStepCycles = 1024;  // while writes wait for pages, which takes microseconds
  // A model that makes no progress for this long is in a deadlock.
  static constexpr Cycle kLivelockCycles = 50'000'000;

  // The launch begins at core cycle `start` of the GPU. `most_cycles` that it may take; kNever: any number.
  LaunchRun(Gpu& gpu, Launch& launch, const LaunchHooks& hooks, Cycle start, Cycle most_cycles);

  Gpu& gpu() const { return gpu_; }
  Launch& launch() const { return launch_; }
  KernelSource& source() const { return *launch_.source; }
  LaunchSeat seat() const { return launch_.seat; }
  const LaunchHooks& hooks() const { return hooks_; }

  // All parts of the machine must stop at this instant, for stop(); kNeverFs: at none.
  TimeFs next_stop() const;
  // All parts are at next_stop().
  void stop();
  // The system has stopped because blocks have finished or a launch has ended. `reach_cycles`: core cycles by which a
  // part can have run ahead of another one.
  void advance(Cycle reach_cycles);

  // Its blocks run, and no cycle limit has been reached.
  bool has_blocks() const { return phase_ == Phase::kBlocks; }
  // Its blocks have finished, and stop() checks whether memory has acknowledged what they wrote.
  bool awaits_writes() const { return phase_ == Phase::kWrites; }
  // Blocks wait for grids that they have launched, which the device brings.
  bool awaits_launches() const { return has_blocks() && gpu_.awaits_launches(launch_.seat); }
  // There was no progress for so long that there will be none: no instruction, or no acknowledgement of the last write.
  bool is_stuck() const { return is_stuck_; }
  // Whether it has ended, or reached the limit.
  bool is_over() const { return phase_ == Phase::kEnded || phase_ == Phase::kLimited; }
  bool has_ended() const { return phase_ == Phase::kEnded; }
  // What others may depend on, as soon as it is known and once each: all of its blocks have begun, if the launch's
  // order asks for that, at this cycle; all of them let dependent launches begin.
  struct News {
    bool triggered = false;
    Cycle at = 0;
  };
  std::optional<News> take_news();
  // Nothing is due: its warps wait for barriers that nothing completes. Releases them; returns whether there were any.
  bool give_up_waits(Cycle now);

  // Its result, when it is over, without the work of the host.
  LaunchResult result() const;

 private:
  enum class Phase : std::uint8_t { kBlocks, kWrites, kEnding, kEnded, kLimited };

  void report_progress(Cycle now);
  void check_blocks(Cycle now);
  void check_writes(Cycle now);

  Gpu& gpu_;
  Launch& launch_;
  LaunchHooks hooks_;
  Cycle start_;
  Cycle limit_;
  Phase phase_ = Phase::kBlocks;
  Cycle next_check_;
  Cycle next_sample_;
  Cycle last_change_;  // when an instruction was known to have been executed, or the last block had finished
  bool is_stuck_ = false;
  bool told_begin_ = false;
  bool told_trigger_ = false;
  std::uint64_t instructions_ = 0;
  LaunchResult result_;
};

}  // namespace warpsim
