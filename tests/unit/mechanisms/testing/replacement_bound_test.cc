#include "warpsim/testing/replacement_bound.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <stdexcept>
#include <string>
#include <vector>

namespace warpsim::mechanism::testing {
namespace {

// One letter for each line of set 0.
LineStream letters(const std::string& text) {
  LineStream stream;
  for (const char letter : text) {
    stream.push_back({0, static_cast<Address>(letter) * kLineBytes});
  }
  return stream;
}

// The minimum by trial of all choices.
std::uint64_t least_misses(const std::string& stream, std::size_t ways, const std::string& resident = "") {
  if (stream.empty()) {
    return 0;
  }
  const std::string rest = stream.substr(1);
  if (resident.find(stream[0]) != std::string::npos) {
    return least_misses(rest, ways, resident);
  }
  if (resident.size() < ways) {
    return 1 + least_misses(rest, ways, resident + stream[0]);
  }
  std::uint64_t least = stream.size();
  for (std::size_t i = 0; i < ways; ++i) {
    std::string changed = resident;
    changed[i] = stream[0];
    least = std::min(least, 1 + least_misses(rest, ways, changed));
  }
  return least;
}

class FirstInFirstOut final : public Replacement {
 public:
  FirstInFirstOut(const Settings& /*settings*/, const ReplacementSite& site, Counters& /*counters*/)
      : ways_(site.ways), oldest_(site.sets) {}

  void inserted(Way place, Address /*line*/, bool /*leaves_first*/) override {
    oldest_[place.set] = (place.way + 1) % ways_;
  }
  void used(Way /*place*/, Address /*line*/) override {}
  void removed(Way /*place*/) override {}
  std::uint32_t victim(std::uint32_t set) override { return oldest_[set]; }
  void cleared() override { oldest_.assign(oldest_.size(), 0); }

 private:
  std::uint32_t ways_;
  std::vector<std::uint32_t> oldest_;
};

class OneBeyond final : public Replacement {
 public:
  OneBeyond(const Settings& /*settings*/, const ReplacementSite& site, Counters& /*counters*/) : ways_(site.ways) {}

  void inserted(Way /*place*/, Address /*line*/, bool /*leaves_first*/) override {}
  void used(Way /*place*/, Address /*line*/) override {}
  void removed(Way /*place*/) override {}
  std::uint32_t victim(std::uint32_t /*set*/) override { return ways_; }
  void cleared() override {}

 private:
  std::uint32_t ways_;
};

TEST_CASE("Belady's minimum replaces the line whose next use is the last one") {
  CHECK(fewest_misses(1, 2, letters("")) == 0);
  CHECK(fewest_misses(1, 2, letters("aaaa")) == 1);
  CHECK(fewest_misses(1, 1, letters("abab")) == 4);
  CHECK(fewest_misses(1, 2, letters("abcabc")) == 4);      // c replaces b, then b replaces a or c
  CHECK(fewest_misses(1, 3, letters("abcdabcabc")) == 5);  // d replaces c, then c replaces d
}

TEST_CASE("Belady's minimum is that of all choices") {
  Draws draws(9);
  for (int i = 0; i < 60; ++i) {
    std::string stream;
    for (int use = 0; use < 12; ++use) {
      stream += static_cast<char>('a' + draws.below(5));
    }
    for (const std::uint32_t ways : {1U, 2U, 3U}) {
      CHECK(fewest_misses(1, ways, letters(stream)) == least_misses(stream, ways));
    }
  }
}

TEST_CASE("Belady's minimum is that of each set") {
  LineStream stream;
  for (const LineUse& use : letters("abcabc")) {
    stream.push_back(use);
    stream.push_back({1, use.line});
    stream.push_back({2, 0});
  }
  CHECK(fewest_misses(3, 2, stream) == 4 + 4 + 1);
}

TEST_CASE("Misses are counted in a cache that fills empty ways first") {
  const ReplacementSite site{CacheLevel::kL1, 1, 3};
  CHECK(count_misses(FactoryOf<FirstInFirstOut>(), site, letters("abcabc")) == 3);
  CHECK(count_misses(FactoryOf<FirstInFirstOut>(), site, letters("abcada")) == 5);  // d replaces a, a replaces b
}

TEST_CASE("A victim that the set does not have ends the count") {
  const ReplacementSite site{CacheLevel::kL1, 1, 3};
  CHECK(count_misses(FactoryOf<OneBeyond>(), site, letters("abc")) == 3);
  CHECK_THROWS_AS(count_misses(FactoryOf<OneBeyond>(), site, letters("abcd")), std::out_of_range);
}

TEST_CASE("A removed line makes room without a victim") {
  const ReplacementSite site{CacheLevel::kL1, 1, 2};
  TestCounters counters;
  OneBeyond replacement({}, site, counters);
  CacheModel cache(replacement, site);
  cache.use({0, 0});
  cache.use({0, 128});
  CHECK(cache.use({0, 0}).hit);
  cache.remove({0, 0});
  CHECK(cache.use({0, 128}).hit);
  const CacheModel::Outcome outcome = cache.use({0, 256});
  CHECK_FALSE(outcome.replaced);
  CHECK(outcome.way == 0);
  CHECK(cache.use({0, 0}).replaced);
  cache.clear();
  CHECK_FALSE(cache.use({0, 256}).hit);
}

TEST_CASE("Drawn streams are the same each time") {
  const LineStream first = drawn_lines(4, 10, 100, true, 5);
  const LineStream second = drawn_lines(4, 10, 100, true, 5);
  const LineStream other = drawn_lines(4, 10, 100, true, 6);
  const auto same = [](const LineUse& a, const LineUse& b) { return a.set == b.set && a.line == b.line; };
  CHECK(std::equal(first.begin(), first.end(), second.begin(), same));
  CHECK_FALSE(std::equal(first.begin(), first.end(), other.begin(), same));
}

}  // namespace
}  // namespace warpsim::mechanism::testing
