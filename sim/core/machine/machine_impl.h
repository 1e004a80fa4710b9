// The inside of a machine (machine.h).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "core/gpu/gpu.h"
#include "core/machine/gpu_set.h"
#include "core/machine/launch_run.h"
#include "core/machine/launch_windows.h"
#include "core/machine/machine.h"
#include "core/machine/timeline_watch.h"
#include "engine/system.h"

namespace warpsim {

inline constexpr double kFsPerNs = 1e6;

// One machine in time, from its initial state on.
class Machine::Impl {
 public:
  Impl(const std::vector<GpuConfig>& configs, const MachineOptions& options, WorkerPool& pool);

  // `id` of the launch, which no other one has.
  struct Place {
    std::uint32_t gpu = 0;
    GridOrder order;
  };
  void submit(std::uint64_t id, KernelSource& kernel, const LaunchHooks& hooks, const Place& place);
  LaunchResult wait(std::uint64_t launch);
  struct News {
    std::uint64_t id = 0;  // of kFaults: the number of the GPU
    Event::Kind kind = Event::Kind::kOver;
    TimeFs at = {};
  };
  std::optional<News> run_until(TimeFs until);
  std::uint64_t notice_fs() const;
  void end_grid_waits(std::uint64_t launch, TimeFs at);
  void end_launch_wait(std::uint64_t launch, std::uint64_t block, std::uint32_t warp, TimeFs at);
  void end_faults(std::uint32_t gpu, TimeFs at);
  void copy_beside(std::uint32_t gpu, const EngineCopy& copy, TimeFs at);
  void share_links(std::uint32_t gpu, const LinkShares& shares, TimeFs at);
  TimeFs now() const;
  StatGroup& stats(std::uint64_t launch);
  Gpu& gpu(std::uint32_t number) { return gpus_[number]; }
  bool has_launches() const { return !active_.empty(); }

 private:
  struct Entry {
    std::uint64_t id = 0;
    std::uint32_t gpu = 0;
    std::unique_ptr<LaunchRun> run;
    std::unique_ptr<TimelineWatch> timeline;  // null: none
    std::uint64_t ticks_before = 0;
    std::uint64_t cycles_before = 0;
  };

  void set_windows();
  bool step(TimeFs limit);
  void advance();
  void stop_at(TimeFs now);
  bool give_up_waits();
  void run_to(TimeFs level);
  Cycle level(const Gpu& gpu, Cycle now);
  TimeFs earliest_level(const Gpu& gpu) const;
  TimeFs next_in_memory(const Gpu& gpu) const;
  Cycle next_in_sms(const Gpu& gpu, TimeFs at) const;
  void drain(const Entry& entry);
  [[noreturn]] void report_deadlock(const char* what) const;
  bool is_alone(const Entry& entry) const;
  std::optional<News> take_news();
  Entry& entry_of(std::uint64_t launch);

  MachineOptions options_;
  System system_;
  LaunchWindows windows_;
  GpuSet gpus_;
  std::vector<Cycle> next_start_;               // by GPU: core cycle at which a launch can begin
  std::vector<std::unique_ptr<Entry>> active_;  // and those whose results were not fetched
  std::optional<TimeFs> level_ = TimeFs{};      // all parts are at this instant, if it is known
  // The launch whose result was fetched last, unless another one was submitted since then.
  std::uint64_t fetched_ = 0;
  StatGroup* fetched_stats_ = nullptr;
};

}  // namespace warpsim
