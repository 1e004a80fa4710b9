// The test kit of prefetchers: finds violations of prefetcher.h and mechanism.h.
//
//     const auto entry = entry_of<Mine>("mine", "requests the line that ...");
//     for (const std::string& sentence : check_prefetcher(entry)) { ... }
//
// Checked in L1 and in L2, with ascending, descending, strided and drawn lookups at both ends of the address space and
// between: lines are multiples of kLineBytes, do not wrap around the address space, and have sectors that a line
// has; lines that are in the list already stay there; equal calls have equal answers in two objects. Not required: any
// quality of the choice.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "warpsim/prefetcher.h"
#include "warpsim/testing/contract_parts.h"
#include "warpsim/testing/lookup_streams.h"

namespace warpsim::mechanism::testing {

class PrefetcherContract {
 public:
  explicit PrefetcherContract(Factory<Prefetcher>& factory) : factory_(factory) {}

  std::vector<std::string> check() {
    const std::vector<PrefetcherSite> sites{{CacheLevel::kL1}, {CacheLevel::kL2}};
    check_at_sites(
        factory_, sites, violations_, text_of_site, [&](const PrefetcherSite& site) { check_answers(site); },
        [&](Prefetcher& prefetcher, const PrefetcherSite& site, const std::string& where) {
          answers_of(prefetcher, site, 1, where);
        });
    return violations_.sentences();
  }

 private:
  using Answers = std::vector<Address>;  // for each line its address and its sectors, for each lookup a separator

  static std::string text_of_site(const PrefetcherSite& site) { return site.cache == CacheLevel::kL1 ? "L1" : "L2"; }

  Answers answers_of(Prefetcher& prefetcher, const PrefetcherSite& site, std::uint64_t seed, const std::string& where) {
    Answers answers;
    PrefetchList wanted;
    for (const LineLookup& lookup : lookups_of_all_kinds(site.cache, seed)) {
      wanted.clear();
      prefetcher.access(lookup, wanted);
      for (const PrefetchList::Line& line : wanted) {
        check_line(lookup, line, where);
        answers.insert(answers.end(), {line.line, line.sectors});
      }
      answers.push_back(1);
    }
    return answers;
  }

  void check_line(const LineLookup& lookup, const PrefetchList::Line& line, const std::string& where) {
    constexpr Address kHalf = Address{1} << 63U;
    if (line.line % kLineBytes != 0) {
      violations_.add(where + ": a line is not a multiple of " + std::to_string(kLineBytes));
    }
    if (line.sectors >> kSectorsPerLine != 0) {
      violations_.add(where + ": a line has more than " + std::to_string(kSectorsPerLine) + " sectors");
    }
    const bool far = (lookup.line < kHalf) != (line.line < kHalf);
    if (far) {
      violations_.add(where +
                      (lookup.line < kHalf ? ": lines before the first one are requested at the end"
                                           : ": lines after the last one are requested at the beginning") +
                      " of the address space");
    }
  }

  void check_answers(const PrefetcherSite& site) {
    const std::string where = text_of_site(site);
    check_two_objects(
        factory_, site, where, violations_,
        [&](Prefetcher& prefetcher, std::uint64_t seed) { return answers_of(prefetcher, site, seed, where); },
        [&](Prefetcher& first, Prefetcher& /*other*/, const Answers& /*expected*/, bool /*alike*/) {
          check_list(first, site, where);
        });
  }

  // A list that has a line already.
  void check_list(Prefetcher& prefetcher, const PrefetcherSite& site, const std::string& where) {
    for (const LineLookup& lookup : lookups_of_all_kinds(site.cache, 3)) {
      PrefetchList wanted;
      wanted.add(kLineBytes, 0x5);
      prefetcher.access(lookup, wanted);
      if (wanted.begin() == wanted.end() || wanted.begin()->line != kLineBytes || wanted.begin()->sectors != 0x5) {
        violations_.add(where + ": lines that others added to the list are lost");
      }
    }
  }

  Factory<Prefetcher>& factory_;
  Violations violations_;
};

// The violations of a mechanism with the settings of the factory.
inline std::vector<std::string> check_prefetcher(Factory<Prefetcher>& factory) {
  return PrefetcherContract(factory).check();
}

// With default settings; checks the name also.
inline std::vector<std::string> check_prefetcher(const Entry<Prefetcher>& entry) {
  return check_entry(entry, [](Factory<Prefetcher>& factory) { return check_prefetcher(factory); });
}

}  // namespace warpsim::mechanism::testing
