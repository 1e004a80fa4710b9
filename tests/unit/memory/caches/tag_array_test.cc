#include "memory/caches/tag_array.h"

#include <catch2/catch.hpp>
#include <set>

namespace warpsim {
namespace {

constexpr Address kA = 0x1000;
constexpr Address kB = 0x2000;
constexpr Address kC = 0x3000;

std::uint32_t insert(TagArray& tags, Address line, bool keep = true) {
  const std::uint32_t slot = tags.victim(0);
  tags.insert(slot, line, keep);
  return slot;
}

}  // namespace

TEST_CASE("Tag array: a line is found in its slot and nowhere else") {
  TagArray tags(4, 2, Replacement::kLru);
  tags.insert(tags.victim(3), kA);
  CHECK(tags.find(3, kA) == 6);
  CHECK(tags.line(6) == kA);
  CHECK(tags.find(2, kA) == TagArray::kNoSlot);
  CHECK(tags.find(3, kB) == TagArray::kNoSlot);
  tags.remove(6);
  CHECK(tags.find(3, kA) == TagArray::kNoSlot);
}

TEST_CASE("Tag array: line zero can be stored and an empty way does not match it") {
  TagArray tags(1, 2, Replacement::kLru);
  CHECK(tags.find(0, 0) == TagArray::kNoSlot);
  insert(tags, 0);
  CHECK(tags.find(0, 0) == 0);
}

TEST_CASE("Tag array: LRU replaces the least recently used line") {
  TagArray tags(1, 2, Replacement::kLru);
  const std::uint32_t a = insert(tags, kA);
  const std::uint32_t b = insert(tags, kB);
  tags.touch(a);
  CHECK(tags.victim(0) == b);
  tags.touch(b);
  CHECK(tags.victim(0) == a);
}

TEST_CASE("Tag array: FIFO replaces the line inserted first independent of later use") {
  TagArray tags(1, 2, Replacement::kFifo);
  const std::uint32_t a = insert(tags, kA);
  insert(tags, kB);
  tags.touch(a);
  CHECK(tags.victim(0) == a);
}

TEST_CASE("Tag array: random replacement reaches every way and is reproducible") {
  const auto victims = [] {
    TagArray tags(1, 4, Replacement::kRandom);
    std::vector<std::uint32_t> order;
    for (Address line = 0x1000; line < 0x1000 + 128 * 64; line += 128) {
      order.push_back(insert(tags, line));
    }
    return order;
  };
  const std::vector<std::uint32_t> order = victims();
  CHECK(std::set<std::uint32_t>(order.begin() + 4, order.end()).size() == 4);
  CHECK(order == victims());
}

TEST_CASE("Tag array: a line inserted as not kept is replaced before older ones") {
  TagArray tags(1, 2, Replacement::kLru);
  insert(tags, kA);
  const std::uint32_t b = insert(tags, kB, false);
  CHECK(tags.victim(0) == b);
  tags.insert(b, kC);
  CHECK(tags.victim(0) != b);
}

TEST_CASE("Tag array: the line that leaves a set with empty ways is the one that would leave a full one") {
  TagArray lru(1, 4, Replacement::kLru);
  CHECK(lru.victim_of_lines(0) == TagArray::kNoSlot);
  const std::uint32_t a = insert(lru, kA);
  const std::uint32_t b = insert(lru, kB);
  CHECK(lru.victim_of_lines(0) == a);
  lru.touch(a);
  CHECK(lru.victim_of_lines(0) == b);
  const std::uint32_t first = insert(lru, kC, false);
  CHECK(lru.victim_of_lines(0) == first);

  TagArray random(1, 8, Replacement::kRandom);
  insert(random, kA);
  insert(random, kB);
  insert(random, kC);
  random.remove(random.find(0, kB));
  std::set<std::uint32_t> chosen;
  for (int i = 0; i < 64; ++i) {
    const std::uint32_t slot = random.victim_of_lines(0);
    REQUIRE(random.present(slot));
    chosen.insert(slot);
    random.insert(slot, random.line(slot));
  }
  CHECK(chosen.size() == 2);
}

TEST_CASE("Tag array: consecutive lines, as many as sets, take one set each") {
  const TagArray tags(6, 1, Replacement::kLru);
  for (std::uint64_t block = 0; block < 20; ++block) {
    std::set<std::uint32_t> sets;
    for (std::uint64_t i = 0; i < 6; ++i) {
      sets.insert(tags.set_of_line_number(block * 6 + i));
    }
    CHECK(sets.size() == 6);
  }
}

TEST_CASE("Tag array: a cleared array is empty") {
  TagArray tags(1, 2, Replacement::kLru);
  const std::uint32_t a = insert(tags, kA);
  tags[a].valid = 0xf;
  tags.clear();
  CHECK(tags.find(0, kA) == TagArray::kNoSlot);
  CHECK(tags[a].valid == 0);
}

TEST_CASE("Tag array: clearing empties every set, and what was there before does not come back") {
  TagArray tags(100, 3, Replacement::kLru);  // not a whole number of blocks of equal size
  for (std::uint32_t set = 0; set < 100; ++set) {
    tags.insert(set * 3 + 2, set * kLineBytes);
    tags[set * 3 + 2].dirty = 1;
  }
  std::uint32_t dirty = 0;
  tags.for_each_used([&dirty](const TagArray::Slot& slot) { dirty += slot.dirty; });
  CHECK(dirty == 100);
  tags.clear();
  dirty = 0;
  tags.for_each_used([&dirty](const TagArray::Slot& slot) { dirty += slot.dirty; });
  CHECK(dirty == 0);
  for (std::uint32_t set = 0; set < 100; ++set) {
    CHECK(tags.find(set, set * kLineBytes) == TagArray::kNoSlot);
    CHECK(tags.victim(set) == set * 3);
    CHECK(tags[set * 3 + 2].stamp == 0);
    CHECK(tags[set * 3 + 2].dirty == 0);
  }
  tags.insert(299, kA);
  CHECK(tags.find(99, kA) == 299);
  tags.clear();
  CHECK(tags.find(99, kA) == TagArray::kNoSlot);
}

}  // namespace warpsim
