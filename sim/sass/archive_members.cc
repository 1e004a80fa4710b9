#include "sass/archive_members.h"

#include <set>
#include <string>

#include "sass/cubin.h"

namespace warpsim::sass {

namespace {

struct Names {
  explicit Names(const LinkInput& unit) {
    const Cubin cubin(unit.bytes, unit.name);
    for (const CubinSymbol& symbol : cubin.symbols()) {
      using Kind = CubinSymbol::Kind;
      const bool has_name = symbol.kind == Kind::kFunction || symbol.kind == Kind::kVariable;
      if (!symbol.is_local && has_name && !symbol.name.empty() && !symbol.is_shared) {
        (symbol.section == CubinSection::kNone ? missing : defined).insert(symbol.name);
      }
    }
  }
  std::set<std::string> defined;
  std::set<std::string> missing;
};

}  // namespace

std::vector<std::size_t> needed_members(std::span<const LinkInput> units, std::span<const LinkInput> members) {
  std::set<std::string> defined;
  std::set<std::string> missing;
  const auto take = [&](const Names& names) {
    defined.insert(names.defined.begin(), names.defined.end());
    missing.insert(names.missing.begin(), names.missing.end());
  };
  for (const LinkInput& unit : units) {
    take(Names(unit));
  }
  std::vector<Names> offered;
  offered.reserve(members.size());
  for (const LinkInput& member : members) {
    offered.emplace_back(member);
  }
  std::set<std::size_t> taken;
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t i = 0; i < offered.size(); ++i) {
      const auto is_needed = [&](const std::string& name) { return missing.contains(name) && !defined.contains(name); };
      bool needed = false;
      for (const std::string& name : offered[i].defined) {
        needed = needed || is_needed(name);
      }
      if (needed && taken.insert(i).second) {
        take(offered[i]);
        changed = true;
      }
    }
  }
  return {taken.begin(), taken.end()};
}

}  // namespace warpsim::sass
