// The driver's operations on values in memory.
#include "cuda/calls.h"
#include "cuda/graphs/graph_state.h"
#include "cuda/graphs/node_calls.h"
#include "cuda/graphs/node_operations.h"
#include "cuda/streams/memory_operation_api.h"

using namespace warpsim::cuda;  // NOLINT(google-build-using-namespace): the functions have C's names

namespace {

int put_one(StreamHandle stream, int type, std::uint64_t address, std::uint64_t value, unsigned flags,
            MemoryOperationApi api) {
  return stream_call(stream, [&](Context& context) {
    abi::MemoryOperation operation = {};
    operation.value = {type, address, value, flags, 0};
    put_batch(context, stream, {&operation, 1}, 0, api);
  });
}

int put_many(StreamHandle stream, unsigned count, const abi::MemoryOperation* operations, unsigned flags,
             MemoryOperationApi api) {
  return stream_call(stream, [&](Context& context) {
    put_batch(context, stream, {&result(operations), count}, flags, api);
  });
}

}  // namespace

int cuStreamWaitValue32(StreamHandle stream, std::uint64_t address, std::uint32_t value, unsigned flags) {
  return put_one(stream, abi::kWaitValue32, address, value, flags, MemoryOperationApi::kFirst);
}

int cuStreamWaitValue32_v2(StreamHandle stream, std::uint64_t address, std::uint32_t value, unsigned flags) {
  return put_one(stream, abi::kWaitValue32, address, value, flags, MemoryOperationApi::kSecond);
}

int cuStreamWaitValue64(StreamHandle stream, std::uint64_t address, std::uint64_t value, unsigned flags) {
  return put_one(stream, abi::kWaitValue64, address, value, flags, MemoryOperationApi::kFirst);
}

int cuStreamWaitValue64_v2(StreamHandle stream, std::uint64_t address, std::uint64_t value, unsigned flags) {
  return put_one(stream, abi::kWaitValue64, address, value, flags, MemoryOperationApi::kSecond);
}

int cuStreamWriteValue32(StreamHandle stream, std::uint64_t address, std::uint32_t value, unsigned flags) {
  return put_one(stream, abi::kWriteValue32, address, value, flags, MemoryOperationApi::kFirst);
}

int cuStreamWriteValue32_v2(StreamHandle stream, std::uint64_t address, std::uint32_t value, unsigned flags) {
  return put_one(stream, abi::kWriteValue32, address, value, flags, MemoryOperationApi::kSecond);
}

int cuStreamWriteValue64(StreamHandle stream, std::uint64_t address, std::uint64_t value, unsigned flags) {
  return put_one(stream, abi::kWriteValue64, address, value, flags, MemoryOperationApi::kFirst);
}

int cuStreamWriteValue64_v2(StreamHandle stream, std::uint64_t address, std::uint64_t value, unsigned flags) {
  return put_one(stream, abi::kWriteValue64, address, value, flags, MemoryOperationApi::kSecond);
}

int cuStreamBatchMemOp(StreamHandle stream, unsigned count, abi::MemoryOperation* operations, unsigned flags) {
  return put_many(stream, count, operations, flags, MemoryOperationApi::kFirst);
}

int cuStreamBatchMemOp_v2(StreamHandle stream, unsigned count, abi::MemoryOperation* operations, unsigned flags) {
  return put_many(stream, count, operations, flags, MemoryOperationApi::kSecond);
}

// --- nodes of graphs ---

int cuGraphAddBatchMemOpNode(NodeHandle* node, GraphHandle graph, const NodeHandle* before, std::size_t count,
                             const abi::BatchNodeParameters* parameters) {
  return driver_call([&](Context& context) {
    add_payload(context, node, {graph, before, count}, batch_node(context, result(parameters)));
  });
}

int cuGraphBatchMemOpNodeGetParams(NodeHandle node, abi::BatchNodeParameters* parameters) {
  return driver_call([&](Context& context) {
    auto& batch = payload_of<BatchNode>(node_of(context, node));
    result(parameters) = {batch.context, static_cast<unsigned>(batch.operations.size()), batch.operations.data(), 0};
  });
}

int cuGraphBatchMemOpNodeSetParams(NodeHandle node, const abi::BatchNodeParameters* parameters) {
  return driver_call([&](Context& context) { set_payload(context, node, batch_node(context, result(parameters))); });
}

int cuGraphExecBatchMemOpNodeSetParams(ExecHandle exec, NodeHandle node, const abi::BatchNodeParameters* parameters) {
  return driver_call(
      [&](Context& context) { set_exec_payload(context, exec, node, batch_node(context, result(parameters))); });
}
