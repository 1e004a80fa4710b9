// Graphs whose kernels launch graphs and change nodes, by the driver's functions, on the smallest GPU.
#pragma once

#include <catch2/catch.hpp>
#include <cstdint>
#include <memory>
#include <vector>

#include "cuda/calls.h"
#include "cuda/current_device.h"
#include "cuda/device/simulated_device.h"
#include "cuda/driver/driver_api.h"
#include "cuda/driver/driver_graph_api.h"
#include "cuda/graphs/graph_exec.h"
#include "cuda/streams/launch_attributes.h"

namespace warpsim::test::launching_graphs {

using namespace cuda;

// `note` appends its number to the list, whose first word counts its entries, after some rounds. `start` launches a
// graph (0: its own) into a stream as often as the list has free entries below `most`, and keeps the error.
// `change` sets the parameter, the grid and the state of a node.
inline constexpr const char* kGraphKernels = R"(.version 8.0
.target sm_60
.address_size 64
.extern .func (.param .b32 r) cudaGraphLaunch(.param .b64 exec, .param .b64 stream);
.extern .func (.param .b32 r) cudaGraphKernelNodeSetParam(.param .b64 n, .param .b64 o, .param .b64 v, .param .b64 s);
.extern .func (.param .b32 r) cudaGraphKernelNodeSetEnabled(.param .b64 n, .param .b32 e);
.extern .func (.param .b32 r) cudaGraphKernelNodeSetGridDim(.param .b64 n, .param .align 4 .b8 g[12]);
.extern .func (.param .b32 r) cudaGraphKernelNodeUpdatesApply(.param .b64 u, .param .b64 n);
.visible .entry note(.param .u64 list, .param .u64 number, .param .u64 rounds) {
  .reg .b64 %q<6>; .reg .b32 %r<3>; .reg .pred %p;
  ld.param.u64 %q1, [list]; ld.param.u64 %q2, [number]; ld.param.u64 %q3, [rounds];
AGAIN:
  setp.eq.u64 %p, %q3, 0;
  @%p bra DONE;
  sub.u64 %q3, %q3, 1;
  bra AGAIN;
DONE:
  atom.global.add.u32 %r1, [%q1], 1;
  mul.wide.u32 %q4, %r1, 4;
  add.u64 %q4, %q4, %q1;
  cvt.u32.u64 %r2, %q2;
  st.global.u32 [%q4+4], %r2;
  ret;
}
.visible .entry start(.param .u64 list, .param .u64 exec, .param .u64 stream, .param .u64 error, .param .u64 most) {
  .reg .b64 %q<7>; .reg .b32 %r<4>; .reg .pred %p;
  ld.param.u64 %q1, [list]; ld.param.u64 %q2, [exec]; ld.param.u64 %q3, [stream]; ld.param.u64 %q4, [error];
  ld.param.u32 %r1, [most];
  setp.ne.u64 %p, %q2, 0;
  @%p bra OTHER;
  mov.u64 %q2, %current_graph_exec;
OTHER:
  ld.global.u32 %r2, [%q1];
  setp.ge.u32 %p, %r2, %r1;
  @%p ret;
  { .param .b64 a; .param .b64 b; .param .b32 c; st.param.b64 [a], %q2; st.param.b64 [b], %q3;
    call.uni (c), cudaGraphLaunch, (a, b); ld.param.b32 %r3, [c]; }
  st.global.u32 [%q4], %r3;
  ret;
}
.visible .entry change(.param .u64 node, .param .u64 what, .param .u64 value, .param .u64 error) {
  .reg .b64 %q<7>; .reg .b32 %r<4>; .reg .pred %p; .local .align 8 .b8 kept[8];
  ld.param.u64 %q1, [node]; ld.param.u64 %q2, [what]; ld.param.u64 %q3, [value]; ld.param.u64 %q4, [error];
  cvt.u32.u64 %r1, %q3;
  setp.eq.u64 %p, %q2, 0;
  @%p bra PARAMETER;
  setp.eq.u64 %p, %q2, 1;
  @%p bra GRID;
  setp.eq.u64 %p, %q2, 2;
  @%p bra STATE;
  { .param .b64 a; .param .b64 b; .param .b32 c; st.param.b64 [a], %q1; st.param.b64 [b], %q3;
    call.uni (c), cudaGraphKernelNodeUpdatesApply, (a, b); ld.param.b32 %r3, [c]; }
  bra END;
PARAMETER:
  st.local.u64 [kept], %q3;
  mov.u64 %q5, kept;
  cvta.local.u64 %q5, %q5;
  { .param .b64 a; .param .b64 b; .param .b64 d; .param .b64 e; .param .b32 c; st.param.b64 [a], %q1;
    st.param.b64 [b], 8; st.param.b64 [d], %q5; st.param.b64 [e], 8;
    call.uni (c), cudaGraphKernelNodeSetParam, (a, b, d, e); ld.param.b32 %r3, [c]; }
  bra END;
GRID:
  { .param .b64 a; .param .align 4 .b8 b[12]; .param .b32 c; st.param.b64 [a], %q1; st.param.b32 [b], %r1;
    st.param.b32 [b+4], 1; st.param.b32 [b+8], 1;
    call.uni (c), cudaGraphKernelNodeSetGridDim, (a, b); ld.param.b32 %r3, [c]; }
  bra END;
STATE:
  { .param .b64 a; .param .b32 b; .param .b32 c; st.param.b64 [a], %q1; st.param.b32 [b], %r1;
    call.uni (c), cudaGraphKernelNodeSetEnabled, (a, b); ld.param.b32 %r3, [c]; }
END:
  st.global.u32 [%q4], %r3;
  ret;
}
)";

inline constexpr std::uint64_t kTail = 0x0100'0000'0000'0000;
inline constexpr std::uint64_t kFire = 0x0200'0000'0000'0000;
inline constexpr std::uint64_t kSibling = 0x0300'0000'0000'0000;
inline constexpr std::uint64_t kMany = 1000;
inline constexpr std::uint64_t kDeviceLaunch = GraphExec::kDeviceLaunch;

using Words = std::vector<std::uint32_t>;

struct LaunchingGraphs {
  ModuleHandle module = nullptr;
  KernelHandle note = nullptr;
  KernelHandle start = nullptr;
  KernelHandle change = nullptr;
  std::uint64_t list = 0;    // a count and the entries
  std::uint64_t errors = 0;  // one for each launch
  StreamHandle stream = nullptr;

  explicit LaunchingGraphs(bool timed) {
    DeviceOptions options;
    options.functional_only = !timed;
    process_context().use_device(
        std::make_unique<SimulatedDevice>(WARPSIM_SOURCE_DIR "/configs/test_tiny.yaml", options));
    enter_primary_context();
    REQUIRE(cuModuleLoadData(&module, kGraphKernels) == kSuccess);
    REQUIRE(cuModuleGetFunction(&note, module, "note") == kSuccess);
    REQUIRE(cuModuleGetFunction(&start, module, "start") == kSuccess);
    REQUIRE(cuModuleGetFunction(&change, module, "change") == kSuccess);
    REQUIRE(cuMemAlloc_v2(&list, 4096) == kSuccess);
    REQUIRE(cuMemAlloc_v2(&errors, 4096) == kSuccess);
    REQUIRE(cuMemsetD8_v2(list, 0, 4096) == kSuccess);
    REQUIRE(cuMemsetD8_v2(errors, 0xff, 4096) == kSuccess);
    REQUIRE(cuStreamCreate(&stream, 1) == kSuccess);
  }
  ~LaunchingGraphs() { process_context().use_device(nullptr); }
  LaunchingGraphs(const LaunchingGraphs&) = delete;
  LaunchingGraphs& operator=(const LaunchingGraphs&) = delete;

  static GraphHandle graph() {
    GraphHandle made = nullptr;
    REQUIRE(cuGraphCreate(&made, 0) == kSuccess);
    return made;
  }
  static NodeHandle add(GraphHandle into, KernelHandle kernel, std::vector<std::uint64_t> values,
                        const std::vector<NodeHandle>& before = {}) {
    std::vector<void*> arguments;
    for (std::uint64_t& value : values) {
      arguments.push_back(&value);
    }
    const abi::KernelNodeParameters parameters = {kernel, {1, 1, 1}, {1, 1, 1}, 0, arguments.data(), nullptr};
    NodeHandle node = nullptr;
    REQUIRE(cuGraphAddKernelNode(&node, into, before.data(), before.size(), &parameters) == kSuccess);
    return node;
  }
  NodeHandle add_note(GraphHandle into, std::uint64_t number, const std::vector<NodeHandle>& before = {},
                      std::uint64_t rounds = 0) const {
    return add(into, note, {list, number, rounds}, before);
  }
  // Keeps the error at this place.
  NodeHandle add_start(GraphHandle into, ExecHandle exec, std::uint64_t to, std::uint64_t place = 0,
                       const std::vector<NodeHandle>& before = {}, std::uint64_t most = kMany) const {
    return add(into, start, {list, reinterpret_cast<std::uintptr_t>(exec), to, errors + 4 * place, most}, before);
  }
  static ExecHandle instantiate(GraphHandle graph, std::uint64_t flags = 0) {
    ExecHandle exec = nullptr;
    REQUIRE(cuGraphInstantiateWithFlags(&exec, graph, flags) == kSuccess);
    return exec;
  }
  static ExecHandle uploaded(GraphHandle graph) {
    ExecHandle exec = instantiate(graph, kDeviceLaunch);
    REQUIRE(cuGraphUpload(exec, nullptr) == kSuccess);
    return exec;
  }
  // A graph that appends its number.
  ExecHandle noting(std::uint64_t number, std::uint64_t rounds = 0) const {
    GraphHandle made = graph();
    add_note(made, number, {}, rounds);
    return uploaded(made);
  }
  void note_in_stream(std::uint64_t number) {
    std::uint64_t rounds = 0;
    void* arguments[] = {&list, &number, &rounds};
    REQUIRE(cuLaunchKernel(note, 1, 1, 1, 1, 1, 1, 0, stream, arguments, nullptr) == kSuccess);
  }
  Words run(ExecHandle exec) {
    REQUIRE(cuGraphLaunch(exec, stream) == kSuccess);
    return noted();
  }
  Words noted() const {
    REQUIRE(cuCtxSynchronize() == kSuccess);
    Words words(1024);
    REQUIRE(cuMemcpyDtoH_v2(words.data(), list, 4096) == kSuccess);
    return {words.begin() + 1, words.begin() + 1 + words.front()};
  }
  std::uint32_t error(std::size_t place = 0) const {
    std::uint32_t code = 0;
    REQUIRE(cuMemcpyDtoH_v2(&code, errors + 4 * place, sizeof code) == kSuccess);
    return code;
  }
};

}  // namespace warpsim::test::launching_graphs
