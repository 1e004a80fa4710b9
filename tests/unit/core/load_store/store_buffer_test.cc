#include "core/load_store/store_buffer.h"

#include <catch2/catch.hpp>

namespace warpsim {
namespace {

constexpr StoreBufferConfig kBuffer{.lines = 4, .line_cycles = 2, .wait_cycles = 10, .longest_cycles = 100};

// Whole sectors, or only their first word.
MemRequest store_to(Address line, std::uint8_t sectors, bool whole = true, std::uint32_t warp = 0) {
  MemRequest store;
  store.op = MemOp::kWrite;
  store.line = line;
  store.sector_mask = sectors;
  store.tag = warp;
  for (std::uint32_t sector = 0; sector < kSectorsPerLine; ++sector) {
    store.byte_mask[sector] = (sectors >> sector & 1U) == 0 ? 0 : whole ? 0xffffffffU : 0xfU;
  }
  return store;
}

struct Added {
  std::uint8_t new_sectors;
  bool joined;
};
Added add(StoreBuffer& buffer, const MemRequest& store, Cycle written_at, Cycle now) {
  const std::uint32_t place = buffer.line_for(store);
  return {buffer.add(store, place, written_at, now), place != StoreBuffer::kNone};
}
bool joins(const StoreBuffer& buffer, const MemRequest& store) {
  return buffer.line_for(store) != StoreBuffer::kNone;
}

}  // namespace

TEST_CASE("Store buffer: lines leave some cycles after they were written, in order, a cycle for each packet") {
  StoreBuffer buffer(kBuffer);
  CHECK(buffer.empty());
  CHECK(buffer.next_send() == kNever);
  add(buffer, store_to(0x100, 0b0001, false), 102, 100);
  add(buffer, store_to(0x200, 0b1111), 103, 101);
  add(buffer, store_to(0x300, 0b0001), 120, 118);
  CHECK(buffer.next_send() == 112);
  CHECK(buffer.take(112).line == 0x100);
  CHECK(buffer.next_send() == 114);  // a sector and the mask of its bytes
  CHECK(buffer.take(114).line == 0x200);
  CHECK(buffer.next_send() == 130);
  CHECK(buffer.take(130).line == 0x300);
  CHECK(buffer.empty());
}

TEST_CASE("Store buffer: a store joins a line that waits, of any warp, and delays it") {
  StoreBuffer buffer(kBuffer);
  CHECK_FALSE(add(buffer, store_to(0x100, 0b0001, false, 1), 102, 100).joined);
  const MemRequest second = store_to(0x100, 0b0011, true, 2);
  CHECK(joins(buffer, second));
  const Added added = add(buffer, second, 110, 108);
  CHECK(added.joined);
  CHECK(added.new_sectors == 0b0010);
  CHECK(buffer.next_send() == 120);
  const MemRequest sent = buffer.take(120);
  CHECK(sent.sector_mask == 0b0011);
  CHECK(sent.byte_mask[0] == 0xffffffffU);
  CHECK(sent.byte_mask[1] == 0xffffffffU);
  CHECK_FALSE(joins(buffer, second));
}

TEST_CASE("Store buffer: lines that wait for the one before them can be joined, and then wait again") {
  StoreBuffer buffer(kBuffer);
  add(buffer, store_to(0x100, 0b1111), 104, 100);
  add(buffer, store_to(0x200, 0b1111), 104, 102);
  CHECK(buffer.take(114).line == 0x100);
  CHECK(buffer.next_send() == 118);
  CHECK(joins(buffer, store_to(0x200, 0b0001)));
  add(buffer, store_to(0x200, 0b0001), 117, 115);
  CHECK(buffer.next_send() == 127);
}

TEST_CASE("Store buffer: the oldest line leaves while all are in use") {
  StoreBuffer buffer(kBuffer);
  for (Address line = 0; line < 4; ++line) {
    CHECK_FALSE(buffer.full());
    add(buffer, store_to(line * 0x80, 0b1111), 102 + 2 * line, 100 + 2 * line);
  }
  CHECK(buffer.full());
  CHECK(buffer.next_send() <= 106);
  CHECK(buffer.take(107).line == 0);
  CHECK_FALSE(buffer.full());
  CHECK(buffer.next_send() == 114);  // the next one waits for stores
}

TEST_CASE("Store buffer: nothing joins a single line, which leaves at once") {
  StoreBuffer buffer({.lines = 1});
  add(buffer, store_to(0x100, 0b1111), 101, 100);
  CHECK(buffer.full());
  CHECK_FALSE(joins(buffer, store_to(0x100, 0b1111)));
  CHECK(buffer.next_send() <= 100);
}

TEST_CASE("Store buffer: a line to which stores come again and again leaves at last") {
  StoreBuffer buffer(kBuffer);
  for (Cycle now = 100; now < 200; now += 5) {
    add(buffer, store_to(0x100, 0b0001), now + 2, now);
  }
  CHECK(buffer.next_send() == 200);
}

TEST_CASE("Store buffer: stores that fences wait for only join those of their warp, and others only their kind") {
  StoreBuffer buffer(kBuffer);
  MemRequest first = store_to(0x100, 0b0001, true, 1);
  first.wants_ack = true;
  add(buffer, first, 102, 100);
  MemRequest other = first;
  other.tag = 2;
  CHECK(joins(buffer, first));
  CHECK_FALSE(joins(buffer, other));
  other = first;
  other.seat = 1;
  CHECK_FALSE(joins(buffer, other));
  other = first;
  other.system_scope = true;
  CHECK_FALSE(joins(buffer, other));
  other = first;
  other.priority = LinePriority::kFirst;
  CHECK_FALSE(joins(buffer, other));
  other = first;
  other.wants_ack = false;
  CHECK_FALSE(joins(buffer, other));
}

}  // namespace warpsim
