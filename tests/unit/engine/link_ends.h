// Components at the two ends of a link.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "engine/link.h"

namespace warpsim {

// Sends the numbers 0, 1, ... as soon as the link lets it.
class Sender : public Component {
 public:
  Sender(Link<int>& link, int messages) : link_(&link), messages_(messages) {}
  std::vector<Cycle> sent;
  Cycle tick(Cycle now) override {
    while (next_ != messages_ && link_->can_send(now)) {
      link_->send(next_++, now);
      sent.push_back(now);
    }
    return kNever;
  }
  bool idle() const override { return next_ == messages_; }
  std::string describe_stall() const override { return idle() ? "" : "has messages left"; }

 private:
  Link<int>* link_;
  int messages_;
  int next_ = 0;
};

// Takes a message every `interval` cycles.
class Receiver : public Component {
 public:
  Receiver(Link<int>& link, Cycle interval) : link_(&link), interval_(interval) {}
  std::vector<Cycle> taken;
  std::vector<int> values;
  Engine* stops = nullptr;
  std::size_t stops_after = 0;
  Cycle tick(Cycle now) override {
    if (now >= next_ && link_->has_message(now)) {
      values.push_back(link_->front());
      link_->pop(now);
      taken.push_back(now);
      next_ = now + interval_;
      if (stops != nullptr && taken.size() == stops_after) {
        stops->request_stop();
      }
    }
    return link_->empty() ? kNever : std::max(next_, link_->next_arrival());
  }
  bool idle() const override { return true; }
  std::string describe_stall() const override { return {}; }

 private:
  Link<int>* link_;
  Cycle interval_;
  Cycle next_ = 0;
};

}  // namespace warpsim
