#include "support/emulated_forms.h"

#include <cstring>
#include <stdexcept>
#include <string>

#include "emulator/code/kernel_image.h"
#include "emulator/code/module_image.h"
#include "emulator/execution/grid_execution.h"
#include "emulator/memory/device_memory.h"
#include "ptx/parser.h"

namespace warpsim::test {

std::vector<std::vector<std::uint64_t>> execute_forms(const FormGroup& group) {
  constexpr std::uint64_t kCapacity = std::uint64_t{1} << 24U;
  constexpr std::uint32_t kThreads = 32;
  DeviceMemory memory(kCapacity);
  const ModuleImage module(ptx::parse_module(module_text(group), group.name + ".ptx"), memory);
  const std::size_t rows = group.rows.size();
  const std::vector<std::uint64_t> words = operand_words(group);
  const Address addresses[] = {memory.allocate(rows * kOperandBytes), memory.allocate(rows * kResultBytes),
                               memory.allocate(rows * kOwnBytes)};
  std::memcpy(memory.host(addresses[0], rows * kOperandBytes), words.data(), rows * kOperandBytes);
  std::vector<std::vector<std::uint64_t>> results;
  for (std::size_t i = 0; i < group.forms.size(); ++i) {
    const ptx::Function* const function = module.module().find_function("f" + std::to_string(i));
    const KernelImage kernel(module, static_cast<std::uint32_t>(function - module.module().functions.data()));
    LaunchContext launch;
    launch.kernel = &kernel;
    launch.memory = &memory;
    launch.grid = {static_cast<std::uint32_t>(rows / kThreads), 1, 1};
    launch.cluster = {1, 1, 1};
    launch.block = {kThreads, 1, 1};
    launch.parameters.resize(sizeof addresses);
    std::memcpy(launch.parameters.data(), addresses, sizeof addresses);
    const auto execute = [&](HostCodeUse use) {
      launch.host_code = use;
      std::memset(memory.host(addresses[1], rows * kResultBytes), 0, rows * kResultBytes);
      execute_grid(launch, {});
      std::vector<std::uint64_t> result(rows);
      std::memcpy(result.data(), memory.host(addresses[1], rows * kResultBytes), rows * kResultBytes);
      return result;
    };
    results.push_back(execute(HostCodeUse::kNever));
    if (execute(HostCodeUse::kAlways) != results.back()) {
      throw std::runtime_error(group.forms[i] + ": translation to the host's instructions has changed the results");
    }
  }
  return results;
}

}  // namespace warpsim::test
