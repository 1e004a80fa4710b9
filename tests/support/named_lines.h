// A prefetcher for tests: it names the lines that lie some lines behind each access.
#pragma once

#include <memory>
#include <vector>

#include "mechanisms/mechanism_choice.h"

namespace warpsim::test {

class NamedLines final : public mechanism::Prefetcher {
 public:
  explicit NamedLines(std::vector<std::int64_t> distances, std::vector<mechanism::LineLookup>* seen)
      : distances_(std::move(distances)), seen_(seen) {}
  void access(const mechanism::LineLookup& lookup, mechanism::PrefetchList& wanted) override {
    seen_->push_back(lookup);
    for (const std::int64_t distance : distances_) {
      wanted.add(lookup.line + static_cast<mechanism::Address>(distance * std::int64_t{mechanism::kLineBytes}), 0x3);
    }
  }

 private:
  std::vector<std::int64_t> distances_;
  std::vector<mechanism::LineLookup>* seen_;
};

class NamedLinesFactory final : public mechanism::Factory<mechanism::Prefetcher> {
 public:
  explicit NamedLinesFactory(std::vector<std::int64_t> distances) : distances_(std::move(distances)) {}
  void describe(mechanism::Keys& /*keys*/) override {}
  std::unique_ptr<mechanism::Prefetcher> make(const mechanism::PrefetcherSite& /*site*/,
                                              mechanism::Counters& /*counters*/) const override {
    return std::make_unique<NamedLines>(distances_, seen.get());
  }

  std::shared_ptr<std::vector<mechanism::LineLookup>> seen = std::make_shared<std::vector<mechanism::LineLookup>>();

 private:
  std::vector<std::int64_t> distances_;
};

}  // namespace warpsim::test
