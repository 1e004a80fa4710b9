#include "cuda/device_calls.h"

#include <dlfcn.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>

#include "cuda/device/device_limits.h"
#include "cuda/device/device_properties.h"

namespace warpsim::cuda {

namespace {

// Functions with several versions under one plain name: the newest version up to the requested one is used.
struct Form {
  const char* plain;
  int version;
  const char* exported;
};
constexpr Form kForms[] = {
    {"cuCtxCreate", 3020, "cuCtxCreate_v2"},
    {"cuCtxCreate", 11040, "cuCtxCreate_v3"},
    {"cuCtxCreate", 12050, "cuCtxCreate_v4"},
    {"cuGetProcAddress", 11030, "cuGetProcAddress"},
    {"cuGetProcAddress", 12000, "cuGetProcAddress_v2"},
    {"cuEventElapsedTime", 2000, "cuEventElapsedTime"},
    {"cuEventElapsedTime", 12080, "cuEventElapsedTime_v2"},
    {"cuStreamGetCaptureInfo", 10010, "cuStreamGetCaptureInfo"},
    {"cuStreamGetCaptureInfo", 11030, "cuStreamGetCaptureInfo_v2"},
    {"cuStreamGetCaptureInfo", 12030, "cuStreamGetCaptureInfo_v3"},
    {"cuGraphInstantiate", 10000, "cuGraphInstantiate"},
    {"cuGraphInstantiate", 11000, "cuGraphInstantiate_v2"},
    {"cuGraphInstantiate", 12000, "cuGraphInstantiateWithFlags"},
    {"cuGraphExecUpdate", 10020, "cuGraphExecUpdate"},
    {"cuGraphExecUpdate", 12000, "cuGraphExecUpdate_v2"},
    {"cuGraphAddKernelNode", 10000, "cuGraphAddKernelNode"},
    {"cuGraphAddKernelNode", 12000, "cuGraphAddKernelNode_v2"},
    {"cuGraphKernelNodeGetParams", 10000, "cuGraphKernelNodeGetParams"},
    {"cuGraphKernelNodeGetParams", 12000, "cuGraphKernelNodeGetParams_v2"},
    {"cuGraphKernelNodeSetParams", 10000, "cuGraphKernelNodeSetParams"},
    {"cuGraphKernelNodeSetParams", 12000, "cuGraphKernelNodeSetParams_v2"},
    {"cuGraphExecKernelNodeSetParams", 10010, "cuGraphExecKernelNodeSetParams"},
    {"cuGraphExecKernelNodeSetParams", 12000, "cuGraphExecKernelNodeSetParams_v2"},
    {"cuGraphGetEdges", 10000, "cuGraphGetEdges"},
    {"cuGraphGetEdges", 12030, "cuGraphGetEdges_v2"},
    {"cuGraphNodeGetDependencies", 10000, "cuGraphNodeGetDependencies"},
    {"cuGraphNodeGetDependencies", 12030, "cuGraphNodeGetDependencies_v2"},
    {"cuGraphNodeGetDependentNodes", 10000, "cuGraphNodeGetDependentNodes"},
    {"cuGraphNodeGetDependentNodes", 12030, "cuGraphNodeGetDependentNodes_v2"},
    {"cuGraphAddDependencies", 10000, "cuGraphAddDependencies"},
    {"cuGraphAddDependencies", 12030, "cuGraphAddDependencies_v2"},
    {"cuGraphRemoveDependencies", 10000, "cuGraphRemoveDependencies"},
    {"cuGraphRemoveDependencies", 12030, "cuGraphRemoveDependencies_v2"},
    {"cuGraphAddNode", 12020, "cuGraphAddNode"},
    {"cuGraphAddNode", 12030, "cuGraphAddNode_v2"},
    {"cuStreamBeginCapture", 10000, "cuStreamBeginCapture"},
    {"cuStreamBeginCapture", 10010, "cuStreamBeginCapture_v2"},
    {"cuStreamUpdateCaptureDependencies", 11030, "cuStreamUpdateCaptureDependencies"},
    {"cuStreamUpdateCaptureDependencies", 12030, "cuStreamUpdateCaptureDependencies_v2"},
    {"cuDeviceGetUuid", 9020, "cuDeviceGetUuid"},
    {"cuCtxGetDevice", 2000, "cuCtxGetDevice"},
    {"cuCtxSynchronize", 2000, "cuCtxSynchronize"},
    {"cuMemPrefetchAsync", 8000, "cuMemPrefetchAsync"},
    {"cuMemPrefetchAsync", 12020, "cuMemPrefetchAsync_v2"},
    {"cuMemAdvise", 8000, "cuMemAdvise"},
    {"cuMemAdvise", 12020, "cuMemAdvise_v2"},
};

void* exported(const std::string& name) {
  return dlsym(RTLD_DEFAULT, name.c_str());
}

}  // namespace

Device& device_at(Context& context, int number) {
  if (number < 0) {
    throw CallError(kInvalidDevice);
  }
  return context.device(static_cast<std::uint32_t>(number));
}

void check_device(Context& context, int number) {
  device_at(context, number);
}

void* handle_of_device(std::uintptr_t unit, const Device& device) {
  return reinterpret_cast<void*>(unit * (device.number() + 1));  // NOLINT(performance-no-int-to-ptr): a handle
}

std::optional<std::uint32_t> device_of_handle(Context& context, std::uintptr_t unit, const void* handle) {
  const auto value = reinterpret_cast<std::uintptr_t>(handle);
  if (value == 0 || value % unit != 0 || value / unit > context.device_count()) {
    return std::nullopt;
  }
  return static_cast<std::uint32_t>(value / unit - 1);
}

std::size_t device_limit(Context& context, int limit) {
  if (limit < 0 || limit > kLastLimit) {
    throw CallError(kUnsupportedLimit);
  }
  const L2PersistenceConfig& persistence = context.device().config().memory.l2.persistence;
  if (limit == kPersistingL2Limit && persistence.max_sixteenths == 0) {
    throw CallError(kUnsupportedLimit);
  }
  const auto set = context.limits().find({context.device().number(), limit});
  if (set != context.limits().end()) {
    return set->second;
  }
  return limit == kPersistingL2Limit ? l2_part(context.device().config(), persistence.first_sixteenths)
                                     : kFirstLimits[static_cast<std::size_t>(limit)];
}

void set_device_limit(Context& context, int limit, std::size_t value) {
  device_limit(context, limit);
  if (limit == kPersistingL2Limit) {
    // Whole sixteenths, as measured (tests/hardware/l2_persistence, limit).
    const GpuConfig& gpu = context.device().config();
    const std::size_t unit = l2_part(gpu, 1);
    require_valid(value <= l2_part(gpu, gpu.memory.l2.persistence.max_sixteenths));
    const std::size_t sixteenths = (value + unit - 1) / unit;
    context.device().set_aside_l2(static_cast<std::uint32_t>(sixteenths));
    value = sixteenths * unit;
  } else if (limit == kStackLimit) {
    context.device().set_stack_bytes(static_cast<std::uint32_t>(std::min<std::size_t>(value, UINT32_MAX)));
  } else if (limit == kHeapLimit) {
    context.device().set_heap_bytes(value);
  }
  if (limit != kPrintfLimit) {
    context.device().set_limit(limit, value);
  }
  context.limits()[{context.device().number(), limit}] = value;
}

void copy_text(char* target, int bytes, const char* text) {
  if (target == nullptr || bytes <= 0) {
    throw CallError(kInvalidValue);
  }
  const std::size_t room = static_cast<std::size_t>(bytes) - 1;
  const std::size_t length = std::min(room, std::strlen(text));
  std::memcpy(target, text, length);
  target[length] = '\0';
}

void* driver_function(const char* name, int version) {
  const char* best = nullptr;
  bool listed = false;
  for (const Form& form : kForms) {
    if (std::strcmp(form.plain, name) == 0) {
      listed = true;
      best = form.version <= version ? form.exported : best;
    }
  }
  if (listed) {
    return best == nullptr ? nullptr : exported(best);
  }
  for (const char* const suffix : {"_v3", "_v2", ""}) {
    if (void* const found = exported(std::string(name) + suffix)) {
      return found;
    }
  }
  return nullptr;
}

}  // namespace warpsim::cuda
