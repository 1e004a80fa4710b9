#include "memory/caches/mshr_table.h"

#include <catch2/catch.hpp>
#include <map>
#include <utility>
#include <vector>

namespace warpsim {
namespace {

struct Waiter {
  std::uint32_t id = 0;
  std::uint8_t sectors = 0;
};
using Table = MshrTable<Waiter>;
using Served = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

Served fill(Table& table, std::uint32_t entry, std::uint8_t sectors) {
  Served served;
  table.fill(entry, sectors, [&](const Waiter& waiter, std::uint8_t arrived) {
    served.push_back({waiter.id, arrived});
  });
  return served;
}

}  // namespace

TEST_CASE("MSHR table: a line is found from its allocation to its last fill") {
  Table table({4, 4, false});
  CHECK(table.find(0x80) == Table::kNone);
  const std::uint32_t entry = table.allocate(0x80, 7);
  table[entry].pending = 0x3;
  table.add_waiter(entry, {1, 0x3});
  CHECK(table.find(0x80) == entry);
  CHECK(table[entry].since == 7);
  CHECK(fill(table, entry, 0x1) == Served{{1, 0x1}});
  CHECK(table.find(0x80) == entry);
  CHECK(fill(table, entry, 0x2) == Served{{1, 0x2}});
  CHECK(table.find(0x80) == Table::kNone);
  CHECK(table.empty());
}

TEST_CASE("MSHR table: a fill serves all waiters of its sectors, oldest first, and keeps the others") {
  Table table({1, 4, false});
  const std::uint32_t entry = table.allocate(0x80, 0);
  table[entry].pending = 0x7;
  table.add_waiter(entry, {1, 0x1});
  table.add_waiter(entry, {2, 0x6});
  table.add_waiter(entry, {3, 0x3});
  CHECK(fill(table, entry, 0x1) == Served{{1, 0x1}, {3, 0x1}});
  CHECK(table[entry].waiters == 2);
  table.add_waiter(entry, {4, 0x2});
  CHECK(fill(table, entry, 0x6) == Served{{2, 0x6}, {3, 0x2}, {4, 0x2}});
  CHECK(table.empty());
}

TEST_CASE("MSHR table: a separate entry is not found, and its end keeps the line's own entry") {
  Table table({4, 4, false});
  const std::uint32_t apart = table.allocate_apart(0x80, 0);
  CHECK(table.find(0x80) == Table::kNone);
  const std::uint32_t own = table.allocate(0x80, 0);
  for (const std::uint32_t entry : {apart, own}) {
    table[entry].pending = 0x1;
    table.add_waiter(entry, {entry, 0x1});
  }
  CHECK(fill(table, apart, 0x1) == Served{{apart, 0x1}});
  CHECK(table.find(0x80) == own);
  CHECK(table.used() == 1);
}

TEST_CASE("MSHR table: entries and waiters are limited") {
  Table table({2, 1, false});
  const std::uint32_t entry = table.allocate(0x80, 0);
  CHECK(table.can_merge(entry));
  table[entry].pending = 1;
  table.add_waiter(entry, {1, 1});
  CHECK_FALSE(table.can_merge(entry));
  CHECK_FALSE(table.full());
  table.allocate(0x100, 0);
  CHECK(table.full());
  fill(table, entry, 1);
  CHECK_FALSE(table.full());
}

TEST_CASE("MSHR table: an unlimited one grows") {
  Table table({1, 1, true});
  for (Address line = 0; line < 1000 * 128; line += 128) {
    const std::uint32_t entry = table.allocate(line, 0);
    table[entry].pending = 1;
    table.add_waiter(entry, {0, 1});
    table.add_waiter(entry, {1, 1});
  }
  CHECK_FALSE(table.full());
  CHECK(table.used() == 1000);
  for (Address line = 0; line < 1000 * 128; line += 128) {
    CHECK(fill(table, table.find(line), 1).size() == 2);
  }
  CHECK(table.empty());
}

TEST_CASE("MSHR table: a fill without a request is an internal error") {
  Table table({1, 1, false});
  const std::uint32_t entry = table.allocate(0x80, 0);
  table[entry].pending = 1;
  CHECK_THROWS_AS(fill(table, entry, 2), InternalError);
}

TEST_CASE("Line index: agrees with a map under insertions and deletions in any order") {
  LineIndex index;
  std::map<Address, std::uint32_t> reference;
  std::uint64_t state = 1;
  for (std::uint32_t step = 0; step < 20000; ++step) {
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    const Address line = (state >> 40) % 97 * 128;
    if (reference.count(line) != 0) {
      REQUIRE(index.find(line) == reference[line]);
      index.erase(line);
      reference.erase(line);
    } else {
      REQUIRE(index.find(line) == LineIndex::kNone);
      index.insert(line, step);
      reference[line] = step;
    }
    REQUIRE(index.size() == reference.size());
  }
}

}  // namespace warpsim
