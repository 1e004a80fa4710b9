// The code that a kernel of a cubin can reach: its own, and that of functions in sections of their own, which
// relocatable code (nvcc -rdc=true) consists of after linking. Addresses of functions are filled in; those of
// variables, which are not known yet, are named.
#pragma once

#include <cstdint>
#include <set>
#include <vector>

#include "emulator/machine_code/cubin_places.h"
#include "emulator/machine_code/lifted_module.h"
#include "sass/cubin.h"

namespace warpsim {

class ReachableCode {
 public:
  // Both outlive this.
  ReachableCode(const sass::Cubin& cubin, const CubinPlaces& places);

  // The kernel's code and that of the functions that it calls. If it calls addresses in registers, that of all
  // functions whose addresses the cubin stores or computes anywhere. Throws UserError: an undefined symbol, a
  // relocation that no compiler writes into code.
  std::vector<MachineCodePart> of(const sass::CubinFunction& kernel) const;

 private:
  void add_calls(std::uint32_t section, std::set<std::uint32_t>& reached) const;
  bool calls_registers(const std::set<std::uint32_t>& sections) const;
  MachineCodePart part(std::uint32_t section) const;

  const sass::Cubin& cubin_;
  const CubinPlaces& places_;
  std::vector<std::vector<const sass::CubinRelocation*>> relocations_;  // by section
  std::set<std::uint32_t> taken_;  // sections of functions whose addresses are used
};

}  // namespace warpsim
