// The driver's operations on values in memory, and its nodes of graphs with batches of them.
#pragma once

#include <cstddef>
#include <cstdint>

#include "cuda/graphs/graph_abi.h"
#include "cuda/streams/memory_operations.h"

#pragma GCC visibility push(default)
// NOLINTBEGIN(readability-identifier-naming): the names are CUDA's
extern "C" {
int cuStreamWaitValue32(warpsim::cuda::StreamHandle stream, std::uint64_t address, std::uint32_t value, unsigned flags);
int cuStreamWaitValue32_v2(warpsim::cuda::StreamHandle stream, std::uint64_t address, std::uint32_t value,
                           unsigned flags);
int cuStreamWaitValue64(warpsim::cuda::StreamHandle stream, std::uint64_t address, std::uint64_t value, unsigned flags);
int cuStreamWaitValue64_v2(warpsim::cuda::StreamHandle stream, std::uint64_t address, std::uint64_t value,
                           unsigned flags);
int cuStreamWriteValue32(warpsim::cuda::StreamHandle stream, std::uint64_t address, std::uint32_t value,
                         unsigned flags);
int cuStreamWriteValue32_v2(warpsim::cuda::StreamHandle stream, std::uint64_t address, std::uint32_t value,
                            unsigned flags);
int cuStreamWriteValue64(warpsim::cuda::StreamHandle stream, std::uint64_t address, std::uint64_t value,
                         unsigned flags);
int cuStreamWriteValue64_v2(warpsim::cuda::StreamHandle stream, std::uint64_t address, std::uint64_t value,
                            unsigned flags);
int cuStreamBatchMemOp(warpsim::cuda::StreamHandle stream, unsigned count,
                       warpsim::cuda::abi::MemoryOperation* operations, unsigned flags);
int cuStreamBatchMemOp_v2(warpsim::cuda::StreamHandle stream, unsigned count,
                          warpsim::cuda::abi::MemoryOperation* operations, unsigned flags);
int cuGraphAddBatchMemOpNode(warpsim::cuda::NodeHandle* node, warpsim::cuda::GraphHandle graph,
                             const warpsim::cuda::NodeHandle* before, std::size_t count,
                             const warpsim::cuda::abi::BatchNodeParameters* parameters);
int cuGraphBatchMemOpNodeGetParams(warpsim::cuda::NodeHandle node, warpsim::cuda::abi::BatchNodeParameters* parameters);
int cuGraphBatchMemOpNodeSetParams(warpsim::cuda::NodeHandle node,
                                   const warpsim::cuda::abi::BatchNodeParameters* parameters);
int cuGraphExecBatchMemOpNodeSetParams(warpsim::cuda::ExecHandle exec, warpsim::cuda::NodeHandle node,
                                       const warpsim::cuda::abi::BatchNodeParameters* parameters);
}
// NOLINTEND(readability-identifier-naming)
#pragma GCC visibility pop
