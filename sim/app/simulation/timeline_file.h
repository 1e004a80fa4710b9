// The file with one launch's timeline, written after the launch.
#pragma once

#include <string>

#include "app/options/timeline_options.h"
#include "core/machine/launch_observer.h"
#include "stats/timeline.h"

namespace warpsim {

class TimelineFile {
 public:
  explicit TimelineFile(const TimelineOptions& options) : options_(options) {}
  TimelineFile(const TimelineFile&) = delete;
  TimelineFile& operator=(const TimelineFile&) = delete;

  // The parts of a GPU to record, by name; the GPU must not outlive this. `taken` throws UserError if the file cannot
  // be written.
  ShownLaunch shown(const std::string& gpu);
  // Throws UsageError if a file was requested and its launch has not run.
  void require_written() const;

 private:
  TimelineOptions options_;
  Timeline timeline_;
  bool written_ = false;
};

}  // namespace warpsim
