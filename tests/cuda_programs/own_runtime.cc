// Looks for the driver as the runtime in a program does: by loading it, by names and versions, and by tables without
// names. It has device code and no library of CUDA.
#include <dlfcn.h>

#include <cstdint>
#include <cstdio>

namespace {

[[gnu::used, gnu::section(".nv_fatbin")]] const char kDeviceCode[] = "code";

using GetProcAddress = int (*)(const char*, void**, int, std::uint64_t, int*);
using GetExportTable = int (*)(const void**, const unsigned char*);

}  // namespace

int main() {
  void* const driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (driver == nullptr) {
    std::printf("%s\n", dlerror());
    return 1;
  }
  const auto get = reinterpret_cast<GetProcAddress>(dlsym(driver, "cuGetProcAddress_v2"));
  const auto find = [&](const char* name, int version, std::uint64_t flags) {
    void* function = nullptr;
    int status = -1;
    const int code = get(name, &function, version, flags, &status);
    std::printf("%s %d %d: %d %d %s\n", name, version, static_cast<int>(flags), code, status,
                function == nullptr ? "none" : "found");
    return function;
  };
  const bool good = find("cuCtxGetDevice", 12090, 0) != find("cuCtxGetDevice", 13000, 0) &&
                    find("cuMemcpyHtoD", 13000, 0) == dlsym(driver, "cuMemcpyHtoD_v2") &&
                    find("cuMemcpyHtoD", 13000, 2) == dlsym(driver, "cuMemcpyHtoD_v2_ptds") &&
                    find("cuLaunchKernel", 13000, 2) == dlsym(driver, "cuLaunchKernel_ptsz") &&
                    find("cuMemAlloc", 13000, 2) == dlsym(driver, "cuMemAlloc_v2");
  find("cuGraphAddNode", 12010, 0);
  find("cuNoSuchFunction", 13000, 0);
  const auto table_of = reinterpret_cast<GetExportTable>(find("cuGetExportTable", 13000, 0));
  const unsigned char unknown[16] = {1, 2, 3};
  const void* table = driver;
  const int code = table_of(&table, unknown);
  std::printf("table: %d %s\n", code, table == nullptr ? "none" : "found");
  std::printf(good ? "PASS\n" : "FAIL\n");
  return 0;
}
