// The test kit of sector fetches: finds violations of sector_fetch.h and mechanism.h.
//
//     const auto entry = entry_of<Mine>("mine", "fetches the sectors that ...");
//     for (const std::string& sentence : check_sector_fetch(entry)) { ... }
//
// Checked in L1 and in L2, with a cache of 61 lines that are replaced in order, and lookups of all kinds: answers
// contain the needed sectors and only absent ones, for any memo that the mechanism itself set; equal calls have equal
// answers in two objects. Not required: any quality of the choice.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "warpsim/sector_fetch.h"
#include "warpsim/testing/contract_parts.h"
#include "warpsim/testing/lookup_streams.h"

namespace warpsim::mechanism::testing {

class SectorFetchContract {
 public:
  explicit SectorFetchContract(Factory<SectorFetch>& factory) : factory_(factory) {}

  std::vector<std::string> check() {
    const std::vector<SectorFetchSite> sites{{CacheLevel::kL1}, {CacheLevel::kL2}};
    check_at_sites(
        factory_, sites, violations_, text_of_site, [&](const SectorFetchSite& site) { check_answers(site); },
        [&](SectorFetch& fetch, const SectorFetchSite& site, const std::string& where) {
          answers_of(fetch, site, 1, where);
        });
    return violations_.sentences();
  }

 private:
  static constexpr std::size_t kLines = 61;
  using Answers = std::vector<SectorMask>;

  static std::string text_of_site(const SectorFetchSite& site) { return site.cache == CacheLevel::kL1 ? "L1" : "L2"; }

  // The line of the lookup, which takes the place of the oldest one if it is absent.
  static SectorUse& line_of(std::deque<SectorUse>& lines, Address address, SectorFetch& fetch) {
    for (SectorUse& line : lines) {
      if (line.line == address) {
        return line;
      }
    }
    if (lines.size() == kLines) {
      fetch.leaves(lines.front());
      lines.pop_front();
    }
    // Stores wrote some of the sectors before.
    lines.push_back({address, static_cast<SectorMask>(address / kLineBytes % 7), 0, 0});
    return lines.back();
  }

  Answers answers_of(SectorFetch& fetch, const SectorFetchSite& site, std::uint64_t seed, const std::string& where) {
    Answers answers;
    std::deque<SectorUse> lines;
    for (const LineLookup& lookup : lookups_of_all_kinds(site.cache, seed)) {
      SectorUse& line = line_of(lines, lookup.line, fetch);
      const auto wanted = static_cast<SectorMask>(lookup.sectors & ~line.present);
      line.used = static_cast<SectorMask>(line.used | lookup.sectors);
      if (wanted == 0) {
        continue;
      }
      const auto absent = static_cast<SectorMask>(0xf & ~line.present);
      const SectorMask answer = fetch.fetch({lookup.line, wanted, absent, lookup.pc, lookup.warp}, line.memo);
      if ((wanted & ~answer) != 0) {
        violations_.add(where + ": fetch() leaves out sectors that the load needs");
      }
      if ((answer & ~absent) != 0) {
        violations_.add(where + ": fetch() answers with sectors that are not absent");
      }
      line.present = static_cast<SectorMask>(line.present | (answer & absent) | wanted);
      answers.push_back(answer);
    }
    return answers;
  }

  void check_answers(const SectorFetchSite& site) {
    const std::string where = text_of_site(site);
    check_two_objects(
        factory_, site, where, violations_,
        [&](SectorFetch& fetch, std::uint64_t seed) { return answers_of(fetch, site, seed, where); },
        [](SectorFetch& /*first*/, SectorFetch& /*other*/, const Answers& /*expected*/, bool /*alike*/) {});
  }

  Factory<SectorFetch>& factory_;
  Violations violations_;
};

// The violations of a mechanism with the settings of the factory.
inline std::vector<std::string> check_sector_fetch(Factory<SectorFetch>& factory) {
  return SectorFetchContract(factory).check();
}

// With default settings; checks the name also.
inline std::vector<std::string> check_sector_fetch(const Entry<SectorFetch>& entry) {
  return check_entry(entry, [](Factory<SectorFetch>& factory) { return check_sector_fetch(factory); });
}

}  // namespace warpsim::mechanism::testing
