// The content of a trace, per kernel: the numbers of `warpsim info` (app/commands/info_command.h prints them).
//
// Reads every block of every kernel through the interface that the core uses, so that the counts are those of the
// simulation. Requests and sectors follow only from addresses: one request per instruction with an active lane, and
// the distinct 32-byte sectors that its lanes touch, as l1tex__t_requests_* and l1tex__t_sectors_* of Nsight Compute.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "frontend/workload/workload.h"
#include "isa/opcode_table.h"

namespace warpsim {

struct TrafficInfo {
  std::uint64_t requests = 0;
  std::uint64_t sectors = 0;
};

struct KernelInfo {
  std::uint32_t launch_index = 0;
  std::string kernel;
  std::uint32_t architecture = 0;
  bool has_listing = false;
  bool has_control = false;
  Dim3 grid;
  Dim3 block;
  std::uint32_t registers_per_thread = 0;
  std::uint32_t shared_bytes = 0;
  std::uint32_t local_bytes_per_thread = 0;
  std::uint64_t blocks = 0;               // read
  std::uint64_t warps = 0;                // that execute at least one instruction
  std::uint64_t instructions = 0;         // warp instructions
  std::uint64_t thread_instructions = 0;  // active lanes, without those predicated off
  std::uint64_t without_lanes = 0;        // warp instructions that no lane executes
  std::array<std::uint64_t, kInstructionClassCount> by_class{};
  TrafficInfo global_load;  // LDG, LDGSTS and generic loads of global memory
  TrafficInfo global_store;
  std::string problem;  // empty: the kernel's trace is valid
};

struct TraceInfo {
  std::string name;
  std::string content_hash;
  std::uint64_t copies = 0;
  std::uint64_t copied_bytes = 0;
  std::vector<KernelInfo> kernels;
  std::vector<std::string> notes;

  bool valid() const;
  // Sums over all kernels; what cannot be summed is empty.
  KernelInfo total() const;
};

// `progress` is called after each block with the instructions read so far.
TraceInfo read_trace_info(Workload& workload, const std::function<void(std::uint64_t)>& progress = {});

// Distinct 32-byte sectors that accesses of `bytes` bytes at the addresses of `lanes` lanes touch.
std::uint32_t count_sectors(const LaneAddresses& addresses, std::uint32_t lanes, std::uint32_t bytes);

}  // namespace warpsim
