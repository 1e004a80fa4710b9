// Modules of lifted machine code: parameters, constant banks, variables, refusals, numbers of instructions.
#include "emulator/machine_code/lifted_module.h"

#include <catch2/catch.hpp>
#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "emulator/code/module_image.h"
#include "emulator/memory/device_memory.h"
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
  LiftedKernel lifted() const {
    return lifted_kernel(module, sass::Decoder(module.architecture), module.kernels[0], 0);
  }
  std::string text() const { return lifted().text; }
  std::string refusal() const {
    const std::string found = lifted().refusal;
    return found.empty() ? "not refused" : found;
  }
  // The module of the kernel alone.
  std::unique_ptr<const ptx::Module> kernel_module() const { return lifted_module(module)->kernel_source->kernel(0); }

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
  const auto module = one.kernel_module();
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
  const auto module = one.kernel_module();
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
  const auto module = lifted_module(one.module);
  struct Expected {
    std::string name;
    ptx::StateSpace space;
    std::uint64_t bytes;
    std::uint32_t alignment;
    std::vector<std::byte> content;
  };
  using ptx::StateSpace;
  const std::vector<Expected> expected = {{"first", StateSpace::kGlobal, 6, 8, {}},
                                          {"second", StateSpace::kGlobal, 2, 16, bytes_from({3, 4})},
                                          {"bank3", StateSpace::kConstant, 3, 16, bytes_from({1, 0, 255})},
                                          {"bank4", StateSpace::kConstant, 24, 16, std::vector<std::byte>(24)},
                                          {"bank2_0", StateSpace::kConstant, 2, 16, bytes_from({7, 8})}};
  REQUIRE(module->variables.size() == expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const ptx::Variable& variable = module->variables[i];
    CHECK(variable.name == expected[i].name);
    CHECK(variable.space == expected[i].space);
    CHECK(variable.bytes() == expected[i].bytes);
    CHECK(variable.alignment == expected[i].alignment);
    CHECK(variable.content == expected[i].content);
  }
  const std::vector<ptx::ContentAddress>& addresses = module->variables[3].addresses;
  REQUIRE(addresses.size() == 2);
  CHECK((addresses[0].at == 8 && addresses[0].variable == 1 && addresses[0].offset == 1));
  CHECK((addresses[1].at == 16 && addresses[1].variable == 0 && addresses[1].offset == 0));
  CHECK_THAT(one.text(), Contains(".extern .const .b8 bank2_0[];\n.extern .const .b8 bank3[];\n"));
  CHECK(one.refusal() == "not refused");
}

TEST_CASE("lifted module: variables with addresses consist of words and follow those without", "[machine_code]") {
  OneKernel one({"NOP"});
  constexpr std::uint64_t kAddress = 0x4000000000000080;
  one.module.variables.push_back(
      {"pointers", 13, 4, false, bytes_from({1, 2, 3}), {{0, "", kAddress}, {8, "last", 4}}});
  one.module.variables.push_back({"last", 8, 8, false, {}});
  const auto module = lifted_module(one.module);
  REQUIRE(module->variables.size() == 2);
  const ptx::Variable& pointers = module->variables[1];
  CHECK(pointers.name == "pointers");
  CHECK(pointers.bytes() == 16);
  CHECK(pointers.alignment == 8);
  CHECK(pointers.content == bytes_from({0x80, 0, 0, 0, 0, 0, 0, 0x40, 0, 0, 0, 0, 0, 0, 0, 0}));
  REQUIRE(pointers.addresses.size() == 1);
  CHECK((pointers.addresses[0].at == 8 && pointers.addresses[0].variable == 0 && pointers.addresses[0].offset == 4));

  DeviceMemory memory(std::uint64_t{1} << 20U);
  const ModuleImage image(lifted_module(one.module), memory);
  Address words[2] = {};
  std::memcpy(words, memory.host(image.address_of(1), sizeof words), sizeof words);
  CHECK(words[0] == kAddress);
  CHECK(words[1] == image.address_of(0) + 4);

  one.module.variables.pop_back();
  CHECK_THROWS_WITH(lifted_module(one.module),
                    "one.cubin: variable pointers, offset 0x8: the address of last, which is not there");
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
  const auto module = one.kernel_module();
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
  const auto module = one.kernel_module();
  for (const ptx::Instruction& instruction : module->find_function("kernel")->body) {
    CHECK(instruction.uniform == (instruction.place.line == 1));
  }
}

TEST_CASE("lifted module: parameters are where the machine code has them", "[machine_code]") {
  // A tensor map is aligned to 128 bytes of the constant bank, not of the parameters.
  OneKernel one({"NOP"});
  one.set_parameters({{4, 4}, {0x70, 128}, {0xf0, 8}});
  const auto module = one.kernel_module();
  CHECK(module->find_function("kernel")->parameter_offsets == std::vector<std::uint32_t>{4, 0x70, 0xf0});
}

TEST_CASE("lifted module: a refused kernel leaves the others executable", "[machine_code]") {
  OneKernel one({"NOP"});
  const std::vector<std::byte> other = code_of({"NOP", "ATOM.E.ARRIVE.64.STRONG.SM PT, R14, [R14.64+URZ]"});
  MachineKernel bad = one.kernel();
  bad.name = "bad";
  bad.code = {{.name = {}, .address = 0, .bytes = other}};
  MachineKernel worse = one.kernel();
  worse.name = "worse";
  worse.refusal = "no reason";
  one.module.kernels.insert(one.module.kernels.begin(), bad);
  one.module.kernels.push_back(worse);
  const auto module = lifted_module(one.module);
  const ptx::KernelSource& kernels = *module->kernel_source;
  const std::string refusal =
      "kernel bad: machine instruction at 0x0010, ATOM.E.ARRIVE.64.STRONG.SM PT, R14, [R14.64+URZ]: ";
  CHECK_THAT(kernels.refusal(), Catch::StartsWith(refusal));
  CHECK_THROWS_WITH(kernels.kernel(0), Catch::StartsWith("one.cubin: " + refusal));
  CHECK(kernels.kernel(1)->find_function("kernel")->body.back().place.line == 1);
  CHECK_THROWS_WITH(kernels.kernel(2), "one.cubin: kernel worse: no reason");
}

TEST_CASE("lifted module: a kernel gets its code when it is needed", "[machine_code]") {
  OneKernel one({"NOP"});
  const std::vector<MachineCodePart> code = std::exchange(one.kernel().code, {});
  MachineKernel second = one.kernel();
  second.name = "second";
  one.module.kernels.push_back(second);
  std::vector<std::uint32_t> asked;
  const auto module = lifted_module(one.module, [&](std::uint32_t number, MachineKernel& kernel) {
    asked.push_back(number);
    kernel.code = code;
  });
  CHECK(module->functions.size() == 2);
  CHECK(asked.empty());
  CHECK(module->kernel_source->kernel(1)->find_function("second")->machine_words.size() == 1);
  CHECK(asked == std::vector<std::uint32_t>{1});
  CHECK(module->kernel_source->refusal().empty());
  CHECK(asked == std::vector<std::uint32_t>{1, 0, 1});
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
