// The driver's functions about graphs that the libraries implement. Those of runtime_functions.txt and
// driver_functions.txt that are not here are refused.
#pragma once

#include <cstddef>
#include <cstdint>

#include "cuda/graphs/graph_abi.h"

#pragma GCC visibility push(default)
// NOLINTBEGIN(readability-identifier-naming,bugprone-reserved-identifier): the names are CUDA's
extern "C" {
using warpsim::cuda::EventHandle;
using warpsim::cuda::ExecHandle;
using warpsim::cuda::GraphHandle;
using warpsim::cuda::NodeHandle;
using warpsim::cuda::StreamHandle;
using warpsim::cuda::UserObjectHandle;
namespace cuda_abi = warpsim::cuda::abi;

// Graphs and their edges.
int cuGraphGetEdges(GraphHandle graph, NodeHandle* from, NodeHandle* to, std::size_t* count);
int cuGraphNodeGetDependencies(NodeHandle node, NodeHandle* nodes, std::size_t* count);
int cuGraphNodeGetDependentNodes(NodeHandle node, NodeHandle* nodes, std::size_t* count);
int cuGraphAddDependencies(GraphHandle graph, const NodeHandle* from, const NodeHandle* to, std::size_t count);
int cuGraphRemoveDependencies(GraphHandle graph, const NodeHandle* from, const NodeHandle* to, std::size_t count);
int cuGraphCreate(GraphHandle* graph, unsigned flags);
int cuGraphDestroy(GraphHandle graph);
int cuGraphClone(GraphHandle* clone, GraphHandle graph);
int cuGraphNodeFindInClone(NodeHandle* node, NodeHandle original, GraphHandle clone);
int cuGraphNodeGetType(NodeHandle node, int* type);
int cuGraphGetNodes(GraphHandle graph, NodeHandle* nodes, std::size_t* count);
int cuGraphGetRootNodes(GraphHandle graph, NodeHandle* nodes, std::size_t* count);
int cuGraphGetEdges_v2(GraphHandle graph, NodeHandle* from, NodeHandle* to, cuda_abi::EdgeData* data,
                       std::size_t* count);
int cuGraphNodeGetDependencies_v2(NodeHandle node, NodeHandle* nodes, cuda_abi::EdgeData* data, std::size_t* count);
int cuGraphNodeGetDependentNodes_v2(NodeHandle node, NodeHandle* nodes, cuda_abi::EdgeData* data, std::size_t* count);
int cuGraphAddDependencies_v2(GraphHandle graph, const NodeHandle* from, const NodeHandle* to,
                              const cuda_abi::EdgeData* data, std::size_t count);
int cuGraphRemoveDependencies_v2(GraphHandle graph, const NodeHandle* from, const NodeHandle* to,
                                 const cuda_abi::EdgeData* data, std::size_t count);
int cuGraphDestroyNode(NodeHandle node);
int cuGraphDebugDotPrint(GraphHandle graph, const char* path, unsigned flags);

// Instantiated graphs.
int cuGraphInstantiate(ExecHandle* exec, GraphHandle graph, NodeHandle* error_node, char* log, std::size_t bytes);
int cuGraphInstantiate_v2(ExecHandle* exec, GraphHandle graph, NodeHandle* error_node, char* log, std::size_t bytes);
int cuGraphExecUpdate(ExecHandle exec, GraphHandle graph, NodeHandle* error_node, int* update);
int cuGraphExecUpdate_v2(ExecHandle exec, GraphHandle graph, cuda_abi::UpdateResult* update);
int cuGraphInstantiateWithFlags(ExecHandle* exec, GraphHandle graph, unsigned long long flags);
int cuGraphInstantiateWithParams(ExecHandle* exec, GraphHandle graph, cuda_abi::InstantiateParameters* parameters);
int cuGraphExecDestroy(ExecHandle exec);
int cuGraphExecGetFlags(ExecHandle exec, std::uint64_t* flags);
int cuGraphUpload(ExecHandle exec, StreamHandle stream);
int cuGraphLaunch(ExecHandle exec, StreamHandle stream);
int cuGraphNodeSetEnabled(ExecHandle exec, NodeHandle node, unsigned enabled);
int cuGraphNodeGetEnabled(ExecHandle exec, NodeHandle node, unsigned* enabled);
int cuGraphExecChildGraphNodeSetParams(ExecHandle exec, NodeHandle node, GraphHandle child);
int cuGraphExecEventRecordNodeSetEvent(ExecHandle exec, NodeHandle node, EventHandle event);
int cuGraphExecEventWaitNodeSetEvent(ExecHandle exec, NodeHandle node, EventHandle event);
int cuGraphExecHostNodeSetParams(ExecHandle exec, NodeHandle node, const cuda_abi::HostParameters* host);
int cuGraphExecNodeSetParams(ExecHandle exec, NodeHandle node, cuda_abi::NodeParameters* parameters);
int cuGraphExecKernelNodeSetParams(ExecHandle exec, NodeHandle node, const cuda_abi::KernelNodeParameters* kernel);
int cuGraphExecKernelNodeSetParams_v2(ExecHandle exec, NodeHandle node,
                                      const cuda_abi::DriverKernelNodeParameters* kernel);

// Nodes of graphs.
int cuGraphAddKernelNode(NodeHandle* node, GraphHandle graph, const NodeHandle* before, std::size_t count,
                         const cuda_abi::KernelNodeParameters* kernel);
int cuGraphAddKernelNode_v2(NodeHandle* node, GraphHandle graph, const NodeHandle* before, std::size_t count,
                            const cuda_abi::DriverKernelNodeParameters* kernel);
int cuGraphKernelNodeGetParams(NodeHandle node, cuda_abi::KernelNodeParameters* kernel);
int cuGraphKernelNodeGetParams_v2(NodeHandle node, cuda_abi::DriverKernelNodeParameters* kernel);
int cuGraphKernelNodeSetParams(NodeHandle node, const cuda_abi::KernelNodeParameters* kernel);
int cuGraphKernelNodeSetParams_v2(NodeHandle node, const cuda_abi::DriverKernelNodeParameters* kernel);
int cuGraphAddEmptyNode(NodeHandle* node, GraphHandle graph, const NodeHandle* before, std::size_t count);
int cuGraphAddHostNode(NodeHandle* node, GraphHandle graph, const NodeHandle* before, std::size_t count,
                       const cuda_abi::HostParameters* host);
int cuGraphHostNodeGetParams(NodeHandle node, cuda_abi::HostParameters* host);
int cuGraphHostNodeSetParams(NodeHandle node, const cuda_abi::HostParameters* host);
int cuGraphAddChildGraphNode(NodeHandle* node, GraphHandle graph, const NodeHandle* before, std::size_t count,
                             GraphHandle child);
int cuGraphChildGraphNodeGetGraph(NodeHandle node, GraphHandle* graph);
int cuGraphAddEventRecordNode(NodeHandle* node, GraphHandle graph, const NodeHandle* before, std::size_t count,
                              EventHandle event);
int cuGraphEventRecordNodeGetEvent(NodeHandle node, EventHandle* event);
int cuGraphEventRecordNodeSetEvent(NodeHandle node, EventHandle event);
int cuGraphAddEventWaitNode(NodeHandle* node, GraphHandle graph, const NodeHandle* before, std::size_t count,
                            EventHandle event);
int cuGraphEventWaitNodeGetEvent(NodeHandle node, EventHandle* event);
int cuGraphEventWaitNodeSetEvent(NodeHandle node, EventHandle event);
int cuGraphAddMemAllocNode(NodeHandle* node, GraphHandle graph, const NodeHandle* before, std::size_t count,
                           cuda_abi::AllocationParameters* parameters);
int cuGraphMemAllocNodeGetParams(NodeHandle node, cuda_abi::AllocationParameters* parameters);
int cuGraphMemFreeNodeGetParams(NodeHandle node, void** data);
int cuGraphNodeSetParams(NodeHandle node, cuda_abi::NodeParameters* parameters);
int cuGraphKernelNodeCopyAttributes(NodeHandle target, NodeHandle source);
int cuGraphKernelNodeGetAttribute(NodeHandle node, int number, void* value);
int cuGraphKernelNodeSetAttribute(NodeHandle node, int number, const void* value);
int cuGraphAddNode(NodeHandle* node, GraphHandle graph, const NodeHandle* before, std::size_t count,
                   cuda_abi::NodeParameters* parameters);
int cuGraphAddNode_v2(NodeHandle* node, GraphHandle graph, const NodeHandle* before, const cuda_abi::EdgeData* data,
                      std::size_t count, cuda_abi::NodeParameters* parameters);
int cuGraphConditionalHandleCreate(std::uint64_t* handle, GraphHandle graph, void*, unsigned value, unsigned flags);
int cuGraphAddMemFreeNode(NodeHandle* node, GraphHandle graph, const NodeHandle* before, std::size_t count,
                          std::uint64_t data);

// Copies and fills as nodes of graphs.
int cuGraphAddMemcpyNode(NodeHandle* node, GraphHandle graph, const NodeHandle* before, std::size_t count,
                         const cuda_abi::DriverMemcpy3d* copy, void*);
int cuGraphMemcpyNodeGetParams(NodeHandle node, cuda_abi::DriverMemcpy3d* copy);
int cuGraphMemcpyNodeSetParams(NodeHandle node, const cuda_abi::DriverMemcpy3d* copy);
int cuGraphExecMemcpyNodeSetParams(ExecHandle exec, NodeHandle node, const cuda_abi::DriverMemcpy3d* copy, void*);
int cuGraphAddMemsetNode(NodeHandle* node, GraphHandle graph, const NodeHandle* before, std::size_t count,
                         const cuda_abi::FillParameters* fill, void*);
int cuGraphMemsetNodeGetParams(NodeHandle node, cuda_abi::FillParameters* fill);
int cuGraphMemsetNodeSetParams(NodeHandle node, const cuda_abi::FillParameters* fill);
int cuGraphExecMemsetNodeSetParams(ExecHandle exec, NodeHandle node, const cuda_abi::FillParameters* fill, void*);

// Captured streams, objects of graphs and memory of graphs.
int cuStreamBeginCapture(StreamHandle stream);
int cuStreamBeginCapture_v2(StreamHandle stream, int mode);
int cuStreamGetCaptureInfo(StreamHandle stream, int* status, unsigned long long* number);
int cuStreamUpdateCaptureDependencies(StreamHandle stream, NodeHandle* before, std::size_t count, unsigned flags);
int cuStreamBeginCaptureToGraph(StreamHandle stream, GraphHandle graph, const NodeHandle* before,
                                const cuda_abi::EdgeData* data, std::size_t count, int mode);
int cuStreamEndCapture(StreamHandle stream, GraphHandle* graph);
int cuStreamIsCapturing(StreamHandle stream, int* status);
int cuStreamGetCaptureInfo_v2(StreamHandle stream, int* status, unsigned long long* number, GraphHandle* graph,
                              const NodeHandle** nodes, std::size_t* count);
int cuStreamGetCaptureInfo_v3(StreamHandle stream, int* status, unsigned long long* number, GraphHandle* graph,
                              const NodeHandle** nodes, const cuda_abi::EdgeData** edges, std::size_t* count);
int cuStreamUpdateCaptureDependencies_v2(StreamHandle stream, NodeHandle* before, const cuda_abi::EdgeData* data,
                                         std::size_t count, unsigned flags);
int cuThreadExchangeStreamCaptureMode(int* mode);
int cuUserObjectCreate(UserObjectHandle* object, void* data, warpsim::cuda::HostFunction destroy, unsigned references,
                       unsigned flags);
int cuUserObjectRetain(UserObjectHandle object, unsigned count);
int cuUserObjectRelease(UserObjectHandle object, unsigned count);
int cuGraphRetainUserObject(GraphHandle graph, UserObjectHandle object, unsigned count, unsigned flags);
int cuGraphReleaseUserObject(GraphHandle graph, UserObjectHandle object, unsigned count);
int cuDeviceGraphMemTrim(int device);
int cuDeviceGetGraphMemAttribute(int device, int counter, void* value);
int cuDeviceSetGraphMemAttribute(int device, int counter, void* value);
}
// NOLINTEND(readability-identifier-naming,bugprone-reserved-identifier)
#pragma GCC visibility pop
