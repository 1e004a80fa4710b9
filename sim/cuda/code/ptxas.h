// NVIDIA's assembler, if it is on this machine: compiles PTX to machine code.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace warpsim::cuda {

// ptxas cannot be started, or does not accept the PTX.
class PtxasFailure : public UserError {
 public:
  using UserError::UserError;
};

class Ptxas {
 public:
  // `command`: the program and further arguments, "ptxas", "-fmad=false". Empty: there is none.
  explicit Ptxas(std::vector<std::string> command) : command_(std::move(command)) {}

  bool exists() const { return !command_.empty(); }
  // A cubin for the capability (90 for 9.0), or for that capability alone if the PTX is (sm_90a). `file` is for
  // messages. Throws PtxasFailure.
  std::string compile(std::string_view ptx, const std::string& file, std::uint32_t capability) const;
  // The same, but relocatable, for a unit that is linked with others.
  std::string compile_unit(std::string_view ptx, const std::string& file, std::uint32_t capability) const;

 private:
  std::string run(std::string_view ptx, const std::string& file, std::uint32_t capability,
                  const std::vector<std::string>& options) const;

  std::vector<std::string> command_;
};

}  // namespace warpsim::cuda
