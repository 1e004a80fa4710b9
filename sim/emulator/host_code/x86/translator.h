// Translates all operations of a function for one kind of paths (HostLanes). Its code is a function
// `std::uint32_t (HostRun*, const void* begin)`, which continues at `begin`, the translated code of an operation.
#pragma once

#include <cstdint>
#include <vector>

#include "emulator/host_code/x86/emitter.h"

namespace warpsim {

class HostTranslator {
 public:
  // Windows are numbered from `first_window` on.
  HostTranslator(const FunctionCode& function, HostLanes lanes, std::uint32_t first_window);

  // Once. Throws Xbyak::Error.
  void translate();
  // For each operation the distance of its code from the begin of the function; 0: none begins there.
  const std::vector<std::uint32_t>& entries() const { return entries_; }
  // The complete code, without addresses of its own.
  HostEmitter& code() { return e_; }

 private:
  void emit_prologue();
  void emit_writes();
  void emit_block(std::uint32_t begin, std::uint32_t end);
  bool is_translated(const Operation& operation) const;
  void emit_convergence(std::uint32_t number);
  void emit_branch(std::uint32_t number, std::uint32_t before, std::uint32_t plain);
  void go_on(std::uint32_t target, std::uint32_t operations, std::uint32_t plain, bool backwards);

  const FunctionCode& function_;
  HostEmitter e_;
  HostLanes lanes_;
  std::vector<bool> begins_;
  std::vector<bool> meets_;  // paths may meet before the operation
  std::vector<Xbyak::Label> labels_;
  std::vector<std::uint32_t> entries_;
  Xbyak::Label epilogue_;
};

}  // namespace warpsim
