// What kernels ask the CUDA device runtime for (dynamic parallelism), and who provides it. The emulator executes the
// calls of a kernel; which grids are run when is not its business: it passes work on to DeviceLaunches.
//
// Order: a call is an effect that reaches everything (launch_effects.h). Calls arrive in the order in which they take
// effect, which depends neither on threads nor on the order of SMs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

#include "base/types.h"

namespace warpsim {

// CUDA's numbers of the errors that kernels get.
enum DeviceError : int {
  kDeviceSuccess = 0,
  kDeviceInvalidValue = 1,
  kDeviceOutOfMemory = 2,
  kDeviceInvalidPitch = 12,
  kDeviceInvalidCopyDirection = 21,
  kDeviceMaxDepthExceeded = 65,
  kDeviceSyncDepthExceeded = 68,
  kDevicePendingCountExceeded = 69,
  kDeviceInvalidFunction = 98,
  kDeviceInvalidDevice = 101,
  kDeviceInvalidHandle = 400,
};

// A thread of a running grid.
struct DeviceThread {
  std::uint64_t grid = 0;    // LaunchContext::grid_id
  std::uint64_t block = 0;   // linear index
  std::uint32_t thread = 0;  // in its block
  bool operator==(const DeviceThread&) const = default;
  bool operator<(const DeviceThread& other) const {
    return std::tuple(grid, block, thread) < std::tuple(other.grid, other.block, other.thread);
  }
};

// Where a kernel puts work.
struct DeviceStream {
  enum class Kind : std::uint8_t {
    kBlock,          // the NULL stream, one for each block
    kThread,         // the NULL stream of code with a default stream for each thread
    kCreated,        // cudaStreamCreateWithFlags
    kFireAndForget,  // without order among each other
    kTail,           // in order, when the grid and all other work of it have ended
  };
  Kind kind = Kind::kBlock;
  std::uint64_t handle = 0;  // of kCreated
};

// Which interface the call belongs to: that of CUDA 12 and later, or the earlier one with cudaDeviceSynchronize().
enum class DeviceInterface : std::uint8_t { kFirst, kSecond };

struct DeviceLaunch {
  DeviceThread parent;
  DeviceInterface interface = DeviceInterface::kSecond;
  DeviceStream stream;
  std::uint32_t kernel = 0;  // number of the function in the module of the parent
  Dim3 grid = {};
  Dim3 block = {};
  Dim3 cluster = {0, 0, 0};  // 0: as the kernel requires
  std::uint32_t dynamic_shared_bytes = 0;
  std::vector<std::byte> parameters = {};
};

// cudaMemcpy*Async or cudaMemset*Async: rows of `width` bytes.
struct DeviceTransfer {
  struct Place {
    Address begin = 0;
    std::uint64_t pitch = 0;   // from row to row
    std::uint64_t height = 0;  // rows from slice to slice
  };
  DeviceThread parent;
  DeviceInterface interface = DeviceInterface::kSecond;
  DeviceStream stream;
  Place to;
  Place from;  // unless it fills
  std::uint64_t width = 0;
  std::uint64_t height = 1;
  std::uint64_t depth = 1;
  bool fills = false;
  std::byte value{};
};

// Streams and events that kernels create.
enum class DeviceObject : std::uint8_t { kStream, kEvent };

// What kernels ask about. The results are CUDA's error numbers.
class DeviceQueries {
 public:
  virtual ~DeviceQueries() = default;
  virtual int attribute(int number, int& value) = 0;
  virtual int limit(int number, std::uint64_t& value) = 0;
  virtual int runtime_version() = 0;
  // cudaFuncAttributes of a kernel of the thread's module, as bytes of the structure.
  virtual int function_attributes(const DeviceThread& thread, std::uint32_t kernel, std::vector<std::byte>& bytes) = 0;
  virtual int active_blocks(const DeviceLaunch& launch, int& blocks) = 0;
  // The address in device memory of an error's name or description.
  virtual Address error_text(int error, bool name) = 0;
};

class DeviceGraphs;

class DeviceLaunches {
 public:
  virtual ~DeviceLaunches() = default;

  // The core cycle of the calls that follow, on a machine with timing.
  virtual void set_time(Cycle /*now*/) {}
  // Until when the warp is busy with its calls at this time.
  virtual Cycle call_ends_at(Cycle now) const { return now; }

  // Memory for the parameters of a launch by the thread; 0 if there is none.
  virtual Address parameter_buffer(const DeviceThread& thread, std::uint64_t bytes) = 0;
  // The same for a launch whose configuration is known, with space for the kernel's parameters; 0, and the thread's
  // last error, if there is no such kernel.
  virtual Address parameter_buffer(const DeviceLaunch& launch) = 0;
  // These return CUDA's error numbers. The parameters are those in the buffer, which is 0 for a kernel without any.
  virtual int launch(const DeviceLaunch& launch, Address buffer) = 0;
  // The launch whose configuration the buffer was made for.
  virtual int launch_configured(Address buffer, const DeviceStream& stream, const DeviceThread& thread) = 0;
  virtual int transfer(const DeviceTransfer& transfer) = 0;
  // Why a thread cannot wait here for the work of its block; empty if it can.
  virtual std::string why_not_synchronised(const DeviceThread& thread) const = 0;
  // Waits for the work of the thread's block. Throws KernelFault of that work. With time, the warp of the thread must
  // not go on while awaits_launches() holds, which other threads may ask while nothing is executed that changes it.
  virtual int synchronise(const DeviceThread& thread) = 0;
  virtual bool awaits_launches(const DeviceThread& /*thread*/) const { return false; }
  virtual int create(DeviceObject kind, const DeviceThread& thread, std::uint64_t& handle) = 0;
  virtual int destroy(DeviceObject kind, std::uint64_t handle) = 0;
  virtual bool exists(DeviceObject kind, std::uint64_t handle) = 0;

  virtual void set_last_error(const DeviceThread& thread, int error) = 0;
  virtual int last_error(const DeviceThread& thread, bool clear) = 0;

  virtual DeviceQueries& queries() = 0;
  virtual DeviceGraphs& graphs() = 0;
};

}  // namespace warpsim
