// CUDA's streams: what the next work of a stream waits for.
//
// Modelled: work of a stream one after another; waits for events; stream 0 as the legacy default stream, which waits
// for all blocking streams and which later work of them waits for; non-blocking streams; priorities. Evidence: CUDA C++
// programming guide, "Streams" and "Default Stream". A stream that was never opened is blocking and has priority 0, as
// those of a trace. State: the last work of each stream, and what else its next work waits for.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "device/work.h"

namespace warpsim {

class Streams {
 public:
  static constexpr std::uint64_t kDefault = 0;
  struct Traits {
    bool blocking = true;
    std::int32_t priority = 0;
  };

  void open(std::uint64_t stream, const Traits& traits) { streams_[stream].traits = traits; }
  // Work that is in the stream is done all the same.
  void close(std::uint64_t stream);
  std::int32_t priority(std::uint64_t stream) const;

  // What the next work of the stream waits for and is not over. The work is then entered.
  std::vector<Dependence> dependences(std::uint64_t stream) const;
  void enter(std::uint64_t stream, const WorkHandle& work);
  // The next work of the stream waits for this, too.
  void wait(std::uint64_t stream, const WorkHandle& work, Dependence::Edge edge = Dependence::Edge::kStream);
  // If the last work of the stream is a kernel, its next work may begin before the end of that one.
  void make_programmatic(std::uint64_t stream, std::vector<Dependence>& dependences) const;

 private:
  struct Stream {
    Traits traits;
    WorkHandle last;
    std::vector<Dependence> waits;  // since the last work
  };
  std::map<std::uint64_t, Stream> streams_;
  std::vector<WorkHandle> closed_;  // the last work of blocking streams that were closed
};

}  // namespace warpsim
