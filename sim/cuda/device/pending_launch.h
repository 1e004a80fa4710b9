// A launch of a kernel from its request to its end: what its execution uses.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cuda/device/kernel_work.h"
#include "cuda/device/launch_notes.h"
#include "cuda/device/race_search.h"
#include "device/work.h"
#include "emulator/execution/launch_watch.h"

namespace warpsim::cuda {

struct PendingLaunch {
  KernelWork work;
  std::unique_ptr<LaunchWatch> watch;  // work.context names it
  std::optional<LaunchNotes> notes;    // since it has begun
  std::function<void()> begins = {};   // before its first block; may be empty
  std::function<void()> ends = {};     // its blocks have ended; may be empty
  std::function<void()> over = {};     // so is what it has launched; may be empty
  // It has failed, or another launch has: forgets what it has launched. Returns what a message about a launch that
  // cannot end adds. May be empty.
  std::function<std::string()> abandon = {};
  double clock_zero_ns = 0;  // the device's time at the machine's cycle 0
  WorkHandle state = {};     // on a device with time
  bool launches = false;     // it may launch others
  bool cooperative = false;
  bool programmatic = false;
  bool is_whole = false;                   // without time: nothing else is done until it has ended
  bool is_profiled = true;                 // with time, or recorded (launch_selection.h)
  std::vector<std::uint64_t> ranges = {};  // that were open when it was requested (host_ranges.h)
  std::unique_ptr<RaceSearch> races;       // without time
};

}  // namespace warpsim::cuda
