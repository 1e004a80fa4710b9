// What all blocks of a running launch share.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/types.h"
#include "emulator/device_memory.h"

namespace warpsim {

class KernelImage;
class TextureUnit;
class DeviceHeap;

struct LaunchContext {
  const KernelImage* kernel = nullptr;
  DeviceMemory* memory = nullptr;
  const TextureUnit* textures = nullptr;  // null: none was created
  DeviceHeap* heap = nullptr;             // of malloc() in kernels; null: none
  std::vector<std::byte> parameters;
  Dim3 grid;
  Dim3 block;
  Dim3 cluster;
  std::uint32_t dynamic_shared_bytes = 0;
  std::uint64_t grid_id = 0;
  std::uint32_t sm_count = 1;
  std::uint32_t capability = 90;                       // 90 for 9.0
  double clock_mhz = 1000;                             // cycles to nanoseconds, for %globaltimer
  bool independent_threads = true;                     // from 7.0 on
  std::function<void(const std::string& text)> print;  // printf
  // A finding at a line; the receiver tells each line's once.
  std::function<void(std::uint32_t line, const std::string& text)> warn;
};

}  // namespace warpsim
