// The driver's modules and libraries. A library and its module, a kernel and its function are equal here.
#include "cuda/calls.h"
#include "cuda/driver/driver_api.h"
#include "cuda/modules/code_images.h"
#include "cuda/streams/launching.h"

namespace warpsim::cuda {

namespace {

void load_image(Context& context, ModuleHandle* handle, const void* image) {
  result(handle) = &load_module(context, module_of_image(image));
}

void load_file(Context& context, ModuleHandle* handle, const char* path) {
  result(handle) = &load_module(context, module_of_file(path));
}

}  // namespace

}  // namespace warpsim::cuda

using namespace warpsim::cuda;  // NOLINT(google-build-using-namespace): the functions have C's names

int cuModuleLoad(ModuleHandle* module, const char* path) {
  return context_call([&](Context& context) { load_file(context, module, path); });
}

int cuModuleLoadData(ModuleHandle* module, const void* image) {
  return context_call([&](Context& context) { load_image(context, module, image); });
}

int cuModuleLoadDataEx(ModuleHandle* module, const void* image, unsigned /*count*/, int* /*options*/,
                       void** /*values*/) {
  return context_call([&](Context& context) { load_image(context, module, image); });
}

int cuModuleLoadFatBinary(ModuleHandle* module, const void* image) {
  return context_call([&](Context& context) { load_image(context, module, image); });
}

int cuModuleUnload(ModuleHandle module) {
  return driver_call([&](Context& context) { context.remove_module(known_module(context, module)); });
}

int cuModuleGetLoadingMode(int* mode) {
  constexpr int kLazy = 2;
  return driver_call([&](Context&) { result(mode) = kLazy; });
}

int cuModuleGetFunction(KernelHandle* kernel, ModuleHandle module, const char* name) {
  return driver_call([&](Context& context) {
    Kernel& found = context.kernel(known_module(context, module), &result(name));
    context.info(found);
    result(kernel) = &found;
  });
}

int cuModuleGetGlobal_v2(std::uint64_t* data, std::size_t* bytes, ModuleHandle module, const char* name) {
  return driver_call([&](Context& context) {
    const VariableInfo& variable = context.variable(known_module(context, module), &result(name));
    if (data != nullptr) {
      *data = variable.address;
    }
    if (bytes != nullptr) {
      *bytes = variable.bytes;
    }
  });
}

int cuModuleGetFunctionCount(unsigned* count, ModuleHandle module) {
  return driver_call([&](Context& context) {
    result(count) = static_cast<unsigned>(context.kernels(known_module(context, module)).size());
  });
}

int cuModuleEnumerateFunctions(KernelHandle* kernels, unsigned room, ModuleHandle module) {
  return driver_call([&](Context& context) { list_kernels(context, known_module(context, module), kernels, room); });
}

int cuLibraryLoadData(ModuleHandle* library, const void* code, int* /*options*/, void** /*values*/, unsigned /*count*/,
                      int* /*library_options*/, void** /*library_values*/, unsigned /*library_count*/) {
  return driver_call([&](Context& context) { load_image(context, library, code); });
}

int cuLibraryLoadFromFile(ModuleHandle* library, const char* path, int* /*options*/, void** /*values*/,
                          unsigned /*count*/, int* /*library_options*/, void** /*library_values*/,
                          unsigned /*library_count*/) {
  return driver_call([&](Context& context) { load_file(context, library, path); });
}

int cuLibraryUnload(ModuleHandle library) {
  return cuModuleUnload(library);
}

int cuLibraryGetKernel(KernelHandle* kernel, ModuleHandle library, const char* name) {
  return cuModuleGetFunction(kernel, library, name);
}

int cuLibraryGetModule(ModuleHandle* module, ModuleHandle library) {
  return driver_call([&](Context& context) { result(module) = &known_module(context, library); });
}

int cuLibraryGetGlobal(std::uint64_t* data, std::size_t* bytes, ModuleHandle library, const char* name) {
  return cuModuleGetGlobal_v2(data, bytes, library, name);
}

int cuLibraryGetManaged(std::uint64_t* data, std::size_t* bytes, ModuleHandle library, const char* name) {
  return cuModuleGetGlobal_v2(data, bytes, library, name);
}

int cuLibraryGetKernelCount(unsigned* count, ModuleHandle library) {
  return cuModuleGetFunctionCount(count, library);
}

int cuLibraryEnumerateKernels(KernelHandle* kernels, unsigned room, ModuleHandle library) {
  return cuModuleEnumerateFunctions(kernels, room, library);
}

int cuKernelGetFunction(KernelHandle* function, KernelHandle kernel) {
  return driver_call([&](Context& context) { result(function) = &context.kernel_of(kernel); });
}

int cuKernelGetAttribute(int* value, int attribute, KernelHandle kernel, int /*device*/) {
  return cuFuncGetAttribute(value, attribute, kernel);
}

int cuKernelSetAttribute(int attribute, int value, KernelHandle kernel, int /*device*/) {
  return cuFuncSetAttribute(kernel, attribute, value);
}

int cuKernelGetName(const char** name, KernelHandle kernel) {
  return cuFuncGetName(name, kernel);
}

int cuKernelGetLibrary(ModuleHandle* library, KernelHandle kernel) {
  return cuFuncGetModule(library, kernel);
}

int cuKernelGetParamInfo(KernelHandle kernel, std::size_t index, std::size_t* offset, std::size_t* bytes) {
  return cuFuncGetParamInfo(kernel, index, offset, bytes);
}

int cuKernelSetCacheConfig(KernelHandle kernel, int config, int /*device*/) {
  return cuFuncSetCacheConfig(kernel, config);
}
