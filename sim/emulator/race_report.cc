// Texts about races.
#include <fmt/format.h>

#include <algorithm>

#include "emulator/code_place.h"
#include "emulator/kernel_image.h"
#include "emulator/launch_context.h"
#include "emulator/race_check.h"

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

const char* noun(const ShadowAccess& access, bool writes) {
  return access.updates ? "update" : writes ? "write" : "read";
}

}  // namespace

std::uint32_t RaceCheck::place_of(const FunctionCode& code, const Operation& operation) {
  const auto [found, added] = first_places_.try_emplace(&code, next_place_);
  if (added) {
    functions_.emplace_back(&code, next_place_);
    next_place_ += static_cast<std::uint32_t>(code.operations.size());
  }
  return found->second + static_cast<std::uint32_t>(&operation - code.operations.data());
}

std::string RaceCheck::place_text_of(std::uint32_t place) const {
  const auto next = std::ranges::upper_bound(functions_, place, {}, [](const auto& entry) { return entry.second; });
  const auto& [code, first] = *std::prev(next);
  return place_text(launch_->kernel->module().module(), *code, place - first);
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
