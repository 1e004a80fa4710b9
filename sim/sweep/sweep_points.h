// The points of a sweep: every combination of trace, GPU and values that is to be simulated, each a run of its own.
//
// A point has a name for people, TRACE@GPU[l2.num_ways=24,l2.num_slices=64] without what all points share, which names
// its run in the database, and a key for the machine: a hash of everything that its result follows from (the trace's
// content, the values in effect, the options, the name, the program's version). The data stored under a key stays
// valid when the sweep file changes.
//
// The order of points is that of the file: traces, then GPUs, then values; the last value varies fastest.
#pragma once

#include <string>
#include <vector>

#include "sweep/sweep_file.h"

namespace warpsim {

// What a sweep must know of the simulator, which lies above it.
class SweepSubject {
 public:
  struct Trace {
    std::string name;
    std::string content_hash;
  };
  struct Option {
    std::string name;  // without dashes in front
    bool is_switch = false;
  };

  virtual ~SweepSubject() = default;
  // Throws TraceError if there is no such trace.
  virtual Trace trace(const std::string& path) = 0;
  // Of all values in effect. Throws ConfigError with one line a problem, and UsageError for a GPU that is not there.
  virtual std::string config_hash(const std::string& gpu, const std::vector<std::string>& overrides) = 0;
  // Options of `warpsim run` that a sweep may set.
  virtual std::vector<Option> options() = 0;
  // Throws UsageError if `warpsim run` would not take these words, which begin with an option.
  virtual void check_options(const std::vector<std::string>& words) = 0;
  // Results of programs that differ in it may differ.
  virtual std::string version() = 0;
};

struct SweepPoint {
  std::string name;
  std::string key;  // 16 hexadecimal digits
  std::string trace_hash;
  std::string config_hash;
  std::vector<std::string> words;  // of the command line that simulates it, but for --out
};

// Throws ConfigError with all that is wrong, each problem with its place in the file.
std::vector<SweepPoint> expand_sweep(const SweepFile& file, SweepSubject& subject);

}  // namespace warpsim
