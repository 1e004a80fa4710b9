// The test kit of miss admissions: finds violations of miss_admission.h and mechanism.h.
//
//     const auto entry = entry_of<Mine>("mine", "admits the misses that ...");
//     for (const std::string& sentence : check_miss_admission(entry)) { ... }
//
// Checked in L1 and in L2, with tables of one, a few and any number of entries, whose entries end in order or in an
// order that is drawn: a miss is admitted when no entry is in use; equal calls have equal answers, in one object and in
// two. Not required: any quality of the choice.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "warpsim/miss_admission.h"
#include "warpsim/testing/contract_parts.h"
#include "warpsim/testing/lookup_streams.h"

namespace warpsim::mechanism::testing {

class MissAdmissionContract {
 public:
  explicit MissAdmissionContract(Factory<MissAdmission>& factory) : factory_(factory) {}

  std::vector<std::string> check() {
    const std::vector<MissAdmissionSite> sites{
        {CacheLevel::kL1, 256}, {CacheLevel::kL1, 1}, {CacheLevel::kL2, 8}, {CacheLevel::kL2, 0}};
    check_at_sites(
        factory_, sites, violations_, text_of_site, [&](const MissAdmissionSite& site) { check_answers(site); },
        [&](MissAdmission& admission, const MissAdmissionSite& site, const std::string& where) {
          answers_of(admission, site, 1, where);
        });
    return violations_.sentences();
  }

 private:
  struct Outstanding {
    Address line = 0;
    std::uint32_t entry = 0;
    std::uint32_t waiting = 0;
  };
  // The entries in use, and the numbers of others.
  struct Table {
    std::vector<Outstanding> used;
    std::vector<std::uint32_t> free;
    std::uint32_t numbers = 0;
  };

  static std::string text_of_site(const MissAdmissionSite& site) {
    return std::string(site.cache == CacheLevel::kL1 ? "L1" : "L2") + ", " +
           (site.entries == 0 ? "any number of entries" : std::to_string(site.entries) + " entries");
  }

  static void end_one(Table& table, MissAdmission& admission, Draws& draws) {
    const std::size_t place = draws.one_in(2) ? 0 : draws.below(static_cast<std::uint32_t>(table.used.size()));
    admission.ends(table.used[place].entry);
    table.free.push_back(table.used[place].entry);
    table.used.erase(table.used.begin() + static_cast<std::ptrdiff_t>(place));
  }

  bool offer(const LineLookup& lookup, const MissAdmissionSite& site, Table& table, MissAdmission& admission,
             const std::string& where) {
    Outstanding* known = nullptr;
    for (Outstanding& outstanding : table.used) {
      known = outstanding.line == lookup.line ? &outstanding : known;
    }
    const auto used = static_cast<std::uint32_t>(table.used.size());
    if (known == nullptr && used == (site.entries == 0 ? 512 : site.entries)) {
      return false;
    }
    const MissOffer miss{lookup.line, lookup.sectors, used, known != nullptr, known != nullptr ? known->waiting : 0,
                         lookup.warp, lookup.pc};
    const bool admitted = admission.admits(miss);
    if (admission.admits(miss) != admitted) {
      violations_.add(where + ": admits() answers differently when it is called again");
    }
    if (!admitted) {
      if (used == 0) {
        violations_.add(where + ": admits() refuses a miss although no entry is in use");
      }
      return used == 0;  // go on
    }
    if (known != nullptr) {
      ++known->waiting;
      return true;
    }
    const std::uint32_t entry = table.free.empty() ? table.numbers++ : table.free.back();
    if (!table.free.empty()) {
      table.free.pop_back();
    }
    admission.begins(entry, miss);
    table.used.push_back({lookup.line, entry, 1});
    return true;
  }

  // How many entries had to end before each miss was admitted.
  std::vector<std::uint32_t> answers_of(MissAdmission& admission, const MissAdmissionSite& site, std::uint64_t seed,
                                        const std::string& where) {
    std::vector<std::uint32_t> answers;
    Table table;
    Draws draws(seed);
    for (const LineLookup& lookup : lookups_of_all_kinds(site.cache, seed)) {
      std::uint32_t ended = 0;
      while (!offer(lookup, site, table, admission, where)) {
        end_one(table, admission, draws);
        ++ended;
      }
      answers.push_back(ended);
    }
    while (!table.used.empty()) {
      end_one(table, admission, draws);
    }
    return answers;
  }

  void check_answers(const MissAdmissionSite& site) {
    const std::string where = text_of_site(site);
    check_two_objects(
        factory_, site, where, violations_,
        [&](MissAdmission& admission, std::uint64_t seed) { return answers_of(admission, site, seed, where); },
        [](MissAdmission& /*first*/, MissAdmission& /*other*/, const std::vector<std::uint32_t>& /*expected*/,
           bool /*alike*/) {});
  }

  Factory<MissAdmission>& factory_;
  Violations violations_;
};

// The violations of a mechanism with the settings of the factory.
inline std::vector<std::string> check_miss_admission(Factory<MissAdmission>& factory) {
  return MissAdmissionContract(factory).check();
}

// With default settings; checks the name also.
inline std::vector<std::string> check_miss_admission(const Entry<MissAdmission>& entry) {
  return check_entry(entry, [](Factory<MissAdmission>& factory) { return check_miss_admission(factory); });
}

}  // namespace warpsim::mechanism::testing
