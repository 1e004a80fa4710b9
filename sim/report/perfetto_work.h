// What devices did in their streams as a trace that Perfetto's viewer opens (https://ui.perfetto.dev).
//
// Each run is a process of the trace, with a group of tracks for each device: what the host submitted, the number of
// kernels at once, all kernels side by side, the streams, the copies by direction, the work of graphs. Work that
// overlaps on a track is on several tracks of the same name, which the viewer shows as one. Times are those of the
// device, in nanoseconds. A flow leads from the submission of a piece of work to its start.
#pragma once

#include <string>

#include "report/query_table.h"

namespace warpsim {

// The content of the file; `work` has the columns of the view device_timeline. Throws DatabaseError for values of
// other types.
std::string perfetto_of_work(const QueryTable& work);

}  // namespace warpsim
