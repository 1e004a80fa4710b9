// Calls about the nodes of graphs, for runtime and driver: how they are added, and their parameters.
#pragma once

#include "cuda/graphs/graph_calls.h"
#include "cuda/graphs/graph_exec.h"

namespace warpsim::cuda {

enum class Api : bool { kRuntime, kDriver };

void add_payload(Context& context, NodeHandle* node, const NodePlace& place, NodePayload payload);

void add_child(Context& context, NodeHandle* node, const NodePlace& place, GraphHandle child);
void add_event(Context& context, NodeHandle* node, const NodePlace& place, NodePayload payload);
// The address of the memory is in the parameters then.
void add_allocation(Context& context, NodeHandle* node, const NodePlace& place, abi::AllocationParameters* parameters);
void add_free(Context& context, NodeHandle* node, const NodePlace& place, void* data);
// A node of any type. Fails with kNotSupported for external semaphores.
void add_any(Context& context, NodeHandle* node, const NodePlace& place, abi::NodeParameters* parameters, Api api);

// New parameters of a node of the same type, of a graph or of an instantiated one. Attributes of kernels stay.
void set_payload(Context& context, NodeHandle node, NodePayload payload);
void set_exec_payload(Context& context, ExecHandle exec, NodeHandle node, NodePayload payload);
// From parameters of any type.
NodePayload payload_from(Context& context, const abi::NodeParameters& parameters, Api api);
// Throws if an instantiated node cannot be changed so: kInvalidValue.
void check_change(Context& context, const NodePayload& from, const NodePayload& to);

// Attributes of kernels: those of launches.
void set_attribute(Context& context, NodeHandle node, int number, const void* value);
void get_attribute(Context& context, NodeHandle node, int number, void* value);
void copy_attributes(Context& context, NodeHandle target, NodeHandle source);

// Copies of the driver and of the runtime are the same copies.
abi::Memcpy3d runtime_copy(Context& context, const abi::DriverMemcpy3d& copy);
abi::DriverMemcpy3d driver_copy(Context& context, const abi::Memcpy3d& copy);

}  // namespace warpsim::cuda
