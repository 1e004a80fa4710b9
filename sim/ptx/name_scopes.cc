#include "ptx/name_scopes.h"

#include <algorithm>

namespace warpsim::ptx {
namespace {

constexpr std::size_t kMostDigits = 10;  // of a number of a register: counts have 32 bits

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

// Calls visit(prefix, number) for each way to cut digits from the end of a name for which a declaration by count would
// create it: "%r10" is %r + 10 and %r1 + 0, but not %r1 + "00". Stops when visit returns true.
template <typename Visit>
void for_each_cut(std::string_view name, Visit visit) {
  std::uint64_t number = 0;
  std::uint64_t weight = 1;
  for (std::size_t cut = name.size(); cut > 1 && is_digit(name[cut - 1]) && name.size() - cut < kMostDigits; --cut) {
    const auto digit = static_cast<std::uint64_t>(name[cut - 1] - '0');
    number += digit * weight;
    weight *= 10;
    const bool leading_zero = digit == 0 && weight > 10;
    if (!leading_zero && visit(name.substr(0, cut - 1), number)) {
      return;
    }
  }
}

}  // namespace

const Binding* NameScopes::bind(std::string_view name, const Binding& binding) {
  auto [entry, fresh] = bindings_.try_emplace(name.data(), binding);
  undo_[binding.depth].push_back({name, fresh ? std::nullopt : std::optional(entry->second)});
  entry->second = binding;
  return &entry->second;
}

void NameScopes::take_number(std::string_view prefix, std::uint64_t number, Place place) {
  std::vector<Taken>& taken = prefixes_[prefix].taken;
  if (taken.empty() || taken.back().depth < depth()) {
    taken.push_back({number, depth(), place});
    undo_.back().push_back({prefix, std::nullopt, false, true});
  } else if (number < taken.back().smallest) {
    taken.back() = {number, depth(), place};
  }
}

std::optional<Place> NameScopes::range_with(std::string_view prefix, std::uint64_t number) const {
  const auto found = prefixes_.find(prefix);
  if (found == prefixes_.end() || found->second.ranges.empty()) {
    return std::nullopt;
  }
  const Range& range = found->second.ranges.back();
  return range.depth == depth() && number < range.count ? std::optional(range.place) : std::nullopt;
}

std::optional<Place> NameScopes::declare(std::string_view name, NameKind kind, std::uint32_t number, Place place) {
  if (const auto found = bindings_.find(name.data()); found != bindings_.end() && found->second.depth == depth()) {
    return found->second.place;
  }
  std::optional<Place> earlier;
  for_each_cut(name, [&](std::string_view prefix, std::uint64_t cut) {
    earlier = range_with(prefix, cut);
    return earlier.has_value();
  });
  if (earlier) {
    return earlier;
  }
  for_each_cut(name, [&](std::string_view prefix, std::uint64_t cut) {
    take_number(prefix, cut, place);
    return false;
  });
  bind(name, {kind, number, depth(), place});
  return std::nullopt;
}

std::optional<Place> NameScopes::declare_registers(std::string_view prefix, std::uint64_t count, const Register& like,
                                                   Place place) {
  if (count == 0) {
    return std::nullopt;
  }
  Prefix& own = prefixes_[prefix];
  if (!own.ranges.empty() && own.ranges.back().depth == depth()) {
    return own.ranges.back().place;
  }
  if (!own.taken.empty() && own.taken.back().depth == depth() && own.taken.back().smallest < count) {
    return own.taken.back().place;
  }
  own.ranges.push_back({count, depth(), like, place});
  undo_.back().push_back({prefix, std::nullopt, true});
  innermost_range_ = depth();
  return std::nullopt;
}

const Binding* NameScopes::find_in_ranges(std::string_view name, const Binding* found) {
  const Range* best = nullptr;
  for_each_cut(name, [&](std::string_view prefix, std::uint64_t number) {
    const auto entry = prefixes_.find(prefix);
    if (entry == prefixes_.end()) {
      return false;
    }
    const std::vector<Range>& ranges = entry->second.ranges;
    const auto range = std::find_if(ranges.rbegin(), ranges.rend(), [&](const Range& r) { return number < r.count; });
    if (range != ranges.rend() && (found == nullptr || range->depth > found->depth) &&
        (best == nullptr || range->depth > best->depth)) {
      best = &*range;
    }
    return false;
  });
  if (best == nullptr) {
    return found;
  }
  Register made = best->like;
  made.name = name;
  registers_->push_back(made);
  return bind(name,
              {NameKind::kRegister, static_cast<std::uint32_t>(registers_->size() - 1), best->depth, best->place});
}

const Binding* NameScopes::find(std::string_view name) {
  const auto entry = bindings_.find(name.data());
  const Binding* found = entry == bindings_.end() ? nullptr : &entry->second;
  if (innermost_range_ == 0 || (found != nullptr && found->depth >= innermost_range_)) {
    return found;
  }
  return find_in_ranges(name, found);
}

void NameScopes::leave() {
  for (auto step = undo_.back().rbegin(); step != undo_.back().rend(); ++step) {
    if (step->is_range) {
      prefixes_[step->name].ranges.pop_back();
    } else if (step->is_taken) {
      prefixes_[step->name].taken.pop_back();
    } else if (step->before) {
      bindings_[step->name.data()] = *step->before;
    } else {
      bindings_.erase(step->name.data());
    }
  }
  undo_.pop_back();
  innermost_range_ = std::min(innermost_range_, depth());
}

}  // namespace warpsim::ptx
