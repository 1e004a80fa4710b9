#include "cuda/streams/host_functions.h"

namespace warpsim::cuda {

namespace {

thread_local int host_function_calls = 0;

}  // namespace

HostFunctionCall::HostFunctionCall() {
  ++host_function_calls;
}

HostFunctionCall::~HostFunctionCall() {
  --host_function_calls;
}

bool in_host_function() {
  return host_function_calls != 0;
}

}  // namespace warpsim::cuda
