#include "isa/lowering.h"

#include <catch2/catch.hpp>

#include "isa/opcode_rows.h"
#include "isa/opcode_table.h"

namespace warpsim {
namespace {

constexpr std::array<std::uint32_t, 20> kArchitectures{10, 11, 12, 13, 20, 21, 30, 32, 35, 37,
                                                       50, 52, 53, 60, 61, 62, 70, 75, 80, 90};

// In the table's notation; groups by their numbers.
std::string text_of(const Lowering& lowering) {
  const auto mark = [](auto value) { return std::string(" msg*#~").substr(static_cast<std::size_t>(value), 1); };
  std::string text;
  for (const LoweredStep& step : lowering.steps) {
    text += (text.empty() ? "" : "; ") + step.opcode + " " + step.destination + step.sources;
    text += step.access == StepAccess::kNone ? "" : mark(step.access);
    text += step.operates ? "!" : "";
    if (step.repeat != StepRepeat::kOnce) {
      text +=
          mark(static_cast<std::size_t>(step.repeat) + 3) + (step.lane_work != 0 ? std::to_string(step.lane_work) : "");
      text += "@" + std::to_string(step.group);
    }
  }
  return text;
}

TEST_CASE("An instruction that the architecture has stays unchanged") {
  CHECK(lower("FFMA", 90).nativity == Nativity::kNative);
  CHECK(lower("IADD3", 50).nativity == Nativity::kNative);
  CHECK(lower("IMUL.U24", 13).nativity == Nativity::kNative);
}

TEST_CASE("An instruction that an older architecture lacks becomes a sequence on the same operands") {
  CHECK(text_of(lower("IADD3", 35)) == "IADD Aab; IADD dAc");
  CHECK(text_of(lower("IMAD", 61)) == "XMAD Aabc; XMAD.MRG Bab; XMAD.PSL.CBCC daBA");
  CHECK(text_of(lower("MUFU.SQRT", 35)) == "MUFU.RSQ Aa; MUFU.RCP dA");
}

TEST_CASE("Steps that are not native themselves are lowered again, with their own temporaries") {
  // VIADD is IADD3 on 8.9, which is two additions on 3.5 with no third operand.
  CHECK(text_of(lower("VIADD", 80)) == "IADD3 dab");
  CHECK(text_of(lower("VIADD", 35)) == "IADD Aab; IADD dA-");
  CHECK(text_of(lower("ULOP3.LUT", 72)) == "LOP3 dabc");
  CHECK(text_of(lower("ULOP3.LUT", 35)) == "LOP Aab; LOP dAc");
}

TEST_CASE("An asynchronous copy becomes a load with the recorded access, and a store") {
  CHECK(text_of(lower("LDGSTS.E.BYPASS.128", 75)) == "LDG.E.BYPASS.128 Am; STS.128 -As");
  CHECK(text_of(lower("LDGSTS.E", 75)) == "LDG.E Am; STS -As");
}

TEST_CASE("A matrix operation becomes the multiply-adds that it contains") {
  CHECK(text_of(lower("HMMA.16816.F32", 61)) == "FFMA dabd*@1");
  CHECK(text_of(lower("HGMMA.64x256x16.F32", 80)) == "LDSM.16.M88.4 As#@1; HMMA.16816.F32 daAd*@2");
  CHECK(text_of(lower("HGMMA.64x256x16.F32", 61)) == "LDS A-s#@3; FFMA daAd*@4");
  CHECK(text_of(lower("IMMA.16832.S8.S8", 61)) == "IDP dabd*4@1");
}

TEST_CASE("All steps of a group are repeated together, and so are those of a repeated step") {
  CHECK(text_of(lower("BMMA.168256.XOR.POPC", 70)) == "LOP3 Aab*32@1; POPC BA*32@1; IADD3 dBd*32@1");
  CHECK(text_of(lower("BMMA.168256.XOR.POPC", 61)) == "LOP3 Aab*32@1; POPC BA*32@1; IADD dBd*32@1");
  const Lowering dot_products = lower("IMMA.16832.S8.S8", 52);
  CHECK(dot_products.steps.size() > 12);
  for (const LoweredStep& step : dot_products.steps) {
    CHECK(step.group == 1);
    CHECK(step.lane_work == 4);
  }
}

TEST_CASE("An instruction that cannot be replaced is missing") {
  CHECK(lower("UCGABAR_ARV", 80).nativity == Nativity::kMissing);
  CHECK(lower("UTMALDG.2D", 90).nativity == Nativity::kNative);
  CHECK(lower("RED.E.ADD", 10).nativity == Nativity::kMissing);
}

TEST_CASE("A bulk copy becomes instructions that copy its parts and report to its barrier") {
  CHECK(text_of(lower("UTMALDG.2D", 80)) == "LDGSTS.E.BYPASS.128 -g~@1; LDGDEPBAR -!; DEPBAR.LE -");
  const Lowering volta = lower("UBLKCP.S.G", 70);
  REQUIRE(volta.steps.size() == 8 + 8 + 1);
  CHECK(volta.steps[0].opcode == "LDG.E.128");
  CHECK(volta.steps[0].access == StepAccess::kGlobal);
  CHECK(volta.steps[8].access == StepAccess::kShared);
  CHECK(volta.steps[8].sources == std::string(1, volta.steps[0].destination));
  CHECK(volta.steps[16].operates);
  CHECK(lower("UBLKCP.G.S", 80).steps[0].opcode == "LDS.128");
  CHECK(lower("UTMAREDG.2D.ADD", 61).steps.back().opcode == "RED.E.ADD");
}

TEST_CASE("Operations at barriers in shared memory become atomics, stores and polls") {
  CHECK(text_of(lower("SYNCS.ARRIVE.TRANS64.A1T0", 80)) == "ATOMS.ADD da!");
  CHECK(text_of(lower("SYNCS.EXCH.64", 80)) == "STS.64 -a!");
  CHECK(text_of(lower("SYNCS.PHASECHK.TRANS64.TRYWAIT", 80)) == "LDS Aa!; ISETP dAb");
}

TEST_CASE("Every opcode ends in native, known instructions on every architecture") {
  for (const OpcodeRow& row : opcode_rows()) {
    for (const std::uint32_t architecture : kArchitectures) {
      INFO(row.name << " on sm_" << architecture);
      for (const LoweredStep& step : lower(row.name, architecture).steps) {
        INFO(step.opcode);
        StaticInstruction instruction;
        CHECK(classify(step.opcode, architecture, instruction));
        CHECK(lower(step.opcode, architecture).nativity == Nativity::kNative);
      }
    }
  }
}

}  // namespace
}  // namespace warpsim
