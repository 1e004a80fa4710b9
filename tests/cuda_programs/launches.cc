// A CUDA program built without a toolkit: registers PTX like compilers and launches its kernel.
//
// usage: launches COUNT [kill|copy|copy-launches]
//
// `kill`: ends itself by a signal when the launches are over. `copy`: a forked copy of the process runs on and ends
// before it. `copy-launches`: the copy also launches a kernel.
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "cuda/runtime/runtime_api.h"
#include "support/fat_binary_text.h"

namespace {

constexpr const char* kPtx = R"(.version 8.0
.target sm_70
.address_size 64
.visible .entry idle(.param .u32 unused) { ret; }
)";

}  // namespace

int main(int argc, char** argv) {
  static const std::string container = warpsim::test::fat_binary_of(kPtx);
  static char stub = 0;
  static warpsim::cuda::abi::FatBinaryWrapper wrapper = warpsim::test::wrapper_of(container);
  void** const module = __cudaRegisterFatBinary(&wrapper);
  __cudaRegisterFunction(module, &stub, nullptr, "idle", -1, nullptr, nullptr, nullptr, nullptr, nullptr);
  __cudaRegisterFatBinaryEnd(module);
  const int count = argc > 1 ? std::atoi(argv[1]) : 0;
  const std::string end = argc > 2 ? argv[2] : "";
  const auto launch = [&](int i) {
    std::uint32_t unused = 0;
    void* arguments[] = {&unused};
    const int code = cudaLaunchKernel(&stub, {1, 1, 1}, {32, 1, 1}, arguments, 0, nullptr);
    if (code != 0) {
      std::printf("launch %d: error %d\n", i, code);
    }
    return code == 0;
  };
  for (int i = 0; i < count; ++i) {
    if (!launch(i)) {
      return 1;
    }
  }
  if (end == "kill") {
    cudaDeviceSynchronize();
    std::raise(SIGKILL);
  }
  if (end == "copy" || end == "copy-launches") {
    if (const pid_t copy = fork(); copy != 0) {
      waitpid(copy, nullptr, 0);
    } else if (end == "copy-launches" && !launch(count)) {
      return 1;
    }
  }
  return 0;
}
