// The test kit of replacements: finds violations of replacement.h and mechanism.h.
//
//     const auto entry = entry_of<Mine>("mine", "replaces the line that ...");
//     for (const std::string& sentence : check_replacement(entry)) { ... }
//
// Checked with 1 to 16 ways, also other numbers than powers of two, and 1 to 64 sets: victims are ways of the set;
// equal calls have equal answers in two objects; after cleared() an object is as a new one; and a line that is not used
// again leaves at some time if all others are used. Not required: that sets are independent, or any quality of the
// choice; for that count misses with replacement_bound.h.
#pragma once

#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

#include "warpsim/replacement.h"
#include "warpsim/testing/contract_parts.h"
#include "warpsim/testing/replacement_bound.h"

namespace warpsim::mechanism::testing {

class ReplacementContract {
 public:
  explicit ReplacementContract(Factory<Replacement>& factory) : factory_(factory) {}

  std::vector<std::string> check() {
    std::vector<ReplacementSite> sites;
    for (const std::uint32_t ways : {1U, 2U, 3U, 4U, 5U, 16U}) {
      for (const std::uint32_t sets : {1U, 4U, 48U, 64U}) {
        sites.push_back({CacheLevel::kL1, sets, ways});
        sites.push_back({CacheLevel::kL2, sets, ways});
      }
    }
    check_at_sites(
        factory_, sites, violations_, text_of_site,
        [&](const ReplacementSite& site) {
          check_answers(site);
          check_stays(site);
        },
        [&](Replacement& replacement, const ReplacementSite& site, const std::string& where) {
          answers_of(replacement, site, 1, where);
        });
    return violations_.sentences();
  }

 private:
  using Answers = std::vector<std::uint32_t>;

  // 1500 and 1501 for the seeds 1 and 2: their sum is a prime, so that shared counters of small periods are found.
  static constexpr std::uint32_t kUses = 1499;

  static std::string text_of_site(const ReplacementSite& site) {
    return std::to_string(site.ways) + " ways, " + std::to_string(site.sets) + " sets";
  }

  // The victims of a drawn sequence of calls. It ends with the first way that the set does not have.
  Answers answers_of(Replacement& replacement, const ReplacementSite& site, std::uint64_t seed,
                     const std::string& where) {
    Draws draws(seed);
    CacheModel cache(replacement, site);
    Answers answers;
    for (std::uint32_t i = 0; i < kUses + seed; ++i) {
      // Few sets, so that they become full.
      const std::uint32_t set = draws.one_in(2) ? site.sets - 1 : draws.below(std::min(site.sets, 3U));
      if (draws.one_in(32)) {
        cache.remove({set, draws.below(site.ways)});
        continue;
      }
      const Address line = Address{draws.below(2 * site.ways + 1)} * site.sets + set;
      const CacheModel::Outcome outcome = cache.use({set, line * kLineBytes}, draws.one_in(8));
      if (outcome.way >= site.ways) {
        violations_.add(where + ": victim() answers way " + std::to_string(outcome.way) +
                        ", which the set does not have");
        return answers;
      }
      if (outcome.replaced) {
        answers.push_back(outcome.way);
      }
    }
    return answers;
  }

  void check_answers(const ReplacementSite& site) {
    const std::string where = text_of_site(site);
    const auto answers = [&](Replacement& replacement, std::uint64_t seed) {
      return answers_of(replacement, site, seed, where);
    };
    check_two_objects(factory_, site, where, violations_, answers,
                      [&](Replacement& /*first*/, Replacement& other, const Answers& expected, bool alike) {
                        other.cleared();
                        if (alike && answers(other, 1) != expected) {
                          violations_.add(where + ": after cleared() an object answers differently from a new one");
                        }
                      });
  }

  void check_stays(const ReplacementSite& site) {
    for (std::uint32_t way = 0; way < site.ways; ++way) {
      if (!leaves(site, site.sets - 1, way)) {
        violations_.add(text_of_site(site) + ": the line in way " + std::to_string(way) +
                        " stays forever although only the others are used");
      }
    }
  }

  // Whether the line in the way leaves while all others are used in changing order.
  bool leaves(const ReplacementSite& site, std::uint32_t set, std::uint32_t way) {
    TestCounters counters;
    const auto replacement = make_or_report(factory_, site, counters, text_of_site(site), violations_);
    if (replacement == nullptr) {
      return true;
    }
    std::vector<Address> lines(site.ways);
    Address next_line = set * kLineBytes;
    const auto insert = [&](std::uint32_t place) {
      lines[place] = next_line;
      next_line += Address{site.sets} * kLineBytes;
      replacement->inserted({set, place}, lines[place], false);
    };
    std::vector<std::uint32_t> order(site.ways);
    std::iota(order.begin(), order.end(), 0U);
    for (const std::uint32_t place : order) {
      insert(place);
    }
    Draws draws(1);
    const std::uint32_t rounds = 1024 + 64 * site.ways;  // far more than a random victim needs
    for (std::uint32_t round = 0; round < rounds; ++round) {
      for (std::uint32_t i = site.ways; i > 1; --i) {
        std::swap(order[i - 1], order[draws.below(i)]);
      }
      for (const std::uint32_t place : order) {
        if (place != way) {
          replacement->used({set, place}, lines[place]);
        }
      }
      const std::uint32_t victim = replacement->victim(set);
      if (victim == way || victim >= site.ways) {
        return true;  // a wrong way is reported elsewhere
      }
      insert(victim);
    }
    return false;
  }

  Factory<Replacement>& factory_;
  Violations violations_;
};

// The violations of a mechanism with the settings of the factory.
inline std::vector<std::string> check_replacement(Factory<Replacement>& factory) {
  return ReplacementContract(factory).check();
}

// With default settings; checks the name also.
inline std::vector<std::string> check_replacement(const Entry<Replacement>& entry) {
  return check_entry(entry, [](Factory<Replacement>& factory) { return check_replacement(factory); });
}

}  // namespace warpsim::mechanism::testing
