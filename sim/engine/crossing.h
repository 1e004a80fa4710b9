// A link between components of two engines, as the system that runs both sees it.
//
// Each end works only on its own half of the link. What it sends in a window, or frees, the other end takes at the
// beginning of the next one.
#pragma once

#include "engine/clock_domain.h"

namespace warpsim {

class Engine;

class Crossing {
 public:
  Crossing() = default;
  Crossing(const Crossing&) = delete;
  Crossing& operator=(const Crossing&) = delete;
  virtual ~Crossing() = default;

  // --- at the end of a window, by the engine that has sent or freed something ---
  // Ends the messages, or the freed slots, of the window. Returns when the first one arrives, in femtoseconds.
  virtual std::uint64_t end_messages() = 0;
  virtual std::uint64_t end_slots() = 0;
  virtual Engine& receiver() const = 0;
  virtual Engine& sender() const = 0;

  // --- at the beginning of the next window, by the other engine ---
  // Hands the messages to the receiver and wakes it.
  virtual void deliver() = 0;
  // Hands the freed slots to the sender and wakes it if it waits for one.
  virtual void return_slots() = 0;

  // Minimum time from a send to its arrival, and from a pop to the reuse of the slot, in femtoseconds.
  virtual std::uint64_t lookahead_fs() const = 0;

  // A crossing that carries no message for a while does not limit how far engines run ahead. Changed between windows.
  void set_used(bool used) { used_ = used; }
  bool is_used() const { return used_; }

 private:
  bool used_ = true;
};

}  // namespace warpsim
