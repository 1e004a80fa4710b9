// Simulated time: the clock domains, and the engines whose components it carries along.
//
// The model is divided into engines, each with components that are executed together. All links between engines are
// crossings with a latency in both directions; the shortest is the lookahead. Within a window of that length no engine
// can notice what another one does, so each runs through the window on its own, and takes what others have sent in one
// window at the beginning of the next (conservative parallel simulation, Chandy and Misra 1979, with barriers). Results
// depend neither on the number of threads nor on where windows begin.
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/clock_domain.h"
#include "engine/engine.h"
#include "engine/worker_pool.h"

namespace warpsim {

class System {
 public:
  struct Options {
    bool skip = true;
    std::optional<std::uint64_t> shuffle = std::nullopt;  // seed of a random order of engines and ticks, for tests
  };
  // The threads of `pool` execute engines at the same time; it outlives the system and serves one system at a time.
  System(const Options& options, WorkerPool& pool) : options_(options), order_(options.shuffle), pool_(pool) {}

  // All domains come before the first engine. Returns the index, which is that of the domain in each engine.
  std::uint32_t add_domain(const std::string& name, double frequency_mhz);
  const ClockDomain& domain(std::uint32_t index) const { return *clocks_[index]; }
  // The names of its components begin with `prefix`.
  Engine& add_engine(const std::string& prefix = {});

  // Runs all instants up to `limit`. When a component has called request_stop(), at the end of that window: other
  // engines may have run less than lookahead() farther than the instant of the call.
  Engine::Outcome run(TimeFs limit = kNeverFs);
  // Whether run() executes engines on several threads; otherwise one after another, in the order in which they were
  // added, on the caller's. Changed between runs.
  void set_concurrent(bool concurrent) { concurrent_ = concurrent; }
  // No window is longer than this. For components that affect each other by other means than links: one period of their
  // clock makes them tick in the order of their cycles.
  void limit_windows(std::uint64_t fs) { longest_window_fs_ = fs; }
  // Calls `meet` before anything of a multiple of `interval_fs` or of a later instant is executed, and after everything
  // before it; not for intervals in which nothing is due. Removed with interval 0.
  void set_meetings(std::uint64_t interval_fs, std::function<void(TimeFs)> meet);
  // Engines are executed in the order in which they were added, even if the order is shuffled otherwise.
  void set_ordered(bool ordered) { ordered_ = ordered; }
  // The latest instant at which something was due.
  TimeFs time() const;
  // Shortest latency of the crossings in use, in femtoseconds.
  std::uint64_t lookahead_fs() const;

  // Component-cycles that were ticked, and that passed in all: the share skipped is a statistic.
  std::uint64_t ticks() const;
  std::uint64_t component_cycles() const;
  // One line per component that is not idle.
  std::string describe_stalls() const;

 private:
  Engine::Outcome run_windows(TimeFs limit);
  void run_window(TimeFs end);
  void run_on_threads(TimeFs end);
  void run_engine(std::size_t engine, TimeFs end);
  [[noreturn]] void report_failure();
  void hold_meeting(TimeFs begin);

  Options options_;
  TickOrder order_;
  std::vector<std::shared_ptr<const ClockDomain>> clocks_;
  std::vector<std::unique_ptr<Engine>> engines_;
  WindowBoard board_;
  WorkerPool& pool_;
  bool concurrent_ = true;
  bool ordered_ = false;
  std::uint64_t longest_window_fs_ = kNeverFs.fs;
  std::uint64_t meeting_interval_fs_ = 0;
  std::uint64_t next_meeting_fs_ = kNeverFs.fs;
  std::function<void(TimeFs)> meet_;
  std::vector<std::size_t> due_;  // engines, in the present window
  // By engine, the thread that has executed it last: its state may be in the caches of that thread's processor.
  std::vector<std::uint32_t> thread_of_;
  WorkerPool::Parts parts_;  // of due_
  std::mutex failures_mutex_;
  std::vector<std::pair<std::size_t, std::exception_ptr>> failures_;  // with the engine
};

}  // namespace warpsim
