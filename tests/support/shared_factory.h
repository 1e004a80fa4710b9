// Makes objects of a mechanism that all use one thing of the test: what to answer, what they hear.
#pragma once

#include <memory>

#include "warpsim/mechanism.h"

namespace warpsim {

// `Mechanism` is made with (Shared&, const Site&).
template <typename Mechanism, typename Shared>
class SharedFactory final : public mechanism::Factory<typename Mechanism::Interface> {
 public:
  using Interface = typename Mechanism::Interface;

  explicit SharedFactory(Shared& shared) : shared_(&shared) {}
  void describe(mechanism::Keys& /*keys*/) override {}
  std::unique_ptr<Interface> make(const typename Interface::Site& site,
                                  mechanism::Counters& /*counters*/) const override {
    return std::make_unique<Mechanism>(*shared_, site);
  }

 private:
  Shared* shared_;
};

}  // namespace warpsim
