// One entry of a device's queues: a kernel, a copy, an event, a function of the host. And its state, which events and
// later work refer to.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "core/launch/instruction_source.h"
#include "device/memory_range.h"

namespace warpsim {

enum class WorkKind : std::uint8_t {
  kKernel,
  kToDevice,  // a copy by an engine
  kToHost,    // the same
  kInDevice,  // a copy
  kToPeer,    // a copy to another GPU's memory
  kFill,
  kMigration,     // a prefetch of managed memory, or moves of it before a kernel
  kMarker,        // an event that takes its time
  kValueWait,     // until a value in memory is right
  kHostFunction,  // the host calls a function; the stream goes on when it has returned
  kInstant,       // takes no time: joins streams, frees memory
};

// A time that kernels report before they end: all of their blocks have begun, or let dependent kernels begin.
struct EarlyTime {
  bool known = false;
  double at_ns = 0;
  double noticed_ns = 0;  // what depends on it cannot start before this
};

struct WorkState {
  WorkKind kind = WorkKind::kInstant;
  std::uint32_t gpu = 0;
  bool started = false;
  bool over = false;
  double submitted_ns = 0;
  double start_ns = 0;
  double end_ns = 0;
  EarlyTime begun = {};      // of kernels that report it
  EarlyTime triggered = {};  // of kernels, where others may begin before the end
  // Between submission and start, one after another.
  double waited_for_work_ns = 0;   // work before it
  double waited_for_queue_ns = 0;  // the head of its hardware queue
  double waited_for_place_ns = 0;  // a place on the device
};
const char* name_of(WorkKind kind);

// Null: over since the beginning.
using WorkHandle = std::shared_ptr<WorkState>;

inline bool is_over(const WorkHandle& work) {
  return work == nullptr || work->over;
}

// What a piece of work waits for.
struct Dependence {
  enum class Edge : std::uint8_t {
    kStream,       // of a stream, or an event
    kGraph,        // the next node of a line in a graph
    kGraphBranch,  // another edge of a graph
    // A kernel that may begin before the kernel before it is over: when all blocks of that one let it begin, or have
    // begun. Its griddepcontrol.wait waits for the end, but not after the last of these.
    kProgrammatic,
    kProgrammaticBegin,
    kBegin,
    kTail,  // of a tail launch, after its parent's other work; in a graph, of a graph after the one that launched it
  };
  WorkHandle work;
  Edge edge = Edge::kStream;
};
bool are_over(const std::vector<Dependence>& work);
// Whether a kernel may begin before the end of the kernel that it depends on.
inline bool is_early(Dependence::Edge edge) {
  return edge == Dependence::Edge::kProgrammatic || edge == Dependence::Edge::kProgrammaticBegin ||
         edge == Dependence::Edge::kBegin;
}

// Where work is put: into a stream, or between nodes of a graph.
struct WorkPlace {
  std::uint32_t gpu = 0;
  std::uint64_t stream = 0;    // its number; of a graph's node: the stream in which the graph was launched
  bool in_graph = false;       // then it is in no hardware queue, and waits for `after` alone
  bool by_device = false;      // the device submits it, and has it at once, or
  double from_ns = 0;          // at this time, if it is not 0
  std::int32_t priority = 0;   // lower numbers first; of work in a stream the stream's is taken
  bool reports_begin = false;  // a kernel whose blocks' beginning others wait for
  std::vector<Dependence> after = {};
};

// A copy between GPUs, in a stream of any of them.
struct PeerCopy {
  std::uint32_t from = 0;
  std::uint32_t to = 0;
  bool staged = false;  // through the host's memory, as the GPUs have no access to each other
};

struct Work {
  WorkKind kind = WorkKind::kInstant;
  WorkPlace place;
  bool cooperative = false;  // a kernel that must be resident as a whole
  // A kernel that may begin before the kernel before it in the stream is over (Edge::kProgrammatic).
  bool programmatic = false;
  // A kernel that may launch others.
  bool launches = false;
  // Of work that a kernel launches: that kernel, which is over when its work is; whether it is its tail work; the time
  // from which on it may start.
  WorkHandle parent = {};
  bool is_tail = false;
  double launched_ns = 0;
  WorkHandle state = {};              // to be used; null: a new one
  std::function<bool()> passes = {};  // of kValueWait: whether the value is right
  std::uint64_t bytes = 0;            // of copies and fills
  // Of the device's memory that copies and fills touch, if it is known; else without bytes. Copies from the host have
  // no source there, those to the host no target.
  MemoryRange range = {};
  // When it starts: what it takes, of kMigration; of copies and fills, what it takes until managed memory is there.
  std::function<double()> prepare = {};
  PeerCopy peer = {};  // of kToPeer
  // When the work ends, in the order of ends: bytes move, the host's function is called. Exists longer than the kernel.
  std::function<void()> effect;
  std::unique_ptr<KernelSource> kernel;  // of kKernel
};

}  // namespace warpsim
