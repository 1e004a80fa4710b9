#include "memory/translation/translation_config.h"

#include <catch2/catch.hpp>

#include "base/error.h"
#include "core/gpu/gpu_config.h"
#include "support/machine.h"

namespace warpsim::test {
namespace {

TEST_CASE("TranslationConfig: a description without the section translates everything at once") {
  CHECK_FALSE(tiny_config().memory.translation.enabled);
  CHECK(tiny_config(small_translations()).memory.translation.enabled);
  CHECK_FALSE(tiny_config({"translation.enabled=false"}).memory.translation.enabled);
}

TEST_CASE("TranslationConfig: a section needs all of its keys, and regions are powers of two") {
  CHECK_THROWS_WITH(tiny_config({"translation.enabled=true"}),
                    Catch::Contains("translation") && Catch::Contains("sm_entries"));
  CHECK_THROWS_WITH(tiny_config(small_translations() + Overrides{"translation.sm_entry_mib=3"}),
                    Catch::Contains("must be a power of two"));
  CHECK_THROWS_WITH(tiny_config(small_translations() + Overrides{"translation.gpu.sets=3"}),
                    Catch::Contains("must be a power of two"));
}

}  // namespace
}  // namespace warpsim::test
