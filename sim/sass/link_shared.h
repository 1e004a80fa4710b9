// Places of shared variables in a link.
//
// Memory that a kernel uses by its addresses, a section of its own (kernels of cuBLAS for 8.0), comes first.
// A variable has one place for all kernels that can reach its code, so that a function finds it in each of them; those
// that more kernels share come first. Dynamic shared memory begins after the static variables of the kernel, aligned to
// 16 bytes, and for all kernels that reach one function that uses it at the same place.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "sass/link_calls.h"
#include "sass/link_units.h"

namespace warpsim::sass {

class LinkShared {
 public:
  // Throws LinkFailure: a variable that does not fit, or of an alignment that is not a power of two.
  LinkShared(const LinkUnits& units, const LinkCalls& calls);

  // Of a kernel, by the number of the section of its code: bytes of static variables.
  std::uint32_t bytes_of(std::uint32_t kernel) const;
  // The offset of a variable; of dynamic shared memory in a section of code that uses it.
  std::uint32_t offset_of(const UnitSymbol& variable) const { return offsets_.at(variable); }
  std::uint32_t dynamic_offset(std::uint32_t code) const { return dynamic_.at(code); }

 private:
  struct Users {
    std::vector<std::uint32_t> kernels;  // sections of their code, sorted
  };
  void find_users(const LinkCalls& calls);
  void place_sections();
  void place_variables();
  void place_dynamic();

  const LinkUnits& units_;
  std::map<UnitSymbol, Users> variables_;
  std::map<std::uint32_t, Users> of_dynamic_;    // by section of the code
  std::map<std::uint32_t, std::uint64_t> ends_;  // of the kernels
  std::map<UnitSymbol, std::uint32_t> offsets_;
  std::map<std::uint32_t, std::uint32_t> dynamic_;
};

}  // namespace warpsim::sass
