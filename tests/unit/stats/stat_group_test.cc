#include "stats/stat_group.h"

#include <catch2/catch.hpp>

#include "base/check.h"
#include "stats/stat_snapshot.h"

namespace warpsim {
namespace {

struct SubCoreStats : StatGroup {
  using StatGroup::StatGroup;
  Counter issued{*this, "issued", Unit::kInstructions, "instructions issued"};
  Histogram wait{*this, "wait", Unit::kCycles, "cycles waited"};
};
struct SmStats : StatGroup {
  using StatGroup::StatGroup;
  Counter cycles{*this, "cycles", Unit::kCycles, "cycles"};
  SubCoreStats first{*this, "sub_core", 0};
  SubCoreStats second{*this, "sub_core", 1};
};

class Names final : public StatVisitor {
 public:
  void counter(const std::string& kind, const std::string& path, const NamedCounter& counter) override {
    seen.push_back(kind + " " + path + " " + counter.name() + "=" + std::to_string(counter.value()));
  }
  void histogram(const std::string& kind, const std::string& path, const Histogram& histogram) override {
    seen.push_back(kind + " " + path + " " + histogram.name() + " n=" + std::to_string(histogram.count()));
  }
  std::vector<std::string> seen;
};

TEST_CASE("histogram: small values have their own bucket, then each power of two has four") {
  CHECK(Histogram::bucket_of(0) == 0);
  CHECK(Histogram::bucket_of(3) == 3);
  CHECK(Histogram::bucket_of(4) == 4);
  CHECK(Histogram::bucket_of(7) == 7);
  CHECK(Histogram::bucket_of(8) == 8);
  CHECK(Histogram::bucket_of(9) == 8);
  CHECK(Histogram::bucket_of(10) == 9);
  CHECK(Histogram::bucket_of(16) == 12);
  CHECK(Histogram::lower_bound(9) == 10);
  CHECK(Histogram::bucket_of(0xffffffffU) == Histogram::kBuckets - 1);
  CHECK(Histogram::bucket_of(~std::uint64_t{0}) == Histogram::kBuckets - 1);
  CHECK(Histogram::lower_bound(Histogram::kBuckets - 1) == std::uint64_t{7} << 29);
  for (std::uint32_t bucket = 0; bucket < Histogram::kBuckets; ++bucket) {
    CHECK(Histogram::bucket_of(Histogram::lower_bound(bucket)) == bucket);
    if (bucket > 0) {
      CHECK(Histogram::bucket_of(Histogram::lower_bound(bucket) - 1) == bucket - 1);
    }
  }
}

TEST_CASE("histogram: sum, count and greatest follow what was added") {
  StatGroup root("gpu");
  Histogram histogram(root, "h", Unit::kCycles, "values");
  histogram.add(10, 3);
  histogram.add(100);
  CHECK(histogram.count() == 4);
  CHECK(histogram.sum() == 130);
  CHECK(histogram.greatest() == 100);
  CHECK(histogram.in_bucket(Histogram::bucket_of(10)) == 3);
  root.reset();
  CHECK(histogram.count() == 0);
  CHECK(histogram.in_bucket(Histogram::bucket_of(10)) == 0);
}

TEST_CASE("stat tree: a visit goes depth first and names kind and instance") {
  StatGroup root("gpu");
  SmStats sm(root, "sm", 12);
  sm.cycles += 5;
  ++sm.second.issued;
  sm.second.wait.add(7);
  Names names;
  visit(root, names);
  CHECK(names.seen == std::vector<std::string>{
                          "sm sm[12] cycles=5",
                          "sm.sub_core sm[12].sub_core[0] issued=0",
                          "sm.sub_core sm[12].sub_core[0] wait n=0",
                          "sm.sub_core sm[12].sub_core[1] issued=1",
                          "sm.sub_core sm[12].sub_core[1] wait n=1",
                      });
  root.reset();
  CHECK(sm.cycles.value() == 0);
  CHECK(sm.second.issued.value() == 0);
}

TEST_CASE("stat tree: two counters with one name in a group are an internal error") {
  StatGroup root("gpu");
  Counter first(root, "x", Unit::kEvents, "x");
  Counter second(root, "x", Unit::kEvents, "again");
  CHECK_THROWS_WITH(StatSnapshot(root), Catch::Contains("two statistics of one group are called x"));
}

}  // namespace
}  // namespace warpsim
