// The queues of one or several GPUs: which work may start when.
//
// Modelled: work starts when everything that it waits for is over; streams share hardware queues, in which an entry
// that waits holds up those behind it, also of other streams (the false dependences of devices with one queue); a limit
// of grids that are resident together; priorities; one cooperative grid at a time; an engine for the copies of each
// direction, one for both, or none, where copies and kernels exclude each other. With one hardware queue, copies wait
// in one queue for each direction in the same way. Evidence: CUDA C programming guide, technical specifications and
// "Implicit Synchronization"; CUDA_DEVICE_MAX_CONNECTIONS for the number of queues. A wait for a value starts when the
// value is right, which is looked at whenever work may start. GPUs share nothing but that work waits for that of
// others, with a delay; one copy at a time from each GPU to each other one. Time is the caller's. State: the work that
// has not ended.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <unordered_map>
#include <vector>

#include "core/launch/host_interface.h"
#include "device/work.h"

namespace warpsim {

struct WorkQueuesConfig {
  std::uint32_t resident_grids = 1;
  std::uint32_t hardware_queues = 1;
  std::uint32_t copy_engines = 1;
  DeviceQueuesConfig device;
};

class WorkQueues {
 public:
  explicit WorkQueues(const WorkQueuesConfig& config) : WorkQueues(std::vector{config}) {}
  explicit WorkQueues(const std::vector<WorkQueuesConfig>& gpus);

  // Work is added in the order of its submission; `number` grows. The device has it at state->submitted_ns.
  void add(std::uint64_t number, const Work& work, const WorkHandle& state);
  // The work that may start at `now_ns` and is first: by priority, then by number.
  std::optional<std::uint64_t> ready(double now_ns);
  // The first time after `now_ns` at which work may start that waits for nothing else but time.
  std::optional<double> next_time(double now_ns) const;
  void start(std::uint64_t number, double now_ns);
  // A kernel has ended on the machine; what it has launched may still run.
  void vacate(std::uint64_t number);
  // It is over.
  void end(std::uint64_t number, double now_ns);
  // Of a kernel that starts at `start_ns`: the part of its launch overhead that has passed.
  double head_start_ns(std::uint64_t number, double start_ns) const;
  const std::vector<Dependence>& dependences(std::uint64_t number) const { return entries_.at(number).after; }

  // Work that has not started, without the nodes of graphs, which take no space of the host's queue.
  std::size_t waiting() const { return waiting_; }
  // Work that waits for values; and whether some of it waits for nothing else.
  bool has_value_waits() const { return value_waits_ != 0; }
  bool polls() const;
  bool empty() const { return entries_.empty(); }
  bool empty(std::uint32_t gpu) const;
  // Kernels on all GPUs; on one of them.
  std::uint32_t resident() const;
  std::uint32_t resident(std::uint32_t gpu) const { return gpus_[gpu].resident; }
  // A resident kernel waits for what it has launched: others may take its place; and goes on.
  void begin_wait(std::uint32_t gpu) { ++gpus_[gpu].awaiting; }
  void end_wait(std::uint32_t gpu) { --gpus_[gpu].awaiting; }

 private:
  struct Entry {
    WorkHandle state;
    std::vector<Dependence> after;
    std::uint32_t gpu = 0;
    PeerCopy peer;
    std::int32_t priority = 0;
    bool cooperative = false;
    bool in_graph = false;
    std::function<bool()> passes = {};  // empty: it waits for no value
    bool launched = false;              // by a kernel
    bool vacated = false;
    std::optional<std::uint32_t> queue;
    double head_since_ns = 0;  // of its queue
  };
  // What the work of one GPU shares.
  struct Gpu {
    WorkQueuesConfig config;
    std::map<std::uint32_t, std::deque<std::uint64_t>> queues = {};  // not started, by hardware queue
    std::map<std::uint64_t, std::uint32_t> queues_of_streams = {};   // streams get queues in turn
    std::uint32_t resident = 0;
    std::uint32_t cooperative = 0;  // of them
    std::uint32_t awaiting = 0;     // of them, those that wait for what they have launched
    std::uint32_t to_device = 0;    // copies that run
    std::uint32_t to_host = 0;
    std::set<std::uint32_t> sends_to = {};  // GPUs
    double next_node_ns = 0;                // of a graph's branches: they start one after another
    double next_launched_ns = 0;            // the same of what kernels launch
  };
  Gpu& gpu_of(const Entry& entry) { return gpus_[entry.gpu]; }
  const Gpu& gpu_of(const Entry& entry) const { return gpus_[entry.gpu]; }
  static void count_copy(Gpu& gpu, const Entry& entry, bool starts);
  std::optional<std::uint32_t> queue_of(const Work& work);
  void free_or_park(std::uint64_t number);
  bool has_place(const Entry& entry) const;
  // When the work that it waits for is over, which it is.
  double order_ns(const Entry& entry) const;
  // The time at which it may start; none: it waits for work, or for a place.
  std::optional<double> time_of(const Entry& entry) const;
  double early_head_start_ns(const Entry& entry, double start_ns) const;
  double after_edge(const Entry& entry, const Dependence& dependence) const;
  template <class Visit>
  void visit_heads(const Visit& visit) const;

  std::vector<Gpu> gpus_;
  std::map<std::uint64_t, Entry> entries_;
  std::set<std::uint64_t> free_;  // not started, in no queue
  // Entries in no queue, by an entry that they wait for: only those of free_ are looked at again and again.
  std::map<std::uint64_t, std::vector<std::uint64_t>> parked_;
  std::unordered_map<const WorkState*, std::uint64_t> numbers_;  // of all entries
  std::size_t waiting_ = 0;
  std::size_t value_waits_ = 0;
};

}  // namespace warpsim
