// One attempt at a point of a sweep: `warpsim run` as a process of its own, so that nothing that goes wrong in it ends
// more than the attempt.
#pragma once

#include <optional>
#include <string>

#include "sweep/child_process.h"
#include "sweep/sweep_points.h"
#include "sweep/sweep_state.h"

namespace warpsim {

// The end of a program's output, for messages.
std::string last_lines(const std::string& text);

class PointRun {
 public:
  // Starts it. `program` is the simulator; `worker` names who does it (SweepState::work_path()). Throws UserError if
  // the program or the files cannot be had.
  PointRun(const SweepState& state, const SweepPoint& point, const std::string& program, const std::string& worker);
  // Ends the program if it still runs, and removes what it leaves.
  ~PointRun();
  PointRun(const PointRun&) = delete;
  PointRun& operator=(const PointRun&) = delete;

  // Nothing while it runs. Then why the point failed, with the last lines of the output; empty if it is finished.
  std::optional<std::string> outcome();
  // Waits for it.
  std::string final_outcome() { return ended(process_.wait()); }
  const SweepPoint& point() const { return point_; }

 private:
  std::string ended(int status);

  const SweepState& state_;
  const SweepPoint& point_;
  std::string work_;
  std::string log_;
  ChildProcess process_;
};

}  // namespace warpsim
