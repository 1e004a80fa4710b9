#include "config/config_tree.h"

#include <catch2/catch.hpp>

#include "base/error.h"
#include "config/gpu_files.h"
#include "support/temporary_folder.h"

namespace warpsim {
namespace {

enum class Policy : std::uint8_t { kOldest, kRoundRobin };

struct CacheConfig {
  std::uint32_t num_ways = 0;
  std::uint64_t capacity_kib = 0;
  Policy policy = Policy::kOldest;
};
struct SmallConfig {
  std::string name;
  double clock_mhz = 0;
  bool skip = false;
  std::vector<std::uint32_t> sizes;
  CacheConfig l2;
};

void describe(ConfigSection& section, CacheConfig& config) {
  section.integer("num_ways", config.num_ways, 1, 64, "Ways of a set.");
  section.integer("capacity_kib", config.capacity_kib, 1, 1 << 20, "Capacity.");
  section.choice("policy", config.policy, {{"oldest", Policy::kOldest}, {"round_robin", Policy::kRoundRobin}},
                 "Which way is replaced.");
  if (config.num_ways != 0 && config.capacity_kib % config.num_ways != 0) {
    section.problem("capacity_kib", "must be a multiple of num_ways");
  }
}
void describe(ConfigSection& section, SmallConfig& config) {
  section.text("name", config.name, "Name.");
  section.real("clock_mhz", config.clock_mhz, 0.5, 5000, "Clock.");
  section.boolean("skip", config.skip, "Whether to skip.");
  section.integers("sizes", config.sizes, 0, 100, "Sizes.");
  section.nested("l2", config.l2, "The cache.");
}

// Line 1 to 8.
const std::string kGood = R"(name: tiny
clock_mhz: 1.5e3
skip: true
sizes: [1, 2]
l2:
  num_ways: 16
  capacity_kib: 64
  policy: round_robin
)";

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

// The error message of reading; empty if there is none.
std::string error_of(const std::string& text, const std::vector<std::string>& overrides = {}) {
  try {
    ConfigTree tree = ConfigTree::parse(text, "gpu.yaml", overrides);
    tree.read<SmallConfig>();
  } catch (const ConfigError& error) {
    return error.what();
  }
  return {};
}

TEST_CASE("config: comments change neither values nor places, quoted and long texts keep their '#'") {
  const std::string commented = "# first\nname: tiny  # a name\nclock_mhz: 1.5e3 # 'quoted' | >\n  # between\n" +
                                kGood.substr(kGood.find("skip")) + "#last";
  ConfigTree tree = ConfigTree::parse(commented, "gpu.yaml", {});
  CHECK(tree.read<SmallConfig>().name == "tiny");
  CHECK(error_of(replaced(commented, "num_ways: 16", "num_ways: 65  # many")) ==
        "gpu.yaml:8:13: 'l2.num_ways' must be a decimal integer from 1 to 64, got '65'");
  const auto name_of = [](const std::string& value) {
    ConfigTree parsed = ConfigTree::parse(replaced(kGood, "tiny", value), "gpu.yaml", {});
    return parsed.read<SmallConfig>().name;
  };
  CHECK(name_of("a#b") == "a#b");
  CHECK(name_of("a #b") == "a");
  CHECK(name_of("'a #b'") == "a #b");
  CHECK(name_of("\"a #b\"  # c") == "a #b");
  CHECK(name_of("\"a\\\" #b\"  # c") == "a\" #b");
  CHECK(name_of("a\" #b\"") == "a\"");
  CHECK(name_of("\"a\n  #b\"") == "a #b");
  CHECK(name_of("'a \"b\"\n  # c'") == "a \"b\" # c");
  CHECK(name_of("|\n  a #b") == "a #b\n");
  CHECK(name_of(">-\n  a\n  #b") == "a #b");
}

TEST_CASE("config: a good description fills the structs and keeps the place of each value") {
  ConfigTree tree = ConfigTree::parse(kGood, "gpu.yaml", {});
  const SmallConfig config = tree.read<SmallConfig>();
  CHECK(config.name == "tiny");
  CHECK(config.clock_mhz == 1500.0);
  CHECK(config.skip);
  CHECK(config.sizes == std::vector<std::uint32_t>{1, 2});
  CHECK(config.l2.num_ways == 16);
  CHECK(config.l2.policy == Policy::kRoundRobin);
  REQUIRE(tree.values().size() == 7);
  CHECK(tree.values()[1].path == "clock_mhz");
  CHECK(tree.values()[1].text == "1500");
  CHECK(tree.values()[1].origin == "gpu.yaml:2");
  CHECK(tree.values()[3].text == "[1, 2]");
  CHECK(tree.values()[4].path == "l2.num_ways");
  CHECK(tree.values()[4].origin == "gpu.yaml:6");
}

TEST_CASE("config: each error has its message with file, line and column") {
  struct Case {
    const char* from;
    const char* to;
    const char* message;
  };
  const std::vector<Case> cases = {
      {"  num_ways: 16", "  num_wyas: 16\n  num_ways: 16",
       "gpu.yaml:6:3: unknown key 'l2.num_wyas'; did you mean 'num_ways'?"},
      {"  num_ways: 16\n", "", "gpu.yaml:5:1: missing key 'l2.num_ways' (a decimal integer from 1 to 64)"},
      {"skip: true\n", "", "gpu.yaml:1:1: missing key 'skip' (true or false)"},
      {"num_ways: 16", "num_ways: 16\n  num_ways: 8",
       "gpu.yaml:7:3: duplicate key 'num_ways', first given at gpu.yaml:6:3"},
      {"num_ways: 16", "num_ways: 0x1f",
       "gpu.yaml:6:13: 'l2.num_ways' must be a decimal integer from 1 to 64, got '0x1f'"},
      {"num_ways: 16", "num_ways: 016",
       "gpu.yaml:6:13: 'l2.num_ways' must be written without leading zeros, got '016'"},
      {"num_ways: 16", "num_ways: 65", "gpu.yaml:6:13: 'l2.num_ways' must be a decimal integer from 1 to 64, got '65'"},
      {"num_ways: 16", "num_ways: 99999999999999999999999",
       "gpu.yaml:6:13: 'l2.num_ways' must be a decimal integer from 1 to 64, got '99999999999999999999999'"},
      {"num_ways: 16", "num_ways: -1", "gpu.yaml:6:13: 'l2.num_ways' must be a decimal integer from 1 to 64, got '-1'"},
      {"num_ways: 16", "num_ways: \"16\"",
       "gpu.yaml:6:13: 'l2.num_ways' must be a decimal integer from 1 to 64, got the quoted text '16'"},
      {"num_ways: 16", "num_ways: 1.5",
       "gpu.yaml:6:13: 'l2.num_ways' must be a decimal integer from 1 to 64, got '1.5'"},
      {"num_ways: 16", "num_ways: [16]",
       "gpu.yaml:6:13: 'l2.num_ways' must be a decimal integer from 1 to 64, got a list"},
      {"num_ways: 16", "num_ways:", "gpu.yaml:6:3: 'l2.num_ways' must be a decimal integer from 1 to 64, got nothing"},
      {"clock_mhz: 1.5e3", "clock_mhz: nan", "gpu.yaml:2:12: 'clock_mhz' must be a number from 0.5 to 5000, got 'nan'"},
      {"clock_mhz: 1.5e3", "clock_mhz: 0.25",
       "gpu.yaml:2:12: 'clock_mhz' must be a number from 0.5 to 5000, got '0.25'"},
      {"skip: true", "skip: yes", "gpu.yaml:3:7: 'skip' must be true or false, got 'yes'"},
      {"sizes: [1, 2]", "sizes: 1", "gpu.yaml:4:8: 'sizes' must be a list like [1, 2], got '1'"},
      {"sizes: [1, 2]", "sizes: [1, 101]", "gpu.yaml:4:8: 'sizes' must be a decimal integer from 0 to 100, got '101'"},
      {"name: tiny", "name: {a: b}", "gpu.yaml:1:7: 'name' must be a text, got a section"},
      {"policy: round_robin", "policy: round_robbin",
       "gpu.yaml:8:11: 'l2.policy' must be one of oldest, round_robin, got 'round_robbin'; did you mean "
       "'round_robin'?"},
      {"  num_ways: 16\n  capacity_kib: 64\n  policy: round_robin\n", "  none\n",
       "gpu.yaml:6:3: 'l2' must be a section (keys below it), got 'none'"},
      {"capacity_kib: 64", "capacity_kib: 65", "gpu.yaml:7:17: 'l2.capacity_kib' must be a multiple of num_ways"},
      {"skip: true", "skip: &x true",
       "gpu.yaml:3:7: anchors (&name) are not supported; write the value out or use 'extends'"},
      {"skip: true", "skip: !!bool true",
       "gpu.yaml:3:7: the tag 'tag:yaml.org,2002:bool' is not supported; write the plain value"},
      {"l2:", "[a, b]: c\nl2:", "gpu.yaml:5:1: a key must be a word"},
  };
  CHECK(error_of(kGood).empty());
  for (const Case& c : cases) {
    CHECK(error_of(replaced(kGood, c.from, c.to)) == c.message);
  }
}

TEST_CASE("config: all problems are reported at once, one line each") {
  std::string text = replaced(kGood, "num_ways: 16", "num_wyas: 16");
  text = replaced(text, "skip: true", "skip: maybe");
  CHECK(error_of(text) ==
        "gpu.yaml:3:7: 'skip' must be true or false, got 'maybe'\n"
        "gpu.yaml:5:1: missing key 'l2.num_ways' (a decimal integer from 1 to 64)\n"
        "gpu.yaml:6:3: unknown key 'l2.num_wyas'; did you mean 'num_ways'?");
}

TEST_CASE("config: a rule over several keys is not checked if one of them cannot be read") {
  CHECK(error_of(replaced(kGood, "num_ways: 16", "num_ways: 7")) ==
        "gpu.yaml:7:17: 'l2.capacity_kib' must be a multiple of num_ways");
  CHECK(error_of(replaced(kGood, "capacity_kib: 64\n  policy: round_robin", "capacity_kib: 65\n  policy: x")) ==
        "gpu.yaml:8:11: 'l2.policy' must be one of oldest, round_robin, got 'x'");
}

TEST_CASE("config: input that is not YAML or not a map is one error with its place") {
  CHECK(error_of("a: [1,\nb: 2") == "gpu.yaml:2:1: the list that began with '[' has no ']'");
  CHECK(error_of("a: b: c\n").find("gpu.yaml:1:5: ':' where no value can begin; ") == 0);
  CHECK(error_of("") == "gpu.yaml:1:1: expected a map of sections (key: value), found nothing");
  CHECK(error_of("- 1\n") == "gpu.yaml:1:1: expected a map of sections (key: value), found a list");
  CHECK(error_of(std::string("a: \0", 4)) == "gpu.yaml: not text; expected a text in YAML");
  CHECK(error_of(kGood + "---\na: 1\n") ==
        "gpu.yaml:9:1: a second document begins here; expected one description per file");
}

TEST_CASE("config: hostile YAML ends in an error, not in a crash") {
  CHECK(error_of(std::string(100000, '[')).find("nested deeper than 16 levels") != std::string::npos);
  std::string deep;
  for (int i = 0; i < 200; ++i) {
    deep += std::string(static_cast<std::size_t>(i), ' ') + "a:\n";
  }
  CHECK(error_of(deep).find("nested deeper than 16 levels") != std::string::npos);
  // Each level would unfold the previous one ten times.
  std::string bomb = "a: &a [x]\n";
  for (char c = 'b'; c <= 'z'; ++c) {
    const char before = static_cast<char>(c - 1);
    bomb += std::string(1, c) + ": &" + c + " [";
    for (int i = 0; i < 10; ++i) {
      bomb += std::string("*") + before + ",";
    }
    bomb += "]\n";
  }
  CHECK(error_of(bomb).find("aliases (*name) are not supported") != std::string::npos);
  CHECK(error_of("base: &b {x: 1}\nl2:\n  <<: *b\n").find("gpu.yaml:3:7: aliases") != std::string::npos);
  CHECK(error_of(std::string((1 << 20) + 1, '#')) == "gpu.yaml: larger than 1 MiB; expected a text in YAML");
}

TEST_CASE("config: --set changes one value and becomes its origin") {
  ConfigTree tree = ConfigTree::parse(kGood, "gpu.yaml", {"l2.num_ways=4", "sizes=[7, 8, 9]", "l2.num_ways=8"});
  const SmallConfig config = tree.read<SmallConfig>();
  CHECK(config.l2.num_ways == 8);
  CHECK(config.sizes == std::vector<std::uint32_t>{7, 8, 9});
  CHECK(tree.values()[4].origin == "--set");
  CHECK(tree.values()[5].origin == "gpu.yaml:7");
}

TEST_CASE("config: a wrong --set has the same errors as a wrong file") {
  CHECK(error_of(kGood, {"l2.num_wyas=24"}) ==
        "--set l2.num_wyas=24: unknown key 'l2.num_wyas'; did you mean 'num_ways'?");
  CHECK(error_of(kGood, {"l2.num_ways=x"}) ==
        "--set l2.num_ways=x: 'l2.num_ways' must be a decimal integer from 1 to 64, got 'x'");
  CHECK(error_of(kGood, {"l2=3"}) == "--set l2=3: 'l2' must be a section (keys below it), got '3'");
  CHECK(error_of(kGood, {"skip.x=3"}) == "--set skip.x=3: 'skip' must be true or false, got a section");
  CHECK(error_of(kGood, {"l2.num_ways"}) == "--set l2.num_ways: expected section.key=value");
  CHECK(error_of(kGood, {"=4"}) == "--set =4: expected section.key=value");
  CHECK(error_of(kGood, {"l2..x=4"}) == "--set l2..x=4: expected section.key=value");
  CHECK(error_of(kGood, {"sizes=[1,"}).find("--set sizes=[1,: the list that began with '[' has no ']'") == 0);
  CHECK(error_of(kGood, {"extends=a.yaml"}) == "--set extends=a.yaml: 'extends' is allowed only in a file");
  // The map is still that of the file: missing keys are missing there.
  CHECK(error_of(replaced(kGood, "  capacity_kib: 64\n", ""), {"l2.num_ways=4"}) ==
        "gpu.yaml:5:1: missing key 'l2.capacity_kib' (a decimal integer from 1 to 1048576)");
}

TEST_CASE("config: extends merges sections and keeps the origins") {
  const TemporaryFolder folder;
  const std::string base = folder.write("base.yaml", kGood);
  const std::string derived = folder.write("sub/derived.yaml", "extends: ../base.yaml\nl2:\n  num_ways: 32\n");
  ConfigTree tree = ConfigTree::load(derived, {});
  const SmallConfig config = tree.read<SmallConfig>();
  CHECK(config.l2.num_ways == 32);
  CHECK(config.l2.capacity_kib == 64);
  CHECK(config.name == "tiny");
  CHECK(tree.values()[0].origin == base + ":1");
  CHECK(tree.values()[4].origin == derived + ":3");
  CHECK(tree.values()[5].origin == base + ":7");
}

TEST_CASE("config: extends names a shipped description like --gpu; a file with that name has precedence") {
  const TemporaryFolder folder;
  const std::string derived = folder.write("derived.yaml", "extends: h200\nl2:\n  num_ways: 24\n");
  const ConfigTree tree = ConfigTree::load(derived, {});
  REQUIRE(tree.files().size() >= 2);
  CHECK(tree.files()[0] == derived);
  CHECK(tree.files()[1] == find_gpu_file("h200"));
  folder.write("h200", kGood);
  CHECK(ConfigTree::load(derived, {}).files() == std::vector<std::string>{derived, folder.at("h200")});
}

TEST_CASE("config: a rule broken by the user's value names that value, not the base file") {
  const TemporaryFolder folder;
  const std::string base = folder.write("base.yaml", kGood);
  const std::string derived = folder.write("derived.yaml", "extends: base.yaml\nl2:\n  num_ways: 7\n");
  const auto error_of_file = [](const std::string& path, const std::vector<std::string>& overrides) -> std::string {
    try {
      ConfigTree::load(path, overrides).read<SmallConfig>();
    } catch (const ConfigError& error) {
      return error.what();
    }
    return "";
  };
  const std::string rule = " violates a rule of 'l2.capacity_kib' (" + base + ":7:17): must be a multiple of num_ways";
  CHECK(error_of_file(derived, {}) == derived + ":3:13: 'l2.num_ways' = 7" + rule);
  CHECK(error_of_file(base, {"l2.num_ways=7"}) == "--set l2.num_ways=7: 'l2.num_ways' = 7" + rule);
  // A value that the rule does not name is not reported for errors in the user's own file.
  CHECK(error_of_file(folder.write("own.yaml", replaced(kGood, "num_ways: 16", "num_ways: 7")), {"l2.policy=oldest"}) ==
        folder.at("own.yaml") + ":7:17: 'l2.capacity_kib' must be a multiple of num_ways");
  // A value of --set is nearer to the user than a value of a file.
  CHECK(error_of_file(derived, {"l2.num_ways=9"}) == "--set l2.num_ways=9: 'l2.num_ways' = 9" + rule);
  // The key of the rule itself is in the user's file: it is reported as usual.
  const std::string both = folder.write("both.yaml", "extends: base.yaml\nl2:\n  num_ways: 7\n  capacity_kib: 8\n");
  CHECK(error_of_file(both, {}) == both + ":4:17: 'l2.capacity_kib' must be a multiple of num_ways");
}

TEST_CASE("config: tabs and quotes that never close are named with line and column") {
  CHECK(error_of("a: 1\nb:\n\tc: 2\n") == "gpu.yaml:3:1: a tab character in the indentation; expected spaces");
  CHECK(error_of("a:\n  b: 1\n \tc: 2\n") == "gpu.yaml:3:2: a tab character in the indentation; expected spaces");
  CHECK(error_of("a: \"x\n") == "gpu.yaml:1:4: the quoted text has no closing quote");
  CHECK(error_of("a: 'it''s\n") == "gpu.yaml:1:4: the quoted text has no closing quote");
  CHECK(error_of("a: *b\n") == "gpu.yaml:1:4: aliases (*name) are not supported; write the value out or use 'extends'");
  // A tab between key and value is not indentation.
  CHECK(error_of("a:\t1\n").find("a tab character") == std::string::npos);
}

TEST_CASE("config: no message contains the text of the YAML library") {
  for (const char* const text :
       {"a: [1\n", "a: {b\n", "a: b: c\n", "a: 1\n b: 2\n", "a: }\n", "@a: 1\n", "a: |3x\n   b\n",
        "%YAML 1\n---\na: 1\n", "a: !<tag:b\n", "a: \"\\q\"\n", "a: \"\\xzz\"\n", "a: &\n", "a: *\n",
        "%TAG ! \n---\na: 1\n", "a: - b\n", "- a\n b\n: c\n"}) {
    const std::string error = error_of(text);
    CAPTURE(text, error);
    CHECK(error.starts_with("gpu.yaml:"));
    for (const char* const words : {"illegal", "not found", "yaml-cpp", "bad ", "scanning", "flow"}) {
      CHECK(error.find(words) == std::string::npos);
    }
  }
}

TEST_CASE("config: extends in a cycle, of nothing or of a list is refused with its place") {
  const TemporaryFolder folder;
  const std::string a = folder.write("a.yaml", "extends: b.yaml\n");
  const std::string b = folder.write("b.yaml", "x: 1\nextends: ././a.yaml\n");
  CHECK_THROWS_WITH(ConfigTree::load(a, {}), b + ":2:10: 'extends' forms a cycle with " + a);
  const std::string c = folder.write("c.yaml", "extends: nowhere.yaml\n");
  CHECK_THROWS_WITH(ConfigTree::load(c, {}), c + ":1:10: 'extends' names 'nowhere.yaml', which is neither a file (" +
                                                 folder.at("nowhere.yaml") +
                                                 "; the path is relative to this file) nor a shipped description");
  const std::string near = folder.write("near.yaml", "extends: h20\n");
  CHECK_THROWS_WITH(ConfigTree::load(near, {}), Catch::EndsWith("did you mean 'h200'?"));
  std::filesystem::create_directory(folder.at("sub"));
  const std::string of_folder = folder.write("of_folder.yaml", "extends: sub\n");
  CHECK_THROWS_WITH(ConfigTree::load(of_folder, {}),
                    Catch::EndsWith("which cannot be read: it is a folder, not a file"));
  const std::string d = folder.write("d.yaml", "extends: [a.yaml]\n");
  CHECK_THROWS_WITH(ConfigTree::load(d, {}), d + ":1:10: 'extends' must name a file, got a list");
  CHECK_THROWS_WITH(
      ConfigTree::load(folder.at("none.yaml"), {}),
      folder.at("none.yaml") + ": cannot be read: there is no such file; expected a GPU description in YAML");
  CHECK_THROWS_WITH(ConfigTree::load(folder.at(""), {}),
                    folder.at("") + ": cannot be read: it is a folder, not a file; expected a GPU description in YAML");
}

TEST_CASE("config: the hash follows the values, not the way they are written") {
  const auto hash_of = [](const std::string& text, const std::vector<std::string>& overrides) {
    ConfigTree tree = ConfigTree::parse(text, "gpu.yaml", overrides);
    tree.read<SmallConfig>();
    return tree.hash();
  };
  CHECK(hash_of(kGood, {}) == hash_of("# comment\n" + replaced(kGood, "1.5e3", "1500.0"), {"l2.num_ways=16"}));
  CHECK(hash_of(kGood, {}) != hash_of(kGood, {"l2.num_ways=8"}));
}

}  // namespace
}  // namespace warpsim
