// The functions about graphs of the runtimes before 13: edges have no data there. What they call is declared here, as
// C has one declaration for a name.
#include <cstddef>

#include "cuda/graphs/graph_abi.h"
#include "cuda/streams/null_stream.h"

#pragma GCC visibility push(default)
// NOLINTBEGIN(readability-identifier-naming,bugprone-reserved-identifier): the names are CUDA's
extern "C" {
using warpsim::cuda::GraphHandle;
using warpsim::cuda::NodeHandle;
using warpsim::cuda::StreamHandle;
namespace cuda_abi = warpsim::cuda::abi;

int cudaGraphGetEdges_v2(GraphHandle graph, NodeHandle* from, NodeHandle* to, cuda_abi::EdgeData* data,
                         std::size_t* count);
int cudaGraphNodeGetDependencies_v2(NodeHandle node, NodeHandle* nodes, cuda_abi::EdgeData* data, std::size_t* count);
int cudaGraphNodeGetDependentNodes_v2(NodeHandle node, NodeHandle* nodes, cuda_abi::EdgeData* data, std::size_t* count);
int cudaGraphAddDependencies_v2(GraphHandle graph, const NodeHandle* from, const NodeHandle* to,
                                const cuda_abi::EdgeData* data, std::size_t count);
int cudaGraphRemoveDependencies_v2(GraphHandle graph, const NodeHandle* from, const NodeHandle* to,
                                   const cuda_abi::EdgeData* data, std::size_t count);
int cudaGraphAddNode_v2(NodeHandle* node, GraphHandle graph, const NodeHandle* before, const cuda_abi::EdgeData* data,
                        std::size_t count, cuda_abi::NodeParameters* parameters);
int cudaStreamGetCaptureInfo_v2(StreamHandle stream, int* status, unsigned long long* number, GraphHandle* graph,
                                const NodeHandle** nodes, std::size_t* count);
int cudaStreamUpdateCaptureDependencies_v2(StreamHandle stream, NodeHandle* before, const cuda_abi::EdgeData* data,
                                           std::size_t count, unsigned flags);

int cudaGraphGetEdges(GraphHandle graph, NodeHandle* from, NodeHandle* to, std::size_t* count) {
  return cudaGraphGetEdges_v2(graph, from, to, nullptr, count);
}

int cudaGraphNodeGetDependencies(NodeHandle node, NodeHandle* nodes, std::size_t* count) {
  return cudaGraphNodeGetDependencies_v2(node, nodes, nullptr, count);
}

int cudaGraphNodeGetDependentNodes(NodeHandle node, NodeHandle* nodes, std::size_t* count) {
  return cudaGraphNodeGetDependentNodes_v2(node, nodes, nullptr, count);
}

int cudaGraphAddDependencies(GraphHandle graph, const NodeHandle* from, const NodeHandle* to, std::size_t count) {
  return cudaGraphAddDependencies_v2(graph, from, to, nullptr, count);
}

int cudaGraphRemoveDependencies(GraphHandle graph, const NodeHandle* from, const NodeHandle* to, std::size_t count) {
  return cudaGraphRemoveDependencies_v2(graph, from, to, nullptr, count);
}

int cudaGraphAddNode(NodeHandle* node, GraphHandle graph, const NodeHandle* before, std::size_t count,
                     cuda_abi::NodeParameters* parameters) {
  return cudaGraphAddNode_v2(node, graph, before, nullptr, count, parameters);
}

int cudaStreamGetCaptureInfo(StreamHandle stream, int* status, unsigned long long* number) {
  return cudaStreamGetCaptureInfo_v2(stream, status, number, nullptr, nullptr, nullptr);
}

int cudaStreamUpdateCaptureDependencies(StreamHandle stream, NodeHandle* before, std::size_t count, unsigned flags) {
  return cudaStreamUpdateCaptureDependencies_v2(stream, before, nullptr, count, flags);
}

WARPSIM_OWN_STREAM_NAME("cudaStreamGetCaptureInfo_ptsz", "cudaStreamGetCaptureInfo");
WARPSIM_OWN_STREAM_NAME("cudaStreamUpdateCaptureDependencies_ptsz", "cudaStreamUpdateCaptureDependencies");
}
// NOLINTEND(readability-identifier-naming,bugprone-reserved-identifier)
#pragma GCC visibility pop
