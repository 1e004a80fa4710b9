// A kernel decoded for execution: its own code and that of every function that it can reach, shared memory laid out.
//
// Invariant: every instruction of every function here has its handler. An unsupported instruction is an error
// when the kernel is decoded, before it runs.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "emulator/code/function_code.h"
#include "emulator/code/module_image.h"

namespace warpsim {

// The variable in the text of a kernel of machine code that stands for the system's part of shared memory.
inline constexpr std::string_view kSystemSharedName = "system_shared_memory";

class KernelImage {
 public:
  struct Parameter {
    std::uint32_t offset = 0;
    std::uint32_t bytes = 0;
  };

  // `entry`: number of the kernel in the module, which outlives this. A kernel of machine code is translated here.
  // Throws PtxError: an unsupported instruction, with line and kernel.
  KernelImage(const ModuleImage& module, std::uint32_t entry);

  const std::string& name() const { return name_; }
  // With the kernel's code; of machine code a module of the kernel alone.
  const ModuleImage& module() const { return *module_; }
  bool is_machine_code() const { return own_ != nullptr; }
  const ptx::Function& source() const { return *entry().source; }
  const FunctionCode& entry() const { return *functions_[entry_]; }
  // By number in the module; null if the kernel cannot reach it.
  const FunctionCode* function(std::uint32_t number) const { return functions_[number].get(); }

  const std::vector<Parameter>& parameters() const { return parameters_; }
  std::uint32_t parameter_bytes() const { return parameter_bytes_; }
  // What a launch has before its dynamic shared memory: variables, and from 9.0 on in machine code the system's part.
  std::uint32_t shared_bytes_before_dynamic() const { return shared_bytes_before_dynamic_; }
  std::uint32_t static_shared_bytes() const { return shared_bytes_before_dynamic_ - system_shared_bytes_; }
  // Per thread: the deepest chain of calls without recursion.
  std::uint32_t local_bytes() const { return local_bytes_; }
  bool is_recursive() const { return recursive_; }
  // Whether its code may launch kernels, or put other work on streams (device_launches.h).
  bool launches_work() const { return launches_work_; }
  // Graphs among that.
  bool launches_graphs() const { return launches_graphs_; }
  // Whether it may call malloc(), free() or the device runtime, which change what all blocks share.
  bool calls_system() const { return calls_system_; }
  bool takes_stack() const { return takes_stack_; }  // with alloca: the amount depends on values

 private:
  void measure_local();

  std::unique_ptr<const ModuleImage> own_;  // of machine code
  const ModuleImage* module_;
  std::uint32_t entry_;
  std::string name_;
  std::vector<std::unique_ptr<FunctionCode>> functions_;
  std::vector<Parameter> parameters_;
  std::uint32_t parameter_bytes_ = 0;
  std::uint32_t shared_bytes_before_dynamic_ = 0;
  std::uint32_t system_shared_bytes_ = 0;
  std::uint32_t local_bytes_ = 0;
  bool recursive_ = false;
  bool takes_stack_ = false;
  bool launches_work_ = false;
  bool launches_graphs_ = false;
  bool calls_system_ = false;
};

}  // namespace warpsim
