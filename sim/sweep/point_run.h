// One attempt at a point of a sweep: `warpsim run` as a separate process, so that a failure ends only this attempt.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "sweep/child_process.h"
#include "sweep/sweep_points.h"
#include "sweep/sweep_state.h"

namespace warpsim {

// The end of a program's output, for messages.
std::string last_lines(const std::string& text);

// How a point is simulated, without effect on its result.
struct PointProgram {
  std::string path;           // the simulator
  std::uint32_t threads = 1;  // of each launch
};

class PointRun {
 public:
  // Starts it. `worker` identifies the executing process (SweepState::work_path()). Throws UserError if the program
  // cannot be started or the files cannot be created.
  PointRun(const SweepState& state, const SweepPoint& point, const PointProgram& program, const std::string& worker);
  // Ends the program if it still runs, and removes its files.
  ~PointRun();
  PointRun(const PointRun&) = delete;
  PointRun& operator=(const PointRun&) = delete;

  // Nothing while it runs. Then the reason of the failure with the last lines of the output; empty if it succeeded.
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
