// The test kit of address hashes: finds violations of address_hash.h and mechanism.h.
//
//     const auto entry = entry_of<Mine>("mine", "shifts by ...");
//     for (const std::string& sentence : check_address_hash(entry)) { ... }
//
// Checked for 1 to 96 places and blocks near and far: shifts are below the number of places and the same when asked
// again and in another order; two objects answer alike; no counters are declared. Not required: any quality of the
// spread.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "warpsim/address_hash.h"
#include "warpsim/testing/contract_parts.h"

namespace warpsim::mechanism::testing {

class AddressHashContract {
 public:
  explicit AddressHashContract(Factory<AddressHash>& factory) : factory_(factory) {}

  std::vector<std::string> check() {
    const std::vector<AddressHashSite> sites{{1}, {2}, {5}, {48}, {96}};
    check_at_sites(
        factory_, sites, violations_, text_of_site, [&](const AddressHashSite& site) { check_shifts(site); },
        [&](AddressHash& hash, const AddressHashSite& site, const std::string& where) {
          shifts_of(hash, site, 1, where);
        });
    return violations_.sentences();
  }

 private:
  using Shifts = std::vector<std::uint32_t>;

  static std::string text_of_site(const AddressHashSite& site) { return std::to_string(site.places) + " places"; }

  void check_shifts(const AddressHashSite& site) {
    const std::string where = text_of_site(site);
    TestCounters counters;
    make_or_report(factory_, site, counters, where, violations_);
    if (!counters.declarations().empty()) {
      violations_.add("an address hash counts nothing, but it declares counters");
    }
    check_two_objects(
        factory_, site, where, violations_,
        [&](AddressHash& hash, std::uint64_t seed) { return shifts_of(hash, site, seed, where); },
        [](AddressHash& /*first*/, AddressHash& /*other*/, const Shifts& /*expected*/, bool /*alike*/) {});
  }

  Shifts shifts_of(const AddressHash& hash, const AddressHashSite& site, std::uint64_t seed, const std::string& where) {
    Draws draws(seed);
    std::vector<std::uint64_t> blocks;
    for (std::uint64_t block = 0; block < 200; ++block) {
      blocks.push_back(block);
      blocks.push_back(draws.next() >> 16U);  // addresses have 48 bits and more, blocks fewer
    }
    Shifts shifts;
    for (const std::uint64_t block : blocks) {
      shifts.push_back(hash.shift_of(block));
      if (shifts.back() >= site.places) {
        violations_.add(where + ": shift_of() answers " + std::to_string(shifts.back()));
      }
    }
    for (std::size_t i = blocks.size(); i-- > 0;) {
      if (hash.shift_of(blocks[i]) != shifts[i]) {
        violations_.add(where + ": shift_of() answers differently when it is called again");
      }
    }
    return shifts;
  }

  Factory<AddressHash>& factory_;
  Violations violations_;
};

// The violations of a mechanism with the settings of the factory.
inline std::vector<std::string> check_address_hash(Factory<AddressHash>& factory) {
  return AddressHashContract(factory).check();
}

// With default settings; checks the name also.
inline std::vector<std::string> check_address_hash(const Entry<AddressHash>& entry) {
  return check_entry(entry, [](Factory<AddressHash>& factory) { return check_address_hash(factory); });
}

}  // namespace warpsim::mechanism::testing
