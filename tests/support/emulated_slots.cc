#include "support/emulated_slots.h"

#include <algorithm>
#include <cstring>
#include <exception>
#include <stdexcept>
#include <utility>

#include "base/error.h"
#include "emulator/code/kernel_image.h"
#include "emulator/code/module_image.h"
#include "emulator/execution/grid_execution.h"
#include "emulator/machine_code/lifted_module.h"
#include "emulator/memory/device_memory.h"

namespace warpsim::test {

namespace {

constexpr std::uint32_t kArchitecture = 90;
constexpr std::uint32_t kThreads = 32;
constexpr std::size_t kResultBytes = std::size_t{kSlotRows} * kSlotResultWords * 4;

MachineKernel slot_kernel(std::string name, const std::vector<std::uint64_t>& code) {
  MachineKernel kernel;
  kernel.name = std::move(name);
  const auto bytes = std::as_bytes(std::span(code));
  kernel.code = {{.name = {}, .address = 0, .bytes = {bytes.begin(), bytes.end()}}};
  kernel.registers = 64;
  kernel.parameter_base = kSlotParameterBase;
  kernel.parameter_bytes = sizeof(SlotParameters);
  kernel.parameters = {{0, 8}, {8, 8}, {16, 8}, {24, 8}, {32, 64}};
  kernel.shared_bytes = kSlotSharedBytes;
  return kernel;
}

class SlotMemory {
 public:
  SlotMemory() : memory_(kCapacity), parameters_(slot_constants()) {
    parameters_.operands = copied(slot_operands());
    parameters_.uniforms = copied(slot_uniforms());
    parameters_.results = memory_.allocate(kResultBytes);
    parameters_.scratch = memory_.allocate(std::size_t{kSlotRows} * kSlotScratchBytes);
  }

  DeviceMemory& memory() { return memory_; }

  std::vector<std::uint32_t> execute(const KernelImage& kernel) {
    const std::vector<std::uint32_t> results = execute(kernel, HostCodeUse::kNever);
    if (execute(kernel, HostCodeUse::kAlways) != results) {
      throw std::runtime_error("translation to the host's instructions has changed the results");
    }
    return results;
  }

 private:
  static constexpr std::uint64_t kCapacity = std::uint64_t{1} << 24U;

  std::vector<std::uint32_t> execute(const KernelImage& kernel, HostCodeUse use) {
    LaunchContext launch;
    launch.host_code = use;
    launch.kernel = &kernel;
    launch.memory = &memory_;
    launch.grid = {kSlotRows / kThreads, 1, 1};
    launch.cluster = {1, 1, 1};
    launch.block = {kThreads, 1, 1};
    launch.parameters.resize(sizeof parameters_);
    std::memcpy(launch.parameters.data(), &parameters_, sizeof parameters_);
    execute_grid(launch, {});
    std::vector<std::uint32_t> results(kResultBytes / 4);
    std::memcpy(results.data(), memory_.host(parameters_.results, kResultBytes), kResultBytes);
    return results;
  }

  Address copied(const std::vector<std::uint32_t>& words) {
    const Address address = memory_.allocate(words.size() * 4);
    std::memcpy(memory_.host(address, words.size() * 4), words.data(), words.size() * 4);
    return address;
  }

  DeviceMemory memory_;
  SlotParameters parameters_;
};

}  // namespace

void execute_slots(std::span<const SlotWord> words,
                   const std::function<void(std::size_t, std::span<const std::uint32_t>, const std::string&)>& use) {
  constexpr std::size_t kTogether = 64;
  for (std::size_t first = 0; first < words.size(); first += kTogether) {
    const std::size_t count = std::min(kTogether, words.size() - first);
    SlotMemory slots;
    MachineModule machine;
    machine.file = "slots";
    machine.architecture = kArchitecture;
    std::vector<std::vector<std::uint64_t>> codes(count);
    for (std::size_t i = 0; i < count; ++i) {
      codes[i] = slot_code(words[first + i], 0);
      machine.kernels.push_back(slot_kernel("slot" + std::to_string(i), codes[i]));
    }
    const ModuleImage module(lifted_module(machine), slots.memory());
    const std::vector<ptx::Function>& functions = module.module().functions;
    for (std::size_t i = 0; i < count; ++i) {
      const ptx::Function* const function = module.module().find_function("slot" + std::to_string(i));
      try {
        const KernelImage kernel(module, static_cast<std::uint32_t>(function - functions.data()));
        use(first + i, slots.execute(kernel), {});
      } catch (const std::exception& error) {
        use(first + i, {}, error.what());
      }
    }
  }
}

}  // namespace warpsim::test
