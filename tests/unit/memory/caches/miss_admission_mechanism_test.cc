#include "memory/caches/miss_admission_mechanism.h"

#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <memory>
#include <string>

#include "base/error.h"
#include "memory/caches/l1_cache.h"

namespace warpsim {
namespace {

// Admits `most` entries, and writes down what it hears: b for the begin of an entry, with the line, the sectors, the
// requester and the pc, e for its end, both with the number of its begin.
class AdmissionLog final : public mechanism::MissAdmission {
 public:
  struct Settings {
    std::uint32_t most = 0;
    std::string* log = nullptr;
    void describe(mechanism::Keys& keys) { keys.integer("most", most, 0, 255, "entries"); }
  };
  AdmissionLog(const Settings& settings, const Site& /*site*/, mechanism::Counters& counters)
      : settings_(settings), begins_(counters.add("begins", mechanism::CounterUnit::kEvents, "entries")) {}
  bool admits(const mechanism::MissOffer& miss) const override { return miss.joins || miss.used < settings_.most; }
  void begins(std::uint32_t entry, const mechanism::MissOffer& miss) override {
    ++begins_;
    *settings_.log += fmt::format("b{}:{} {:x} warp {} pc {:x} ", entry, miss.line / kLineBytes, miss.sectors,
                                  miss.requester, miss.pc);
  }
  void ends(std::uint32_t entry) override { *settings_.log += fmt::format("e{} ", entry); }

 private:
  Settings settings_;
  mechanism::Counter begins_;
};

class AdmissionLogFactory final : public mechanism::Factory<mechanism::MissAdmission> {
 public:
  AdmissionLogFactory(std::uint32_t most, std::string& log) : settings_{most, &log} {}
  void describe(mechanism::Keys& keys) override { settings_.describe(keys); }
  std::unique_ptr<mechanism::MissAdmission> make(const mechanism::MissAdmissionSite& site,
                                                 mechanism::Counters& counters) const override {
    CHECK(site.entries == 4);
    return std::make_unique<AdmissionLog>(settings_, site, counters);
  }

 private:
  AdmissionLog::Settings settings_;
};

struct AdmittingCache {
  explicit AdmittingCache(std::uint32_t most) : cache(config_of(most, log), root) { cache.configure(2 * kLineBytes); }
  static L1Config config_of(std::uint32_t most, std::string& log) {
    L1Config config;
    config.mshr_entries = 4;
    config.mshr_waiters = 4;
    config.miss_admission = {"log", std::make_shared<AdmissionLogFactory>(most, log)};
    return config;
  }
  L1Cache::Miss miss(std::uint64_t line, std::uint8_t sectors, bool bypass = false) {
    return cache.miss(line * kLineBytes, sectors, bypass, {.pc = 0x40, .warp = 7});
  }
  void fill(std::uint32_t tag, std::uint8_t sectors) {
    cache.fill(tag, sectors, 0, [](std::uint32_t) {});
  }
  std::uint64_t refusals() {
    StatGroup& l1 = *root[0].children().at(0);
    return l1.children().at(0)->counters().at(0).value();
  }

  std::string log;
  LaunchStats<StatGroup> root{"root"};
  L1Cache cache;
};

TEST_CASE("A mechanism refuses misses of L1, and hears of the entries of those that it admits") {
  AdmittingCache l1(1);
  const L1Cache::Miss first = l1.miss(1, 0x3);
  REQUIRE(first.accepted);
  CHECK_FALSE(l1.miss(2, 0x1).accepted);
  CHECK_FALSE(l1.miss(3, 0x1).accepted);
  CHECK(l1.refusals() == 1);  // once until an entry ends
  const L1Cache::Miss joined = l1.miss(1, 0x4);
  CHECK(joined.accepted);
  l1.fill(first.tag, 0x3);
  CHECK_FALSE(l1.miss(2, 0x1).accepted);  // a sector is on its way
  l1.fill(first.tag, 0x4);
  CHECK(l1.miss(2, 0x1, true).accepted);
  CHECK_FALSE(l1.miss(3, 0x1).accepted);
  CHECK(l1.refusals() == 2);
  CHECK(l1.log == "b0:1 3 warp 7 pc 40 e0 b0:2 1 warp 7 pc 40 ");
}

TEST_CASE("Prefetches have entries that an admission of misses does not know, and misses join them") {
  AdmittingCache l1(1);
  const L1Cache::Prefetch prefetch = l1.cache.prefetch(1 * kLineBytes, 0xf, true, 0);
  REQUIRE(prefetch.result == L1Cache::Prefetch::Result::kRequested);
  CHECK(l1.miss(1, 0x1).accepted);
  CHECK_FALSE(l1.miss(2, 0x1).accepted);
  l1.fill(prefetch.tag, 0xf);
  CHECK(l1.miss(2, 0x1).accepted);
  CHECK(l1.log == "b0:2 1 warp 7 pc 40 ");
}

TEST_CASE("A miss that is refused while no entry is in use ends the run") {
  AdmittingCache l1(0);
  CHECK_THROWS_MATCHES(
      l1.miss(1, 0x1), ConfigError,
      Catch::Message("mechanism 'log' refuses a miss of line 0x80 although no entry is in use; expected "
                     "that it admits it, since nothing else ends the wait"));
}

}  // namespace
}  // namespace warpsim
