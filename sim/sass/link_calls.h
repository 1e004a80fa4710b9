// Which code each kernel of a link can reach, and what that needs of registers, named barriers and stack.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "sass/decoder.h"
#include "sass/link_units.h"

namespace warpsim::sass {

class LinkCalls {
 public:
  // `units` outlives this.
  explicit LinkCalls(const LinkUnits& units);

  // A kernel by the number of the section of its code. It reaches what it calls; a call of an address in a register
  // reaches every function whose address is used anywhere.
  std::vector<std::uint32_t> reached_from(std::uint32_t code) const;

  struct Needs {
    std::uint32_t registers = 0;
    std::uint32_t barriers = 0;
    std::optional<std::uint32_t> stack_bytes;  // with the deepest chain of calls; nothing if a function calls itself
  };
  Needs needs_of(std::uint32_t code) const;

 private:
  struct Code {
    Needs own;                         // of its functions alone
    std::vector<std::uint32_t> calls;  // numbers of sections
    bool calls_addresses = false;
  };
  void add_code(std::uint32_t unit, const Decoder& decoder);
  void add_references(std::uint32_t unit);
  std::size_t callee_count(std::uint32_t code) const;
  std::uint32_t callee(std::uint32_t code, std::size_t number) const;
  std::optional<std::uint32_t> stack_of(std::uint32_t code) const;

  const LinkUnits& units_;
  std::vector<Code> code_;            // by number of the section
  std::vector<std::uint32_t> taken_;  // sections of functions whose addresses are used
};

}  // namespace warpsim::sass
