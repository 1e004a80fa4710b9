#include "sass/link_shared.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

namespace warpsim::sass {

namespace {

constexpr std::uint64_t kMostSharedBytes = std::uint64_t{1} << 24U;  // more than any GPU has
constexpr std::uint64_t kDynamicAlignment = 16;

std::uint64_t aligned(std::uint64_t offset, std::uint64_t alignment) {
  return (offset + alignment - 1) / alignment * alignment;
}

}  // namespace

LinkShared::LinkShared(const LinkUnits& units, const LinkCalls& calls) : units_(units) {
  find_users(calls);
  place_sections();
  place_variables();
  place_dynamic();
}

std::uint32_t LinkShared::bytes_of(std::uint32_t kernel) const {
  const auto found = ends_.find(kernel);
  return found == ends_.end() ? 0 : static_cast<std::uint32_t>(found->second);
}

void LinkShared::find_users(const LinkCalls& calls) {
  std::map<std::uint32_t, std::vector<std::uint32_t>> kernels_of;  // by section that they reach
  for (std::uint32_t unit = 0; unit < units_.units().size(); ++unit) {
    for (const CubinFunction& function : units_.units()[unit].functions()) {
      const std::uint32_t code = units_.number_of(unit, function.section);
      if (function.is_kernel && units_.is_kept(code)) {
        for (const std::uint32_t reached : calls.reached_from(code)) {
          kernels_of[reached].push_back(code);
        }
      }
    }
  }
  for (std::uint32_t unit = 0; unit < units_.units().size(); ++unit) {
    for (const CubinRelocation& relocation : units_.units()[unit].relocations()) {
      const std::uint32_t from = units_.number_of(unit, relocation.section);
      const UnitSymbol named{unit, relocation.symbol};
      if (!units_.is_kept(from) || !units_.symbol(named).is_shared) {
        continue;
      }
      const std::optional<UnitSymbol> found = units_.definition(named);
      std::vector<std::uint32_t>& users = (found ? variables_[*found] : of_dynamic_[from]).kernels;
      users.insert(users.end(), kernels_of[from].begin(), kernels_of[from].end());
    }
  }
  const auto tidy = [](Users& users) {
    std::ranges::sort(users.kernels);
    users.kernels.erase(std::unique(users.kernels.begin(), users.kernels.end()), users.kernels.end());
  };
  for (auto& [variable, users] : variables_) {
    tidy(users);
  }
  for (auto& [code, users] : of_dynamic_) {
    tidy(users);
  }
}

void LinkShared::place_sections() {
  for (std::uint32_t unit = 0; unit < units_.units().size(); ++unit) {
    const Cubin& cubin = units_.units()[unit];
    for (std::uint32_t i = 0; i < cubin.sections().size(); ++i) {
      const CubinSection& section = cubin.sections()[i];
      const bool has_variables = std::ranges::any_of(cubin.symbols(), [&](const CubinSymbol& symbol) {
        return symbol.section == i && symbol.kind != CubinSymbol::Kind::kSection;
      });
      if (section.kind == CubinSection::Kind::kShared && section.code != CubinSection::kNone && !has_variables) {
        ends_[units_.number_of(unit, section.code)] = section.bytes;
      }
    }
  }
}

void LinkShared::place_variables() {
  std::vector<UnitSymbol> order;
  for (const auto& [variable, users] : variables_) {
    order.push_back(variable);
  }
  std::ranges::stable_sort(order, [&](const UnitSymbol& one, const UnitSymbol& other) {
    return variables_[one].kernels.size() > variables_[other].kernels.size();
  });
  for (const UnitSymbol& variable : order) {
    const CubinSymbol& symbol = units_.symbol(variable);
    const std::uint64_t alignment = std::max<std::uint64_t>(symbol.offset, 1);
    if (!std::has_single_bit(alignment) || alignment > kMostSharedBytes || symbol.bytes > kMostSharedBytes) {
      throw LinkFailure(
          fmt::format("{}: shared variable '{}' of {} bytes, aligned to {}; expected a power of two, and "
                      "at most {} bytes",
                      units_.units()[variable.unit].name(), symbol.name, symbol.bytes, alignment, kMostSharedBytes));
    }
    std::uint64_t offset = 0;
    for (const std::uint32_t kernel : variables_[variable].kernels) {
      offset = std::max(offset, aligned(ends_[kernel], alignment));
    }
    for (const std::uint32_t kernel : variables_[variable].kernels) {
      ends_[kernel] = offset + symbol.bytes;
    }
    if (offset + symbol.bytes > kMostSharedBytes) {
      throw LinkFailure(fmt::format("{}: shared variable '{}' ends at {:#x}; expected at most {:#x} bytes",
                                    units_.units()[variable.unit].name(), symbol.name, offset + symbol.bytes,
                                    kMostSharedBytes));
    }
    offsets_[variable] = static_cast<std::uint32_t>(offset);
  }
}

// The end of a kernel may move that of others with which it shares a function, until nothing changes.
void LinkShared::place_dynamic() {
  for (bool changed = true; changed;) {
    changed = false;
    for (const auto& [code, users] : of_dynamic_) {
      std::uint64_t end = 0;
      for (const std::uint32_t kernel : users.kernels) {
        end = std::max(end, aligned(ends_[kernel], kDynamicAlignment));
      }
      for (const std::uint32_t kernel : users.kernels) {
        changed = changed || ends_[kernel] != end;
        ends_[kernel] = end;
      }
      dynamic_[code] = static_cast<std::uint32_t>(end);
    }
  }
}

}  // namespace warpsim::sass
