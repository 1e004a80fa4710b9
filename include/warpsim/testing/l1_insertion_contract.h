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
    check_at_sites(
        factory_, sites, violations_, text_of_site, [&](const L1InsertionSite& site) { check_answers(site); },
        [&](L1Insertion& insertion, const L1InsertionSite& /*site*/, const std::string& where) {
          answers_of(insertion, 1, where);
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
    check_two_objects(
        factory_, site, where, violations_,
        [&](L1Insertion& insertion, std::uint64_t seed) { return answers_of(insertion, seed, where); },
        [](L1Insertion& /*first*/, L1Insertion& /*other*/, const Answers& /*expected*/, bool /*alike*/) {});
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
  return check_entry(entry, [](Factory<L1Insertion>& factory) { return check_l1_insertion(factory); });
}

}  // namespace warpsim::mechanism::testing
