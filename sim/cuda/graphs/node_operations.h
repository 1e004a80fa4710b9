// What the nodes of graphs are as operations, and operations as nodes.
#pragma once

#include "cuda/graphs/graph_node.h"

namespace warpsim::cuda {

// Of nodes that are one operation. Memory is looked up; fails as the call of the same work would.
Operation operation_of(Context& context, const NodePayload& payload);

// An operation that was put into a captured stream. A fill of several slices is more than one node.
std::vector<NodePayload> nodes_of(const Operation& operation);

// The nodes of CUDA's parameters; these fail if the work cannot be done.
NodePayload kernel_node(Context& context, const abi::KernelNodeParameters& parameters);
NodePayload copy_node(Context& context, const abi::Memcpy3d& copy);
NodePayload fill_node(Context& context, const abi::FillParameters& fill);
NodePayload host_node(const abi::HostParameters& host);
NodePayload batch_node(Context& context, const abi::BatchNodeParameters& batch);
// A copy of bytes in line.
abi::Memcpy3d line_copy(void* target, const void* source, std::size_t bytes, int kind);

// The driver names a kernel in one of two places.
abi::KernelNodeParameters kernel_of(const abi::DriverKernelNodeParameters& parameters);

// The parameters as the program sees them; pointers are to the node.
abi::KernelNodeParameters parameters_of(Context& context, KernelNode& node);

}  // namespace warpsim::cuda
