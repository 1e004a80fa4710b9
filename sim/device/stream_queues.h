// The streams of a device: which launch may start when.
//
// Modelled: launches of a stream one after another; stream 0 as the default stream, which waits for all launches before
// it and which all launches after it wait for; a limit of grids that are resident together; streams that share a
// hardware queue, in which a launch that waits holds up those behind it. Not modelled: priorities, events, streams that
// do not wait for the default stream. Evidence: CUDA C++ programming guide, "Default Stream" and the technical
// specifications (resident grids); CUDA_DEVICE_MAX_CONNECTIONS for the number of queues.
// State: the launches that have not ended. Time is the caller's.
#pragma once

#include <cstdint>
#include <map>
#include <optional>

namespace warpsim {

struct StreamQueuesConfig {
  std::uint32_t resident_grids = 1;
  std::uint32_t hardware_queues = 1;
};

class StreamQueues {
 public:
  explicit StreamQueues(const StreamQueuesConfig& config) : config_(config) {}

  // Launches are added in the order in which the host submits them; `number` grows. The device has it at
  // `submitted_ns`.
  void add(std::uint64_t number, std::uint64_t stream, double submitted_ns);
  // The first launch that may start at `now_ns`.
  std::optional<std::uint64_t> ready(double now_ns) const;
  void start(std::uint64_t number, double now_ns);
  void end(std::uint64_t number);
  // The next time after `now_ns` at which the device gets a launch that has been added.
  std::optional<double> next_submission(double now_ns) const;

  bool empty() const { return launches_.empty(); }
  std::uint32_t resident() const { return resident_; }
  // Of a launch that has started: from its submission to its start.
  double waited_ns(std::uint64_t number) const { return launches_.at(number).waited_ns; }

 private:
  struct Entry {
    std::uint64_t stream = 0;
    std::uint32_t queue = 0;
    double submitted_ns = 0;
    double waited_ns = 0;
    bool started = false;
  };
  bool waits_for(const Entry& later, const Entry& earlier) const;

  StreamQueuesConfig config_;
  std::map<std::uint64_t, Entry> launches_;                   // by number
  std::map<std::uint64_t, std::uint32_t> queues_of_streams_;  // streams get queues in turn
  std::uint32_t resident_ = 0;
};

}  // namespace warpsim
