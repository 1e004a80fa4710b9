// One thread's call of a function of the device runtime, for its handlers.
#pragma once

#include <cstdint>
#include <string>

#include "emulator/execution/call_memory.h"
#include "emulator/execution/device_launches.h"
#include "emulator/execution/warp_context.h"

namespace warpsim {

class DeviceRuntimeCall {
 public:
  // Throws KernelFault if nothing can be launched from the kernel.
  DeviceRuntimeCall(WarpContext& warp, const Operation& operation, std::uint32_t lane);

  // Variant of such an operation: bits.
  static constexpr std::uint8_t kSecondInterface = 1;
  static constexpr std::uint8_t kOfThread = 2;

  template <class T>
  T argument(std::uint32_t number) const {
    return call_argument<T>(warp_, warp_.lists[operation_.target + number], lane_);
  }
  template <class T>
  void set_result(T value) {
    set_call_result(warp_, operation_.d, lane_, value);
  }
  // The result is an error, which is also the thread's last one.
  void finish(int error);
  // The same for a call that takes time.
  void finish_work(int error);

  DeviceLaunches& launches() const { return *launches_; }
  const DeviceThread& thread() const { return thread_; }
  DeviceInterface interface() const;
  WarpContext& warp() { return warp_; }
  // Sets the stream of a handle. Returns false if there is none.
  bool stream_of(std::uint64_t handle, DeviceStream& stream) const;
  // The kernel at an address, which may not exist in the module. Returns false if it is not the address of one.
  static bool kernel_of(Address address, std::uint32_t& kernel);

  // Memory at a pointer that the kernel passes. Throws KernelFault if it is not accessible.
  void store(Address pointer, const void* data, std::size_t bytes);
  template <class T>
  void store(Address pointer, const T& value) {
    store(pointer, &value, sizeof value);
  }
  void load(Address pointer, void* data, std::size_t bytes);
  [[noreturn]] void fail(FaultKind kind, const std::string& what) const;

 private:
  std::byte* bytes(Address pointer, std::size_t count, const char* verb);

  WarpContext& warp_;
  const Operation& operation_;
  std::uint32_t lane_;
  DeviceLaunches* launches_;
  DeviceThread thread_;
};

// Before this cycle a machine with timing must not continue a warp, by its calls of the device runtime or of the
// driver. kNever: until grids that its block has launched are over, which the machine is told.
Cycle held_until(WarpContext& warp);

using DeviceRuntimeHandler = void (*)(DeviceRuntimeCall& call);
template <DeviceRuntimeHandler handler>
void for_each_call(WarpContext& warp, const Operation& operation, LaneMask lanes) {
  for_lanes(lanes, [&](std::uint32_t lane) {
    DeviceRuntimeCall call(warp, operation, lane);
    handler(call);
  });
}

// --- the handlers ---
namespace device_runtime {

void get_parameter_buffer(DeviceRuntimeCall& call);
void get_configured_buffer(DeviceRuntimeCall& call);
void launch(DeviceRuntimeCall& call);
void launch_configured(DeviceRuntimeCall& call);
void synchronise(DeviceRuntimeCall& call);
void create_stream(DeviceRuntimeCall& call);
void destroy_stream(DeviceRuntimeCall& call);
void wait_for_event(DeviceRuntimeCall& call);
void create_event(DeviceRuntimeCall& call);
void record_event(DeviceRuntimeCall& call);
void destroy_event(DeviceRuntimeCall& call);
void copy(DeviceRuntimeCall& call);
void copy_2d(DeviceRuntimeCall& call);
void copy_3d(DeviceRuntimeCall& call);
void fill(DeviceRuntimeCall& call);
void fill_2d(DeviceRuntimeCall& call);
void fill_3d(DeviceRuntimeCall& call);

void launch_graph(DeviceRuntimeCall& call);
void set_node_parameter(DeviceRuntimeCall& call);
void set_node_enabled(DeviceRuntimeCall& call);
void set_node_grid(DeviceRuntimeCall& call);
void apply_node_updates(DeviceRuntimeCall& call);

void get_attribute(DeviceRuntimeCall& call);
void get_limit(DeviceRuntimeCall& call);
void get_configuration(DeviceRuntimeCall& call);  // of caches or shared memory: no preference
void get_last_error(DeviceRuntimeCall& call);
void peek_at_last_error(DeviceRuntimeCall& call);
void get_error_string(DeviceRuntimeCall& call);
void get_error_name(DeviceRuntimeCall& call);
void get_device_count(DeviceRuntimeCall& call);
void get_device(DeviceRuntimeCall& call);
void get_function_attributes(DeviceRuntimeCall& call);
void get_active_blocks(DeviceRuntimeCall& call);
void get_version(DeviceRuntimeCall& call);
void allocate(DeviceRuntimeCall& call);
void release(DeviceRuntimeCall& call);

}  // namespace device_runtime

}  // namespace warpsim
