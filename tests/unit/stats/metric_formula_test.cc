#include "stats/metric_formula.h"

#include <catch2/catch.hpp>

#include "base/check.h"
#include "stats/metric_catalog.h"

namespace warpsim {
namespace {

struct UnitStats : StatGroup {
  using StatGroup::StatGroup;
  Counter hits{*this, "hits", Unit::kEvents, "hits"};
  Counter misses{*this, "misses", Unit::kEvents, "misses"};
  Counter stalled_a{*this, "stalled_a", Unit::kWarpCycles, "a"};
  Counter stalled_b{*this, "stalled_b", Unit::kWarpCycles, "b"};
};

// Two units: hits 6 and 2, misses 0 and 0, stalled 1 + 10 and 2 + 20.
class Tree {
 public:
  Tree() {
    first.hits += 6;
    second.hits += 2;
    first.stalled_a += 1;
    first.stalled_b += 10;
    second.stalled_a += 2;
    second.stalled_b += 20;
  }
  std::optional<double> value(const char* formula) const {
    const StatSnapshot snapshot(root);
    return MetricFormula(formula).evaluate({snapshot, launch});
  }
  std::vector<std::string> missing(const char* formula) const {
    const StatSnapshot snapshot(root);
    return MetricFormula(formula).missing({snapshot, launch});
  }

  StatGroup root{"gpu"};
  UnitStats first{root, "unit", 0};
  UnitStats second{root, "unit", 1};
  std::map<std::string, double> launch{{"grid_size", 12}};
};

TEST_CASE("metric formula: sums, maxima, means and counts are over all instances") {
  const Tree tree;
  CHECK(tree.value("sum(unit.hits)") == 8.0);
  CHECK(tree.value("max(unit.hits)") == 6.0);
  CHECK(tree.value("avg(unit.hits)") == 4.0);
  CHECK(tree.value("count(unit)") == 2.0);
  CHECK(tree.value("sum(unit.stalled_*)") == 33.0);
  CHECK(tree.value("launch.grid_size") == 12.0);
}

TEST_CASE("metric formula: products bind tighter than sums, and are left-associative") {
  const Tree tree;
  CHECK(tree.value("2 + 3 * 4") == 14.0);
  CHECK(tree.value("(2 + 3) * 4") == 20.0);
  CHECK(tree.value("10 - 3 - 2") == 5.0);
  CHECK(tree.value("100 / 10 / 2") == 5.0);
  CHECK(tree.value("100 * sum(unit.hits) / (count(unit) * launch.grid_size)") == Approx(800.0 / 24));
}

TEST_CASE("metric formula: 0 of 0 is 0, a positive value of 0 has no value") {
  const Tree tree;
  CHECK(tree.value("sum(unit.misses) / sum(unit.misses)") == 0.0);
  CHECK_FALSE(tree.value("sum(unit.hits) / sum(unit.misses)").has_value());
}

TEST_CASE("metric formula: an unknown counter has no value and is reported, never zero") {
  const Tree tree;
  CHECK_FALSE(tree.value("sum(unit.hits) + sum(unit.hist)").has_value());
  CHECK(tree.missing("sum(unit.hits) + sum(unit.hist)") == std::vector<std::string>{"unit.hist"});
  CHECK(tree.missing("launch.size * count(other) + sum(unit.x_*)") ==
        std::vector<std::string>{"launch.size", "other", "unit.x_*"});
  CHECK(tree.missing("sum(unit.hits)").empty());
}

TEST_CASE("metric formula: a formula that cannot be parsed is an internal error") {
  for (const char* formula :
       {"", "sum(unit.hits", "sum unit.hits", "1 +", "median(unit.hits)", "1 2", "max(unit.x_*)"}) {
    CHECK_THROWS_AS(MetricFormula(formula), InternalError);
  }
}

TEST_CASE("metric catalog: every metric has a unit, a description, and a formula or a reason") {
  const MetricCatalog catalog;  // parses all formulas
  std::vector<std::string> names;
  for (const MetricDefinition& definition : metric_definitions()) {
    CHECK(*definition.unit != '\0');
    CHECK(*definition.description != '\0');
    CHECK((definition.formula == nullptr) != (definition.reason == nullptr));
    names.emplace_back(definition.name);
  }
  std::sort(names.begin(), names.end());
  CHECK(std::adjacent_find(names.begin(), names.end()) == names.end());
  CHECK(names.size() == 154);
}

TEST_CASE("metric catalog: a metric whose counter is missing has a reason instead of a value") {
  const Tree tree;
  const StatSnapshot snapshot(tree.root);
  const MetricCatalog catalog;
  for (const MetricCatalog::Value& value : catalog.evaluate({snapshot, tree.launch})) {
    if (std::string(value.definition->name) == "smsp__inst_executed.sum") {
      CHECK_FALSE(value.value.has_value());
      CHECK(value.reason == "the simulated GPU does not count sm.sub_core.inst_executed");
    }
    if (std::string(value.definition->name) == "launch__grid_size") {
      CHECK(value.value == 12.0);
      CHECK(value.reason.empty());
    }
  }
  const std::vector<std::string> missing = catalog.missing({snapshot, tree.launch});
  CHECK(std::find(missing.begin(), missing.end(), "smsp__inst_executed.sum: sm.sub_core.inst_executed") !=
        missing.end());
}

}  // namespace
}  // namespace warpsim
