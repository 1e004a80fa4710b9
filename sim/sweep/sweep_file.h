// A sweep as the user describes it (docs/sweeps.md): traces, GPUs, and the values of the descriptions that vary. Read
// strictly: unknown keys, wrong kinds and empty lists are all reported at once, with line and column. Items that need
// the simulator (paths of values, options of a run, traces) are checked when the points are generated (sweep_points.h).
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "config/config_node.h"

namespace warpsim {

// A text with its position in the file.
struct SweepText {
  std::string text;
  ConfigOrigin origin;
};

// One value of a description, as in `--set path=value`.
struct SweepSetting {
  std::string path;   // "l2.num_ways"
  std::string value;  // in YAML
  ConfigOrigin origin;

  std::string override_text() const { return path + "=" + value; }
};

struct SweepTrace {
  SweepText pattern;   // path or glob, relative to the file
  SweepText name;      // of the runs; empty: the trace's own
  SweepText launches;  // empty: all
};

// One value that varies.
struct SweepAxis {
  SweepText path;
  std::vector<SweepSetting> values;
};

// An option of `warpsim run`, with underscores instead of hyphens.
struct SweepOption {
  SweepText key;
  SweepText value;
};

struct SweepFile {
  std::string path;
  ConfigOrigin origin;
  std::vector<SweepText> gpus;  // names of shipped descriptions, or files relative to this one
  std::vector<SweepTrace> traces;
  std::vector<SweepOption> options;
  std::vector<SweepSetting> settings;             // of all points
  std::vector<SweepAxis> axes;                    // of the grid: the last varies fastest
  std::vector<std::vector<SweepSetting>> points;  // explicit ones, after those of the grid
  std::vector<ConfigOrigin> point_origins;

  // A path of the file relative to the working directory.
  std::string resolved(const std::string& relative) const;
};

// Throws ConfigError.
SweepFile read_sweep_file(const std::string& path);
// `path` is the file's name in messages.
SweepFile parse_sweep(const std::string& text, const std::string& path);

}  // namespace warpsim
