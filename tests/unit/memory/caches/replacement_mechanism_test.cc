#include "memory/caches/replacement_mechanism.h"

#include <catch2/catch.hpp>
#include <memory>
#include <string>
#include <utility>

#include "base/error.h"
#include "memory/caches/l1_cache.h"

namespace warpsim {
namespace {

// Replaces the way of its key, and writes down what it hears: i, u, r and c for a line that is inserted, used, removed,
// and for a cleared cache.
class Written final : public mechanism::Replacement {
 public:
  struct Settings {
    std::uint32_t way = 1;
    std::string* log = nullptr;
    void describe(mechanism::Keys& keys) { keys.integer("way", way, 0, 9, "the way to replace"); }
  };
  Written(const Settings& settings, const Site& site, mechanism::Counters& counters)
      : settings_(settings), victims_(counters.add("victims", mechanism::CounterUnit::kEvents, "lines replaced")) {
    log("[" + std::to_string(site.sets) + "x" + std::to_string(site.ways) + "]");
  }
  void inserted(mechanism::Way place, mechanism::Address line, bool leaves_first) override {
    log((leaves_first ? "I" : "i") + std::to_string(place.way) + "@" + std::to_string(line / kLineBytes));
  }
  void used(mechanism::Way place, mechanism::Address /*line*/) override { log("u" + std::to_string(place.way)); }
  void removed(mechanism::Way place) override { log("r" + std::to_string(place.way)); }
  std::uint32_t victim(std::uint32_t /*set*/) override {
    ++victims_;
    return settings_.way;
  }
  void cleared() override { log("c"); }

 private:
  void log(const std::string& text) { *settings_.log += text + " "; }
  Settings settings_;
  mechanism::Counter victims_;
};

// Makes objects that write to one text.
class WrittenFactory final : public mechanism::Factory<mechanism::Replacement> {
 public:
  WrittenFactory(std::uint32_t way, std::string& log) : settings_{way, &log} {}
  void describe(mechanism::Keys& keys) override { settings_.describe(keys); }
  std::unique_ptr<mechanism::Replacement> make(const mechanism::ReplacementSite& site,
                                               mechanism::Counters& counters) const override {
    return std::make_unique<Written>(settings_, site, counters);
  }

 private:
  Written::Settings settings_;
};

ReplacementMechanism::Choice choice_of(std::uint32_t way, std::string& log) {
  return {"written", std::make_shared<WrittenFactory>(way, log)};
}

constexpr Address line(std::uint64_t number) {
  return number * kLineBytes;
}

TEST_CASE("Tags tell a replacement mechanism what happens to lines, and replace the way that it names") {
  std::string log;
  LaunchStats<StatGroup> root("root");
  ReplacementMechanism mechanism(choice_of(1, log), mechanism::CacheLevel::kL2, root);
  TagArray tags(1, 2, Replacement::kMechanism);
  mechanism.apply(tags);
  tags.insert(tags.victim(0), line(7));
  tags.insert(tags.victim(0), line(8), false);
  tags.touch(0);
  tags.refresh(0);  // no use
  tags.insert(tags.victim(0), line(9));
  tags.remove(0);
  tags.clear();
  CHECK(log == "[1x2] i0@7 I1@8 u0 i1@9 r0 c ");
  CHECK(root[0].children().at(0)->name() == std::string("replacement"));
  CHECK(root[0].children().at(0)->counters().at(0).value() == 1);
}

TEST_CASE("A replacement mechanism that names no way of the set is an error") {
  std::string log;
  LaunchStats<StatGroup> root("root");
  ReplacementMechanism mechanism(choice_of(2, log), mechanism::CacheLevel::kL2, root);
  TagArray tags(1, 2, Replacement::kMechanism);
  mechanism.apply(tags);
  tags.insert(tags.victim(0), line(1));
  tags.insert(tags.victim(0), line(2));
  CHECK_THROWS_WITH(tags.victim(0), "replacement 'written' chose way 2, expected 0 to 1");
}

TEST_CASE("L1 makes a new object when its number of ways changes, with the same counters") {
  std::string log;
  LaunchStats<StatGroup> root("root");
  L1Config config;
  config.sets = 1;
  config.mshr_entries = 4;
  config.mshr_waiters = 4;
  config.replacement = Replacement::kMechanism;
  config.replacement_mechanism = choice_of(0, log);
  L1Cache cache(config, root);
  cache.configure(2 * kLineBytes);
  cache.configure(2 * kLineBytes);
  const auto load = [&cache](Address address) {
    const L1Cache::Miss miss = cache.miss(address, 0x3, false, {0, 0});
    cache.fill(miss.tag, 0x1, 0, [](std::uint32_t) {});
    cache.fill(miss.tag, 0x2, 0, [](std::uint32_t) {});  // the second part is no use
  };
  load(line(1));
  load(line(2));
  cache.touch(line(2), 0xf, 0);
  load(line(3));
  CHECK(log == "[1x1] [1x2] c i0@1 i1@2 u1 i0@3 ");
  StatGroup& l1 = *root[0].children().at(0);
  CHECK(l1.children().at(0)->counters().at(0).value() == 1);
}

TEST_CASE("L1 lets a line leave first that is inserted so") {
  LaunchStats<StatGroup> root("root");
  L1Config config;
  config.sets = 1;
  config.mshr_entries = 4;
  config.mshr_waiters = 4;
  L1Cache cache(config, root);
  cache.configure(2 * kLineBytes);
  for (const std::uint64_t number : {1U, 2U, 3U}) {
    const L1Cache::Miss miss = cache.miss(line(number), 0x1, false, {0, 0});
    if (number == 2) {
      cache.let_leave_first(miss.tag);
    }
    cache.fill(miss.tag, 0x1, 0, [](std::uint32_t) {});
  }
  CHECK(cache.missing_sectors(line(1), 0x1, false) == 0);
  CHECK(cache.missing_sectors(line(2), 0x1, false) == 1);
  CHECK(cache.missing_sectors(line(3), 0x1, false) == 0);
}

TEST_CASE("L1 requests a prefetch once, and tells whether it was used") {
  using Result = L1Cache::Prefetch::Result;
  LaunchStats<StatGroup> root("root");
  L1Config config;
  config.sets = 4;
  config.mshr_entries = 1;
  config.mshr_waiters = 4;
  L1Cache cache(config, root);
  cache.configure(8 * kLineBytes);
  CHECK(cache.prefetch(line(1), 0xf, false, 0).result == Result::kNoSpace);
  const L1Cache::Prefetch first = cache.prefetch(line(1), 0xf, true, 0);
  CHECK(first.result == Result::kRequested);
  CHECK(first.request_sectors == 0xf);
  CHECK(cache.prefetch(line(1), 0xf, true, 0).result == Result::kPresent);
  CHECK(cache.prefetch(line(2), 0xf, true, 0).result == Result::kNoSpace);  // one entry
  CHECK(cache.use_prefetched(line(1)) == L1Cache::Prefetched::kOnItsWay);
  CHECK(cache.use_prefetched(line(1)) == L1Cache::Prefetched::kNo);  // only the first use counts
  cache.fill(first.tag, 0xf, 0, [](std::uint32_t) {});
  CHECK(cache.use_prefetched(line(1)) == L1Cache::Prefetched::kNo);
  const L1Cache::Prefetch second = cache.prefetch(line(2), 0x3, true, 0);
  cache.fill(second.tag, 0x3, 0, [](std::uint32_t) {});
  CHECK(cache.prefetch(line(2), 0x3, true, 0).result == Result::kPresent);
  CHECK(cache.use_prefetched(line(2)) == L1Cache::Prefetched::kPresent);
  CHECK(cache.use_prefetched(line(2)) == L1Cache::Prefetched::kNo);
}

}  // namespace
}  // namespace warpsim
