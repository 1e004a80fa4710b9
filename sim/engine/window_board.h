// What the engines of a system must know of each other between two windows: when each has something to do, and what
// others have sent it in the window that ends. One array for each kind, because before each window a single thread
// looks at all of them.
//
// There are two sides, which turn between windows: one is filled while the other one is read. An engine that has been
// sent something reads it at the beginning of the next window, also if it has nothing else to do then; hence what is
// filled is always empty at the beginning of a window. Times are in femtoseconds.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/types.h"
#include "engine/clock_domain.h"

namespace warpsim {

class WindowBoard {
 public:
  // --- between windows ---
  std::size_t add_engine() {
    due_.push_back(kNeverFs.fs);
    waits_.push_back(0);
    for (Side& side : sides_) {
      side.arrivals.emplace_back(kNeverFs.fs);
      side.returns.emplace_back(kNeverFs.fs);
    }
    return due_.size() - 1;
  }
  void turn() { filled_ ^= 1U; }
  // When the engine has something to do, with what it has been sent.
  std::uint64_t earliest(std::size_t engine) const {
    const Side& read = sides_[filled_ ^ 1U];
    const std::uint64_t due = std::min(due_[engine], read.arrivals[engine].load(std::memory_order_relaxed));
    return waits_[engine] == 0 ? due : std::min(due, read.returns[engine].load(std::memory_order_relaxed));
  }
  bool has_mail(std::size_t engine) const {
    const Side& read = sides_[filled_ ^ 1U];
    return read.arrivals[engine].load(std::memory_order_relaxed) != kNeverFs.fs ||
           read.returns[engine].load(std::memory_order_relaxed) != kNeverFs.fs;
  }
  // Whether a component has requested to stop since the last call.
  bool take_stop() { return stop_.exchange(false, std::memory_order_relaxed); }

  // --- by the engine, in a window or between two ---
  // `waits`: some of its components wait for slots of links.
  void set_due(std::size_t engine, std::uint64_t fs, bool waits) {
    due_[engine] = fs;
    waits_[engine] = waits ? 1 : 0;
  }
  std::uint32_t filled() const { return filled_; }
  std::uint32_t read() const { return filled_ ^ 1U; }
  void clear_mail(std::size_t engine) {
    sides_[read()].arrivals[engine].store(kNeverFs.fs, std::memory_order_relaxed);
    sides_[read()].returns[engine].store(kNeverFs.fs, std::memory_order_relaxed);
  }

  // --- by other engines, in a window ---
  void arrives(std::size_t engine, std::uint64_t fs) { lower(sides_[filled_].arrivals[engine], fs); }
  void returns(std::size_t engine, std::uint64_t fs) { lower(sides_[filled_].returns[engine], fs); }
  void request_stop() { stop_.store(true, std::memory_order_relaxed); }

 private:
  // Moved only while engines are added.
  struct Time : std::atomic<std::uint64_t> {
    explicit Time(std::uint64_t fs) : std::atomic<std::uint64_t>(fs) {}
    Time(const Time& other) : std::atomic<std::uint64_t>(other.load(std::memory_order_relaxed)) {}
  };
  struct Side {
    std::vector<Time> arrivals;  // by engine: of the first message
    std::vector<Time> returns;   // by engine: of the first freed slot
  };
  static void lower(std::atomic<std::uint64_t>& time, std::uint64_t fs) {
    std::uint64_t seen = time.load(std::memory_order_relaxed);
    while (fs < seen && !time.compare_exchange_weak(seen, fs, std::memory_order_relaxed)) {
    }
  }

  std::vector<std::uint64_t> due_;  // by engine
  std::vector<std::uint8_t> waits_;
  std::array<Side, 2> sides_;
  std::uint32_t filled_ = 0;
  alignas(64) std::atomic<bool> stop_ = false;
};

}  // namespace warpsim
