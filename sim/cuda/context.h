// CUDA's host state of a process: its GPUs, modules, streams, events, arrays and the sticky error.
//
// CUDA's functions have no argument for it, so there is one per process (`process_context()`); tests
// create their own device. Calls of all threads are serialised (calls.h). The device is created at the first
// call that needs it, from the environment that `warpsim exec` sets (environment.h).
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "base/error.h"
#include "cuda/code/code_choice.h"
#include "cuda/code/ptxas.h"
#include "cuda/context_storage.h"
#include "cuda/current_device.h"
#include "cuda/device/error_codes.h"
#include "cuda/handles.h"
#include "cuda/memory/host_faults.h"
#include "cuda/modules/module_code.h"
#include "cuda/modules/program_objects.h"
#include "cuda/profiling/nvtx_ranges.h"
#include "cuda/streams/host_threads.h"
#include "cuda/streams/idle_runner.h"
#include "cuda/user_messages.h"

namespace warpsim::cuda {

struct GraphState;
class IpcMemory;
class MemoryPools;
class VirtualMemory;

class Context {
 public:
  Context();

  // Who calls has it (HostThreads::Call).
  std::recursive_mutex& mutex() { return mutex_; }
  HostThreads& threads() { return threads_; }
  // At the beginning and at the end of each call.
  void call_begins();
  void call_made();

  // The GPU that the calling thread uses. The first call creates all; if that fails, the program ends with the reason
  // and exit code 2.
  Device& device();
  Device& device(std::uint32_t gpu);
  std::uint32_t device_count();
  bool has_device() const { return !devices_.empty(); }
  DeviceQueue& queue_of(const Stream& stream) { return device(stream.gpu).queue(); }
  // Nothing runs or waits on any of them.
  bool devices_are_idle() const;
  // For tests.
  void use_device(std::unique_ptr<Device> device);
  void use_devices(std::vector<std::unique_ptr<Device>> devices);
  // Ends the devices; later calls fail.
  void finish();
  bool finished() const { return finished_; }
  // The program ends here, with the reason on stderr and exit code 2.
  [[noreturn]] static void end_process(const UserError& error);
  // The status that the process ends with, given that of the program: a failed check changes 0 to 1.
  int exit_status() const { return program_status_ == 0 && checks_failed_ ? 1 : program_status_; }
  bool changes_exit_status() const { return exit_status() != program_status_; }
  void set_program_status(int status) { program_status_ = status; }
  std::uint32_t capability();
  // For which the code of modules is chosen, and what compiles PTX to machine code.
  CodeTarget code_target() { return code_target(device()); }
  CodeTarget code_target(const Device& device) const;
  const Ptxas& ptxas() const { return ptxas_; }

  // Ends the call with its code if the outcome is a failure.
  void check(const Outcome& outcome);
  // Ends the call with the code of a failure that the device has found in work of streams.
  void check_device() { check(device().take_failure()); }
  // The host waits by this function. If streams wait for values that nothing on the device will write, other threads of
  // the program may write them, or call CUDA, until the wait succeeds.
  void wait(const std::function<void()>& wait);
  // The host waits, in real time, for something that other processes do.
  void wait_for_others(const std::function<bool()>& done);
  // All work that is left is done; for what must not change while it is used.
  void finish_work();
  int sticky_error() const { return sticky_error_; }
  void forget_errors() { sticky_error_ = kSuccess; }
  // Prints to stderr, each text once.
  void say_once(const std::string& text) { messages_.say_once(text); }
  // Prints the output of kernels so far to stdout.
  void flush_printed();

  // Code: `module()` takes ownership. Kernels and variables are looked up by their names in the code, on the GPU that
  // the calling thread uses.
  Module& add_module(std::unique_ptr<Module> module);
  void remove_module(Module& module);
  bool is_module(const Module* module) const;
  void load(Module& module) { load(module, device()); }
  Kernel& kernel(Module& module, const std::string& name);
  // All of the module, which is loaded; in the order of the code.
  std::vector<Kernel*> kernels(Module& module);
  const VariableInfo& variable(Module& module, const std::string& name);
  const KernelInfo& info(Kernel& kernel);
  // The same on any GPU.
  Kernel::OnGpu& loaded(Kernel& kernel, std::uint32_t gpu);
  Kernel::OnGpu& loaded(Kernel& kernel) { return loaded(kernel, current_device()); }

  // What compilers register: the address of a stub or variable of the host refers to one of a module.
  void register_kernel(const void* stub, Kernel& kernel) { kernels_of_stubs_[stub] = &kernel; }
  // A stub or a handle. Fails with kInvalidDeviceFunction.
  Kernel& kernel_of(const void* stub_or_handle);
  const void* stub_of(const Kernel& kernel) const;  // its handle if it has no stub
  struct Symbol {
    Module* module = nullptr;
    std::string name;
    void** managed = nullptr;  // where the host keeps the address of a managed variable
  };
  void register_symbol(const void* host, Symbol symbol) { symbols_[host] = std::move(symbol); }
  const VariableInfo& symbol(const void* host);
  // Managed variables of the module get their addresses on the host.
  void bind_managed(Module& module);

  // Streams, events and arrays: program_objects.h.
  StreamHandle create_stream(unsigned flags, int priority) { return objects_.create_stream(device(), flags, priority); }
  void destroy_stream(StreamHandle stream) {
    const std::unique_ptr<Stream> gone = objects_.remove_stream(stream);
    queue_of(*gone).close_stream(gone->number);
  }
  Stream& stream(StreamHandle stream) { return objects_.stream(stream); }
  EventHandle create_event(unsigned flags) { return objects_.create_event(device(), flags); }
  void destroy_event(EventHandle event) { objects_.destroy_event(event); }
  Event& event(EventHandle event) { return objects_.event(event); }
  ArrayHandle add_array(const Array& array) { return objects_.add_array(array); }
  void free_array(ArrayHandle array);
  Array& array(ArrayHandle array) { return objects_.array(array); }
  GraphState& graphs() { return *graphs_; }
  NvtxRanges& ranges() { return ranges_; }
  IpcMemory& ipc_memory() { return *ipc_memory_; }
  // The program shares memory or events with other processes, which see what its devices do.
  void note_other_processes();
  MemoryPools& pools() { return *pools_; }
  VirtualMemory& virtual_memory() { return *virtual_memory_; }
  // The program has reserved addresses: accesses of the host to them are reported.
  void watch_reserved() { host_faults_.watch(device().memory()); }

  // Memory of the host that kernels may access: pinned by the program, or its own.
  struct HostMemory {
    std::size_t bytes = 0;
    unsigned flags = 0;
    bool owned = false;
  };
  std::map<std::uint64_t, HostMemory>& host_memory() { return host_memory_; }
  // Functions of the host that streams have not called yet.
  std::uint32_t& host_functions() { return host_functions_; }
  HostFaults& host_faults() { return host_faults_; }
  std::set<Address>& managed_memory() { return managed_memory_; }
  // The allocation or variable is managed memory.
  void add_managed(Address begin);
  // That programs have set, by GPU and number.
  std::map<std::pair<std::uint32_t, int>, std::size_t>& limits() { return limits_; }
  // How host threads wait, as programs have set it, by GPU: the flags of its context.
  std::map<std::uint32_t, unsigned>& device_flags() { return device_flags_; }
  ContextStorage& storage() { return storage_; }
  // By the address of the program's object, or by the driver's handle.
  using References = std::map<const void*, std::unique_ptr<TextureReference>>;
  References& texture_references() { return texture_references_; }
  using Links = std::map<const void*, std::unique_ptr<LinkState>>;
  Links& links() { return links_; }

 private:
  // The program can see what the devices do without a call.
  bool device_is_watched() const {
    const bool seen = host_functions_ != 0 || !host_memory_.empty() || !managed_memory_.empty() || has_other_processes_;
    return seen && !devices_are_idle();
  }
  void require_not_finished() const;
  void let_others_work(int pauses, const char* note);
  void note_failure();
  void open_devices();
  void connect_devices();
  void load(Module& module, Device& device);
  bool load_machine_code(Module& module, const ModuleCode& code, Device& device, const Device::Managed& managed);

  std::recursive_mutex mutex_;
  HostThreads threads_{mutex_};
  std::vector<std::unique_ptr<Device>> devices_;  // by GPU
  bool finished_ = false;
  bool force_target_ = false;
  CodeChoice code_ = CodeChoice::kAny;
  bool ptx_first_ = false;
  Ptxas ptxas_{{}};
  bool checks_failed_ = false;
  int program_status_ = 0;
  int process_ = 0;  // that made the device
  int sticky_error_ = kSuccess;
  int kernel_error_ = kSuccess;  // of a kernel that has failed, also after a reset
  UserMessages messages_;
  std::map<std::uint32_t, unsigned> device_flags_;
  ContextStorage storage_;
  std::map<const Module*, std::unique_ptr<Module>> modules_;
  std::map<const void*, Kernel*> kernels_of_stubs_;
  std::set<const void*> kernel_handles_;
  std::map<const void*, Symbol> symbols_;
  ProgramObjects objects_;
  std::shared_ptr<GraphState> graphs_;
  std::shared_ptr<IpcMemory> ipc_memory_;
  bool has_other_processes_ = false;
  std::shared_ptr<MemoryPools> pools_;
  std::shared_ptr<VirtualMemory> virtual_memory_;
  std::map<std::uint64_t, HostMemory> host_memory_;
  std::uint32_t host_functions_ = 0;
  HostFaults host_faults_;
  std::set<Address> managed_memory_;
  std::map<std::pair<std::uint32_t, int>, std::size_t> limits_;
  References texture_references_;
  Links links_;
  IdleRunner idle_runner_;
  NvtxRanges ranges_;
};

Context& process_context();

}  // namespace warpsim::cuda
