#include "core/load_store/memory_queues.h"

#include <catch2/catch.hpp>

#include "unit/core/load_store/path_bench.h"

// A register takes four cycles to read; with up to two, an instruction reaches the SM's queues five cycles after issue,
// and has read its registers six cycles after issue, in addition to the reading.
namespace warpsim::test {
namespace {

bool goes_to_lines(const MemoryInstruction& instruction, const AddressWindows& windows = {}) {
  PathBench bench;
  bench.queues.enqueue(instruction, windows, 100);
  REQUIRE(bench.queues.read_registers(1000) == 1);
  REQUIRE(bench.queues.with_lines().size() + bench.queues.others().size() == 1);
  return !bench.queues.with_lines().empty();
}

}  // namespace

TEST_CASE("Memory queues: an instruction enters the SM's queues after its address latency") {
  PathBench bench;
  bench.queues.enqueue(bench.instruction(OpKind::kLoad, MemorySpace::kGlobal), {}, 100);
  CHECK(bench.queues.next_ready() == 105);
  CHECK(bench.queues.read_registers(104) == 0);
  CHECK(bench.queues.read_registers(105) == 0b0001);
  CHECK(bench.queues.next_ready() == kNever);
  CHECK(bench.queues.size() == 1);
  CHECK(bench.events_of(SmEvent::Kind::kSourcesRead).at(0) == 110);
}

TEST_CASE("Memory queues: each register beyond the second delays the instruction, and each one those after it") {
  PathBench bench;
  MemoryInstruction wide = bench.instruction(OpKind::kStore, MemorySpace::kGlobal);
  bench.info(wide).source_registers = 4;  // 16 cycles, eight more than two registers
  bench.queues.enqueue(wide, {}, 100);
  bench.queues.enqueue(bench.instruction(OpKind::kLoad, MemorySpace::kGlobal), {}, 101);
  CHECK(bench.queues.next_ready() == 113);
  CHECK(bench.queues.read_registers(113) == 1);
  CHECK(bench.queues.next_ready() == 100 + 16 + 5);  // reads from 117 instead of 102 on
  CHECK(bench.events_of(SmEvent::Kind::kSourcesRead).at(0) == 100 + 6 + 16);
}

TEST_CASE("Memory queues: an LDC begins when the address unit takes it, and leaves the registers to others") {
  PathBench bench;
  MemoryInstruction constant = bench.instruction(OpKind::kConstantLoad, MemorySpace::kConstant);
  bench.info(constant).address_unit_cycles = 9;
  constant.address_unit_at = 107;
  bench.queues.enqueue(constant, {}, 100);
  CHECK(bench.queues.next_ready() == 106 + 5);
  MemoryInstruction load = bench.instruction(OpKind::kLoad, MemorySpace::kShared);
  load.instruction = 1;
  bench.queues.enqueue(load, {}, 101);
  REQUIRE(bench.queues.read_registers(111) == 1);
  REQUIRE(bench.queues.read_registers(113) == 1);
  CHECK(bench.events_of(SmEvent::Kind::kSourcesRead).at(1) == 114);  // when it left the queue
}

TEST_CASE("Memory queues: sub-cores take turns, one instruction per cycle") {
  PathBench bench;
  for (std::uint8_t sub_core = 0; sub_core < 3; ++sub_core) {
    for (int i = 0; i < 2; ++i) {
      MemoryInstruction load = bench.instruction(OpKind::kLoad, MemorySpace::kShared);
      load.sub_core = sub_core;
      bench.queues.enqueue(load, {}, 100);
    }
  }
  CHECK(bench.queues.read_registers(200) == 0b001);
  CHECK(bench.queues.read_registers(201) == 0b010);
  CHECK(bench.queues.read_registers(202) == 0b100);
  CHECK(bench.queues.read_registers(203) == 0b001);
}

TEST_CASE("Memory queues: an access keeps the entrance for its interval, an exchange of lanes does not") {
  PathBench bench({"sm.load_store.access_interval_cycles=3"});
  MemoryInstruction shuffle = bench.instruction(OpKind::kShuffle, MemorySpace::kNone);
  shuffle.addresses = {};
  bench.queues.enqueue(shuffle, {}, 100);
  for (std::uint8_t sub_core = 1; sub_core < 4; ++sub_core) {
    MemoryInstruction load = bench.instruction(OpKind::kLoad, MemorySpace::kShared);
    load.sub_core = sub_core;
    bench.queues.enqueue(load, {}, 100);
  }
  CHECK(bench.queues.read_registers(200) == 0b0001);
  CHECK(bench.queues.read_registers(201) == 0b0010);
  CHECK(bench.queues.next_ready() == 204);
  CHECK(bench.queues.read_registers(203) == 0);
  CHECK(bench.queues.read_registers(204) == 0b0100);
  CHECK(bench.queues.read_registers(207) == 0b1000);
}

TEST_CASE("Memory queues: instructions wait in the sub-core while the SM's queues are full, and sources with them") {
  PathBench bench({"sm.load_store.stage_queue_entries=1", "sm.load_store.queue_entries=1"});
  bench.queues.enqueue(bench.instruction(OpKind::kLoad, MemorySpace::kShared), {}, 100);
  CHECK(bench.queues.full(0));
  CHECK_FALSE(bench.queues.full(1));
  bench.queues.read_registers(105);
  CHECK_FALSE(bench.queues.full(0));
  bench.queues.enqueue(bench.instruction(OpKind::kLoad, MemorySpace::kGlobal), {}, 105);
  CHECK(bench.queues.next_ready() == kNever);
  CHECK(bench.queues.read_registers(150) == 0);
  bench.queues.others().pop();
  CHECK(bench.queues.next_ready() == 110);
  CHECK(bench.queues.read_registers(150) == 1);
  CHECK(bench.events_of(SmEvent::Kind::kSourcesRead).at(1) == 151);
}

TEST_CASE("Memory queues: accesses to global and local memory look up lines, all others do not") {
  PathBench bench;
  const auto access = [&bench](OpKind kind, MemorySpace space) { return bench.instruction(kind, space); };
  CHECK(goes_to_lines(access(OpKind::kLoad, MemorySpace::kGlobal)));
  CHECK(goes_to_lines(access(OpKind::kStore, MemorySpace::kLocal)));
  CHECK(goes_to_lines(access(OpKind::kReduction, MemorySpace::kGlobal)));
  CHECK_FALSE(goes_to_lines(access(OpKind::kLoad, MemorySpace::kShared)));
  CHECK_FALSE(goes_to_lines(access(OpKind::kTexture, MemorySpace::kGlobal)));
  CHECK_FALSE(goes_to_lines(access(OpKind::kConstantLoad, MemorySpace::kConstant)));
  MemoryInstruction off = access(OpKind::kLoad, MemorySpace::kGlobal);
  off.active = 0;
  CHECK_FALSE(goes_to_lines(off));
  MemoryInstruction shuffle = access(OpKind::kLoad, MemorySpace::kNone);
  shuffle.addresses.kind = LaneAddresses::Kind::kNone;
  CHECK_FALSE(goes_to_lines(shuffle));
}

TEST_CASE("Memory queues: a generic access goes where its address is") {
  PathBench bench;
  AddressWindows windows;
  windows.shared_base = 0x1000000;
  const auto generic = [&bench](Address base) { return bench.instruction(OpKind::kLoad, MemorySpace::kGeneric, base); };
  CHECK_FALSE(goes_to_lines(generic(0x1000000), windows));
  CHECK(goes_to_lines(generic(0x2000000), windows));
}

TEST_CASE("Memory queues: the copy engine reports that a commit's sources were read, not the queue") {
  PathBench bench;
  const AsyncOperation commit{.kind = AsyncOperation::Kind::kCommit};
  MemoryInstruction instruction = bench.instruction(OpKind::kBulkCopy, MemorySpace::kNone);
  instruction.operations = &commit;
  bench.queues.enqueue(instruction, {}, 100);
  CHECK(bench.queues.read_registers(105) == 1);
  CHECK(bench.events_of(SmEvent::Kind::kSourcesRead).empty());
}

}  // namespace warpsim::test
