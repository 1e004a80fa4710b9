// The launches of a workload beside each other, as their recorded streams allow (--streams recorded).
//
// All launches are simulated, also those that an earlier process has stored, since others depend on their course.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "app/simulation/launch_course.h"
#include "app/simulation/simulation.h"
#include "app/simulation/timeline_file.h"
#include "core/machine/launch_observer.h"
#include "core/machine/machine.h"
#include "device/observed_run.h"

namespace warpsim {

class StreamCourse final : public LaunchCourse {
 public:
  // All of them outlive it.
  StreamCourse(const GpuConfig& config, const SimulationOptions& options, const SimulationHooks& hooks);

  // The host copies when all launches so far have ended.
  void copy(const CopyToDevice& copy) override;
  bool launch(std::unique_ptr<KernelSource> kernel, const StoredLaunch* stored, bool inferred) override;
  bool finish() override;
  std::uint64_t waits_given_up() const override { return waits_given_up_; }
  std::vector<WorkRecord> take_works() override { return std::move(works_); }
  void require_timeline() const override { timeline_.require_written(); }

 private:
  void end(const ObservedRun::Ended& launch);

  const SimulationHooks& hooks_;
  std::unique_ptr<ObservedRun> run_;  // has the kernels, so it exists longer than the GPU
  TimelineFile timeline_;             // the same
  Machine gpu_;
  LaunchObserver observer_;
  std::map<std::uint32_t, const StoredLaunch*> stored_;  // by launch index: of the launches that have not ended
  std::uint64_t waits_given_up_ = 0;
  std::vector<WorkRecord> works_;
};

}  // namespace warpsim
