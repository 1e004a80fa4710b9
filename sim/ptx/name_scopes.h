// The meaning of each name at the parser's position: nested scopes, the module's outermost. Registers declared by count
// (%r<100>) are created when they are first named.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "ptx/module.h"

namespace warpsim::ptx {

enum class NameKind : std::uint8_t {
  kSymbol,  // of the module; all others are of the current function
  kRegister,
  kVariable,
  kParameter,
  kReturn,
  kLabel,
  kBranchTargets,
  kCallTargets,
  kPrototype,
};

struct Binding {
  NameKind kind = NameKind::kSymbol;
  std::uint32_t number = 0;
  std::uint32_t depth = 0;
  Place place = {};
};

// Names are views of the module's pool: the same text is the same view.
class NameScopes {
 public:
  NameScopes() : undo_(1) {}

  void enter() { undo_.emplace_back(); }
  void leave();
  std::uint32_t depth() const { return static_cast<std::uint32_t>(undo_.size()) - 1; }
  // The destination of registers declared by count.
  void set_registers(std::vector<Register>* registers) { registers_ = registers; }

  // Declares the name. If the scope already has it, returns the position of the earlier declaration and declares
  // nothing.
  std::optional<Place> declare(std::string_view name, NameKind kind, std::uint32_t number, Place place);
  // prefix0 ... prefix(count-1), each of the type of `like`. If two such declarations of one scope contain the same
  // name (%r<20> and %r1<5>), the longer prefix is used.
  std::optional<Place> declare_registers(std::string_view prefix, std::uint64_t count, const Register& like,
                                         Place place);
  // The innermost meaning; nullptr: none.
  const Binding* find(std::string_view name);

 private:
  struct Range {
    std::uint64_t count = 0;
    std::uint32_t depth = 0;
    Register like;
    Place place = {};
  };
  // The smallest number that single names of a prefix use.
  struct Taken {
    std::uint64_t smallest = 0;
    std::uint32_t depth = 0;
    Place place = {};
  };
  // Outermost scope first.
  struct Prefix {
    std::vector<Range> ranges;
    std::vector<Taken> taken;
  };
  struct Undo {
    std::string_view name;
    std::optional<Binding> before;  // of a name
    bool is_range = false;
    bool is_taken = false;
  };

  const Binding* bind(std::string_view name, const Binding& binding);
  void take_number(std::string_view prefix, std::uint64_t number, Place place);
  std::optional<Place> range_with(std::string_view prefix, std::uint64_t number) const;
  const Binding* find_in_ranges(std::string_view name, const Binding* found);

  std::unordered_map<const char*, Binding> bindings_;
  std::unordered_map<std::string_view, Prefix> prefixes_;
  std::vector<std::vector<Undo>> undo_;  // a scope
  std::vector<Register>* registers_ = nullptr;
  std::uint32_t innermost_range_ = 0;  // no scope deeper than this has ranges
};

}  // namespace warpsim::ptx
