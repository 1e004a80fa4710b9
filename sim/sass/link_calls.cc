#include "sass/link_calls.h"

#include <algorithm>
#include <set>

#include "sass/branch_targets.h"

namespace warpsim::sass {

LinkCalls::LinkCalls(const LinkUnits& units) : units_(units), code_(units.section_count()) {
  const Decoder decoder(units.units().front().architecture());
  for (std::uint32_t unit = 0; unit < units.units().size(); ++unit) {
    add_code(unit, decoder);
    add_references(unit);
  }
  std::ranges::sort(taken_);
  taken_.erase(std::unique(taken_.begin(), taken_.end()), taken_.end());
}

void LinkCalls::add_code(std::uint32_t unit, const Decoder& decoder) {
  const Cubin& cubin = units_.units()[unit];
  for (const CubinFunction& function : cubin.functions()) {
    Needs& own = code_[units_.number_of(unit, function.section)].own;
    own.registers = std::max(own.registers, function.registers);
    own.barriers = std::max(own.barriers, function.barriers);
    own.stack_bytes = std::max(own.stack_bytes.value_or(0), function.frame_bytes);
  }
  for (std::uint32_t i = 0; i < cubin.sections().size(); ++i) {
    const CubinSection& section = cubin.sections()[i];
    if (section.kind != CubinSection::Kind::kCode || !units_.is_kept(units_.number_of(unit, i))) {
      continue;
    }
    Code& code = code_[units_.number_of(unit, i)];
    try {
      code.calls_addresses = calls_addresses(section.content, decoder);
      if (calls_itself(section.content, decoder)) {
        code.calls.push_back(units_.number_of(unit, i));
      }
    } catch (const UnknownInstruction&) {
      code.calls_addresses = true;  // the kernels that reach it are refused when they are translated
    }
  }
}

void LinkCalls::add_references(std::uint32_t unit) {
  for (const CubinRelocation& relocation : units_.units()[unit].relocations()) {
    const std::uint32_t from = units_.number_of(unit, relocation.section);
    const std::optional<UnitSymbol> found = units_.definition({unit, relocation.symbol});
    if (!units_.is_kept(from) || !found || units_.symbol(*found).kind != CubinSymbol::Kind::kFunction) {
      continue;
    }
    const std::uint32_t target = units_.section_of(*found);
    if (is_branch(*relocation.type)) {
      code_[from].calls.push_back(target);
    } else if (target != from) {
      taken_.push_back(target);
    }
  }
}

std::size_t LinkCalls::callee_count(std::uint32_t code) const {
  return code_[code].calls.size() + (code_[code].calls_addresses ? taken_.size() : 0);
}

std::uint32_t LinkCalls::callee(std::uint32_t code, std::size_t number) const {
  const std::vector<std::uint32_t>& calls = code_[code].calls;
  return number < calls.size() ? calls[number] : taken_[number - calls.size()];
}

std::vector<std::uint32_t> LinkCalls::reached_from(std::uint32_t code) const {
  std::set<std::uint32_t> reached{code};
  std::vector<std::uint32_t> waiting{code};
  while (!waiting.empty()) {
    const std::uint32_t at = waiting.back();
    waiting.pop_back();
    for (std::size_t i = 0; i < callee_count(at); ++i) {
      if (reached.insert(callee(at, i)).second) {
        waiting.push_back(callee(at, i));
      }
    }
  }
  return {reached.begin(), reached.end()};
}

LinkCalls::Needs LinkCalls::needs_of(std::uint32_t code) const {
  Needs needs;
  for (const std::uint32_t each : reached_from(code)) {
    needs.registers = std::max(needs.registers, code_[each].own.registers);
    needs.barriers = std::max(needs.barriers, code_[each].own.barriers);
  }
  needs.stack_bytes = stack_of(code);
  return needs;
}

// Depth first with a list of the open functions: chains of calls may be long.
std::optional<std::uint32_t> LinkCalls::stack_of(std::uint32_t code) const {
  enum class State : std::uint8_t { kNew, kOpen, kDone };
  struct Open {
    std::uint32_t code = 0;
    std::size_t next = 0;
    std::uint64_t deepest = 0;  // of the functions that it calls
  };
  constexpr std::uint64_t kMost = UINT32_MAX - 1;
  std::vector<State> states(code_.size(), State::kNew);
  std::vector<std::uint64_t> depth(code_.size(), 0);
  std::vector<Open> open{{code}};
  states[code] = State::kOpen;
  while (!open.empty()) {
    Open& top = open.back();
    if (top.next < callee_count(top.code)) {
      const std::uint32_t called = callee(top.code, top.next);
      if (states[called] == State::kOpen) {
        return std::nullopt;
      }
      if (states[called] == State::kNew) {
        states[called] = State::kOpen;
        open.push_back({called});
        continue;
      }
      top.deepest = std::max(top.deepest, depth[called]);
      ++top.next;
      continue;
    }
    depth[top.code] = std::min(kMost, top.deepest + code_[top.code].own.stack_bytes.value_or(0));
    states[top.code] = State::kDone;
    open.pop_back();
  }
  return static_cast<std::uint32_t>(depth[code]);
}

}  // namespace warpsim::sass
