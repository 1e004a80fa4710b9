#include "frontend/machine/cubin_code.h"

#include <catch2/catch.hpp>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "emulator/machine_code/cubin_module.h"
#include "emulator/memory/device_memory.h"
#include "isa/control_bits.h"

namespace warpsim {
namespace {

// The kernels of a stored cubin, in device memory.
class LoadedCubin {
 public:
  explicit LoadedCubin(const std::string& name) : memory_(std::uint64_t{1} << 24U) {
    std::ifstream file(WARPSIM_SOURCE_DIR "/tests/data/sass/" + name, std::ios::binary);
    REQUIRE(file);
    const std::string bytes((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
    image_ = std::make_unique<ModuleImage>(module_of_cubin(std::as_bytes(std::span(bytes)), name), memory_);
  }

  std::vector<std::unique_ptr<KernelImage>> kernels() const {
    std::vector<std::unique_ptr<KernelImage>> kernels;
    const std::vector<ptx::Function>& functions = image_->module().functions;
    for (std::uint32_t i = 0; i < functions.size(); ++i) {
      if (functions[i].is_entry) {
        kernels.push_back(std::make_unique<KernelImage>(*image_, i));
      }
    }
    return kernels;
  }

 private:
  DeviceMemory memory_;
  std::unique_ptr<ModuleImage> image_;
};

TEST_CASE("machine code of a cubin keeps the compiler's instructions and control bits", "[sass]") {
  const LoadedCubin cubin("examples/matrix_product.sm_90.cubin");
  const auto kernels = cubin.kernels();
  REQUIRE(!kernels.empty());
  for (const auto& kernel : kernels) {
    const MachineCode code = machine_code_of(*kernel);
    const std::vector<ptx::MachineWord>& words = kernel->source().machine_words;
    REQUIRE(code.program->instructions.size() == words.size());
    CHECK(code.registers_per_thread == kernel->source().machine_registers);
    CHECK(code.registers_per_thread > 0);
    CHECK(code.program->architecture == 90);
    for (std::size_t i = 0; i < words.size(); ++i) {
      const StaticInstruction& instruction = code.program->instructions[i];
      INFO(code.program->text[i]);
      CHECK(instruction.pc == 16 * i);
      CHECK(instruction.has_control);
      CHECK(instruction.control == decode_volta_control(words[i].high));
      CHECK(instruction.known_opcode);
    }
  }
}

TEST_CASE("each machine instruction is placed at one operation, the observable one if there is any", "[sass]") {
  for (const char* const name :
       {"examples/atomic_cas.sm_75.cubin", "examples/mutex.sm_80.cubin", "examples/fence_sum.sm_90.cubin"}) {
    const LoadedCubin cubin(name);
    for (const auto& kernel : cubin.kernels()) {
      INFO(name << " " << kernel->name());
      const MachineCode code = machine_code_of(*kernel);
      const std::vector<Operation>& operations = kernel->entry().operations;
      std::vector<int> placed(code.program->instructions.size());
      for (const std::vector<MachinePlace>& places : code.places) {
        if (places.empty()) {
          continue;
        }
        REQUIRE(places.size() == operations.size());
        for (std::size_t i = 0; i < places.size(); ++i) {
          if (places[i].count != 0) {
            CHECK(places[i].count == 1);
            CHECK(operations[i].line == places[i].first + 1);
            ++placed[places[i].first];
          } else if (operations[i].line <= placed.size() && i + 1 < operations.size()) {
            // What others observe has a place, so that it executes when its instruction issues.
            CHECK(operations[i].effect == Effect::kPrivate);
          }
        }
      }
      for (std::size_t i = 0; i < placed.size(); ++i) {
        INFO(code.program->text[i]);
        CHECK(placed[i] == 1);
      }
    }
  }
}

TEST_CASE("instructions of a cubin have the lines that it states", "[sass]") {
  const LoadedCubin cubin("cubins/lines.sm_90.cubin");
  const auto kernels = cubin.kernels();
  REQUIRE(kernels.size() == 1);
  const MachineCode code = machine_code_of(*kernels.front());
  const StaticProgram& program = *code.program;
  CHECK(program.source_files == std::vector<std::string>{"/source/lines.cu"});
  REQUIRE(program.source_lines.size() == program.instructions.size());
  std::uint32_t stores = 0;
  for (std::size_t i = 0; i < program.text.size(); ++i) {
    if (program.text[i].find("STG") != std::string::npos) {
      // The two assignments of the kernel.
      CHECK(program.source_lines[i].line == 18 + stores);
      ++stores;
    }
  }
  CHECK(stores == 2);
  const LoadedCubin without("cubins/program.sm_90.cubin");
  CHECK(machine_code_of(*without.kernels().front()).program->source_lines.empty());
}

}  // namespace
}  // namespace warpsim
