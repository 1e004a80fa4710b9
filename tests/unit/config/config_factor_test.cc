#include "config/config_factor.h"

#include <catch2/catch.hpp>
#include <string>

#include "config/config_tree.h"
#include "support/temporary_folder.h"

namespace warpsim {
namespace {

ConfigNode scalar(const std::string& text, bool quoted = false) {
  ConfigNode node;
  node.kind = ConfigNode::Kind::kScalar;
  node.scalar = text;
  node.quoted = quoted;
  return node;
}

std::string laid_on(const ConfigNode& base, const ConfigNode& over) {
  ConfigNode node = over;
  apply_factor(base, node);
  return node.scalar;
}

struct Rates {
  std::uint32_t cycles = 0;
  double bytes = 0;
};
void describe(ConfigSection& section, Rates& rates) {
  section.integer("cycles", rates.cycles, 1, 1000, "cycles");
  section.real("bytes", rates.bytes, 0, 1e9, "bytes");
}

TEST_CASE("A factor becomes its product with the value below it, rounded if that is an integer") {
  CHECK(laid_on(scalar("32"), scalar("x2")) == "64");
  CHECK(laid_on(scalar("5"), scalar("x0.5")) == "3");
  CHECK(laid_on(scalar("5"), scalar("x0.29")) == "1");
  CHECK(laid_on(scalar("3201"), scalar("x1")) == "3201");
  CHECK(laid_on(scalar("1.83"), scalar("x2")) == "3.66");
  CHECK(laid_on(scalar("0"), scalar("x7")) == "0");
}

TEST_CASE("Values that are no factor, and factors of what is no number, stay as they are") {
  CHECK(laid_on(scalar("32"), scalar("64")) == "64");
  CHECK(laid_on(scalar("32"), scalar("x")) == "x");
  CHECK(laid_on(scalar("32"), scalar("x-1")) == "x-1");
  CHECK(laid_on(scalar("32"), scalar("xinf")) == "xinf");
  CHECK(laid_on(scalar("32"), scalar("x2 ")) == "x2 ");
  CHECK(laid_on(scalar("32"), scalar("x2", true)) == "x2");
  CHECK(laid_on(scalar("lru"), scalar("x2")) == "x2");
  CHECK(laid_on(scalar("18446744073709551615"), scalar("x2")) == "x2");
}

TEST_CASE("Factors follow files and earlier overrides, and keep the place of the factor") {
  const TemporaryFolder folder;
  folder.write("base.yaml", "cycles: 10\nbytes: 1.5\n");
  const std::string path = folder.write("own.yaml", "extends: base.yaml\ncycles: x3\n");
  ConfigTree tree = ConfigTree::load(path, {"cycles=x2", "bytes=8", "bytes=x1.5"});
  const Rates rates = tree.read<Rates>();
  CHECK(rates.cycles == 60);
  CHECK(rates.bytes == 12);
  CHECK(tree.values()[0].text == "60");
  CHECK(tree.values()[0].origin == "--set");
  CHECK(ConfigTree::load(path, {}).overridden({"cycles=x2"}).read<Rates>().cycles == 60);
}

TEST_CASE("A factor without a number below it, and a product out of range, are errors of the key") {
  CHECK_THROWS_WITH(ConfigTree::parse("cycles: x2\nbytes: 1\n", "gpu.yaml", {}).read<Rates>(),
                    "gpu.yaml:1:9: 'cycles' must be a decimal integer from 1 to 1000, got 'x2'");
  CHECK_THROWS_WITH(ConfigTree::parse("cycles: 600\nbytes: 1\n", "gpu.yaml", {"cycles=x2"}).read<Rates>(),
                    "--set cycles=x2: 'cycles' must be a decimal integer from 1 to 1000, got '1200'");
}

}  // namespace
}  // namespace warpsim
