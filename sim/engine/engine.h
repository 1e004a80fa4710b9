// The main loop of components that are executed together. It has one wake time per component, ticks what is due in a
// fixed order (domains by time then index, components by index) and jumps over time in which nothing is due. A model
// runs on one engine, or on several that a System drives (system.h).
//
// With `skip` off every component is ticked at every edge of its clock: the reference semantics. Results are the same
// bit for bit; tests compare them.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/clock_domain.h"
#include "engine/component.h"
#include "engine/crossing.h"
#include "engine/tick_order.h"
#include "engine/window_board.h"

namespace warpsim {

class Engine {
 public:
  // `shuffle`: seed of a random order of ticks within an instant, for tests.
  explicit Engine(bool skip = true, std::optional<std::uint64_t> shuffle = std::nullopt, std::string prefix = {})
      : skip_(skip), order_(shuffle), prefix_(std::move(prefix)) {}
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  // Returns the index of the domain.
  std::uint32_t add_domain(std::string name, double frequency_mhz);
  std::uint32_t add_domain(std::shared_ptr<const ClockDomain> clock);
  const ClockDomain& domain(std::uint32_t index) const { return *domains_[index].clock; }

  // The component must outlive the engine's last run. `name` is its path in reports.
  WakeHandle add_component(std::uint32_t domain, const std::string& name, Component& component);

  // Cycle of the edge being processed, or of the next one to be processed, in a domain.
  Cycle now(std::uint32_t domain) const { return domains_[domain].now; }
  TimeFs time() const { return time_; }

  enum class Outcome : std::uint8_t {
    kStopped,     // request_stop() was called
    kTimeLimit,   // the limit was reached first
    kNothingDue,  // no component has a wake time: a deadlock of the model, or its end
  };
  // Runs until request_stop() (checked after each instant), or until `limit` has passed.
  Outcome run(TimeFs limit = kNeverFs);
  void request_stop() {
    stop_ = true;
    if (board_ != nullptr) {
      board_->request_stop();
    }
  }

  // --- one of several engines ---
  // Takes what others have sent, runs all instants before `end`, whether or not request_stop() is called, and hands
  // over what was sent to others.
  void run_window(TimeFs end);
  // Shows on the board of its system, as the engine of this number, when something is due.
  void show_on(WindowBoard& board, std::size_t number) {
    board_ = &board;
    number_ = number;
    note_due();
  }
  // Between windows: takes what others have sent.
  void take_mail();
  // Links to another engine; those to which something was sent, or from which something was taken, in this window.
  void add_crossing(Crossing& crossing) { crossings_.push_back(&crossing); }
  void note_sent(Crossing& crossing) { sent_.push_back(&crossing); }
  void note_freed(Crossing& crossing) { freed_.push_back(&crossing); }
  const std::vector<Crossing*>& crossings() const { return crossings_; }
  // One more link that brings messages, or freed slots.
  void expect_messages() { messages_in_.add_place(); }
  void expect_slots() { slots_in_.add_place(); }
  // One more sender, or one less, waits for a slot of a crossing.
  void count_waiting(bool more) { waiting_ += more ? 1 : -1; }

  void wake(std::uint32_t component, Cycle cycle) {
    Slot& slot = slots_[component];
    Domain& domain = domains_[slot.domain];
    Cycle& wake = domain.wake[slot.position];
    if (cycle < wake) {
      wake = cycle;
      if (cycle < domain.next) {
        domain.next = cycle;
        if (!in_window_) {
          note_due();
        }
      }
    }
  }

  // Component-cycles that were ticked, and all that passed: the skipped share is a statistic.
  std::uint64_t ticks() const { return ticks_; }
  std::uint64_t component_cycles(TimeFs until) const;

  // One line per component that is not idle.
  std::string describe_stalls() const;

 private:
  struct Domain {
    std::shared_ptr<const ClockDomain> clock;
    Cycle now = 0;        // next edge to be processed
    Cycle next = kNever;  // earliest wake time
    std::vector<Cycle> wake;
    std::vector<Component*> components;
    std::vector<std::string> names;
    std::vector<std::uint32_t> due;
  };
  // Crossings with something for this engine: one list is filled in a window, while the other one is read.
  class Inbox {
   public:
    void add_place() {
      for (std::vector<Crossing*>& side : sides_) {
        side.push_back(nullptr);
      }
    }
    // By other engines, at the end of a window; a crossing once.
    void post(std::uint32_t side, Crossing& crossing) {
      sides_[side][counts_[side].fetch_add(1, std::memory_order_relaxed)] = &crossing;
    }
    template <typename Take>
    void take(std::uint32_t side, Take&& take_one) {
      const std::uint32_t count = counts_[side].load(std::memory_order_relaxed);
      for (std::uint32_t i = 0; i < count; ++i) {
        take_one(*sides_[side][i]);
      }
      counts_[side].store(0, std::memory_order_relaxed);
    }

   private:
    std::array<std::vector<Crossing*>, 2> sides_;
    std::array<std::atomic<std::uint32_t>, 2> counts_ = {};
  };
  struct Slot {
    std::uint32_t domain;
    std::uint32_t position;
  };

  void tick_domain(Domain& domain, Cycle cycle);
  Cycle next_edge(const Domain& domain) const { return skip_ ? std::max(domain.next, domain.now) : domain.now; }
  TimeFs next_instant() const;
  TimeFs find_due() const;
  void note_due() {
    if (board_ != nullptr) {
      board_->is_due(number_, find_due().fs);
      board_->set_waits(number_, waiting_ != 0);
    }
  }
  void hand_over();
  void run_instant(TimeFs time);
  void run_single(Domain& domain, TimeFs end);

  bool skip_;
  TickOrder order_;
  std::string prefix_;  // of the components' names
  bool stop_ = false;
  bool in_window_ = false;
  WindowBoard* board_ = nullptr;
  std::size_t number_ = 0;  // on the board
  std::int64_t waiting_ = 0;
  TimeFs time_;
  std::uint64_t ticks_ = 0;
  std::vector<Domain> domains_;
  std::vector<Slot> slots_;
  std::vector<Crossing*> crossings_;
  std::vector<Crossing*> sent_;
  std::vector<Crossing*> freed_;
  alignas(64) Inbox messages_in_;  // written by other threads
  Inbox slots_in_;
};

inline void WakeHandle::wake_at(Cycle cycle) const {
  if (engine_ != nullptr) {
    engine_->wake(index_, cycle);
  }
}

}  // namespace warpsim
