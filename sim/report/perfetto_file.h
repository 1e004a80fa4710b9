// A timeline as a file that Perfetto's viewer opens (https://ui.perfetto.dev, also without a network).
//
// One nanosecond in the file is one core cycle of the GPU, counted from the start of the launch: cycles are shorter
// than the smallest time unit of the format.
#pragma once

#include <string>

#include "stats/timeline.h"

namespace warpsim {

struct PerfettoSetting {
  std::string title;       // of the timeline: GPU and run
  double first_cycle = 0;  // of the window, since the launch began
};

// Tracks without events are left out; slices of an instruction have its text, address and source as arguments. Written
// to a temporary file that then replaces `path`. Throws UserError if it cannot be written.
void write_perfetto(const std::string& path, const Timeline& timeline, const PerfettoSetting& setting);

}  // namespace warpsim
