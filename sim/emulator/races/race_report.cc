// Texts about races.
#include <fmt/format.h>

#include <algorithm>

#include "emulator/code/code_place.h"
#include "emulator/code/kernel_image.h"
#include "emulator/execution/launch_context.h"
#include "emulator/races/race_check.h"

namespace warpsim {

namespace {

std::string thread_text(const LaunchContext& launch, const ShadowAccess& access) {
  const Dim3& size = launch.block;
  const auto threads = static_cast<std::uint32_t>(size.count());
  const bool copy = access.actor >= threads;
  const std::uint32_t thread = copy ? access.actor - threads : access.actor;
  const std::uint32_t block = access.block;
  const Dim3& grid = launch.grid;
  return fmt::format("{}thread ({}, {}, {}) of block ({}, {}, {})", copy ? "a copy of " : "", thread % size.x,
                     thread / size.x % size.y, thread / size.x / size.y, block % grid.x, block / grid.x % grid.y,
                     block / grid.x / grid.y);
}

// Accesses to private memory are of no interest, but some waits only affect the warp itself.
bool is_observed(const Operation& operation) {
  const MemoryRole role = operation.memory_role;
  return operation.effect == Effect::kShared || (role != MemoryRole::kNone && role != MemoryRole::kAccess);
}

const char* noun(const ShadowAccess& access, bool writes) {
  return access.updates ? "update" : writes ? "write" : "read";
}

}  // namespace

const RaceCheck::Function& RaceCheck::find(const FunctionCode& code) {
  const auto [found, added] = functions_.try_emplace(&code);
  Function& function = found->second;
  if (added) {
    const auto size = static_cast<std::uint32_t>(code.operations.size());
    function = {&code, next_place_, std::vector<std::uint32_t>(size + 1, size)};
    for (std::uint32_t i = size; i-- > 0;) {
      function.next_observed[i] = is_observed(code.operations[i]) ? i : function.next_observed[i + 1];
    }
    by_place_.push_back(&function);
    next_place_ += size;
  }
  last_ = {&code, &function};
  return function;
}

std::uint32_t RaceCheck::place_of(const FunctionCode& code, const Operation& operation) {
  return function(code).first_place + static_cast<std::uint32_t>(&operation - code.operations.data());
}

std::string RaceCheck::place_text_of(std::uint32_t place) const {
  const auto next = std::ranges::upper_bound(by_place_, place, {}, &Function::first_place);
  const Function& function = **std::prev(next);
  return place_text(launch_->kernel->module().module(), *function.code, place - function.first_place);
}

std::string RaceCheck::memory_text(const ObservedAccess& access) const {
  if (access.block != nullptr) {
    const Dim3& index = access.block->index;
    return fmt::format("at {:#x} of the shared memory of block ({}, {}, {})", access.address, index.x, index.y,
                       index.z);
  }
  const DeviceMemory::Allocation* const allocation = launch_->memory->find(access.address);
  if (allocation == nullptr) {
    return fmt::format("at {:#x}", access.address);
  }
  return fmt::format("at {:#x}, {} bytes into the {} bytes at {:#x}{}", access.address,
                     access.address - allocation->begin, allocation->bytes, allocation->begin,
                     allocation->name.empty() ? "" : " (" + allocation->name + ")");
}

void RaceCheck::report(const ShadowAccess& earlier, bool earlier_writes, const Accessor& by, const Observed& observed) {
  const bool writes = observed.access.writes;
  const auto [found, added] =
      found_.try_emplace({earlier.place, by.access.place, earlier_writes, writes}, races_.size());
  if (added) {
    std::string text = fmt::format(
        "{}: kernel {}: a race ({} and {}) on {} bytes {}: the {} by {} is not ordered after the {} by {} at {}",
        place_text_of(by.access.place), launch_->kernel->name(), noun(earlier, earlier_writes), noun(by.access, writes),
        observed.access.bytes, memory_text(observed.access), noun(by.access, writes), thread_text(*launch_, by.access),
        noun(earlier, earlier_writes), thread_text(*launch_, earlier), place_text_of(earlier.place));
    races_.push_back({std::move(text), 0});
  }
  ++races_[found->second].count;
}

std::vector<std::string> RaceCheck::end_launch() {
  std::vector<std::string> texts;
  for (const auto& [pair, number] : found_) {
    const auto& [first, second, first_writes, second_writes] = pair;
    const std::string key = fmt::format("{} {} {} {} {}", launch_->kernel->name(), place_text_of(first),
                                        place_text_of(second), first_writes, second_writes);
    Race& race = races_[number];
    std::uint64_t& count = known_[key];
    if (count == 0) {
      race.text += fmt::format("; {} time{} in this launch", race.count, race.count == 1 ? "" : "s");
    } else {
      race.text.clear();
    }
    count += race.count;
  }
  for (Race& race : races_) {
    if (!race.text.empty()) {
      texts.push_back(std::move(race.text));
    }
  }
  left_out_ += global_.words_left_out();
  threads_ = {};
  global_ = GlobalShadow();
  found_.clear();
  races_.clear();
  launch_ = nullptr;
  return texts;
}

}  // namespace warpsim
