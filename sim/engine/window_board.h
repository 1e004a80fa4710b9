// What the engines of a system must know of each other between two windows: when each has something to do, whether
// others have sent it anything in the window that has ended, and how much it did in its last one. One array for each,
// because before each window a single thread looks at all engines.
//
// In a window each time is only lowered, by any engine; the system raises those of the engines that it executes next.
// An engine that has been sent something is executed in the next window, also if it has nothing to do then: what is
// sent to it is in one of two places, which turn between windows, and the place that is filled next must be empty.
// Times are in femtoseconds.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "base/types.h"
#include "engine/clock_domain.h"

namespace warpsim {

class WindowBoard {
 public:
  // --- between windows ---
  std::size_t add_engine() {
    if (engines_ == due_.size()) {
      due_.resize(engines_ + kGroup, kNeverFs.fs);
      returns_.resize(engines_ + kGroup, kNeverFs.fs);
      mail_.resize(engines_ + kGroup, 0);
      waits_.resize(engines_ + kGroup, 0);
      ticks_.resize(engines_ + kGroup, 0);
      group_due_.push_back(kNeverFs.fs);
    }
    return engines_++;
  }
  // When the first engine has something to do.
  std::uint64_t earliest() {
    std::uint64_t earliest = kNeverFs.fs;
    for (std::size_t group = 0; group < group_due_.size(); ++group) {
      const std::uint64_t* const due = due_.data() + group * kGroup;
      std::uint64_t least = std::min(std::min(std::min(due[0], due[1]), std::min(due[2], due[3])),
                                     std::min(std::min(due[4], due[5]), std::min(due[6], due[7])));
      if (any(waits_, group)) [[unlikely]] {
        for (std::size_t engine = group * kGroup; engine < (group + 1) * kGroup; ++engine) {
          least = std::min(least, waits_[engine] != 0 ? returns_[engine] : kNeverFs.fs);
        }
      }
      group_due_[group] = least;
      earliest = std::min(earliest, least);
    }
    return earliest;
  }
  // After earliest(): the engines that are executed in a window that ends then, in their order; with `all`, each one.
  // Returns the ticks of all of them in their last windows.
  std::uint64_t collect(std::uint64_t end, bool all, std::vector<std::size_t>& engines) {
    engines.clear();
    std::uint64_t ticks = 0;
    for (std::size_t group = 0; group < group_due_.size(); ++group) {
      if (group_due_[group] >= end && !any(mail_, group) && !all) {
        continue;
      }
      const std::size_t last = std::min((group + 1) * kGroup, engines_);
      for (std::size_t engine = group * kGroup; engine < last; ++engine) {
        if (due_[engine] < end || mail_[engine] != 0 || all) {
          engines.push_back(engine);
          ticks += ticks_[engine];
          due_[engine] = kNeverFs.fs;
          clear_mail(engine);
        }
      }
    }
    return ticks;
  }
  bool has_mail(std::size_t engine) const { return mail_[engine] != 0; }
  void clear_mail(std::size_t engine) {
    mail_[engine] = 0;
    returns_[engine] = kNeverFs.fs;
  }
  void turn() { filled_ ^= 1U; }
  // Whether a component has requested to stop since the last call.
  bool take_stop() { return stop_.exchange(false, std::memory_order_relaxed); }

  // --- by any engine, in a window or between two ---
  // Something is due there.
  void is_due(std::size_t engine, std::uint64_t fs) { lower(due_[engine], fs); }
  // A message, or a freed slot, arrives there.
  void arrives(std::size_t engine, std::uint64_t fs) {
    lower(due_[engine], fs);
    note_mail(engine);
  }
  void returns(std::size_t engine, std::uint64_t fs) {
    lower(returns_[engine], fs);
    note_mail(engine);
  }
  void request_stop() { stop_.store(true, std::memory_order_relaxed); }
  // By itself: whether some of its components wait for slots. Otherwise a freed slot is no reason to begin a window.
  void set_waits(std::size_t engine, bool waits) { waits_[engine] = waits ? 1 : 0; }
  // By itself: what it has done in a window.
  void set_ticks(std::size_t engine, std::uint64_t ticks) { ticks_[engine] = ticks; }
  // Which of the two places is filled in this window, and which one is read.
  std::uint32_t filled() const { return filled_; }
  std::uint32_t read() const { return filled_ ^ 1U; }

 private:
  static constexpr std::size_t kGroup = 8;  // engines that are looked at together

  static bool any(const std::vector<std::uint8_t>& flags, std::size_t group) {
    std::uint64_t word = 0;
    std::memcpy(&word, flags.data() + group * kGroup, sizeof word);
    return word != 0;
  }
  static void lower(std::uint64_t& time, std::uint64_t fs) {
    const std::atomic_ref<std::uint64_t> shared(time);
    std::uint64_t seen = shared.load(std::memory_order_relaxed);
    while (fs < seen && !shared.compare_exchange_weak(seen, fs, std::memory_order_relaxed)) {
    }
  }
  void note_mail(std::size_t engine) {
    const std::atomic_ref<std::uint8_t> mail(mail_[engine]);
    if (mail.load(std::memory_order_relaxed) == 0) {
      mail.store(1, std::memory_order_relaxed);
    }
  }

  std::size_t engines_ = 0;
  // By engine, up to the next multiple of a group.
  std::vector<std::uint64_t> due_;
  std::vector<std::uint64_t> returns_;  // of the first freed slot
  std::vector<std::uint8_t> mail_;
  std::vector<std::uint8_t> waits_;
  std::vector<std::uint64_t> ticks_;
  std::vector<std::uint64_t> group_due_;  // as earliest() has found
  std::uint32_t filled_ = 0;
  alignas(64) std::atomic<bool> stop_ = false;
};

}  // namespace warpsim
