// Machine code executed at issue calls a function of the driver when the SMs exchange their effects, also if another
// function stands for the calls of the instruction.
#include <catch2/catch.hpp>
#include <cstddef>
#include <cstring>
#include <fstream>
#include <iterator>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "emulator/machine_code/cubin_module.h"
#include "emulator/memory/device_heap.h"
#include "frontend/machine/cubin_code.h"
#include "frontend/ptx/ptx_kernel.h"

namespace warpsim {
namespace {

TEST_CASE("a call of free() in machine code waits for the exchange of effects", "[sass]") {
  std::ifstream file(WARPSIM_SOURCE_DIR "/tests/data/sass/examples/device_heap.sm_90.cubin", std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  DeviceMemory memory(std::uint64_t{1} << 26U);
  const ModuleImage image(module_of_cubin(std::as_bytes(std::span(bytes)), "device_heap"), memory);
  DeviceHeap heap(memory, 1 << 20);
  const Address allocated = heap.allocate(128);
  const Address values = memory.allocate(128);
  std::uint32_t number = 0;
  while (image.module().functions[number].name != "_Z7releasePi") {
    ++number;
  }
  std::uint32_t kept = 0;
  while (image.module().variables[kept].name != "kept") {
    ++kept;
  }
  std::memcpy(memory.host(image.address_of(kept), sizeof allocated), &allocated, sizeof allocated);

  const KernelImage kernel(image, number);
  LaunchContext context;
  context.kernel = &kernel;
  context.memory = &memory;
  context.heap = &heap;
  context.parameters.resize(sizeof values);
  std::memcpy(context.parameters.data(), &values, sizeof values);
  context.grid = {1, 1, 1};
  context.block = {32, 1, 1};
  context.cluster = {1, 1, 1};
  PtxKernel source(context, machine_code_of(kernel), {}, {});
  source.set_exchange_interval(100);
  const std::unique_ptr<BlockSource> block = source.start_block(0, 0);
  WarpStream stream;
  Cycle now = 0;
  const auto run = [&] {
    for (int i = 0; i < 100 && !stream.finished; ++i) {
      block->refill(stream, ++now);
    }
  };
  run();
  CHECK_FALSE(stream.finished);
  CHECK(memory.host(allocated, 128) != nullptr);
  source.exchange(now);
  run();
  CHECK(stream.finished);
  CHECK(memory.host(allocated, 128) == nullptr);
}

}  // namespace
}  // namespace warpsim
