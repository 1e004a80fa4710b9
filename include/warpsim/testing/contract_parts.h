// What the test kits of this folder share: their list of violations, deterministic draws, and the rules of
// mechanism.h for names, keys and counters.
//
// A kit returns sentences, none if it found no violation. It tries the default settings, and then each key at its
// minimum and its maximum with the others at their defaults. A constructor may refuse such values. It may also refuse
// sites, which the kit then leaves out, but not all of them with the default settings. Invariant: a kit leaves the
// settings of the factory as they were.
#pragma once

#include <algorithm>
#include <cstdint>
#include <exception>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "warpsim/mechanism.h"
#include "warpsim/testing/test_counters.h"
#include "warpsim/testing/test_keys.h"

namespace warpsim::mechanism::testing {

class Violations {
 public:
  void add(const std::string& sentence) {
    if (std::find(sentences_.begin(), sentences_.end(), sentence) == sentences_.end()) {
      sentences_.push_back(sentence);
    }
  }
  bool empty() const { return sentences_.empty(); }
  const std::vector<std::string>& sentences() const { return sentences_; }

 private:
  std::vector<std::string> sentences_;
};

// Numbers that look random and are the same in each run: xorshift64 (Marsaglia, 2003).
class Draws {
 public:
  explicit Draws(std::uint64_t seed) : state_((seed * 0x9e3779b97f4a7c15U) | 1U) {}

  std::uint64_t next() {
    state_ ^= state_ << 13U;
    state_ ^= state_ >> 7U;
    state_ ^= state_ << 17U;
    return state_;
  }
  // In [0, limit).
  std::uint32_t below(std::uint32_t limit) { return static_cast<std::uint32_t>((next() >> 32U) * limit >> 32U); }
  bool one_in(std::uint32_t n) { return below(n) == 0; }

 private:
  std::uint64_t state_;  // not zero
};

inline bool is_name(const std::string& text) {
  const auto allowed = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_'; };
  return !text.empty() && text[0] >= 'a' && text[0] <= 'z' && std::all_of(text.begin(), text.end(), allowed);
}

// For a site that the constructor has accepted before. `where` begins sentences: "4 ways, 64 sets".
template <typename Interface>
std::unique_ptr<Interface> make_or_report(const Factory<Interface>& factory, const typename Interface::Site& site,
                                          Counters& counters, const std::string& where, Violations& violations) {
  try {
    return factory.make(site, counters);
  } catch (const std::exception& error) {
    violations.add(where + ": the constructor refuses a site that it has accepted before: " + error.what());
    return nullptr;
  }
}

template <typename Interface>
void check_name(const Entry<Interface>& entry, Violations& violations) {
  if (!is_name(text_of(entry.name))) {
    violations.add("the name '" + text_of(entry.name) + "' is not in lower case with underscores");
  }
  if (text_of(entry.sentence).empty()) {
    violations.add("the mechanism '" + text_of(entry.name) + "' has no sentence");
  }
}

template <typename Interface>
void check_keys(Factory<Interface>& factory, Violations& violations) {
  TestKeys first;
  TestKeys second;
  factory.describe(first);
  factory.describe(second);
  if (first.keys() != second.keys()) {
    violations.add("describe() declares other keys or values when it is called again");
  }
  std::set<std::string> names;
  for (const TestKeys::Key& key : first.keys()) {
    if (!is_name(key.name)) {
      violations.add("the key '" + key.name + "' is not in lower case with underscores");
    }
    if (!names.insert(key.name).second) {
      violations.add("the key '" + key.name + "' is declared twice");
    }
    if (!(key.min <= key.value && key.value <= key.max)) {
      violations.add("the default of the key '" + key.name + "' is outside of its range");
    }
    if (key.sentence.empty()) {
      violations.add("the key '" + key.name + "' has no sentence");
    }
  }
}

// Makes one object for each site and compares their counters. Returns the sites that the constructor accepts.
template <typename Interface>
std::vector<typename Interface::Site> accepted_sites(const Factory<Interface>& factory,
                                                     const std::vector<typename Interface::Site>& sites,
                                                     Violations& violations,
                                                     std::vector<TestCounters::Declaration>& declared) {
  std::vector<typename Interface::Site> accepted;
  std::string reason;
  for (const auto& site : sites) {
    TestCounters counters;
    try {
      factory.make(site, counters);
    } catch (const std::exception& error) {
      reason = error.what();
      continue;
    }
    if (accepted.empty()) {
      declared = counters.declarations();
    } else if (counters.declarations() != declared) {
      violations.add("the counters are not the same in each object");
    }
    accepted.push_back(site);
  }
  if (accepted.empty()) {
    violations.add("the constructor refuses the default settings at every site: " + reason);
  }
  return accepted;
}

inline void check_counters(const std::vector<TestCounters::Declaration>& declared, Violations& violations) {
  std::set<std::string> names;
  for (const TestCounters::Declaration& counter : declared) {
    if (!is_name(counter.name)) {
      violations.add("the counter '" + counter.name + "' is not in lower case with underscores");
    }
    if (!names.insert(counter.name).second) {
      violations.add("the counter '" + counter.name + "' is declared twice");
    }
    if (counter.sentence.empty()) {
      violations.add("the counter '" + counter.name + "' has no sentence");
    }
  }
}

// Calls check(text) with each key at its minimum and at its maximum; the text is ", key = value".
template <typename Interface, typename Check>
void for_ends_of_ranges(Factory<Interface>& factory, Check&& check) {
  TestKeys defaults;
  factory.describe(defaults);
  for (const TestKeys::Key& key : defaults.keys()) {
    if (!(key.min <= key.value && key.value <= key.max)) {
      continue;  // cannot be restored
    }
    for (const double value : {key.min, key.max}) {
      TestKeys changed;
      changed.set(key.name, value);
      factory.describe(changed);
      const std::string number = std::to_string(value);
      check(", " + key.name + " = " +
            (key.kind == TestKeys::Kind::kReal ? number : number.substr(0, number.find('.'))));
      TestKeys restored;
      restored.set(key.name, key.value);
      factory.describe(restored);
    }
  }
}

// The course of a kit: names and counters, check_site(site) for each site that the constructor accepts, and with each
// key at the ends of its range check_settings(object, where) for each site that it then accepts; text_of(site) begins
// `where`.
template <typename Interface, typename TextOf, typename CheckSite, typename CheckSettings>
void check_at_sites(Factory<Interface>& factory, const std::vector<typename Interface::Site>& sites,
                    Violations& violations, TextOf&& text_of_site, CheckSite&& check_site,
                    CheckSettings&& check_settings) {
  check_keys(factory, violations);
  std::vector<TestCounters::Declaration> declared;
  for (const auto& site : accepted_sites(factory, sites, violations, declared)) {
    check_site(site);
  }
  check_counters(declared, violations);
  for_ends_of_ranges(factory, [&](const std::string& settings) {
    for (const auto& site : sites) {
      TestCounters counters;
      std::unique_ptr<Interface> object;
      try {
        object = factory.make(site, counters);
      } catch (const std::exception&) {
        continue;
      }
      check_settings(*object, site, text_of_site(site) + settings);
    }
  });
}

// Two objects with the same calls answer alike, although another one has other calls between them. answers_of(object,
// seed) calls an object and returns its answers; then(first, other, expected, alike) continues with two of the objects.
template <typename Interface, typename AnswersOf, typename Then>
void check_two_objects(const Factory<Interface>& factory, const typename Interface::Site& site,
                       const std::string& where, Violations& violations, AnswersOf&& answers_of, Then&& then) {
  TestCounters counters[3];
  const auto first = make_or_report(factory, site, counters[0], where, violations);
  const auto other = make_or_report(factory, site, counters[1], where, violations);
  const auto second = make_or_report(factory, site, counters[2], where, violations);
  if (first == nullptr || other == nullptr || second == nullptr) {
    return;
  }
  const auto expected = answers_of(*first, 1);
  answers_of(*other, 2);
  const bool alike = answers_of(*second, 1) == expected;
  if (!alike) {
    violations.add(where + ": two objects with the same calls answer differently");
  }
  then(*first, *other, expected, alike);
}

// A mechanism under its name, with default settings: check(factory) and the rules of names.
template <typename Interface, typename Check>
std::vector<std::string> check_entry(const Entry<Interface>& entry, Check&& check) {
  Violations violations;
  check_name(entry, violations);
  const std::unique_ptr<Factory<Interface>> factory = entry.make_factory();
  for (const std::string& sentence : check(*factory)) {
    violations.add(sentence);
  }
  return violations.sentences();
}

}  // namespace warpsim::mechanism::testing
