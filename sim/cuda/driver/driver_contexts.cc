// The driver's functions about contexts. Each device has one, its primary context.
#include "cuda/driver/driver_contexts.h"

#include "cuda/calls.h"
#include "cuda/device/device_properties.h"
#include "cuda/device_calls.h"
#include "cuda/driver/driver_api.h"
#include "cuda/driver/plain_calls.h"
#include "cuda/streams/stream_calls.h"

namespace warpsim::cuda {

namespace {

constexpr unsigned kApiVersion = 3020;

// Makes a context the current one while it exists.
class CurrentContext {
 public:
  explicit CurrentContext(std::uint32_t gpu) { push_context(gpu); }
  ~CurrentContext() { pop_context(); }
  CurrentContext(const CurrentContext&) = delete;
  CurrentContext& operator=(const CurrentContext&) = delete;
};

int make_current(void** handle, int device) {
  return driver_call([&](Context& context) {
    const Device& own = device_at(context, device);
    result(handle) = handle_of_device(kContextUnit, own);
    push_context(own.number());
  });
}

}  // namespace

std::uint32_t gpu_of_context(Context& context, const void* handle) {
  const std::optional<std::uint32_t> device = device_of_handle(context, kContextUnit, handle);
  if (!device) {
    throw CallError(kInvalidContext);
  }
  return *device;
}

std::uint32_t gpu_of_context_or_current(Context& context, const void* handle) {
  if (handle != nullptr) {
    return gpu_of_context(context, handle);
  }
  const std::optional<std::uint32_t> current = current_context();
  if (!current) {
    throw CallError(kInvalidContext);
  }
  return *current;
}

}  // namespace warpsim::cuda

using namespace warpsim::cuda;  // NOLINT(google-build-using-namespace): the functions have C's names

int cuCtxEnablePeerAccess(void* peer, unsigned flags) {
  return context_call([&](Context& context) { enable_peer_access(context, gpu_of_context(context, peer), flags); });
}

int cuCtxDisablePeerAccess(void* peer) {
  return context_call([&](Context& context) { disable_peer_access(context, gpu_of_context(context, peer)); });
}

int cuDevicePrimaryCtxRetain(void** handle, int device) {
  return driver_call(
      [&](Context& context) { result(handle) = handle_of_device(kContextUnit, device_at(context, device)); });
}

int cuDevicePrimaryCtxRelease_v2(int device) {
  return driver_call([&](Context& context) { check_device(context, device); });
}

int cuDevicePrimaryCtxReset_v2(int device) {
  std::vector<ContextStorage::Value> gone;
  void* handle = nullptr;
  const int code = driver_call(
      [&](Context& context) {
        const Device& own = device_at(context, device);
        handle = handle_of_device(kContextUnit, own);
        context.flush_printed();
        gone = context.storage().take_all(own.number());
      },
      StickyErrors::kIgnore);
  for (const ContextStorage::Value& value : gone) {
    if (value.when_gone != nullptr) {
      value.when_gone(handle, value.key, value.value);  // may call the driver
    }
  }
  return code;
}

int cuDevicePrimaryCtxSetFlags_v2(int device, unsigned flags) {
  return driver_call([&](Context& context) { context.device_flags()[device_at(context, device).number()] = flags; });
}

int cuDevicePrimaryCtxGetState(int device, unsigned* flags, int* active) {
  return driver_call([&](Context& context) {
    result(flags) = context.device_flags()[device_at(context, device).number()];
    result(active) = 1;
  });
}

int cuCtxCreate_v2(void** handle, unsigned /*flags*/, int device) {
  return make_current(handle, device);
}

int cuCtxCreate_v3(void** handle, void* /*affinity*/, int /*count*/, unsigned /*flags*/, int device) {
  return make_current(handle, device);
}

int cuCtxCreate_v4(void** handle, void* /*parameters*/, unsigned /*flags*/, int device) {
  return make_current(handle, device);
}

int cuCtxDestroy_v2(void* handle) {
  return driver_call([&](Context& context) {
    const std::uint32_t device = gpu_of_context(context, handle);
    context.flush_printed();
    if (current_context() == device) {
      pop_context();
    }
  });
}

int cuCtxPushCurrent_v2(void* handle) {
  return driver_call([&](Context& context) { push_context(gpu_of_context(context, handle)); });
}

int cuCtxPopCurrent_v2(void** handle) {
  return driver_call([&](Context& context) {
    const std::optional<std::uint32_t> device = pop_context();
    if (!device) {
      throw CallError(kInvalidContext);
    }
    if (handle != nullptr) {
      *handle = handle_of_device(kContextUnit, context.device(*device));
    }
  });
}

int cuCtxSetCurrent(void* handle) {
  return driver_call([&](Context& context) {
    if (handle == nullptr) {
      pop_context();
    } else {
      use_device(gpu_of_context(context, handle));
    }
  });
}

int cuCtxGetCurrent(void** handle) {
  return driver_call([&](Context& context) {
    const std::optional<std::uint32_t> device = current_context();
    result(handle) = device ? handle_of_device(kContextUnit, context.device(*device)) : nullptr;
  });
}

int cuCtxGetDevice(int* device) {
  return context_call([&](Context&) { result(device) = static_cast<int>(current_device()); });
}

int cuCtxGetDevice_v2(int* device, void* handle) {
  return driver_call(
      [&](Context& context) { result(device) = static_cast<int>(gpu_of_context_or_current(context, handle)); });
}

int cuCtxGetFlags(unsigned* flags) {
  return driver_call([&](Context& context) { result(flags) = context.device_flags()[current_device()]; });
}

int cuCtxGetId(void* /*handle*/, unsigned long long* number) {
  return give(number, 1ULL);
}

int cuCtxGetApiVersion(void* /*handle*/, unsigned* version) {
  return give(version, kApiVersion);
}

int cuCtxSynchronize() {
  return context_call([](Context& context) { synchronize(context); });
}

int cuCtxSynchronize_v2(void* handle) {
  return context_call([&](Context& context) {
    const CurrentContext current(gpu_of_context_or_current(context, handle));
    synchronize(context);
  });
}

int cuCtxSetLimit(int limit, std::size_t value) {
  return context_call([&](Context& context) { set_device_limit(context, limit, value); });
}

int cuCtxGetLimit(std::size_t* value, int limit) {
  return context_call([&](Context& context) { result(value) = device_limit(context, limit); });
}

int cuCtxSetCacheConfig(int /*config*/) {
  return accept();
}

int cuCtxGetCacheConfig(int* config) {
  return give(config, 0);
}

int cuCtxSetSharedMemConfig(int /*config*/) {
  return accept();
}

int cuCtxGetSharedMemConfig(int* config) {
  return give(config, 1);
}

int cuCtxGetStreamPriorityRange(int* least, int* greatest) {
  return context_call([&](Context& context) {
    if (least != nullptr) {
      *least = 0;
    }
    if (greatest != nullptr) {
      *greatest = first_priority(context.device().config());
    }
  });
}

int cuCtxResetPersistingL2Cache() {
  return context_call([](Context& context) { context.device().end_l2_persistence(); });
}
