// The state that all blocks of a running launch share.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/types.h"
#include "emulator/host_code/host_code_use.h"
#include "emulator/memory/device_memory.h"

namespace warpsim {

class KernelImage;
class TextureUnit;
class DeviceHeap;
class DeviceLaunches;
class Breakpoints;
class LaunchWatch;
class SystemCalls;
class RaceCheck;

struct LaunchContext {
  const KernelImage* kernel = nullptr;
  DeviceMemory* memory = nullptr;
  const TextureUnit* textures = nullptr;  // null: none created
  DeviceHeap* heap = nullptr;             // of malloc() in kernels; null: none
  DeviceLaunches* launches = nullptr;     // from kernels; null: they are not possible
  SystemCalls* system_calls = nullptr;    // their time; null: they take none
  Breakpoints* breakpoints = nullptr;     // null: none in this kernel
  LaunchWatch* watch = nullptr;           // null: the launch is unbounded
  RaceCheck* races = nullptr;             // null: no race check
  std::vector<std::byte> parameters;
  Dim3 grid;
  Dim3 block;
  Dim3 cluster;
  std::uint32_t dynamic_shared_bytes = 0;
  std::uint64_t grid_id = 0;
  std::uint64_t graph_exec = 0;  // the graph that it is part of, if kernels can launch that; %current_graph_exec
  std::uint32_t sm_count = 1;
  // %envreg0 and on. In a cooperative launch, 1 and 2 are the upper and lower half of the address of 16 bytes of zeros:
  // where its blocks count arrivals at a barrier of the grid.
  std::array<std::uint32_t, 32> environment = {};
  std::uint32_t capability = 90;          // 90 for 9.0
  double clock_mhz = 1000;                // cycles to nanoseconds, for %globaltimer
  const double* clock_zero_ns = nullptr;  // its value at cycle 0; null: 0
  bool independent_threads = true;        // from 7.0 on
  bool concurrent = false;                // several threads of the host execute its blocks, at the same time
  HostCodeUse host_code = HostCodeUse::kOften;
  std::function<void(const std::string& text)> print;  // printf; of any thread of the host, as `warn`
  // A finding at a line; the receiver reports each line once.
  std::function<void(std::uint32_t line, const std::string& text)> warn;

  // Not empty: what CUDA does not allow but hardware does is done, and the receiver reports each line
  // once.
  std::function<void(std::uint32_t line, const std::string& text)> tolerate;

  // Whether others than the running thread of the host may change memory during an atomic operation.
  bool updates_atomically() const { return concurrent || memory->is_shared(); }
};

}  // namespace warpsim
