#include "mechanisms/mechanism_choice.h"

#include <catch2/catch.hpp>

#include "base/error.h"
#include "config/config_tree.h"
#include "memory/caches/tag_array.h"
#include "support/temporary_folder.h"

namespace warpsim {
namespace {

struct CacheConfig {
  Replacement replacement = Replacement::kFifo;
  MechanismChoice<mechanism::Replacement> mechanism;
};

void describe(ConfigSection& section, CacheConfig& config) {
  describe_mechanism(section, "replacement", config.replacement, {{"lru", Replacement::kLru}}, Replacement::kMechanism,
                     config.mechanism, "which line is replaced");
}

CacheConfig read_cache(const std::string& yaml) {
  return ConfigTree::parse(yaml, "cache.yaml", {}).read<CacheConfig>();
}

std::vector<std::string> values_of(const std::string& yaml) {
  ConfigTree tree = ConfigTree::parse(yaml, "cache.yaml", {});
  tree.read<CacheConfig>();
  std::vector<std::string> values;
  for (const ConfigValue& value : tree.values()) {
    values.push_back(value.path + "=" + value.text + " (" + value.origin + ")");
  }
  return values;
}

TEST_CASE("A component's own way is chosen without a mechanism") {
  const CacheConfig config = read_cache("replacement: lru\n");
  CHECK(config.replacement == Replacement::kLru);
  CHECK_FALSE(config.mechanism.chosen());
}

TEST_CASE("A shipped mechanism is chosen by its name, with the defaults of its keys") {
  const CacheConfig config = read_cache("replacement: srrip\n");
  CHECK(config.replacement == Replacement::kMechanism);
  REQUIRE(config.mechanism.chosen());
  CHECK(config.mechanism.name() == "srrip");
  CHECK(
      values_of("replacement: srrip\n") ==
      std::vector<std::string>{"replacement=srrip (cache.yaml:1)", "replacement_options.prediction_bits=2 (default)"});
}

TEST_CASE("Keys of a mechanism are read from the section of its options") {
  CHECK(values_of("replacement: srrip\nreplacement_options: {prediction_bits: 3}\n") ==
        std::vector<std::string>{"replacement=srrip (cache.yaml:1)",
                                 "replacement_options.prediction_bits=3 (cache.yaml:2)"});
}

TEST_CASE("Wrong names and keys of mechanisms are reported with their place") {
  CHECK_THROWS_WITH(read_cache("replacement: srip\n"),
                    Catch::StartsWith("cache.yaml:1:14: 'replacement' must be one of lru, ") &&
                        Catch::EndsWith("or LIBRARY:NAME, got 'srip'; did you mean 'srrip'?"));
  CHECK_THROWS_WITH(
      read_cache("replacement: srrip\nreplacement_options: {prediction_bits: 99}\n"),
      Catch::Contains("cache.yaml:2:40: 'replacement_options.prediction_bits' must be a decimal integer from 1 to"));
  CHECK_THROWS_WITH(read_cache("replacement: srrip\nreplacement_options: {prediction_bit: 2}\n"),
                    Catch::Contains("unknown key 'replacement_options.prediction_bit'") &&
                        Catch::Contains("did you mean 'prediction_bits'?"));
  CHECK_THROWS_WITH(read_cache("replacement: lru\nreplacement_options: {prediction_bits: 2}\n"),
                    Catch::Contains("cache.yaml:2:22: 'replacement_options' has no meaning: 'lru' has no options"));
  CHECK_THROWS_WITH(read_cache("replacement: srrip\nreplacement_options: 2\n"),
                    Catch::Contains("'replacement_options' must be a section"));
}

TEST_CASE("The path of a library is relative to the file that names it") {
  const TemporaryFolder folder;
  folder.write("gpu.yaml", "replacement: libnone.so:mine\n");
  const std::string path = folder.at("gpu.yaml");
  ConfigTree tree = ConfigTree::load(path, {});
  CHECK_THROWS_WITH(
      tree.read<CacheConfig>(),
      Catch::Contains("'replacement' names 'libnone.so:mine', which cannot be used: " + folder.at("libnone.so") +
                      ": cannot be read: there is no such file; expected a shared library"));
  ConfigTree overridden = ConfigTree::load(path, {"replacement=./other.so:mine"});
  CHECK_THROWS_WITH(overridden.read<CacheConfig>(),
                    Catch::Contains("which cannot be used: ./other.so: cannot be read"));
}

class Throwing final : public mechanism::Replacement {
 public:
  Throwing(const Settings& /*settings*/, const Site& /*site*/, mechanism::Counters& /*counters*/) {
    throw std::runtime_error("no such day");
  }
  void inserted(mechanism::Way /*place*/, mechanism::Address /*line*/, bool /*leaves_first*/) override {}
  void used(mechanism::Way /*place*/, mechanism::Address /*line*/) override {}
  void removed(mechanism::Way /*place*/) override {}
  std::uint32_t victim(std::uint32_t /*set*/) override { return 0; }
  void cleared() override {}
};

TEST_CASE("What a mechanism's constructor throws becomes an error of the description") {
  const auto entry = mechanism::entry_of<Throwing>("throwing", "throws");
  const MechanismChoice<mechanism::Replacement> choice("throwing", entry.make_factory());
  LaunchStats<StatGroup> root("root");
  MechanismCounters counters(root, "replacement");
  CHECK_THROWS_AS(choice.make({}, counters), ConfigError);
  CHECK_THROWS_WITH(choice.make({}, counters), "mechanism 'throwing': no such day");
}

}  // namespace
}  // namespace warpsim
