// The test kit of DRAM schedulers: finds violations of dram_scheduler.h and mechanism.h.
//
//     const auto entry = entry_of<Mine>("mine", "serves the access that ...");
//     for (const std::string& sentence : check_dram_scheduler(entry)) { ... }
//
// Accesses of several requesters, write-backs among them, wait and are served in the order that the scheduler gives.
// Checked after each: before() is an order (never both ways, never in a circle), has the same answer when it is called
// again, and two objects with equal calls answer alike.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "warpsim/dram_scheduler.h"
#include "warpsim/testing/contract_parts.h"

namespace warpsim::mechanism::testing {

class DramSchedulerContract {
 public:
  explicit DramSchedulerContract(Factory<DramScheduler>& factory) : factory_(factory) {}

  std::vector<std::string> check() {
    const std::vector<DramSchedulerSite> sites{{1, 0}, {16, 3}, {64, 31}};
    check_at_sites(
        factory_, sites, violations_, text_of_site, [&](const DramSchedulerSite& site) { check_answers(site); },
        [&](DramScheduler& scheduler, const DramSchedulerSite& site, const std::string& where) {
          served_orders(scheduler, site, 1, where);
        });
    return violations_.sentences();
  }

 private:
  static constexpr std::uint32_t kAccesses = 150;
  static constexpr std::uint32_t kWaiting = 8;

  using Orders = std::vector<std::uint64_t>;

  static std::string text_of_site(const DramSchedulerSite& site) { return std::to_string(site.banks) + " banks"; }

  void check_answers(const DramSchedulerSite& site) {
    const std::string where = text_of_site(site);
    check_two_objects(
        factory_, site, where, violations_,
        [&](DramScheduler& scheduler, std::uint64_t seed) { return served_orders(scheduler, site, seed, where); },
        [](DramScheduler& /*first*/, DramScheduler& /*other*/, const Orders& /*expected*/, bool /*alike*/) {});
  }

  DramAccess drawn(const DramSchedulerSite& site, Draws& draws, std::uint64_t order, Cycle now) {
    DramAccess access;
    access.order = order;
    access.arrival = now;
    access.bank = draws.below(site.banks);
    access.row = draws.below(4);
    access.requester = draws.one_in(4) ? DramAccess::kNobody : static_cast<std::uint16_t>(draws.below(140));
    access.row_open = draws.one_in(3);
    return access;
  }

  void check_order(const DramScheduler& scheduler, const std::vector<DramAccess>& waiting, const std::string& where) {
    for (const DramAccess& a : waiting) {
      for (const DramAccess& b : waiting) {
        const bool first = scheduler.before(a, b);
        if (first != scheduler.before(a, b)) {
          violations_.add(where + ": before() answers differently when it is called again");
        }
        if (first && scheduler.before(b, a)) {
          violations_.add(where + ": before() lets two accesses each go before the other");
        }
        for (const DramAccess& c : waiting) {
          if (first && scheduler.before(b, c) && !scheduler.before(a, c)) {
            violations_.add(where + ": before() is no order: a before b and b before c, but not a before c");
          }
        }
      }
    }
  }

  // The order numbers of the accesses as they are served.
  Orders served_orders(DramScheduler& scheduler, const DramSchedulerSite& site, std::uint64_t seed,
                       const std::string& where) {
    Orders orders;
    Draws draws(seed);
    Cycle now = 0;
    std::vector<DramAccess> waiting;
    for (std::uint64_t order = 0; order < kAccesses; ++order) {
      now += draws.one_in(50) ? 1'000'000U : draws.below(4);
      waiting.push_back(drawn(site, draws, order, now));
      if (waiting.size() < kWaiting) {
        continue;
      }
      check_order(scheduler, waiting, where);
      std::size_t next = 0;
      for (std::size_t i = 1; i < waiting.size(); ++i) {
        next = scheduler.before(waiting[i], waiting[next]) ? i : next;
      }
      orders.push_back(waiting[next].order);
      scheduler.writes_next({static_cast<std::uint32_t>(waiting.size()), 3, false, draws.one_in(2)});
      scheduler.served(waiting[next], 1 + draws.below(4), now);
      waiting.erase(waiting.begin() + static_cast<std::ptrdiff_t>(next));
    }
    return orders;
  }

  Factory<DramScheduler>& factory_;
  Violations violations_;
};

// The violations of a mechanism with the settings of the factory.
inline std::vector<std::string> check_dram_scheduler(Factory<DramScheduler>& factory) {
  return DramSchedulerContract(factory).check();
}

// With default settings; checks the name also.
inline std::vector<std::string> check_dram_scheduler(const Entry<DramScheduler>& entry) {
  return check_entry(entry, [](Factory<DramScheduler>& factory) { return check_dram_scheduler(factory); });
}

}  // namespace warpsim::mechanism::testing
