// The runtime's functions about graphs that the libraries implement. Those of runtime_functions.txt and
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
int cudaGraphCreate(GraphHandle* graph, unsigned flags);
int cudaGraphDestroy(GraphHandle graph);
int cudaGraphClone(GraphHandle* clone, GraphHandle graph);
int cudaGraphNodeFindInClone(NodeHandle* node, NodeHandle original, GraphHandle clone);
int cudaGraphNodeGetType(NodeHandle node, int* type);
int cudaGraphGetNodes(GraphHandle graph, NodeHandle* nodes, std::size_t* count);
int cudaGraphGetRootNodes(GraphHandle graph, NodeHandle* nodes, std::size_t* count);
int cudaGraphGetEdges_v2(GraphHandle graph, NodeHandle* from, NodeHandle* to, cuda_abi::EdgeData* data,
                         std::size_t* count);
int cudaGraphNodeGetDependencies_v2(NodeHandle node, NodeHandle* nodes, cuda_abi::EdgeData* data, std::size_t* count);
int cudaGraphNodeGetDependentNodes_v2(NodeHandle node, NodeHandle* nodes, cuda_abi::EdgeData* data, std::size_t* count);
int cudaGraphAddDependencies_v2(GraphHandle graph, const NodeHandle* from, const NodeHandle* to,
                                const cuda_abi::EdgeData* data, std::size_t count);
int cudaGraphRemoveDependencies_v2(GraphHandle graph, const NodeHandle* from, const NodeHandle* to,
                                   const cuda_abi::EdgeData* data, std::size_t count);
int cudaGraphDestroyNode(NodeHandle node);
int cudaGraphDebugDotPrint(GraphHandle graph, const char* path, unsigned flags);
int cudaGraphGetEdges(GraphHandle graph, NodeHandle* from, NodeHandle* to, cuda_abi::EdgeData* data,
                      std::size_t* count);
int cudaGraphNodeGetDependencies(NodeHandle node, NodeHandle* nodes, cuda_abi::EdgeData* data, std::size_t* count);
int cudaGraphNodeGetDependentNodes(NodeHandle node, NodeHandle* nodes, cuda_abi::EdgeData* data, std::size_t* count);
int cudaGraphAddDependencies(GraphHandle graph, const NodeHandle* from, const NodeHandle* to,
                             const cuda_abi::EdgeData* data, std::size_t count);
int cudaGraphRemoveDependencies(GraphHandle graph, const NodeHandle* from, const NodeHandle* to,
                                const cuda_abi::EdgeData* data, std::size_t count);

// Instantiated graphs.
int cudaGraphInstantiate(ExecHandle* exec, GraphHandle graph, unsigned long long flags);
int cudaGraphExecUpdate(ExecHandle exec, GraphHandle graph, cuda_abi::UpdateResult* update);
int cudaGraphInstantiateWithFlags(ExecHandle* exec, GraphHandle graph, unsigned long long flags);
int cudaGraphInstantiateWithParams(ExecHandle* exec, GraphHandle graph, cuda_abi::InstantiateParameters* parameters);
int cudaGraphExecDestroy(ExecHandle exec);
int cudaGraphExecGetFlags(ExecHandle exec, std::uint64_t* flags);
int cudaGraphUpload(ExecHandle exec, StreamHandle stream);
int cudaGraphLaunch(ExecHandle exec, StreamHandle stream);
int cudaGraphNodeSetEnabled(ExecHandle exec, NodeHandle node, unsigned enabled);
int cudaGraphNodeGetEnabled(ExecHandle exec, NodeHandle node, unsigned* enabled);
int cudaGraphExecChildGraphNodeSetParams(ExecHandle exec, NodeHandle node, GraphHandle child);
int cudaGraphExecEventRecordNodeSetEvent(ExecHandle exec, NodeHandle node, EventHandle event);
int cudaGraphExecEventWaitNodeSetEvent(ExecHandle exec, NodeHandle node, EventHandle event);
int cudaGraphExecHostNodeSetParams(ExecHandle exec, NodeHandle node, const cuda_abi::HostParameters* host);
int cudaGraphExecNodeSetParams(ExecHandle exec, NodeHandle node, cuda_abi::NodeParameters* parameters);
int warpsimGraphInstantiate11(ExecHandle* exec, GraphHandle graph, NodeHandle* error_node, char* log,
                              std::size_t bytes);
int warpsimGraphExecUpdate11(ExecHandle exec, GraphHandle graph, NodeHandle* error_node, int* update);
int cudaGraphExecKernelNodeSetParams(ExecHandle exec, NodeHandle node, const cuda_abi::KernelNodeParameters* kernel);

// Nodes of graphs.
int cudaGraphAddKernelNode(NodeHandle* node, GraphHandle graph, const NodeHandle* before, std::size_t count,
                           const cuda_abi::KernelNodeParameters* kernel);
int cudaGraphKernelNodeGetParams(NodeHandle node, cuda_abi::KernelNodeParameters* kernel);
int cudaGraphKernelNodeSetParams(NodeHandle node, const cuda_abi::KernelNodeParameters* kernel);
int cudaGraphAddEmptyNode(NodeHandle* node, GraphHandle graph, const NodeHandle* before, std::size_t count);
int cudaGraphAddHostNode(NodeHandle* node, GraphHandle graph, const NodeHandle* before, std::size_t count,
                         const cuda_abi::HostParameters* host);
int cudaGraphHostNodeGetParams(NodeHandle node, cuda_abi::HostParameters* host);
int cudaGraphHostNodeSetParams(NodeHandle node, const cuda_abi::HostParameters* host);
int cudaGraphAddChildGraphNode(NodeHandle* node, GraphHandle graph, const NodeHandle* before, std::size_t count,
                               GraphHandle child);
int cudaGraphChildGraphNodeGetGraph(NodeHandle node, GraphHandle* graph);
int cudaGraphAddEventRecordNode(NodeHandle* node, GraphHandle graph, const NodeHandle* before, std::size_t count,
                                EventHandle event);
int cudaGraphEventRecordNodeGetEvent(NodeHandle node, EventHandle* event);
int cudaGraphEventRecordNodeSetEvent(NodeHandle node, EventHandle event);
int cudaGraphAddEventWaitNode(NodeHandle* node, GraphHandle graph, const NodeHandle* before, std::size_t count,
                              EventHandle event);
int cudaGraphEventWaitNodeGetEvent(NodeHandle node, EventHandle* event);
int cudaGraphEventWaitNodeSetEvent(NodeHandle node, EventHandle event);
int cudaGraphAddMemAllocNode(NodeHandle* node, GraphHandle graph, const NodeHandle* before, std::size_t count,
                             cuda_abi::AllocationParameters* parameters);
int cudaGraphMemAllocNodeGetParams(NodeHandle node, cuda_abi::AllocationParameters* parameters);
int cudaGraphMemFreeNodeGetParams(NodeHandle node, void** data);
int cudaGraphNodeSetParams(NodeHandle node, cuda_abi::NodeParameters* parameters);
int cudaGraphKernelNodeCopyAttributes(NodeHandle target, NodeHandle source);
int cudaGraphKernelNodeGetAttribute(NodeHandle node, int number, void* value);
int cudaGraphKernelNodeSetAttribute(NodeHandle node, int number, const void* value);
int cudaGraphAddNode_v2(NodeHandle* node, GraphHandle graph, const NodeHandle* before, const cuda_abi::EdgeData* data,
                        std::size_t count, cuda_abi::NodeParameters* parameters);
int cudaGraphAddNode(NodeHandle* node, GraphHandle graph, const NodeHandle* before, const cuda_abi::EdgeData* data,
                     std::size_t count, cuda_abi::NodeParameters* parameters);
int cudaGraphConditionalHandleCreate(std::uint64_t* handle, GraphHandle graph, unsigned value, unsigned flags);
int cudaGraphAddMemFreeNode(NodeHandle* node, GraphHandle graph, const NodeHandle* before, std::size_t count,
                            void* data);

// Copies and fills as nodes of graphs.
int cudaGraphAddMemcpyNode(NodeHandle* node, GraphHandle graph, const NodeHandle* before, std::size_t count,
                           const cuda_abi::Memcpy3d* copy);
int cudaGraphAddMemcpyNode1D(NodeHandle* node, GraphHandle graph, const NodeHandle* before, std::size_t count,
                             void* target, const void* source, std::size_t bytes, int kind);
int cudaGraphAddMemcpyNodeToSymbol(NodeHandle* node, GraphHandle graph, const NodeHandle* before, std::size_t count,
                                   const void* symbol, const void* source, std::size_t bytes, std::size_t offset,
                                   int kind);
int cudaGraphAddMemcpyNodeFromSymbol(NodeHandle* node, GraphHandle graph, const NodeHandle* before, std::size_t count,
                                     void* target, const void* symbol, std::size_t bytes, std::size_t offset, int kind);
int cudaGraphMemcpyNodeGetParams(NodeHandle node, cuda_abi::Memcpy3d* copy);
int cudaGraphMemcpyNodeSetParams(NodeHandle node, const cuda_abi::Memcpy3d* copy);
int cudaGraphMemcpyNodeSetParams1D(NodeHandle node, void* target, const void* source, std::size_t bytes, int kind);
int cudaGraphMemcpyNodeSetParamsToSymbol(NodeHandle node, const void* symbol, const void* source, std::size_t bytes,
                                         std::size_t offset, int kind);
int cudaGraphMemcpyNodeSetParamsFromSymbol(NodeHandle node, void* target, const void* symbol, std::size_t bytes,
                                           std::size_t offset, int kind);
int cudaGraphExecMemcpyNodeSetParams(ExecHandle exec, NodeHandle node, const cuda_abi::Memcpy3d* copy);
int cudaGraphExecMemcpyNodeSetParams1D(ExecHandle exec, NodeHandle node, void* target, const void* source,
                                       std::size_t bytes, int kind);
int cudaGraphExecMemcpyNodeSetParamsToSymbol(ExecHandle exec, NodeHandle node, const void* symbol, const void* source,
                                             std::size_t bytes, std::size_t offset, int kind);
int cudaGraphExecMemcpyNodeSetParamsFromSymbol(ExecHandle exec, NodeHandle node, void* target, const void* symbol,
                                               std::size_t bytes, std::size_t offset, int kind);
int cudaGraphAddMemsetNode(NodeHandle* node, GraphHandle graph, const NodeHandle* before, std::size_t count,
                           const cuda_abi::FillParameters* fill);
int cudaGraphMemsetNodeGetParams(NodeHandle node, cuda_abi::FillParameters* fill);
int cudaGraphMemsetNodeSetParams(NodeHandle node, const cuda_abi::FillParameters* fill);
int cudaGraphExecMemsetNodeSetParams(ExecHandle exec, NodeHandle node, const cuda_abi::FillParameters* fill);

// Captured streams, objects of graphs and memory of graphs.
int cudaStreamBeginCapture(StreamHandle stream, int mode);
int cudaStreamBeginCaptureToGraph(StreamHandle stream, GraphHandle graph, const NodeHandle* before,
                                  const cuda_abi::EdgeData* data, std::size_t count, int mode);
int cudaStreamEndCapture(StreamHandle stream, GraphHandle* graph);
int cudaStreamIsCapturing(StreamHandle stream, int* status);
int cudaStreamGetCaptureInfo_v2(StreamHandle stream, int* status, unsigned long long* number, GraphHandle* graph,
                                const NodeHandle** nodes, std::size_t* count);
int cudaStreamGetCaptureInfo_v3(StreamHandle stream, int* status, unsigned long long* number, GraphHandle* graph,
                                const NodeHandle** nodes, const cuda_abi::EdgeData** edges, std::size_t* count);
int cudaStreamUpdateCaptureDependencies_v2(StreamHandle stream, NodeHandle* before, const cuda_abi::EdgeData* data,
                                           std::size_t count, unsigned flags);
int cudaThreadExchangeStreamCaptureMode(int* mode);
int cudaStreamGetCaptureInfo(StreamHandle stream, int* status, unsigned long long* number, GraphHandle* graph,
                             const NodeHandle** nodes, const cuda_abi::EdgeData** edges, std::size_t* count);
int cudaStreamUpdateCaptureDependencies(StreamHandle stream, NodeHandle* before, const cuda_abi::EdgeData* data,
                                        std::size_t count, unsigned flags);
int cudaUserObjectCreate(UserObjectHandle* object, void* data, warpsim::cuda::HostFunction destroy, unsigned references,
                         unsigned flags);
int cudaUserObjectRetain(UserObjectHandle object, unsigned count);
int cudaUserObjectRelease(UserObjectHandle object, unsigned count);
int cudaGraphRetainUserObject(GraphHandle graph, UserObjectHandle object, unsigned count, unsigned flags);
int cudaGraphReleaseUserObject(GraphHandle graph, UserObjectHandle object, unsigned count);
int cudaDeviceGraphMemTrim(int device);
int cudaDeviceGetGraphMemAttribute(int device, int counter, void* value);
int cudaDeviceSetGraphMemAttribute(int device, int counter, void* value);
}
// NOLINTEND(readability-identifier-naming,bugprone-reserved-identifier)
#pragma GCC visibility pop
