// One or several GPUs with their queues in the device's time: kernels, copies and events of several streams, and the
// host's time.
//
// Modelled: the host is busy for a fixed time with each call (HostCallsConfig), and waits if the queue is full or if
// the program asks for it; work starts when what it waits for is over and the limits of the device allow
// (work_queues.h); kernels run beside each other on the machine, copies on their engines (engine_work.h). Copies
// within the device and fills take a latency and their bytes at a rate; beside kernels they are grids on the machine
// (copy_grid.h), which share it with them; copies between the host and a device read or write its memory beside
// kernels, which are slower then (memory/remote/copy_requests.h). The machine's time stands still while no grid is
// resident. State: the work that has not ended.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <utility>

#include "core/gpu/gpu_config.h"
#include "core/machine/launch_record.h"
#include "core/machine/machine.h"
#include "device/copy_grid.h"
#include "device/dependent_launches.h"
#include "device/engine_work.h"
#include "device/managed/managed_memory.h"
#include "device/streams.h"
#include "device/work.h"
#include "device/work_queues.h"
#include "stats/work_record.h"

namespace warpsim {

// A kernel that has ended.
struct EndedLaunch {
  LaunchResult result;
  double submitted_ns = 0;
  double start_ns = 0;  // on the device, after what it waited for
  double end_ns = 0;
  std::uint32_t beside = 0;  // kernels that were resident at the same time as it was
};

class DeviceRun {
 public:
  struct Hooks {
    // Before it starts; what the machine observes of it.
    std::function<LaunchHooks(KernelSource&)> begin;
    // Directly after its submission to the machine: its counters, all zero.
    std::function<void(KernelSource&, StatGroup&)> submitted;
    // After its end, with its counters.
    std::function<void(KernelSource&, const EndedLaunch&, StatGroup&)> end;
    // Work of any kind that takes time has ended; may be empty.
    std::function<void(const WorkRecord&)> work = {};
  };
  // `machine` and `configs`, one for each GPU of it, outlive it. The host waits if more work than `most_waiting` has
  // not begun.
  DeviceRun(Machine& machine, std::vector<const GpuConfig*> configs, Hooks hooks, std::size_t most_waiting);
  DeviceRun(Machine& machine, const GpuConfig& config, Hooks hooks, std::size_t most_waiting)
      : DeviceRun(machine, std::vector{&config}, std::move(hooks), most_waiting) {}
  DeviceRun(Machine& machine, const GpuConfig& config, Hooks hooks)
      : DeviceRun(machine, config, std::move(hooks), config.host_calls.queue_entries) {}

  Streams& streams(std::uint32_t gpu = 0) { return streams_[gpu]; }
  // Whose pages kernels touch; outlives it.
  void manage(ManagedMemory& managed) { managed_ = &managed; }

  // The host submits work: to a stream, where it waits for the work before it and for `place.after`, or as a node of a
  // graph, which costs the host nothing. Throws ConfigError if the GPU cannot run the kernel.
  WorkHandle submit(Work work);

  // The end of a graph, whose nodes were submitted before; it takes no time. Later work of its stream waits for it.
  WorkHandle end_graph(Work work);
  // Work that a kernel launches while the device runs: with `parent`, `launched_ns` and, of tail work, `is_tail`. Tail
  // work also waits for the rest of its parent.
  WorkHandle launch_from_kernel(Work work);
  // A warp of a kernel waits for what its block has launched; and goes on. Meanwhile the kernel leaves its place among
  // the resident grids to others.
  void begin_launch_wait(const WorkHandle& kernel);
  void end_launch_wait(const WorkHandle& kernel, std::uint64_t block, std::uint32_t warp);
  // The device's time at a cycle of a GPU's core clock.
  double time_of(Cycle cycle, std::uint32_t gpu = 0) const;

  // The host is busy.
  void spend(double ns) { host_ns_ += ns; }
  // The device runs to the host's time.
  void catch_up();
  // A wait ends early when this holds, e.g. because another thread of the host wants to call; empty: never. It can then
  // be continued.
  void interrupt_waits(std::function<bool()> wanted) { wanted_ = std::move(wanted); }
  bool is_interrupted() const { return is_interrupted_; }
  // The host waits until done() holds, which the device's work must bring. `continues`: an interrupted wait.
  void wait_until(const std::function<bool()>& done, std::uint32_t gpu = 0, bool continues = false);
  // The host waits for this; null: for all work.
  void wait(const WorkHandle& work);
  // The host has waited for all work, without a call that waits.
  void finish();
  // The latest wait ended too early: what is left waits for values in memory that nothing on the device will write.
  bool is_stuck() const { return is_stuck_; }
  // Nothing is left that takes time: all work waits for values in memory.
  bool only_waits() const;
  // Busy or waiting, since the beginning.
  double host_ns() const { return host_ns_; }
  double now_ns() const { return now_ns_; }
  bool idle() const { return queues_.empty(); }
  bool idle(std::uint32_t gpu) const { return queues_.empty(gpu); }
  std::size_t active() const { return active_.size(); }  // work that has not ended

  // A launch has reached the limit of cycles; nothing is submitted afterwards.
  bool is_limited() const { return limited_; }

 private:
  struct Active {
    Work work;
    WorkHandle state;
    Machine::LaunchId id = {};
    std::unique_ptr<CopyGrid> grid = nullptr;  // of a copy or fill on the machine
    double grid_since_ns = 0;                  // when that was put there
    std::uint32_t beside = 0;
    std::uint64_t parent = 0;    // number of the kernel that has launched it; 0: none
    bool vacated = false;        // a kernel that has ended on the machine
    double vacated_ns = 0;       // then
    double free_ns = 0;          // what it did not wait for at its start was over
    std::uint32_t children = 0;  // work that it has launched and that is not over
    std::uint32_t tails = 0;     // the same of its tail work
    std::uint32_t waits = 0;     // warps that wait for what their blocks have launched
    WorkHandle body = nullptr;   // over when all but its tail work is; null: it has launched nothing
  };

  const GpuConfig& config_of(const Work& work) const { return *configs_[work.place.gpu]; }
  double cost_of(const Work& work) const;
  WorkHandle add(Work work);
  void enter(const WorkPlace& place, const WorkHandle& state);
  template <class Done>
  bool run_until(const Done& done, double until_ns);
  Active& active_of(const WorkHandle& kernel, std::uint64_t* number = nullptr);
  void end_of_child(const Active& child);
  void complete(std::uint64_t number);
  void start(std::uint64_t number);
  void start_kernel(std::uint64_t number, Active& active);
  std::unique_ptr<CopyGrid> grid_of(const Work& work, std::uint64_t first) const;
  void run_grid(Active& active, std::unique_ptr<CopyGrid> grid);
  void move_copies(std::uint32_t gpu);
  void feed_copy(std::uint64_t number, const Active& active);
  void feed_copy(std::uint64_t number, const Active& active, std::uint32_t gpu, bool writes);
  void share_links();
  void feed_copies(std::uint32_t gpu);
  void end_grid(std::uint64_t number, Active& active);
  bool machine_is_idle() const { return queues_.resident() == 0 && grids_ == 0; }
  void end(std::uint64_t number, double end_ns);
  void report(std::uint64_t number, const Active& active) const;
  void end_kernel(Machine::LaunchId id);
  void note(const Machine::Event& event);
  void end_dependences(const WorkHandle& work);
  Active& running(Machine::LaunchId id, std::uint64_t& number);
  bool end_timed();
  void serve_faults();
  void take_faults(std::uint32_t gpu);
  double launch_delay_ns() const;

  Machine& machine_;
  std::vector<const GpuConfig*> configs_;
  Hooks hooks_;
  std::size_t most_waiting_;
  std::vector<Streams> streams_;  // by GPU
  WorkQueues queues_;
  EngineWork engines_;
  std::vector<LinkShares> shares_;  // by GPU, as the machine knows them
  DependentLaunches dependents_;
  ManagedMemory* managed_ = nullptr;
  std::map<std::uint64_t, Active> active_;  // that has not ended
  std::uint64_t added_ = 0;
  std::uint32_t launching_ = 0;  // resident kernels that may launch others
  std::uint32_t grids_ = 0;      // of copies and fills, on the machine
  double host_ns_ = 0;           // the host has submitted everything so far
  double now_ns_ = 0;            // of the device
  double machine_ns_ = 0;        // what the machine's time is behind the device's
  bool limited_ = false;
  bool is_stuck_ = false;
  bool is_interrupted_ = false;
  std::function<bool()> wanted_;
};

}  // namespace warpsim
