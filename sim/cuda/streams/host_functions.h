// Functions of the host that streams call, and nodes of graphs: they must not call CUDA.
//
// Evidence: CUDA runtime API, cudaLaunchHostFunc and cudaStreamAddCallback: such a call may return
// cudaErrorNotPermitted, which it does here. A thread of the driver calls them there, a thread of the program that
// calls CUDA here, whose last error stays what it was.
#pragma once

namespace warpsim::cuda {

// While it exists, a stream has called a function in this thread.
class HostFunctionCall {
 public:
  HostFunctionCall();
  ~HostFunctionCall();
  HostFunctionCall(const HostFunctionCall&) = delete;
  HostFunctionCall& operator=(const HostFunctionCall&) = delete;
};

// Whether the calling thread is in such a function.
bool in_host_function();

}  // namespace warpsim::cuda
