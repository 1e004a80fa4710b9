#include "config/broken_rule.h"

#include <catch2/catch.hpp>

namespace warpsim {
namespace {

ConfigNode::Entry value(const std::string& key, const std::string& text, const ConfigOrigin& origin) {
  ConfigNode node;
  node.kind = ConfigNode::Kind::kScalar;
  node.scalar = text;
  node.origin = origin;
  return {key, origin, node};
}

ConfigNode::Entry section(const std::string& key, std::vector<ConfigNode::Entry> entries) {
  ConfigNode node;
  node.kind = ConfigNode::Kind::kMap;
  node.entries = std::move(entries);
  return {key, {}, node};
}

const std::vector<std::string> kFiles = {"mine.yaml", "chip.yaml", "family.yaml"};
const ConfigOrigin kMine{"mine.yaml", 2, 3};
const ConfigOrigin kChip{"chip.yaml", 5, 3};
const ConfigOrigin kFamily{"family.yaml", 9, 3};
const ConfigOrigin kSet{"--set a.x=1", 0, 0};

TEST_CASE("broken rule: a value that the message names comes before one of the section") {
  ConfigNode root;
  root.entries = {section("a", {value("x", "1", kMine), value("size", "4", kFamily)}),
                  section("b", {value("ways", "7", kMine)})};
  const auto culprit = find_culprit(root, {"a.size", kFamily, "must be a multiple of b.ways"}, kFiles);
  REQUIRE(culprit);
  CHECK(culprit->path == "b.ways");
  CHECK(culprit->value == "7");
  CHECK(culprit->origin.position() == "mine.yaml:2:3");
  // "ways" is not a word of "hallways".
  CHECK(find_culprit(root, {"a.size", kFamily, "has hallways"}, kFiles)->path == "a.x");
}

TEST_CASE("broken rule: the value nearest to the user is reported, and none farther than that of the rule") {
  ConfigNode root;
  root.entries = {section("a", {value("far", "1", kFamily), value("near", "2", kChip), value("x", "3", kSet)})};
  CHECK(find_culprit(root, {"a.size", kFamily, ""}, kFiles)->path == "a.x");
  root.entries[0].value.entries.pop_back();
  CHECK(find_culprit(root, {"a.size", kFamily, ""}, kFiles)->path == "a.near");
  CHECK_FALSE(find_culprit(root, {"a.size", kChip, ""}, kFiles));
  CHECK_FALSE(find_culprit(root, {"a.size", kSet, "near"}, kFiles));
}

TEST_CASE("broken rule: a rule of a whole section includes the keys below it, but not other sections") {
  ConfigNode root;
  root.entries = {section("sm", {section("sub", {value("slots", "9", kMine)})}),
                  section("l2", {value("ways", "7", kMine)})};
  CHECK(find_culprit(root, {"sm", kFamily, "slots that are too many"}, kFiles)->path == "sm.sub.slots");
  CHECK(find_culprit(root, {"sm", kFamily, "does not add up"}, kFiles)->path == "sm.sub.slots");
  CHECK_FALSE(find_culprit(root, {"dram.rows", kFamily, "does not add up"}, kFiles));
}

}  // namespace
}  // namespace warpsim
