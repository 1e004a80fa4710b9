#include "emulator/memory/memory_view.h"

#include <array>
#include <catch2/catch.hpp>
#include <cstring>
#include <vector>

namespace warpsim {
namespace {

// Memory of 64 pieces.
struct alignas(MemoryView::kPieceBytes) Memory {
  std::array<std::byte, 64 * MemoryView::kPieceBytes> bytes{};
  std::byte* at(std::size_t offset) { return bytes.data() + offset; }
};

template <class T>
void write(MemoryView& view, std::byte* data, T value) {
  std::memcpy(view.write(data, sizeof(T)), &value, sizeof(T));
}

template <class T>
T read(MemoryView& view, std::byte* data) {
  T value;
  std::memcpy(&value, view.read(data, sizeof(T)), sizeof(T));
  return value;
}

template <class T>
T stored(const std::byte* data) {
  T value;
  std::memcpy(&value, data, sizeof(T));
  return value;
}

TEST_CASE("What was written is read at once, and is in memory after apply()") {
  Memory memory;
  MemoryView view;
  CHECK(view.is_clean());
  CHECK(view.read(memory.at(8), 4) == memory.at(8));
  write<std::uint32_t>(view, memory.at(8), 7);
  CHECK_FALSE(view.is_clean());
  CHECK(read<std::uint32_t>(view, memory.at(8)) == 7);
  CHECK(stored<std::uint32_t>(memory.at(8)) == 0);
  view.apply(view.take_writes());
  CHECK(stored<std::uint32_t>(memory.at(8)) == 7);
  view.clear();
  CHECK(view.is_clean());
  CHECK(view.read(memory.at(8), 4) == memory.at(8));
}

TEST_CASE("A read of bytes of which some were written gets the others from memory") {
  Memory memory;
  MemoryView view;
  *memory.at(0) = std::byte{1};
  *memory.at(3) = std::byte{4};
  write<std::uint8_t>(view, memory.at(1), 2);
  write<std::uint8_t>(view, memory.at(2), 3);
  CHECK(read<std::uint32_t>(view, memory.at(0)) == 0x04030201);
  CHECK(view.read(memory.at(4), 4) == memory.at(4));
  // Only the two written bytes are written back.
  *memory.at(0) = std::byte{9};
  view.apply(view.take_writes());
  CHECK(stored<std::uint32_t>(memory.at(0)) == 0x04030209);
}

TEST_CASE("Each set of writes keeps the values of its time") {
  Memory memory;
  MemoryView view;
  write<std::uint32_t>(view, memory.at(0), 1);
  const MemoryView::Writes first = view.take_writes();
  write<std::uint32_t>(view, memory.at(0), 2);
  const MemoryView::Writes second = view.take_writes();
  CHECK(view.take_writes().begin == view.take_writes().end);
  view.apply(second);
  CHECK(stored<std::uint32_t>(memory.at(0)) == 2);
  view.apply(first);
  CHECK(stored<std::uint32_t>(memory.at(0)) == 1);
}

TEST_CASE("Pointers to written bytes stay valid while others are written") {
  // More pieces than a chunk and the first hash table hold.
  std::vector<Memory> memories(8);
  MemoryView view;
  std::vector<std::byte*> places;
  for (Memory& memory : memories) {
    for (std::size_t piece = 0; piece < 64; ++piece) {
      places.push_back(view.write(memory.at(piece * MemoryView::kPieceBytes + 4), 4));
    }
  }
  for (std::uint32_t i = 0; i < places.size(); ++i) {
    std::memcpy(places[i], &i, sizeof(i));
  }
  view.apply(view.take_writes());
  std::uint32_t i = 0;
  bool all = true;
  for (Memory& memory : memories) {
    for (std::size_t piece = 0; piece < 64; ++piece) {
      all = all && stored<std::uint32_t>(memory.at(piece * MemoryView::kPieceBytes + 4)) == i++;
    }
  }
  CHECK(all);
  view.clear();
  CHECK(view.read(memories[5].at(36), 4) == memories[5].at(36));
}

TEST_CASE("An update that is put off is known by its piece until clear()") {
  Memory memory;
  MemoryView view;
  CHECK_FALSE(view.has_updates());
  view.put_off_update(memory.at(40));
  CHECK(view.has_updates());
  CHECK(view.awaits_update(memory.at(44)));
  CHECK_FALSE(view.awaits_update(memory.at(0)));
  CHECK(view.read(memory.at(40), 4) == memory.at(40));
  view.clear();
  CHECK_FALSE(view.has_updates());
  CHECK_FALSE(view.awaits_update(memory.at(40)));
}

}  // namespace
}  // namespace warpsim
