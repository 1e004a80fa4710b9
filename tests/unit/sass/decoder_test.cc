#include "sass/decoder.h"

#include <catch2/catch.hpp>
#include <cstdint>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "sass/printer.h"

namespace warpsim::sass {
namespace {

using Catch::Matchers::Contains;

struct KnownWord {
  std::uint32_t architecture = 0;
  InstructionWord word;
  std::string text;
};

std::vector<KnownWord> known_words() {
  std::ifstream file(std::string(WARPSIM_SOURCE_DIR) + "/tests/data/sass/words.tsv");
  REQUIRE(file);
  std::vector<KnownWord> words;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with('#')) {
      continue;
    }
    std::istringstream fields(line);
    KnownWord known;
    fields >> std::dec >> known.architecture >> std::hex >> known.word.high >> known.word.low;
    std::getline(fields >> std::ws, known.text);
    words.push_back(known);
  }
  return words;
}

std::string text_of(std::uint32_t architecture, const InstructionWord& word, std::uint64_t address = 0) {
  return instruction_text(Decoder(architecture).decode(word, address));
}

TEST_CASE("the decoder prints words as NVIDIA's disassembler does", "[sass]") {
  std::map<std::uint32_t, Decoder> decoders;
  for (const std::uint32_t architecture : EncodingTable::architectures()) {
    decoders.emplace(architecture, Decoder(architecture));
  }
  const std::vector<KnownWord> words = known_words();
  REQUIRE(words.size() > 3000);
  for (const KnownWord& known : words) {
    INFO("sm_" << known.architecture << " " << std::hex << known.word.high << " " << known.word.low);
    CHECK(instruction_text(decoders.at(known.architecture).decode(known.word, 0)) == known.text);
  }
}

TEST_CASE("branch targets are relative to the following instruction", "[sass]") {
  CHECK(text_of(90, {0xfffffffc00fc7947, 0x000000000383ffff}, 0x340) == "BRA 0x340");
  CHECK(text_of(80, {0x000002a000007947, 0x0000000003800000}, 0x100) == "BRA 0x3b0");
  // BSSY has its displacement elsewhere than branches.
  CHECK(text_of(75, {0x0000012000007945, 0x0000000003800000}, 0x40) == "BSSY B0, 0x170");
  CHECK(text_of(90, {0x0000002800a07944, 0x0000000003c00000}, 0x2a30) == "CALL.REL.NOINC 0x54c0");
}

TEST_CASE("roundings of bfloat16 have its size in both places", "[sass]") {
  CHECK(text_of(90, {0x0000000a000d7307, 0x010e640000406000}) == "FRND.BF16.FLOOR R13, R10");
  CHECK_THROWS_WITH(text_of(90, {0x0000000a000d7307, 0x010e640000404000}), Contains("FRND"));
}

TEST_CASE("labels replace branch targets", "[sass]") {
  PrintOptions options;
  options.label = [](std::uint64_t offset) { return "L" + std::to_string(offset); };
  const MachineInstruction branch = Decoder(90).decode({0xfffffffc00fc7947, 0x000000000383ffff}, 0x20);
  CHECK(instruction_text(branch, options) == "BRA L32");
}

TEST_CASE("reuse flags are printed at the operand in their slot", "[sass]") {
  // FFMA R19, RZ, R16, -R31 with the flags of the second and third slot.
  const std::uint64_t flags = std::uint64_t{6} << (122 - 64);
  CHECK(text_of(80, {0x00000010ff137223, 0x000000000000081f | flags}) == "FFMA R19, RZ, R16.reuse, -R31.reuse");
}

TEST_CASE("an instruction names its modifiers by field", "[sass]") {
  const MachineInstruction load = Decoder(90).decode({0xfffffc1416247981, 0x000000000c1e9900}, 0);
  CHECK(load.mnemonic == "LDG");
  CHECK(load.modifier("E") == 1);
  CHECK(load.modifier("size") == 4);
  CHECK(load.modifier("order") == 4);
  REQUIRE(load.operands.size() == 4);
  CHECK(load.operands[2].has_descriptor);
  CHECK(load.operands[2].index == 22);
  CHECK(load.operands[2].value == -4);
}

TEST_CASE("unknown words are errors with address and bits", "[sass]") {
  CHECK_THROWS_WITH(text_of(90, {0, 0}, 0x30), Contains("at 0x0030") && Contains("opcode 0x0000"));
  // MOV with bit 31, which no operand of it uses.
  CHECK_THROWS_WITH(text_of(90, {0x0000001880167202, 0x0000000000000f00}),
                    Contains("bits 31 have no known meaning in MOV"));
  // MUFU with function 15.
  CHECK_THROWS_WITH(text_of(90, {0x0000000500190308, 0x0000000000003c00}),
                    Contains("the modifier 'function' of MUFU has the unknown value 15"));
  CHECK_THROWS_WITH(Decoder(61), Contains("sm_61 cannot be decoded"));
}

TEST_CASE("immediate values are printed as NVIDIA's disassembler does", "[sass]") {
  CHECK(float_text(0x3f3504f3) == "0.70710676908493041992");
  CHECK(float_text(0x7f800000) == "+INF");
  CHECK(float_text(0xffc00000) == "-QNAN");
  CHECK(float_text(0x4f800000) == "4.29496729600000000000e+09");
  CHECK(double_text(0x40080000) == "3");
  CHECK(half_text(0x3c00) == "1");
  CHECK(half_text(0x0010) == "9.5367431640625e-07");
  CHECK(brain_float_text(0xbf80) == "-1");
}

TEST_CASE("every word of the table of instructions can be read for every architecture", "[sass]") {
  for (const std::uint32_t architecture : EncodingTable::architectures()) {
    const EncodingTable* const table = EncodingTable::of(architecture);
    REQUIRE(table != nullptr);
    CHECK(table->encodings().size() > 200);
  }
}

}  // namespace
}  // namespace warpsim::sass
