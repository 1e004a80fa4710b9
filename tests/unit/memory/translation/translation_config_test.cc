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
  CHECK_THROWS_WITH(tiny_config(small_translations() + Overrides{"translation.sm_entry_pages=3"}),
                    Catch::Contains("must be a power of two"));
  CHECK_THROWS_WITH(tiny_config(small_translations() + Overrides{"translation.page_kib=96"}),
                    Catch::Contains("page_kib") && Catch::Contains("must be a power of two"));
  CHECK_THROWS_WITH(tiny_config(small_translations() + Overrides{"translation.gpu.sets=3"}),
                    Catch::Contains("must be a power of two"));
}

TEST_CASE("TranslationConfig: the size of pages scales what entries cover") {
  const TranslationConfig config =
      tiny_config(small_translations() + Overrides{"translation.page_kib=64", "translation.gpu.entry_pages=32"})
          .memory.translation;
  CHECK(config.kib(config.sm_entry_pages) == 64);
  CHECK(config.kib(config.gpu.entry_pages) == 2048);
}

TEST_CASE("TranslationConfig: page tables are in memory only if the description says so, with all of their keys") {
  CHECK_FALSE(tiny_config(small_translations()).memory.translation.tables.in_memory);
  CHECK_FALSE(tiny_config(small_translations() + Overrides{"translation.tables.in_memory=false"})
                  .memory.translation.tables.in_memory);
  CHECK_THROWS_WITH(tiny_config(small_translations() + Overrides{"translation.tables.in_memory=true"}),
                    Catch::Contains("translation.tables") && Catch::Contains("entry_bytes"));
  const PageTablesConfig tables = tiny_config(small_translations() + tables_in_memory()).memory.translation.tables;
  CHECK(tables.in_memory);
  CHECK(tables.entry_bytes == 16);
  CHECK(tables.directory_levels == 2);
  CHECK(tables.step_cycles == 3);
}

TEST_CASE("TranslationConfig: entries of page tables have 8 or 16 bytes, and their levels have room") {
  for (const char* bad : {"entry_bytes=12", "entry_bytes=4", "entry_bytes=32"}) {
    CHECK_THROWS_WITH(
        tiny_config(small_translations() + tables_in_memory() + Overrides{std::string("translation.tables.") + bad}),
        Catch::Contains("entry_bytes"));
  }
  CHECK_THROWS_WITH(
      tiny_config(small_translations() + tables_in_memory() + Overrides{"translation.tables.entry_bytes=12"}),
      Catch::Contains("must be 8 or 16"));
  CHECK_THROWS_WITH(
      tiny_config(small_translations() + tables_in_memory() + Overrides{"translation.tables.directory_levels=7"}),
      Catch::Contains("directory_levels"));
}

}  // namespace
}  // namespace warpsim::test
