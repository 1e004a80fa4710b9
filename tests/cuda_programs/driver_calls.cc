// A program that only uses the driver and makes one error, selected by its argument. It needs no toolkit.
#include "cuda/driver/driver_api.h"

#include <unistd.h>

#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

namespace {

constexpr const char* kPtx = R"(.version 8.0
.target sm_50
.address_size 64
.shared .align 4 .b8 words[512];
.visible .entry store(.param .u64 out) {
  .reg .b64 %q<2>;
  ld.param.u64 %q1, [out];
  st.global.u32 [%q1], 1;
  ret;
}
.visible .entry wait(.param .u64 out) {
  .reg .b64 %q<2>;
  .reg .b32 %r<2>;
  .reg .pred %p;
  ld.param.u64 %q1, [out];
L:
  ld.volatile.global.u32 %r1, [%q1];
  setp.eq.u32 %p, %r1, 0;
  @%p bra L;
  ret;
}
.visible .entry count(.param .u64 out) {
  .reg .b64 %q<2>;
  .reg .b32 %r<2>;
  ld.param.u64 %q1, [out];
L:
  atom.global.add.u32 %r1, [%q1], 1;
  bra L;
}
.visible .entry exchange(.param .u64 out) {
  .reg .b32 %r<8>;
  mov.u32 %r1, %tid.x;
  shl.b32 %r2, %r1, 2;
  mov.u32 %r3, words;
  add.u32 %r4, %r3, %r2;
  xor.b32 %r5, %r2, 128;
  add.u32 %r5, %r3, %r5;
  st.shared.u32 [%r4], %r1;
  ld.shared.u32 %r6, [%r5];
  ret;
}
)";

void require(int code) {
  if (code != 0) {
    std::printf("unexpected error %d\n", code);
    std::exit(99);
  }
}

void* at(std::uint64_t address) {
  return reinterpret_cast<void*>(address);
}

int launch(ModuleHandle module, const char* name, std::uint64_t data, unsigned threads) {
  KernelHandle kernel = nullptr;
  require(cuModuleGetFunction(&kernel, module, name));
  void* parameters[] = {&data};
  require(cuLaunchKernel(kernel, 1, 1, 1, threads, 1, 1, 0, nullptr, parameters, nullptr));
  return cuCtxSynchronize();
}

void own_handler(int) {
  constexpr char kText[] = "own handler\n";
  (void)!write(STDOUT_FILENO, kText, sizeof(kText) - 1);
  _exit(7);
}

}  // namespace

int main(int argc, char** argv) {
  const std::string what = argc > 1 ? argv[1] : "";
  if (what == "host-read-own-handler") {
    std::signal(SIGSEGV, own_handler);
  }
  require(cuInit(0));
  void* context = nullptr;
  require(cuDevicePrimaryCtxRetain(&context, 0));
  require(cuCtxSetCurrent(context));
  ModuleHandle module = nullptr;
  require(cuModuleLoadData(&module, kPtx));
  std::uint64_t data = 0;
  require(cuMemAlloc_v2(&data, 256));
  std::uint32_t word = 0;
  if (what == "host-read" || what == "host-read-own-handler") {
    word = *static_cast<volatile std::uint32_t*>(at(data + 8));
  } else if (what == "null-read") {
    word = *static_cast<volatile std::uint32_t*>(at(0));
  } else if (what == "managed") {
    std::uint64_t managed = 0;
    require(cuMemAllocManaged(&managed, 256, 1));
    require(launch(module, "store", managed, 1));
    std::printf("%u\n", *static_cast<volatile std::uint32_t*>(at(managed)));
  } else if (what == "managed-after-free") {
    // Of two small allocations one is freed; the other stays as it is.
    std::uint64_t freed = 0;
    std::uint64_t kept = 0;
    require(cuMemAllocManaged(&freed, 256, 1));
    require(cuMemAllocManaged(&kept, 256, 1));
    *static_cast<volatile std::uint32_t*>(at(freed)) = 5;
    *static_cast<volatile std::uint32_t*>(at(kept)) = 6;
    require(cuMemFree_v2(freed));
    std::printf("%u\n", *static_cast<volatile std::uint32_t*>(at(kept)));
    std::fflush(stdout);
    word = *static_cast<volatile std::uint32_t*>(at(freed + 8));
  } else if (what == "use-after-free") {
    require(cuMemFree_v2(data));
    std::uint64_t other = 0;
    require(cuMemAlloc_v2(&other, 256));
    std::printf("%d\n", launch(module, "store", data, 1));
  } else if (what == "copy-after-free") {
    require(cuMemFree_v2(data));
    std::printf("%d\n", cuMemcpyDtoH_v2(&word, data, 4));
  } else if (what == "free-twice") {
    require(cuMemFree_v2(data));
    std::printf("%d\n", cuMemFree_v2(data));
  } else if (what == "free-inside") {
    std::printf("%d\n", cuMemFree_v2(data + 16));
  } else if (what == "free-often") {
    std::size_t before = 0;
    std::size_t after = 0;
    std::size_t total = 0;
    require(cuMemGetInfo_v2(&before, &total));
    for (int i = 0; i < 300'000; ++i) {
      std::uint64_t piece = 0;
      require(cuMemAlloc_v2(&piece, std::size_t{1} << 20));
      require(cuMemFree_v2(piece));
    }
    require(cuMemGetInfo_v2(&after, &total));
    std::printf("%s\n", before == after ? "same" : "less");
  } else {
    std::printf("%d\n", launch(module, what.c_str(), data, 64));
  }
  return static_cast<int>(word);
}
