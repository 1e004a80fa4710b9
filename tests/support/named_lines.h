// A prefetcher for tests: it names the lines that lie some lines behind each access.
#pragma once

#include <memory>
#include <vector>

#include "mechanisms/mechanism_choice.h"

namespace warpsim::test {

class NamedLines final : public mechanism::Prefetcher {
 public:
  struct Answer {
    mechanism::Address offset = 0;  // in bytes: more than 0 is wrong
    mechanism::SectorMask sectors = 0x3;
  };
  NamedLines(std::vector<std::int64_t> distances, const Answer& answer, std::vector<mechanism::LineLookup>* seen)
      : distances_(std::move(distances)), answer_(answer), seen_(seen) {}
  void access(const mechanism::LineLookup& lookup, mechanism::PrefetchList& wanted) override {
    seen_->push_back(lookup);
    for (const std::int64_t distance : distances_) {
      const auto bytes = static_cast<mechanism::Address>(distance * std::int64_t{mechanism::kLineBytes});
      wanted.add(lookup.line + bytes + answer_.offset, answer_.sectors);
    }
  }

 private:
  std::vector<std::int64_t> distances_;
  Answer answer_;
  std::vector<mechanism::LineLookup>* seen_;
};

class NamedLinesFactory final : public mechanism::Factory<mechanism::Prefetcher> {
 public:
  explicit NamedLinesFactory(std::vector<std::int64_t> distances, const NamedLines::Answer& all_lines = {})
      : answer(all_lines), distances_(std::move(distances)) {}
  void describe(mechanism::Keys& /*keys*/) override {}
  std::unique_ptr<mechanism::Prefetcher> make(const mechanism::PrefetcherSite& /*site*/,
                                              mechanism::Counters& /*counters*/) const override {
    return std::make_unique<NamedLines>(distances_, answer, seen.get());
  }

  NamedLines::Answer answer;
  std::shared_ptr<std::vector<mechanism::LineLookup>> seen = std::make_shared<std::vector<mechanism::LineLookup>>();

 private:
  std::vector<std::int64_t> distances_;
};

}  // namespace warpsim::test
