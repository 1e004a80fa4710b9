// Every word of tests/data/sass/words.tsv is either refused or becomes text that the emulator can execute, also with RZ
// in the place of a register.
#include <catch2/catch.hpp>
#include <cstring>
#include <deque>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "emulator/code/kernel_image.h"
#include "emulator/code/module_image.h"
#include "emulator/machine_code/lifted_module.h"
#include "emulator/memory/device_memory.h"
#include "unit/emulator/machine_code/lifted_word.h"

using namespace warpsim;
using namespace warpsim::test;

namespace {

struct KnownWords {
  MachineModule module;                        // a kernel for each word
  std::deque<std::vector<std::byte>> code;     // of the kernels
  std::map<std::string, std::string> text_of;  // by name of the kernel
};

// Where a word has the numbers of its source registers, from bit 24 on: the first two are in its low half.
enum class ZeroRegister { kNone, kFirst, kSecond, kThird };

void set_zero_register(std::uint64_t (&word)[2], ZeroRegister which) {
  constexpr std::uint64_t kRz = 0xff;
  switch (which) {
    case ZeroRegister::kNone:
      return;
    case ZeroRegister::kFirst:
      word[0] |= kRz << 24U;
      return;
    case ZeroRegister::kSecond:
      word[0] |= kRz << 32U;
      return;
    case ZeroRegister::kThird:
      word[1] |= kRz;
      return;
  }
}

KnownWords words_of(std::uint32_t architecture, ZeroRegister zero_register) {
  constexpr std::uint32_t kParameterBytes = 4096;
  constexpr std::size_t kBankBytes = 0x1000;
  KnownWords words;
  words.module.file = "words";
  words.module.architecture = architecture;
  words.module.constants.resize(kBankBytes);
  words.module.address_bytes = kBankBytes;
  std::ifstream file(std::string(WARPSIM_SOURCE_DIR) + "/tests/data/sass/words.tsv");
  for (std::string line; std::getline(file, line);) {
    std::istringstream fields(line);
    std::uint32_t of = 0;
    std::uint64_t word[2] = {};
    if (!(fields >> std::dec >> of >> std::hex >> word[1] >> word[0]) || of != architecture) {
      continue;
    }
    std::getline(fields >> std::ws, line);
    set_zero_register(word, zero_register);
    std::vector<std::byte>& code = words.code.emplace_back(sizeof word);
    std::memcpy(code.data(), word, sizeof word);
    MachineKernel kernel;
    kernel.name = "k" + std::to_string(words.code.size());
    kernel.code = {{.name = {}, .address = 0, .bytes = code}};
    kernel.parameter_base = architecture >= 90 ? 0x210 : 0x160;
    kernel.parameter_bytes = kParameterBytes;
    kernel.parameters = {{0, kParameterBytes}};
    kernel.literals.resize(64);
    kernel.stack_bytes = 64;
    words.text_of[kernel.name] = line;
    words.module.kernels.push_back(kernel);
  }
  return words;
}

}  // namespace

TEST_CASE("machine code: every known word is refused or can be executed", "[machine_code][exhaustive]") {
  const auto architecture = GENERATE(70U, 75U, 80U, 86U, 89U, 90U);
  const auto zero_register =
      GENERATE(ZeroRegister::kNone, ZeroRegister::kFirst, ZeroRegister::kSecond, ZeroRegister::kThird);
  CAPTURE(architecture, zero_register);
  const KnownWords words = words_of(architecture, zero_register);
  REQUIRE(words.code.size() > 100);
  constexpr std::uint64_t kCapacity = std::uint64_t{1} << 24U;
  DeviceMemory memory(kCapacity);
  const ModuleImage module(lifted_module(words.module), memory);
  const std::vector<ptx::Function>& functions = module.module().functions;
  std::size_t accepted = 0;
  for (std::uint32_t i = 0; i < functions.size(); ++i) {
    INFO(words.text_of.at(std::string(functions[i].name)));
    const LiftedKernel lifted = lifted_kernel(words.module, sass::Decoder(architecture), words.module.kernels[i], i);
    if (lifted.refusal.empty()) {
      CHECK_NOTHROW(KernelImage(module, i));
      ++accepted;
    }
  }
  // Refused are matrices, textures, bulk copies and rare forms.
  CHECK(accepted > words.code.size() * (zero_register == ZeroRegister::kNone ? 16U : 5U) / 20);
}
