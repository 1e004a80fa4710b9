// A link between components of two engines, as the system that runs both sees it.
//
// Each end works only on its own half of the link. Between two windows, while no engine runs, the system moves messages
// to the receiver and freed slots to the sender.
#pragma once

#include "engine/clock_domain.h"

namespace warpsim {

class Crossing {
 public:
  Crossing() = default;
  Crossing(const Crossing&) = delete;
  Crossing& operator=(const Crossing&) = delete;
  virtual ~Crossing() = default;

  // Hands the messages sent in the latest window to the receiver and wakes it.
  virtual void deliver() = 0;
  // Hands the slots freed in the latest window to the sender and wakes it if it waits for one.
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
