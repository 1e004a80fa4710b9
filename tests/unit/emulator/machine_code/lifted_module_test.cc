// Modules of lifted machine code: parameters, constant banks, variables, refusals, numbers of instructions.
#include "emulator/machine_code/lifted_module.h"

#include <catch2/catch.hpp>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "unit/emulator/machine_code/lifted_word.h"

using namespace warpsim;
using namespace warpsim::test;
using Catch::Matchers::Contains;

namespace {

constexpr std::uint32_t kArchitecture = 80;

// The word of an instruction that is the same from 7.0 to 8.9.
sass::InstructionWord common_word(const std::string& text) {
  constexpr const char* kDriverWords[] = {"ULDC.64 UR6, c[0x0][0x118]", "IMAD.MOV.U32 R1, RZ, RZ, c[0x0][0x28]"};
  return text == kDriverWords[0]   ? known_word(89, text)
         : text == kDriverWords[1] ? known_word(70, text)
                                   : known_word(kArchitecture, text);
}

std::vector<std::byte> code_of(const std::vector<std::string>& instructions) {
  std::vector<std::byte> code(instructions.size() * sass::kInstructionBytes);
  for (std::size_t i = 0; i < instructions.size(); ++i) {
    const sass::InstructionWord word = common_word(instructions[i]);
    std::memcpy(code.data() + i * sass::kInstructionBytes, &word.low, sizeof word.low);
    std::memcpy(code.data() + i * sass::kInstructionBytes + sizeof word.low, &word.high, sizeof word.high);
  }
  return code;
}

struct OneKernel {
  explicit OneKernel(const std::vector<std::string>& instructions) {
    module.file = "one.cubin";
    module.architecture = kArchitecture;
    MachineKernel kernel;
    kernel.name = "kernel";
    kernel.code = {{.name = {}, .address = 0, .bytes = code_of(instructions)}};
    kernel.registers = 40;
    kernel.parameter_base = 0x160;
    module.kernels.push_back(kernel);
  }
  MachineKernel& kernel() { return module.kernels[0]; }
  void set_parameters(std::vector<MachineParameter> parameters) {
    kernel().parameter_bytes = parameters.back().offset + parameters.back().bytes;
    kernel().parameters = std::move(parameters);
  }
  std::string text() const { return lifted_text(module).text; }
  std::string refusal() const {
    const LiftedText lifted = lifted_text(module);
    return lifted.refusals.size() == 1 ? lifted.refusals[0] : "not refused";
  }

  MachineModule module;
};

std::vector<std::byte> bytes_from(const std::vector<unsigned>& numbers) {
  std::vector<std::byte> bytes;
  bytes.reserve(numbers.size());
  for (const unsigned number : numbers) {
    bytes.push_back(static_cast<std::byte>(number));
  }
  return bytes;
}

}  // namespace

TEST_CASE("lifted module: parameters have the offsets that machine code reads", "[machine_code]") {
  OneKernel one({"ISETP.GE.AND P0, PT, R16, c[0x0][0x198], PT", "IMAD.X R7, RZ, RZ, c[0x0][0x1a4], P1"});
  one.set_parameters({{0, 8}, {8, 1}, {12, 4}, {16, 0x30}, {0x40, 8}});
  CHECK_THAT(one.text(), Contains(".visible .entry kernel(.param .align 16 .b8 parameter0[8], "
                                  ".param .align 8 .b8 parameter1[1], .param .align 4 .b8 parameter2[4], "
                                  ".param .align 16 .b8 parameter3[48], .param .align 16 .b8 parameter4[8])"));
  CHECK_THAT(one.text(), Contains("ld.param.b32 %c0_408, [56];\nld.param.b32 %c0_420, [68];\n"));
  const auto module = lifted_module(one.module);
  REQUIRE(module->refusals.empty());
  const ptx::Function& kernel = *module->find_function("kernel");
  CHECK(kernel.parameters.size() == 5);
  CHECK(module->is_machine_code);
}

TEST_CASE("lifted module: a read after the last parameter refuses the kernel", "[machine_code]") {
  OneKernel one({"IMAD.X R7, RZ, RZ, c[0x0][0x1a4], P1"});
  one.set_parameters({{0, 0x48}});
  CHECK(one.refusal() == "not refused");
  one.set_parameters({{0, 0x47}});
  CHECK(one.refusal() == "kernel kernel: it reads c[0x0][0x1a4], behind its parameters");
}

TEST_CASE("lifted module: constant bank 0 begins with the words of the driver", "[machine_code]") {
  OneKernel one({"IMAD.MOV.U32 R1, RZ, RZ, c[0x0][0x28]", "ULDC.64 UR6, c[0x0][0x118]"});
  one.kernel().stack_bytes = 24;
  CHECK_THAT(one.text(), Contains("mov.u32 %c0_40, 24;\n"));
  CHECK_THAT(one.text(), Contains("mov.u32 %c0_280, 0;\nmov.u32 %c0_284, 0;\n"));
  CHECK_THAT(one.text(), Contains(".local .align 16 .b8 stack[24];\n"));
}

TEST_CASE("lifted module: only the code before the first instruction writes constants of the launch",
          "[machine_code]") {
  OneKernel one({"IMAD.MOV.U32 R1, RZ, RZ, c[0x0][0x28]", "IMAD.X R7, RZ, RZ, c[0x0][0x1a4], P1"});
  one.set_parameters({{0, 0x48}});
  const auto module = lifted_module(one.module);
  const ptx::Function& kernel = *module->find_function("kernel");
  // PT, the two words; the mask of all lanes, which each block sets, follows.
  REQUIRE(kernel.constant_instructions == 3);
  CHECK(kernel.body[3].modifiers.front() == "bssy");
  CHECK(kernel.registers[kernel.constant_registers].name == "%pt");
  CHECK(kernel.registers[kernel.constant_registers + 2].name == "%c0_420");
  CHECK(kernel.constant_registers_end == kernel.constant_registers + 3);
}

TEST_CASE("lifted module: literals, constants and addresses are arrays of constant memory", "[machine_code]") {
  OneKernel one({"@!P0 LDC.64 R42, c[0x3][R42]"});
  one.module.constants = bytes_from({1, 0, 255});
  one.kernel().literals = bytes_from({7, 8});
  one.module.variables.push_back({"first", 6, 8, false, {}});
  one.module.variables.push_back({"second", 2, 16, false, bytes_from({3, 4})});
  one.module.address_bytes = 24;
  one.module.addresses = {{8, "second", 1}, {16, "first", 0}};
  const std::string text = one.text();
  CHECK_THAT(text, Contains(".const .align 16 .b8 bank3[3] = {1,0,255};\n"));
  CHECK_THAT(text, Contains(".const .align 16 .b8 bank2_0[2] = {7,8};\n"));
  CHECK_THAT(text, Contains(".visible .global .align 8 .b8 first[6];\n"));
  CHECK_THAT(text, Contains(".visible .global .align 16 .b8 second[2] = {3,4};\n"));
  CHECK_THAT(text, Contains(".const .align 16 .b64 bank4[3] = {0, generic(second)+1, generic(first)+0};\n"));
  CHECK(lifted_module(one.module)->refusals.empty());
}

TEST_CASE("lifted module: constants that do not exist refuse the kernel", "[machine_code]") {
  OneKernel one({"I2F.U64.RP R5, c[0x2][0x0]"});
  one.kernel().literals = bytes_from({0, 0, 0, 0, 0, 0, 0});
  CHECK_THAT(one.refusal(), Contains("kernel kernel: it reads c[0x2][0x4], whose meaning is not known"));
  one.kernel().literals.push_back(std::byte{0});
  CHECK(one.refusal() == "not refused");
}

TEST_CASE("lifted module: numbers of instructions are lines, without the code before the first one", "[machine_code]") {
  const OneKernel one({"IMAD.MOV.U32 R1, RZ, RZ, c[0x0][0x28]", "NOP", "DADD.RP R8, R14, R8", "@P0 BREAK B2"});
  const auto module = lifted_module(one.module);
  const ptx::Function& kernel = *module->find_function("kernel");
  CHECK(kernel.machine_registers == 40);
  std::vector<std::uint32_t> lines;
  for (const ptx::Instruction& instruction : kernel.body) {
    if (lines.empty() || lines.back() != instruction.place.line) {
      lines.push_back(instruction.place.line);
    }
  }
  // Code before the first instruction has the line after the last one.
  CHECK(lines == std::vector<std::uint32_t>{5, 1, 2, 3, 4});
}

TEST_CASE("lifted module: uniform instructions are marked, others are not", "[machine_code]") {
  const OneKernel one({"ULDC.64 UR6, c[0x0][0x118]", "IMAD.MOV.U32 R1, RZ, RZ, c[0x0][0x28]"});
  const auto module = lifted_module(one.module);
  for (const ptx::Instruction& instruction : module->find_function("kernel")->body) {
    CHECK(instruction.uniform == (instruction.place.line == 1));
  }
}

TEST_CASE("lifted module: parameters are where the machine code has them", "[machine_code]") {
  // A tensor map is aligned to 128 bytes of the constant bank, not of the parameters.
  OneKernel one({"NOP"});
  one.set_parameters({{4, 4}, {0x70, 128}, {0xf0, 8}});
  const auto module = lifted_module(one.module);
  CHECK(module->find_function("kernel")->parameter_offsets == std::vector<std::uint32_t>{4, 0x70, 0xf0});
}

TEST_CASE("lifted module: a refused kernel leaves the others executable", "[machine_code]") {
  OneKernel one({"NOP"});
  const std::vector<std::byte> other = code_of({"NOP", "DMMA.884.RP R24, R16, R76, R76"});
  MachineKernel bad = one.kernel();
  bad.name = "bad";
  bad.code = {{.name = {}, .address = 0, .bytes = other}};
  MachineKernel worse = one.kernel();
  worse.name = "worse";
  worse.refusal = "no reason";
  one.module.kernels.insert(one.module.kernels.begin(), bad);
  one.module.kernels.push_back(worse);
  const auto module = lifted_module(one.module);
  REQUIRE(module->refusals.size() == 2);
  CHECK_THAT(module->refusals[0],
             Catch::StartsWith("kernel bad: machine instruction at 0x0010, DMMA.884.RP R24, R16, R76, R76: "));
  CHECK(module->refusals[1] == "kernel worse: no reason");
  CHECK(module->find_function("bad")->body.size() == 1);
  CHECK(module->find_function("kernel")->body.back().place.line == 1);
  CHECK(module->find_function("worse")->body.size() == 1);
}

TEST_CASE("lifted module: a branch out of the code refuses the kernel", "[machine_code]") {
  OneKernel one({"NOP", "NOP"});
  // BRA 0x3b0 at 0x10.
  const std::uint64_t words[] = {0x0000039000007947, 0x0000000003800000};
  std::memcpy(one.kernel().code.front().bytes.data() + sass::kInstructionBytes, words, sizeof words);
  CHECK(one.refusal() == "kernel kernel: a branch leads to 0x3b0, outside of the code");
}

TEST_CASE("lifted module: an architecture without a decoder is an error", "[machine_code]") {
  OneKernel one({"NOP"});
  one.module.architecture = 52;
  CHECK_THROWS_AS(lifted_module(one.module), sass::UnknownInstruction);
}
