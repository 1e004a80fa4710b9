// The test kit of L1 insertions: finds violations of l1_insertion.h and mechanism.h.
//
//     const auto entry = entry_of<Mine>("mine", "bypasses loads that ...");
//     for (const std::string& sentence : check_l1_insertion(entry)) { ... }
//
// Checked with 1 to 64 sets, with loads of many addresses in the code and many warps: answers are values of Insertion;
// equal calls have equal answers in two objects. Not required: any quality of the choice.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "warpsim/l1_insertion.h"
#include "warpsim/testing/contract_parts.h"
#include "warpsim/testing/lookup_streams.h"

namespace warpsim::mechanism::testing {

class L1InsertionContract {
 public:
  explicit L1InsertionContract(Factory<L1Insertion>& factory) : factory_(factory) {}

  std::vector<std::string> check() {
    const std::vector<L1InsertionSite> sites{{1}, {4}, {48}, {64}};
    check_keys(factory_, violations_);
    check_counters(factory_, sites, violations_);
    for (const L1InsertionSite& site : sites) {
      check_answers(site);
    }
    for_ends_of_ranges(factory_, [&](const std::string& settings) {
      for (const L1InsertionSite& site : sites) {
        check_with_settings(site, settings);
      }
    });
    return violations_.sentences();
  }

 private:
  using Answers = std::vector<Insertion>;

  static std::string text_of_site(const L1InsertionSite& site) { return std::to_string(site.sets) + " sets"; }

  Answers answers_of(L1Insertion& insertion, std::uint64_t seed, const std::string& where) {
    Answers answers;
    for (const LineLookup& lookup : lookups_of_all_kinds(CacheLevel::kL1, seed)) {
      answers.push_back(insertion.access(lookup));
      const auto number = static_cast<std::uint32_t>(answers.back());
      if (number > static_cast<std::uint32_t>(Insertion::kBypass)) {
        violations_.add(where + ": access() answers " + std::to_string(number) + ", which is not a value of Insertion");
      }
    }
    return answers;
  }

  void check_answers(const L1InsertionSite& site) {
    const std::string where = text_of_site(site);
    TestCounters counters[3];
    const auto first = make_or_report(factory_, site, counters[0], where, violations_);
    const auto other = make_or_report(factory_, site, counters[1], where, violations_);
    const auto second = make_or_report(factory_, site, counters[2], where, violations_);
    if (first == nullptr || other == nullptr || second == nullptr) {
      return;
    }
    const Answers expected = answers_of(*first, 1, where);
    answers_of(*other, 2, where);
    if (answers_of(*second, 1, where) != expected) {
      violations_.add(where + ": two objects with the same calls answer differently");
    }
  }

  void check_with_settings(const L1InsertionSite& site, const std::string& settings) {
    TestCounters counters;
    std::unique_ptr<L1Insertion> insertion;
    try {
      insertion = factory_.make(site, counters);
    } catch (const std::exception&) {
      return;  // a constructor may refuse values
    }
    answers_of(*insertion, 1, text_of_site(site) + settings);
  }

  Factory<L1Insertion>& factory_;
  Violations violations_;
};

// The violations of a mechanism with the settings of the factory.
inline std::vector<std::string> check_l1_insertion(Factory<L1Insertion>& factory) {
  return L1InsertionContract(factory).check();
}

// With default settings; checks the name also.
inline std::vector<std::string> check_l1_insertion(const Entry<L1Insertion>& entry) {
  Violations violations;
  check_name(entry, violations);
  const std::unique_ptr<Factory<L1Insertion>> factory = entry.make_factory();
  for (const std::string& sentence : check_l1_insertion(*factory)) {
    violations.add(sentence);
  }
  return violations.sentences();
}

}  // namespace warpsim::mechanism::testing
