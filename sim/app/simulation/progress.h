// The progress line of a long run. Several runs may report from several threads.
#pragma once

#include <chrono>
#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

#include "app/options/options.h"
#include "app/simulation/status_line.h"

namespace warpsim {

// The progress of one launch.
struct LaunchState {
  std::uint64_t cycle = 0;
  std::uint64_t instructions = 0;
  std::uint64_t blocks_done = 0;
  std::uint64_t blocks = 0;
};

// The content of the line.
struct ProgressState {
  std::size_t runs = 0;
  std::size_t runs_done = 0;
  std::string label;  // "bfs[2]", of the launch that reported last
  LaunchState launch;
  std::uint64_t instructions = 0;  // of all launches so far
  double seconds = 0;              // since the start
  double launch_seconds = 0;       // since the launch began
};

// "bfs[2]  ####------  41 %  cycle 12,345  1.20 M of ~2.93 M instr  1.50 M/s  ETA 2 s". The total of instructions is
// estimated from the share of finished blocks, because a trace does not contain it.
std::string progress_line(const ProgressState& state, std::size_t width);

class ProgressDisplay {
 public:
  ProgressDisplay(ProgressMode mode, std::vector<std::string> run_names);
  ProgressDisplay(const ProgressDisplay&) = delete;
  ProgressDisplay& operator=(const ProgressDisplay&) = delete;

  void update(std::size_t run, std::uint32_t launch_index, const LaunchState& launch);
  void finish_launch(std::size_t run, std::uint64_t instructions);
  void finish_run();
  double seconds() const;

 private:
  using Clock = std::chrono::steady_clock;
  struct Run {
    std::string name;
    std::uint32_t launch_index = 0;
    std::uint64_t instructions = 0;  // of the running launch
    Clock::time_point launch_began;
    bool in_launch = false;
  };

  StatusLine line_;
  std::mutex mutex_;
  std::vector<Run> runs_;
  std::size_t runs_done_ = 0;
  std::uint64_t finished_instructions_ = 0;
  Clock::time_point began_;
  Clock::time_point drawn_;
};

}  // namespace warpsim
