#include "core/load_store/memory_instruction.h"

#include <catch2/catch.hpp>

namespace warpsim {
namespace {

BankPasses shared_passes(const IssueInfo& info, std::int64_t stride, LaneMask active = kAllLanes) {
  MemoryInstruction instruction;
  instruction.info = &info;
  instruction.addresses = {LaneAddresses::Kind::kStrided, 0, stride, nullptr};
  instruction.active = active;
  return instruction.shared_passes(SharedBanks(SharedBanksConfig{}));
}

IssueInfo access_of(OpKind kind, std::uint8_t bytes) {
  IssueInfo info;
  info.kind = kind;
  info.bytes_per_lane = bytes;
  return info;
}

TEST_CASE("A load of one address takes fewer passes than a store to it") {
  CHECK(shared_passes(access_of(OpKind::kLoad, 16), 0).passes == 2);
  CHECK(shared_passes(access_of(OpKind::kStore, 16), 0).passes == 4);
}

TEST_CASE("A matrix load takes a pass for each matrix, and conflicts among its rows") {
  IssueInfo info = access_of(OpKind::kLoadMatrix, 16);
  info.matrices = 4;
  CHECK(shared_passes(info, 16).passes == 4);
  CHECK(shared_passes(info, 16).least == 4);
  CHECK(shared_passes(info, 128).passes == 32);  // eight rows on four banks, four times
  info.matrices = 1;
  CHECK(shared_passes(info, 16).passes == 1);
}

TEST_CASE("Shared atomics on one word serialise unless their opcode merges them") {
  IssueInfo info = access_of(OpKind::kAtomic, 4);
  CHECK(shared_passes(info, 0).passes == 32);
  info.same_address_merged = true;
  CHECK(shared_passes(info, 0).passes == 1);
}

TEST_CASE("Global loads and stores take passes like shared stores") {
  IssueInfo info = access_of(OpKind::kStore, 8);
  MemoryInstruction instruction;
  instruction.info = &info;
  instruction.addresses = {LaneAddresses::Kind::kStrided, 0, 0, nullptr};
  instruction.active = kAllLanes;
  CHECK(instruction.global_passes().passes == 2);
  info.kind = OpKind::kLoad;
  CHECK(instruction.global_passes().passes == 2);
  info.kind = OpKind::kAsyncCopy;
  CHECK(instruction.global_passes().passes == 2);
}

}  // namespace
}  // namespace warpsim
