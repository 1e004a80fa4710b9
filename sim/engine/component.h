// The interface of a hardware block to the engine: it can be ticked, returns when it must run next, and can explain
// what it is waiting for.
//
// Contract (tests/unit/differential/skip_test.cc compares whole launches with and without skipping):
//  - tick(now) does one cycle of work of the component's clock domain and returns the next cycle at which it has to
//    run if nothing arrives: now + 1 when busy, a later cycle when waiting for a timer, kNever when only a message can
//    wake it. Messages wake it by themselves (Link::send, Link::pop).
//  - A tick at a cycle at which nothing is due changes neither state nor statistics, so skipping is an optimisation
//    only. Statistics therefore integrate over time between transitions; nothing counts ticks.
#pragma once

#include <cstdint>
#include <string>

#include "base/types.h"

namespace warpsim {

class Engine;

// How something outside a component makes it run at a cycle of the component's own domain.
class WakeHandle {
 public:
  WakeHandle() = default;
  WakeHandle(Engine* engine, std::uint32_t index) : engine_(engine), index_(index) {}
  void wake_at(Cycle cycle) const;
  bool connected() const { return engine_ != nullptr; }

 private:
  Engine* engine_ = nullptr;
  std::uint32_t index_ = 0;
};

class Component {
 public:
  Component() = default;
  Component(const Component&) = delete;
  Component& operator=(const Component&) = delete;
  virtual ~Component() = default;

  virtual Cycle tick(Cycle now) = 0;
  // True if nothing is in flight inside: no request, warp or timer.
  virtual bool idle() const = 0;
  // One line for the deadlock report: what it waits for. Empty when idle.
  virtual std::string describe_stall() const = 0;
};

}  // namespace warpsim
