#include "cuda/memory/free_order.h"

#include <algorithm>

namespace warpsim::cuda {

namespace {

std::pair<std::uint32_t, std::uint64_t> key_of(const StreamName& stream) {
  return {stream.gpu, stream.number};
}

// One of them is the default stream of the GPU, and the other one is not excepted from its order.
bool wait_for_each_other(const StreamName& one, const StreamName& other) {
  return one.gpu == other.gpu && one.blocking && other.blocking && (one.number == 0 || other.number == 0);
}

}  // namespace

std::uint64_t FreeOrder::add(const StreamName& stream) {
  return ++known_[key_of(stream)][key_of(stream)];
}

std::shared_ptr<const FreeOrder::Point> FreeOrder::point(const StreamName& stream) const {
  const auto found = known_.find(key_of(stream));
  return found == known_.end() ? nullptr : std::make_shared<const Point>(found->second);
}

void FreeOrder::wait(const StreamName& stream, const std::shared_ptr<const Point>& point) {
  if (point == nullptr) {
    return;
  }
  Point& known = known_[key_of(stream)];
  for (const auto& [other, frees] : *point) {
    std::uint64_t& last = known[other];
    last = std::max(last, frees);
  }
}

bool FreeOrder::is_before(const PoolSpace::Freed& freed, const std::shared_ptr<const Point>& point) {
  if (point == nullptr) {
    return false;
  }
  const auto found = point->find(key_of(freed.stream));
  return found != point->end() && freed.order <= found->second;
}

bool FreeOrder::follows(const StreamName& stream, const PoolSpace::Freed& freed) const {
  if (stream == freed.stream || wait_for_each_other(stream, freed.stream)) {
    return true;
  }
  const auto found = known_.find(key_of(stream));
  if (found == known_.end()) {
    return false;
  }
  const auto last = found->second.find(key_of(freed.stream));
  return last != found->second.end() && freed.order <= last->second;
}

}  // namespace warpsim::cuda
