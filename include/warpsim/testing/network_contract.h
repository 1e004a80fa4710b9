// The test kit of networks: finds violations of network.h and mechanism.h.
//
//     const auto entry = entry_of<Mine>("mine", "routes messages over ...");
//     for (const std::string& sentence : check_network(entry)) { ... }
//
// Checked on GPUs of 1 to 9 GPCs and 1 to 96 slices, with single messages and bursts: messages arrive after they enter,
// those of one direction between the same GPC and slice in their order, and none takes longer than a million cycles in
// a network that has had time to become empty; two objects with equal calls answer alike.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "warpsim/network.h"
#include "warpsim/testing/contract_parts.h"

namespace warpsim::mechanism::testing {

class NetworkContract {
 public:
  explicit NetworkContract(Factory<Network>& factory) : factory_(factory) {}

  std::vector<std::string> check() {
    const std::vector<std::uint32_t> one{0};
    const std::vector<std::uint32_t> two{0, 1, 0};
    const std::vector<std::uint32_t> many{0, 0, 1, 1, 1, 0, 1, 0, 0};
    const std::vector<NetworkSite> sites{
        {1, 1, 1, one.data()}, {1, 6, 1, one.data()}, {3, 4, 2, two.data()}, {9, 96, 2, many.data()}};
    check_at_sites(
        factory_, sites, violations_, text_of_site, [&](const NetworkSite& site) { check_arrivals(site); },
        [&](Network& network, const NetworkSite& site, const std::string& where) {
          arrivals_of(network, site, 1, where);
        });
    return violations_.sentences();
  }

 private:
  static constexpr std::uint32_t kMessages = 2000;
  static constexpr Cycle kLongest = 1'000'000;

  using Arrivals = std::vector<Cycle>;

  static std::string text_of_site(const NetworkSite& site) {
    return std::to_string(site.gpcs) + " GPCs, " + std::to_string(site.slices) + " slices";
  }

  void check_arrivals(const NetworkSite& site) {
    const std::string where = text_of_site(site);
    check_two_objects(
        factory_, site, where, violations_,
        [&](Network& network, std::uint64_t seed) { return arrivals_of(network, site, seed, where); },
        [](Network& /*first*/, Network& /*other*/, const Arrivals& /*expected*/, bool /*alike*/) {});
  }

  Arrivals arrivals_of(Network& network, const NetworkSite& site, std::uint64_t seed, const std::string& where) {
    Draws draws(seed);
    Arrivals arrivals;
    std::map<std::tuple<bool, std::uint32_t, std::uint32_t>, Cycle> latest;  // of each way
    Cycle now = 1000;
    for (std::uint32_t i = 0; i < kMessages; ++i) {
      const bool empty = draws.one_in(100);
      now += empty ? 100 * kLongest : draws.below(3);
      const NetworkMessage message{draws.one_in(2), draws.below(site.gpcs), draws.below(site.slices),
                                   8 * (1 + draws.below(17))};
      const Cycle arrival = network.arrival(message, now);
      if (arrival <= now) {
        violations_.add(where + ": a message arrives in the cycle in which it enters, or before");
      }
      if (empty && arrival > now + kLongest) {
        violations_.add(where + ": a message takes more than a million cycles in an empty network");
      }
      Cycle& before = latest[{message.response, message.gpc, message.slice}];
      if (arrival < before) {
        violations_.add(where + ": messages between the same GPC and slice pass each other");
      }
      before = arrival;
      arrivals.push_back(arrival);
    }
    return arrivals;
  }

  Factory<Network>& factory_;
  Violations violations_;
};

// The violations of a mechanism with the settings of the factory.
inline std::vector<std::string> check_network(Factory<Network>& factory) {
  return NetworkContract(factory).check();
}

// With default settings; checks the name also.
inline std::vector<std::string> check_network(const Entry<Network>& entry) {
  return check_entry(entry, [](Factory<Network>& factory) { return check_network(factory); });
}

}  // namespace warpsim::mechanism::testing
