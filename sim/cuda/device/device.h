// A simulated GPU as the interface of a CUDA driver: memory, modules, kernels, launches, streams.
//
// The runtime and driver libraries (sim/cuda/runtime_*, driver_*) translate CUDA's calls into these and keep CUDA's
// host state: contexts, streams, events, handles. This class has no handles, threads or environment.
// Launches and copies are put into streams (device_queue.h): with time, they are done while the host goes on.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/types.h"
#include "core/gpu/gpu_config.h"
#include "core/machine/launch_observer.h"
#include "cuda/code/code_choice.h"
#include "cuda/device/device_queue.h"
#include "cuda/device/host_ranges.h"
#include "cuda/device/launch_selection.h"
#include "device/managed/managed_memory.h"
#include "device/work.h"
#include "emulator/code/managed_variables.h"
#include "emulator/execution/breakpoint.h"
#include "emulator/memory/device_memory.h"
#include "emulator/races/check_options.h"
#include "emulator/textures/texture_description.h"
#include "stats/detail_options.h"

namespace warpsim {

struct LaunchRecord;
class StatGroup;

}  // namespace warpsim

namespace warpsim::cuda {

// Why a call failed. The texts name kernel, thread, line and address as a sanitizer would.
enum class Failure : std::uint8_t {
  kNone,
  kInvalidPtx,  // parse error, or an instruction that a kernel can reach is not there
  kUnsupportedPtxVersion,
  kNoBinaryForGpu,  // the PTX requires a newer capability than the GPU has
  kNotFound,        // kernel, variable
  kInvalidValue,
  kInvalidConfiguration,  // grid, block or cluster that the GPU does not allow
  kOutOfResources,        // registers or shared memory of a block
  kOutOfMemory,
  kCooperativeTooLarge,  // a cooperative grid that is not resident at once
  kIllegalAddress,
  kMisalignedAddress,
  kIllegalInstruction,
  kAssert,  // device-side assert or trap
  kTrap,
  kTimeout,  // no progress: a deadlock among the kernel's threads
  kLimited,  // a limit of cycles or instructions was reached
  kNotSupported,
  kDeviceSynchronise,  // a kernel calls cudaDeviceSynchronize(), and the GPU does not have it
};
struct Outcome {
  Failure failure = Failure::kNone;
  std::string message = {};
  explicit operator bool() const { return failure == Failure::kNone; }
};

// A parameter's position in the parameter buffer.
struct Parameter {
  std::uint32_t offset = 0;
  std::uint32_t bytes = 0;
};

struct KernelInfo {
  std::string name;
  std::vector<Parameter> parameters;
  std::uint32_t parameter_bytes = 0;
  std::uint32_t registers = 0;  // a thread's, as allocated for the GPU
  std::uint32_t static_shared_bytes = 0;
  std::uint32_t local_bytes = 0;     // a thread's
  std::uint32_t constant_bytes = 0;  // of the module
  std::uint32_t most_threads_per_block = 0;
  bool is_estimated = false;          // `registers`, of code that is generated
  Dim3 required_cluster = {0, 0, 0};  // blocks; 0: none
  std::uint32_t ptx_version = 0;      // 90
  std::uint32_t target = 0;           // of the PTX, also from which machine code was compiled: 90 for sm_90
  bool launches_graphs = false;
};

struct VariableInfo {
  Address address = 0;
  std::uint64_t bytes = 0;
  bool managed = false;
};

struct Launch {
  Dim3 grid;
  Dim3 block;
  Dim3 cluster;
  std::uint32_t dynamic_shared_bytes = 0;
  bool cooperative = false;
  bool programmatic = false;  // it may begin before the kernel before it in the stream is over
  // Of a node: the number of the launch of its graph, and the instantiated graph if kernels can launch it; 0: none.
  std::uint64_t graph_launch = 0;
  std::uint64_t graph = 0;
  AccessWindow window = {};  // lines that L2 keeps
  WorkPlace place = {};
  std::span<const std::byte> parameters;  // parameter_bytes of them
};

// Texture and surface objects: the translated arguments of cudaCreateTextureObject.
using TextureDescription = warpsim::TextureDescription;

// Opaque numbers; 0 is none.
using ModuleId = std::uint32_t;
using KernelId = std::uint32_t;

class KernelGraphs;

class Device {
 public:
  virtual ~Device() = default;

  // From 0, in the process.
  virtual std::uint32_t number() const { return 0; }
  virtual const GpuConfig& config() const = 0;
  virtual DeviceMemory& memory() = 0;
  // Where managed memory is, and the program's advice; null: it is not known.
  virtual ManagedMemory* managed() { return nullptr; }
  // Of the program, on any device.
  virtual void call_begins() {}
  virtual void call_ends() {}
  // Asked while a thread of the program waits: whether others may be about to call.
  virtual void interrupt_for(const std::function<bool()>& /*time_stops*/) {}
  // Who launches graphs for kernels, and who knows the ranges of the program; both outlive the device.
  virtual void use_graphs(KernelGraphs& /*graphs*/) {}
  virtual void use_ranges(HostRanges& /*ranges*/) {}
  // The profiler's window opens or closes, for all devices of the process (launch_selection.h).
  virtual void set_profiled(bool /*profiled*/) {}

  // `file` is for messages. Variables get memory and their initial values; managed ones are those of the same code on
  // other devices, if there are some.
  using Managed = std::shared_ptr<ManagedVariables>;
  virtual Outcome load_module(std::string_view ptx, const std::string& file, ModuleId& module,
                              const Managed& managed) = 0;
  Outcome load_module(std::string_view ptx, const std::string& file, ModuleId& module) {
    return load_module(ptx, file, module, nullptr);
  }
  // For relocatable code: texts that refer to each other's functions and variables become one module.
  virtual Outcome load_linked(std::span<const std::string> texts, const std::string& file, ModuleId& module,
                              const Managed& managed) = 0;
  // Why a kernel of the module's machine code cannot be executed; empty if all of them can be.
  virtual std::string refusal(ModuleId /*module*/) const { return {}; }
  virtual void unload_module(ModuleId module) = 0;
  virtual Outcome find_kernel(ModuleId module, std::string_view name, KernelId& kernel) = 0;
  // In the order of the code.
  virtual std::vector<std::string> kernel_names(ModuleId /*module*/) const { return {}; }
  virtual Outcome find_variable(ModuleId module, std::string_view name, VariableInfo& variable) = 0;
  virtual const KernelInfo& info(KernelId kernel) const = 0;

  // Puts the launch into its stream, or runs it, without time. After kIllegalAddress and similar outcomes the caller
  // must keep a sticky error. `work` may be null.
  virtual Outcome launch(KernelId kernel, const Launch& launch, WorkHandle* work = nullptr) = 0;
  virtual DeviceQueue& queue() = 0;
  // A failure of work that was put into a stream, once.
  virtual Outcome take_failure() { return {}; }
  // Does all work that is left.
  virtual void finish_work() {}

  // Returns the number of the object for tex and surf instructions; 0 if it is not possible.
  virtual std::uint64_t create_texture(const TextureDescription& texture) = 0;
  virtual void destroy_texture(std::uint64_t object) = 0;

  // A copy from the host has written this range of device memory.
  virtual void note_written(Address /*address*/, std::uint64_t /*bytes*/) {}
  // A copy or fill by the device has read or written it.
  virtual void note_touched(Address /*address*/, std::uint64_t /*bytes*/) {}

  // The output of kernels since the last call.
  virtual std::string take_printed() = 0;
  // Findings in kernels since the last call, one line each: reads of uninitialised shared memory, races.
  virtual std::vector<std::string> take_findings() = 0;
  // Ends the run in the database, if there is one; nothing is launched afterwards. Throws DatabaseError if the launches
  // are not stored. The destructor also does this, but can only print the error.
  virtual void store_results() {}
  // What a user is told at the end about all devices of the process; see LaunchSelection::notes().
  virtual std::vector<std::string> closing_notes() const { return {}; }
  // The findings of all checks: pairs of instructions with races. And a line that reports it; empty if no check was
  // requested.
  virtual std::uint64_t races() const { return 0; }
  virtual std::string check_summary() const { return {}; }
  // Limits that a program may set (cudaDeviceSetLimit).
  virtual void set_heap_bytes(std::uint64_t bytes) = 0;
  virtual void set_stack_bytes(std::uint32_t bytes) = 0;
  // Any limit (device_limits.h), for kernels.
  virtual void set_limit(int /*limit*/, std::uint64_t /*value*/) {}
  // So many sixteenths of L2 are for persisting lines; none of them persists any more.
  virtual void set_aside_l2(std::uint32_t /*sixteenths*/) {}
  virtual void end_l2_persistence() {}
};

// What a caller in the same process hears of timed launches. Functions may be empty.
struct LaunchListener {
  std::function<void(const LaunchRecord&, const StatGroup&)> ended = {};
  // At each sample of details.sample_interval, with the launch's counters as of that cycle of it.
  std::function<void(const KernelLaunch&, Cycle, const StatGroup&)> sampled = {};
};

struct DeviceOptions {
  bool functional_only = false;         // nothing is timed
  bool flush_caches = false;            // before each launch, as when a profiler measures
  bool force_target = false;            // also run PTX for a newer capability
  CodeChoice code = CodeChoice::kAny;   // that is executed of a module
  std::vector<std::string> ptxas = {};  // with its options, to compile PTX; empty: PTX is executed
  Address memory_at = 0;                // where the first allocation of a recorded run was; 0: the usual place
  std::string results = {};             // database of statistics; empty: none
  std::string trace = {};               // file to record to, without timing anything; empty: none
  std::string begun_run = {};  // RunToken of a run in `results` that is begun; empty: it is begun by the device
  std::string run_name = {};
  std::string command = {};
  bool replace = false;                                // an earlier run of that name
  std::optional<std::uint64_t> max_cycles = {};        // that a launch may take
  std::uint32_t threads = 1;                           // that simulate or execute a launch, where that is possible
  bool skip = true;                                    // false: everything is ticked in each cycle
  std::optional<std::uint64_t> shuffle = {};           // seed of a random order within an instant, for tests
  std::optional<std::uint64_t> max_instructions = {};  // of warps, that a launch may execute
  std::optional<std::uint64_t> quarantine_bytes = {};  // of freed memory that is not used again; empty: no limit
  CheckOptions checks = {};
  bool tolerant = false;       // of what hardware tolerates (LaunchContext::tolerate)
  DetailOptions details = {};  // kept in the results
  ShownLaunch shown = {};      // on a timeline
  std::vector<std::string> overrides = {};
  SelectionOptions selection = {};                // launches that are timed and stored, or recorded
  std::vector<std::string> skipped_kernels = {};  // names; their launches do nothing and take no time
  std::vector<Breakpoint> breakpoints = {};       // shown on standard error when they are reached
  LaunchListener listener = {};
};
// `gpu`: as in --gpu. Throws UserError.
std::unique_ptr<Device> make_device(const std::string& gpu, const DeviceOptions& options);
// Several GPUs of one process, which share an address space, the host's time and the results.
std::vector<std::unique_ptr<Device>> make_devices(const std::vector<std::string>& gpus, const DeviceOptions& options);

}  // namespace warpsim::cuda
