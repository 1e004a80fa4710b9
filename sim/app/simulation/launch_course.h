// How the launches of a workload are simulated: one after another, or as their streams allow.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/launch/instruction_source.h"
#include "stats/results_writer.h"
#include "stats/work_record.h"

namespace warpsim {

class LaunchCourse {
 public:
  virtual ~LaunchCourse() = default;

  virtual void copy(const CopyToDevice& copy) = 0;
  // The next launch. `stored`: by an earlier process; null: not stored. `inferred`: blocks are completed by inference
  // as they start. Returns false if a launch has reached the limit of cycles: nothing is launched afterwards.
  virtual bool launch(std::unique_ptr<KernelSource> kernel, const StoredLaunch* stored, bool inferred) = 0;
  // All launches end. Returns false as launch() does.
  virtual bool finish() { return true; }
  virtual std::uint64_t waits_given_up() const = 0;
  // What the device has done, if launches run beside each other.
  virtual std::vector<WorkRecord> take_works() { return {}; }
  // Throws UserError if the launch of the timeline did not come.
  virtual void require_timeline() const = 0;
};

}  // namespace warpsim
