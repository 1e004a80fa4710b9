// The test kit of arbitrations: finds violations of arbitration.h and mechanism.h.
//
//     const auto entry = entry_of<Mine>("mine", "lets the message go that ...");
//     for (const std::string& sentence : check_arbitration(entry)) { ... }
//
// Messages of several requesters wait and go in the order that the arbitration gives. Checked after each: before() is
// an order (never both ways, never in a circle), has the same answer when it is called again, and two objects with
// equal calls answer alike. Not required: that each requester sends at some time, because fixed orders let some wait by
// design.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "warpsim/arbitration.h"
#include "warpsim/testing/contract_parts.h"

namespace warpsim::mechanism::testing {

class ArbitrationContract {
 public:
  explicit ArbitrationContract(Factory<Arbitration>& factory) : factory_(factory) {}

  std::vector<std::string> check() {
    const std::vector<ArbitrationSite> sites{{1, false}, {8, false}, {8, true}, {150, true}};
    check_at_sites(
        factory_, sites, violations_, text_of_site, [&](const ArbitrationSite& site) { check_answers(site); },
        [&](Arbitration& arbitration, const ArbitrationSite& site, const std::string& where) {
          senders(arbitration, site, 1, where);
        });
    return violations_.sentences();
  }

 private:
  static constexpr std::uint32_t kMessages = 150;
  static constexpr std::uint32_t kMostWaiting = 8;

  using Senders = std::vector<std::uint32_t>;

  static std::string text_of_site(const ArbitrationSite& site) {
    return std::to_string(site.requesters) + " requesters" + (site.responses ? ", responses" : "");
  }

  void check_answers(const ArbitrationSite& site) {
    const std::string where = text_of_site(site);
    check_two_objects(
        factory_, site, where, violations_,
        [&](Arbitration& arbitration, std::uint64_t seed) { return senders(arbitration, site, seed, where); },
        [](Arbitration& /*first*/, Arbitration& /*other*/, const Senders& /*expected*/, bool /*alike*/) {});
  }

  void check_order(const Arbitration& arbitration, const std::vector<ArbitrationOffer>& offers,
                   const std::string& where) {
    for (const ArbitrationOffer& a : offers) {
      for (const ArbitrationOffer& b : offers) {
        if (a.requester == b.requester) {
          continue;
        }
        const bool first = arbitration.before(a, b);
        if (first != arbitration.before(a, b)) {
          violations_.add(where + ": before() answers differently when it is called again");
        }
        if (first && arbitration.before(b, a)) {
          violations_.add(where + ": before() lets two messages each go before the other");
        }
        for (const ArbitrationOffer& c : offers) {
          if (first && c.requester != a.requester && c.requester != b.requester && arbitration.before(b, c) &&
              !arbitration.before(a, c)) {
            violations_.add(where + ": before() is no order: a before b and b before c, but not a before c");
          }
        }
      }
    }
  }

  // The requesters whose messages go, one after another.
  Senders senders(Arbitration& arbitration, const ArbitrationSite& site, std::uint64_t seed, const std::string& where) {
    Senders sent;
    Draws draws(seed);
    Cycle now = 0;
    std::vector<ArbitrationOffer> offers;
    for (std::uint32_t message = 0; message < kMessages; ++message) {
      now += draws.one_in(50) ? 1'000'000U : draws.below(4);
      add_offer(offers, site, draws, now);
      if (offers.size() < kMostWaiting && !draws.one_in(3)) {
        continue;
      }
      check_order(arbitration, offers, where);
      std::size_t next = 0;
      for (std::size_t i = 1; i < offers.size(); ++i) {
        next = arbitration.before(offers[i], offers[next]) ? i : next;
      }
      sent.push_back(offers[next].requester);
      arbitration.sent(offers[next], now);
      offers.erase(offers.begin() + static_cast<std::ptrdiff_t>(next));
    }
    return sent;
  }

  static void add_offer(std::vector<ArbitrationOffer>& offers, const ArbitrationSite& site, Draws& draws, Cycle now) {
    const std::uint32_t requester = draws.below(site.requesters);
    for (ArbitrationOffer& offer : offers) {
      if (offer.requester == requester) {
        ++offer.waiting;
        return;
      }
    }
    offers.push_back({requester, requester % 8, now, 32 * (1 + draws.below(5)), 1});
  }

  Factory<Arbitration>& factory_;
  Violations violations_;
};

// The violations of a mechanism with the settings of the factory.
inline std::vector<std::string> check_arbitration(Factory<Arbitration>& factory) {
  return ArbitrationContract(factory).check();
}

// With default settings; checks the name also.
inline std::vector<std::string> check_arbitration(const Entry<Arbitration>& entry) {
  return check_entry(entry, [](Factory<Arbitration>& factory) { return check_arbitration(factory); });
}

}  // namespace warpsim::mechanism::testing
