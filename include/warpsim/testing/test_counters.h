// Counters for tests of mechanisms: keeps what a mechanism declares and counts.
//
//     TestCounters counters;
//     const auto object = factory->make(site, counters);
//     ...
//     counters.value("predictions")
//
// Invariant: the values stay where they are, so that an object may count as long as its TestCounters exists.
#pragma once

#include <cstdint>
#include <deque>
#include <stdexcept>
#include <string>
#include <vector>

#include "warpsim/mechanism.h"

namespace warpsim::mechanism::testing {

inline std::string text_of(const char* text) {
  return text == nullptr ? std::string() : std::string(text);
}

class TestCounters final : public Counters {
 public:
  struct Declaration {
    std::string name;
    CounterUnit unit;
    std::string sentence;
    bool operator==(const Declaration&) const = default;
  };

  TestCounters() = default;
  TestCounters(const TestCounters&) = delete;
  TestCounters& operator=(const TestCounters&) = delete;

  Counter add(const char* name, CounterUnit unit, const char* sentence) override {
    declarations_.push_back({text_of(name), unit, text_of(sentence)});
    values_.push_back(0);
    places_.push_back(&values_.back());
    launch_ = places_.data();
    return {&launch_, static_cast<std::uint32_t>(places_.size() - 1)};
  }

  // In the order of declaration.
  const std::vector<Declaration>& declarations() const { return declarations_; }
  // std::out_of_range if the mechanism has no counter of that name.
  std::uint64_t value(const std::string& name) const {
    for (std::size_t i = 0; i < declarations_.size(); ++i) {
      if (declarations_[i].name == name) {
        return values_[i];
      }
    }
    throw std::out_of_range("there is no counter '" + name + "'");
  }

 private:
  std::vector<Declaration> declarations_;
  std::deque<std::uint64_t> values_;
  std::vector<std::uint64_t*> places_;
  std::uint64_t* const* launch_ = nullptr;
};

}  // namespace warpsim::mechanism::testing
