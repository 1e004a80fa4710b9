// The kit of address hashes finds the faults that it is for.
#include "warpsim/testing/address_hash_contract.h"

#include <catch2/catch.hpp>

#include "support/violations.h"

namespace warpsim::mechanism {
namespace {

class TooFar final : public AddressHash {
 public:
  TooFar(const Settings& /*settings*/, const Site& site, Counters& /*counters*/) : places_(site.places) {}
  std::uint32_t shift_of(std::uint64_t block) const override {
    return static_cast<std::uint32_t>(block % (places_ + 1));
  }

 private:
  std::uint32_t places_;
};

class Restless final : public AddressHash {
 public:
  Restless(const Settings& /*settings*/, const Site& site, Counters& counters) : places_(site.places) {
    counters.add("calls", CounterUnit::kEvents, "calls");
  }
  std::uint32_t shift_of(std::uint64_t /*block*/) const override { return calls_++ % places_; }

 private:
  std::uint32_t places_;
  mutable std::uint32_t calls_ = 0;
};

TEST_CASE("The kit of address hashes finds shifts out of range, changing answers and counters") {
  CHECK(says(testing::check_address_hash(entry_of<TooFar>("far", "shifts too far")), "shift_of() answers"));
  const Sentences restless = testing::check_address_hash(entry_of<Restless>("restless", "never the same"));
  CHECK(says(restless, "answers differently when it is called again"));
  CHECK(says(restless, "declares counters"));
}

}  // namespace
}  // namespace warpsim::mechanism
