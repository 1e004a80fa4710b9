// The points of a sweep: every combination of trace, GPU and values to simulate; each is one run.
//
// A point has a name, TRACE@GPU[l2.num_ways=24,l2.num_slices=64] without values that all points share, which is also
// the name of its run in the database, and a key: a hash of everything that determines its result (the trace's content,
// the values in effect, the options, the name, the program's version). The data stored under a key stay valid when the
// sweep file changes.
//
// The order of points is that of the file: traces, then GPUs, then values; the last value varies fastest.
#pragma once

#include <string>
#include <vector>

#include "sweep/sweep_file.h"

namespace warpsim {

// The interface of a sweep to the simulator, which is in a higher layer.
class SweepSubject {
 public:
  struct Trace {
    std::string name;
    std::string content_hash;
  };
  struct Option {
    std::string name;  // without leading dashes
    bool is_switch = false;
  };

  virtual ~SweepSubject() = default;
  // Throws TraceError if there is no such trace.
  virtual Trace trace(const std::string& path) = 0;
  // Of all values in effect. Throws ConfigError with one line per problem, and UsageError for an unknown GPU.
  virtual std::string config_hash(const std::string& gpu, const std::vector<std::string>& overrides) = 0;
  // Options of `warpsim run` that a sweep may set.
  virtual std::vector<Option> options() = 0;
  // Throws UsageError if `warpsim run` would not accept these words, which begin with an option.
  virtual void check_options(const std::vector<std::string>& words) = 0;
  // Programs with different values may give different results.
  virtual std::string version() = 0;
};

struct SweepPoint {
  std::string name;
  std::string key;  // 16 hexadecimal digits
  std::string trace_hash;
  std::string config_hash;
  std::vector<std::string> words;  // of the command line that simulates it, without --out
};

// Throws ConfigError with all problems, each with its position in the file.
std::vector<SweepPoint> expand_sweep(const SweepFile& file, SweepSubject& subject);

}  // namespace warpsim
