// Compares the structures of graphs with an installed toolkit's. Built only if CMake finds version 13.
#include <cuda.h>
#include <driver_types.h>

#include <catch2/catch.hpp>

#include "cuda/graphs/graph_abi.h"
#include "cuda/graphs/graph_exec.h"
#include "cuda/graphs/graph_memory.h"
#include "cuda/graphs/graph_node.h"
#include "cuda/graphs/graph_update.h"

namespace warpsim::cuda {
namespace {

TEST_CASE("structures of graphs have the toolkit's sizes") {
  CHECK(sizeof(abi::EdgeData) == sizeof(cudaGraphEdgeData));
  CHECK(sizeof(abi::KernelNodeParameters) == sizeof(cudaKernelNodeParams));
  CHECK(sizeof(abi::KernelNodeParameters) == sizeof(CUDA_KERNEL_NODE_PARAMS_v1));
  CHECK(sizeof(abi::DriverKernelNodeParameters) == sizeof(CUDA_KERNEL_NODE_PARAMS_v2));
  CHECK(sizeof(abi::FillParameters) == sizeof(cudaMemsetParams));
  CHECK(sizeof(abi::FillParameters) == sizeof(CUDA_MEMSET_NODE_PARAMS));
  CHECK(sizeof(abi::HostParameters) == sizeof(cudaHostNodeParams));
  CHECK(sizeof(abi::CopyNodeParameters) == sizeof(cudaMemcpyNodeParams));
  CHECK(sizeof(abi::DriverCopyNodeParameters) == sizeof(CUDA_MEMCPY_NODE_PARAMS));
  CHECK(sizeof(abi::ChildNodeParameters) == sizeof(cudaChildGraphNodeParams));
  CHECK(sizeof(abi::MemoryPoolProperties) == sizeof(cudaMemPoolProps));
  CHECK(sizeof(abi::AllocationParameters) == sizeof(cudaMemAllocNodeParams));
  CHECK(sizeof(abi::AllocationParameters) == sizeof(CUDA_MEM_ALLOC_NODE_PARAMS));
  CHECK(sizeof(abi::ConditionalParameters) == sizeof(CUDA_CONDITIONAL_NODE_PARAMS));
  CHECK(sizeof(abi::NodeParameters) == sizeof(cudaGraphNodeParams));
  CHECK(sizeof(abi::NodeParameters) == sizeof(CUgraphNodeParams));
  CHECK(sizeof(abi::InstantiateParameters) == sizeof(cudaGraphInstantiateParams));
  CHECK(sizeof(abi::UpdateResult) == sizeof(cudaGraphExecUpdateResultInfo));
  CHECK(sizeof(abi::BatchNodeParameters) == sizeof(CUDA_BATCH_MEM_OP_NODE_PARAMS_v1));
  CHECK(sizeof(abi::BatchNodeParameters) == sizeof(CUDA_BATCH_MEM_OP_NODE_PARAMS_v2));
}

TEST_CASE("fields of graphs have the toolkit's offsets") {
  CHECK(offsetof(abi::EdgeData, type) == offsetof(cudaGraphEdgeData, type));
  CHECK(offsetof(abi::KernelNodeParameters, arguments) == offsetof(cudaKernelNodeParams, kernelParams));
  CHECK(offsetof(abi::DriverKernelNodeParameters, kernel) == offsetof(CUDA_KERNEL_NODE_PARAMS_v2, kern));
  CHECK(offsetof(abi::FillParameters, element_bytes) == offsetof(cudaMemsetParams, elementSize));
  CHECK(offsetof(abi::CopyNodeParameters, copy) == offsetof(cudaMemcpyNodeParams, copyParams));
  CHECK(offsetof(abi::DriverCopyNodeParameters, copy) == offsetof(CUDA_MEMCPY_NODE_PARAMS, copyParams));
  CHECK(offsetof(abi::ChildNodeParameters, ownership) == offsetof(cudaChildGraphNodeParams, ownership));
  CHECK(offsetof(abi::MemoryPoolProperties, location) == offsetof(cudaMemPoolProps, location.id));
  CHECK(offsetof(abi::AllocationParameters, data) == offsetof(cudaMemAllocNodeParams, dptr));
  CHECK(offsetof(abi::ConditionalParameters, graphs) == offsetof(CUDA_CONDITIONAL_NODE_PARAMS, phGraph_out));
  CHECK(offsetof(abi::NodeParameters, kernel) == offsetof(cudaGraphNodeParams, kernel));
  CHECK(offsetof(abi::NodeParameters, reserved2) == offsetof(cudaGraphNodeParams, reserved2));
  CHECK(offsetof(abi::InstantiateParameters, result) == offsetof(cudaGraphInstantiateParams, result_out));
  CHECK(offsetof(abi::UpdateResult, error_from_node) == offsetof(cudaGraphExecUpdateResultInfo, errorFromNode));
}

TEST_CASE("numbers of graphs are the toolkit's") {
  CHECK(static_cast<int>(NodeType::kEventWait) == cudaGraphNodeTypeWaitEvent);
  CHECK(static_cast<int>(NodeType::kEventRecord) == cudaGraphNodeTypeEventRecord);
  CHECK(static_cast<int>(NodeType::kFree) == cudaGraphNodeTypeMemFree);
  CHECK(static_cast<int>(NodeType::kBatch) == CU_GRAPH_NODE_TYPE_BATCH_MEM_OP);
  CHECK(static_cast<int>(NodeType::kConditional) == cudaGraphNodeTypeConditional);
  CHECK(static_cast<int>(ConditionalType::kSwitch) == cudaGraphCondTypeSwitch);
  CHECK(static_cast<int>(GraphMemoryPool::Counter::kReserved) == cudaGraphMemAttrReservedMemCurrent);
  CHECK(static_cast<int>(UpdateFailure::kTopology) == cudaGraphExecUpdateErrorTopologyChanged);
  CHECK(static_cast<int>(UpdateFailure::kAttributes) == cudaGraphExecUpdateErrorAttributesChanged);
  CHECK(GraphExec::kFreeOnLaunch == cudaGraphInstantiateFlagAutoFreeOnLaunch);
  CHECK(GraphExec::kDeviceLaunch == cudaGraphInstantiateFlagDeviceLaunch);
}

}  // namespace
}  // namespace warpsim::cuda
