#include "config/config_document.h"

#include <catch2/catch.hpp>

namespace warpsim {
namespace {

struct Inner {
  double rate = 0;
};
struct Outer {
  std::uint32_t count = 0;
  Inner inner;
  bool flag = false;
};
void describe(ConfigSection& section, Inner& config) {
  section.real("rate_ghz", config.rate, 0, 2.5, "Rate | of it.");
}
void describe(ConfigSection& section, Outer& config) {
  section.nested("inner", config.inner, "The inner one.");
  section.integer("count", config.count, 1, 8, "How many.");
  section.boolean("flag", config.flag, "Whether.");
  section.problem("count", "is never right");
}

TEST_CASE("config reference: sections become headings and keys rows, own keys first") {
  const std::string text = config_reference<Outer>();
  const std::string expected = R"(
| key | value | meaning |
| --- | --- | --- |
| `count` | integer, 1 to 8 | How many. |
| `flag` | `true` or `false` | Whether. |

## `inner`

The inner one.

| key | value | meaning |
| --- | --- | --- |
| `rate_ghz` | number, 0 to 2.5 | Rate \| of it. |
)";
  REQUIRE(text.size() > expected.size());
  CHECK(text.substr(text.size() - expected.size()) == expected);
  CHECK(text.find("# Configuration reference\n") == 0);
}

}  // namespace
}  // namespace warpsim
