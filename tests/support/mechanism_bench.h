// An object of a mechanism with its counters, made with some keys set.
#pragma once

#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "warpsim/mechanism.h"
#include "warpsim/testing/test_counters.h"
#include "warpsim/testing/test_keys.h"

namespace warpsim {

using KeyValues = std::vector<std::pair<std::string, double>>;

// std::logic_error for keys that the mechanism does not have.
template <typename Mechanism>
mechanism::FactoryOf<Mechanism> mechanism_factory(const KeyValues& values = {}) {
  mechanism::FactoryOf<Mechanism> factory;
  mechanism::testing::TestKeys keys;
  for (const auto& [name, value] : values) {
    keys.set(name, value);
  }
  factory.describe(keys);
  if (!keys.unknown().empty()) {
    throw std::logic_error("there is no key " + keys.unknown().front());
  }
  return factory;
}

template <typename Mechanism>
class MechanismBench {
 public:
  using Interface = typename Mechanism::Interface;

  explicit MechanismBench(const typename Interface::Site& site = {}, const KeyValues& values = {})
      : object_(mechanism_factory<Mechanism>(values).make(site, counters_)) {}

  Interface* operator->() { return object_.get(); }
  Interface& operator*() { return *object_; }
  std::uint64_t counter(const std::string& name) const { return counters_.value(name); }

 private:
  mechanism::testing::TestCounters counters_;
  std::unique_ptr<Interface> object_;
};

}  // namespace warpsim
