#include "memory/translation/page_tables.h"

#include <catch2/catch.hpp>

namespace warpsim {
namespace {

constexpr Address kPage = 2U << 20U;

TranslationConfig tables_of(std::uint32_t page_kib, std::uint32_t entry_bytes) {
  TranslationConfig config;
  config.page_kib = page_kib;
  config.tables = {true, entry_bytes, 3, 1};
  return config;
}

Address base(std::uint32_t level) {
  return kPageTableWindow + level * kPageTableLevelBytes;
}

TEST_CASE("PageTables: entries of neighbouring pages are neighbours") {
  const PageTables tables(tables_of(2048, 16));
  CHECK(tables.entry(0, 0) == base(0));
  CHECK(tables.entry(0, kPage - 1) == base(0));
  CHECK(tables.entry(0, kPage) == base(0) + 16);
  CHECK(tables.entry(0, 9 * kPage) == base(0) + 9 * 16);
  CHECK(PageTables(tables_of(2048, 8)).entry(0, 9 * kPage) == base(0) + 9 * 8);
  CHECK(PageTables(tables_of(64, 8)).entry(0, 9 * kPage) == base(0) + 9 * 32 * 8);
}

TEST_CASE("PageTables: an entry of a directory covers a table of 4 KiB of the level below") {
  const PageTables tables(tables_of(2048, 16));
  // 256 pages of 2 MiB are 512 MiB, bits 29 and more of an address; 512 of these bits 38 and more; then 47 and more.
  CHECK(tables.entry(1, (Address{1} << 29) - 1) == base(1));
  CHECK(tables.entry(1, Address{3} << 29) == base(1) + 3 * 8);
  CHECK(tables.entry(2, (Address{1} << 38) - 1) == base(2));
  CHECK(tables.entry(2, Address{5} << 38) == base(2) + 5 * 8);
  CHECK(tables.entry(3, Address{2} << 47) == base(3) + 2 * 8);
  CHECK(PageTables(tables_of(2048, 8)).entry(1, Address{3} << 30) == base(1) + 3 * 8);  // 512 pages
}

TEST_CASE("PageTables: levels do not overlap, whatever the size of pages, and lie between data and programs") {
  const Address last = 2 * kLocalMemoryWindow - 1;
  for (const std::uint32_t page_kib : {4U, 64U, 2048U, 1U << 20U}) {
    const PageTables tables(tables_of(page_kib, 16));
    for (std::uint32_t level = 0; level <= 6; ++level) {
      CHECK(tables.entry(level, 0) == base(level));
      CHECK(tables.entry(level, last) < base(level + 1));
    }
  }
  CHECK(kPageTableWindow > Address{1} << 49U);
  CHECK(base(7) <= kCodeWindow);
}

}  // namespace
}  // namespace warpsim
