#include "core/gpu/specifications.h"

#include <catch2/catch.hpp>
#include <set>

#include "base/error.h"
#include "support/machine.h"

namespace warpsim::test {
namespace {

using Catch::Matchers::Contains;

TEST_CASE("Specifications: sizes have as many numbers as dimensions, or none", "[core]") {
  CHECK_THROWS_WITH(tiny_config({"specifications.texture_3d=[1, 2]"}), Contains("expected 3 numbers, or none"));
  CHECK(tiny_config({"specifications.texture_3d=[]"}).specifications.texture_3d.empty());
  CHECK_THROWS_WITH(tiny_config({"specifications.grid_size=[]"}), Contains("expected 3 numbers"));
  CHECK_THROWS_WITH(tiny_config({"specifications.texture_cache_kib=[48, 12]"}), Contains("two that ascend"));
}

TEST_CASE("Specifications: a feature is present, absent, or present on some GPUs", "[core]") {
  CHECK(tiny_config({"specifications.features.clusters=no"}).specifications.features.clusters == Support::kNo);
  CHECK(tiny_config({"specifications.features.clusters=some"}).specifications.features.clusters == Support::kSome);
  CHECK_THROWS_WITH(tiny_config({"specifications.features.clusters=maybe"}), Contains("clusters"));
}

TEST_CASE("Specifications: every feature has its own key", "[core]") {
  std::set<std::string> keys;
  for (const FeatureRow& row : feature_rows()) {
    CHECK(keys.insert(row.key).second);
  }
  CHECK(keys.size() == 49);
}

}  // namespace
}  // namespace warpsim::test
