#include "device/dependent_launches.h"

#include <algorithm>

namespace warpsim {

namespace {

bool is_awaited(const Dependence& dependence) {
  return dependence.edge != Dependence::Edge::kBegin;
}

}  // namespace

void DependentLaunches::start(std::uint64_t number, const std::vector<Dependence>& after) {
  std::vector<Dependence> left;
  std::ranges::copy_if(after, std::back_inserter(left), [](const Dependence& d) { return !is_over(d.work); });
  if (!left.empty()) {
    kernels_[number] = std::move(left);
  }
}

bool DependentLaunches::waits(std::uint64_t number) const {
  const auto found = kernels_.find(number);
  return found != kernels_.end() && std::ranges::any_of(found->second, is_awaited);
}

std::vector<DependentLaunches::Change> DependentLaunches::end(const WorkHandle& work) {
  std::vector<Change> changes;
  for (auto& [number, left] : kernels_) {
    const bool waited = std::ranges::any_of(left, is_awaited);
    if (std::erase_if(left, [&work](const Dependence& d) { return d.work == work; }) != 0) {
      changes.push_back({number, waited && std::ranges::none_of(left, is_awaited), left.empty()});
    }
  }
  std::erase_if(kernels_, [](const auto& entry) { return entry.second.empty(); });
  return changes;
}

}  // namespace warpsim
