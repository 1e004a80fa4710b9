// A program on a device that records its work, with streams, events and memory for graphs.
#pragma once

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "cuda/calls.h"
#include "cuda/runtime/runtime_api.h"
#include "cuda/runtime/runtime_graph_api.h"
#include "support/cuda_program.h"

namespace warpsim::test {

struct GraphProgram : CudaProgram {
  cuda::StreamHandle stream = nullptr;
  cuda::StreamHandle other = nullptr;
  cuda::EventHandle event = nullptr;
  cuda::EventHandle joined = nullptr;
  void* data = nullptr;

  GraphProgram() {
    REQUIRE(cudaStreamCreate(&stream) == cuda::kSuccess);
    REQUIRE(cudaStreamCreateWithFlags(&other, 1) == cuda::kSuccess);
    REQUIRE(cudaEventCreateWithFlags(&event, 2) == cuda::kSuccess);
    REQUIRE(cudaEventCreateWithFlags(&joined, 2) == cuda::kSuccess);
    REQUIRE(cudaMalloc(&data, 1024) == cuda::kSuccess);
  }

  // Marked by its count.
  int launch(cuda::StreamHandle into, std::uint32_t count) {
    std::uint64_t address = 0;
    float factor = 0;
    void* arguments[] = {&address, &factor, &count};
    return cudaLaunchKernel(&scale_stub, {4, 1, 1}, {128, 1, 1}, arguments, 0, into);
  }
  void begin(cuda::StreamHandle into = nullptr, int mode = 0) {
    REQUIRE(cudaStreamBeginCapture(into == nullptr ? stream : into, mode) == cuda::kSuccess);
  }
  cuda::GraphHandle end() {
    cuda::GraphHandle graph = nullptr;
    REQUIRE(cudaStreamEndCapture(stream, &graph) == cuda::kSuccess);
    return graph;
  }
  int end_code() {
    cuda::GraphHandle graph = nullptr;
    const int code = cudaStreamEndCapture(stream, &graph);
    CHECK((graph == nullptr) == (code != cuda::kSuccess));
    return code;
  }
  cuda::ExecHandle instantiate(cuda::GraphHandle graph, unsigned long long flags = 0) {
    cuda::ExecHandle exec = nullptr;
    REQUIRE(cudaGraphInstantiate(&exec, graph, flags) == cuda::kSuccess);
    return exec;
  }
  std::vector<cuda::NodeHandle> nodes(cuda::GraphHandle graph) {
    std::size_t count = 0;
    REQUIRE(cudaGraphGetNodes(graph, nullptr, &count) == cuda::kSuccess);
    std::vector<cuda::NodeHandle> all(count);
    REQUIRE(cudaGraphGetNodes(graph, all.data(), &count) == cuda::kSuccess);
    return all;
  }
  cuda::NodeHandle add_kernel(cuda::GraphHandle graph, const std::vector<cuda::NodeHandle>& before,
                              std::uint32_t count) {
    std::uint64_t address = 0;
    float factor = 0;
    void* arguments[] = {&address, &factor, &count};
    const cuda::abi::KernelNodeParameters kernel = {&scale_stub, {4, 1, 1}, {128, 1, 1}, 0, arguments, nullptr};
    cuda::NodeHandle node = nullptr;
    REQUIRE(cudaGraphAddKernelNode(&node, graph, before.data(), before.size(), &kernel) == cuda::kSuccess);
    return node;
  }
  // The marks of all launches, in their order.
  std::vector<std::uint32_t> marks() const {
    std::vector<std::uint32_t> all;
    for (const RecordedLaunch& launch : device->launches) {
      all.push_back(launch.parameter<std::uint32_t>(12));
    }
    return all;
  }
  // Of the launch with this mark: the edges to launches, as "mark:edge", in order.
  std::vector<std::pair<std::uint32_t, Dependence::Edge>> before(std::uint32_t mark) const {
    std::vector<std::pair<std::uint32_t, Dependence::Edge>> all;
    for (const RecordedLaunch& launch : device->launches) {
      if (launch.parameter<std::uint32_t>(12) != mark) {
        continue;
      }
      for (const Dependence& dependence : launch.place.after) {
        for (const RecordedLaunch& earlier : device->launches) {
          if (earlier.work == dependence.work) {
            all.emplace_back(earlier.parameter<std::uint32_t>(12), dependence.edge);
          }
        }
      }
    }
    return all;
  }
};

}  // namespace warpsim::test
