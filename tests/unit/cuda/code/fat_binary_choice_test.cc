// The choice between the PTX and the machine code of a fat binary.
#include <catch2/catch.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "cuda/code/fat_binary.h"

namespace warpsim::cuda {
namespace {

using Kind = FatBinaryEntry::Kind;

FatBinaryEntry entry(Kind kind, std::uint32_t target, char suffix = 0) {
  FatBinaryEntry result;
  result.kind = kind;
  result.target = target;
  result.suffix = suffix;
  return result;
}

// "" for none.
std::string chosen(const std::vector<FatBinaryEntry>& entries, std::uint32_t capability) {
  const FatBinaryEntry* const best = choose_machine_code(entries, capability);
  return best == nullptr ? "" : target_name(*best);
}

TEST_CASE("machine code runs on GPUs of its major capability that are not older", "[machine_code]") {
  const std::vector<FatBinaryEntry> entries = {entry(Kind::kMachineCode, 80), entry(Kind::kMachineCode, 86),
                                               entry(Kind::kMachineCode, 75), entry(Kind::kPtx, 90)};
  CHECK(chosen(entries, 80) == "sm_80");
  CHECK(chosen(entries, 86) == "sm_86");
  CHECK(chosen(entries, 89) == "sm_86");
  CHECK(chosen(entries, 75) == "sm_75");
  CHECK(chosen(entries, 70).empty());
  CHECK(chosen(entries, 90).empty());
  CHECK(chosen({}, 90).empty());
}

TEST_CASE("machine code with a suffix runs on its own capability only", "[machine_code]") {
  const std::vector<FatBinaryEntry> entries = {entry(Kind::kMachineCode, 90, 'a'), entry(Kind::kMachineCode, 100, 'a'),
                                               entry(Kind::kMachineCode, 100, 'f')};
  CHECK(chosen(entries, 90) == "sm_90a");
  CHECK(chosen(entries, 103) == "sm_100f");
  CHECK(chosen(entries, 120).empty());
}

TEST_CASE("PTX is usable from its target on, or on any GPU if that is forced", "[machine_code]") {
  const std::vector<FatBinaryEntry> entries = {entry(Kind::kMachineCode, 75), entry(Kind::kPtx, 80),
                                               entry(Kind::kPtx, 90, 'a')};
  CHECK_FALSE(has_usable_ptx(entries, 75, false));
  CHECK(has_usable_ptx(entries, 75, true));
  CHECK(has_usable_ptx(entries, 80, false));
  CHECK(has_usable_ptx(entries, 120, false));
  const std::vector<FatBinaryEntry> own = {entries[0], entries[2]};
  CHECK(has_usable_ptx(own, 90, false));
  CHECK_FALSE(has_usable_ptx(own, 100, false));
  const std::vector<FatBinaryEntry> machine = {entries[0]};
  CHECK_FALSE(has_usable_ptx(machine, 75, true));
  CHECK_FALSE(has_usable_ptx({}, 75, true));
}

}  // namespace
}  // namespace warpsim::cuda
