// Compares the structures of operations on values in memory and of batches of copies with an installed toolkit's. Built
// only if CMake finds version 13.
#include <cuda.h>
#include <driver_types.h>

#include <catch2/catch.hpp>
#include <cstddef>

#include "cuda/graphs/graph_node.h"
#include "cuda/streams/batch_copies.h"
#include "cuda/streams/launch_attributes.h"
#include "cuda/streams/memory_operations.h"

namespace warpsim::cuda {
namespace {

TEST_CASE("operations on values in memory have the toolkit's layouts and numbers") {
  using Toolkit = CUstreamBatchMemOpParams;
  CHECK(sizeof(abi::MemoryOperation) == sizeof(Toolkit));
  CHECK(offsetof(abi::MemoryOperation, value.address) == offsetof(Toolkit, waitValue.address));
  CHECK(offsetof(abi::MemoryOperation, value.value) == offsetof(Toolkit, waitValue.value));
  CHECK(offsetof(abi::MemoryOperation, value.value) == offsetof(Toolkit, writeValue.value64));
  CHECK(offsetof(abi::MemoryOperation, value.flags) == offsetof(Toolkit, writeValue.flags));
  CHECK(offsetof(abi::MemoryOperation, plain.flags) == offsetof(Toolkit, memoryBarrier.flags));
  CHECK(abi::kWaitValue32 == CU_STREAM_MEM_OP_WAIT_VALUE_32);
  CHECK(abi::kWriteValue32 == CU_STREAM_MEM_OP_WRITE_VALUE_32);
  CHECK(abi::kFlushWrites == CU_STREAM_MEM_OP_FLUSH_REMOTE_WRITES);
  CHECK(abi::kWaitValue64 == CU_STREAM_MEM_OP_WAIT_VALUE_64);
  CHECK(abi::kWriteValue64 == CU_STREAM_MEM_OP_WRITE_VALUE_64);
  CHECK(abi::kMemoryBarrier == CU_STREAM_MEM_OP_BARRIER);
}

TEST_CASE("windows of accesses have the toolkit's layouts and numbers") {
  CHECK(sizeof(abi::AccessWindow) == sizeof(cudaAccessPolicyWindow));
  CHECK(offsetof(abi::AccessWindow, bytes) == offsetof(cudaAccessPolicyWindow, num_bytes));
  CHECK(offsetof(abi::AccessWindow, hit_ratio) == offsetof(cudaAccessPolicyWindow, hitRatio));
  CHECK(offsetof(abi::AccessWindow, hit_property) == offsetof(cudaAccessPolicyWindow, hitProp));
  CHECK(offsetof(abi::AccessWindow, miss_property) == offsetof(cudaAccessPolicyWindow, missProp));
  CHECK(kAttributeWindow == cudaLaunchAttributeAccessPolicyWindow);
  CHECK(kAttributeSynchronizationPolicy == cudaLaunchAttributeSynchronizationPolicy);
  CHECK(kAttributePriority == cudaLaunchAttributePriority);
  CHECK(kAttributeMemoryDomainMap == cudaLaunchAttributeMemSyncDomainMap);
  CHECK(kAttributeMemoryDomain == cudaLaunchAttributeMemSyncDomain);
}

TEST_CASE("batches of copies have the toolkit's layouts") {
  CHECK(sizeof(abi::CopyAttributes) == sizeof(cudaMemcpyAttributes));
  CHECK(sizeof(abi::CopyAttributes) == sizeof(CUmemcpyAttributes));
  CHECK(offsetof(abi::CopyAttributes, flags) == offsetof(cudaMemcpyAttributes, flags));
  CHECK(sizeof(abi::CopyOperand) == sizeof(cudaMemcpy3DOperand));
  CHECK(offsetof(abi::CopyOperand, pointer.slice_rows) == offsetof(cudaMemcpy3DOperand, op.ptr.layerHeight));
  CHECK(offsetof(abi::CopyOperand, array.offset) == offsetof(cudaMemcpy3DOperand, op.array.offset));
  CHECK(sizeof(abi::CopyOfBatch) == sizeof(cudaMemcpy3DBatchOp));
  CHECK(sizeof(abi::CopyOfBatch) == sizeof(CUDA_MEMCPY3D_BATCH_OP));
  CHECK(offsetof(abi::CopyOfBatch, target) == offsetof(cudaMemcpy3DBatchOp, dst));
  CHECK(offsetof(abi::CopyOfBatch, source_order) == offsetof(cudaMemcpy3DBatchOp, srcAccessOrder));
}

TEST_CASE("attributes and edges of programmatic dependent launches have the toolkit's numbers and layouts") {
  CHECK(kAttributeProgrammatic == cudaLaunchAttributeProgrammaticStreamSerialization);
  CHECK(kAttributeProgrammaticEvent == cudaLaunchAttributeProgrammaticEvent);
  CHECK(kAttributeLaunchCompletionEvent == cudaLaunchAttributeLaunchCompletionEvent);
  using Value = cudaLaunchAttributeValue;
  constexpr std::size_t kValue = offsetof(abi::LaunchAttribute, value);
  CHECK(offsetof(abi::LaunchAttribute, value.event.flags) - kValue == offsetof(Value, programmaticEvent.flags));
  CHECK(offsetof(abi::LaunchAttribute, value.event.trigger_at_block_start) - kValue ==
        offsetof(Value, programmaticEvent.triggerAtBlockStart));
  CHECK(offsetof(abi::LaunchAttribute, value.event.flags) - kValue == offsetof(Value, launchCompletionEvent.flags));
  CHECK(kPortTrigger == cudaGraphKernelNodePortProgrammatic);
  CHECK(kPortBegin == cudaGraphKernelNodePortLaunchCompletion);
  CHECK(kEdgeProgrammatic == cudaGraphDependencyTypeProgrammatic);
}

}  // namespace
}  // namespace warpsim::cuda
