#include "device/streams.h"

#include <algorithm>

namespace warpsim {

namespace {

void add(std::vector<Dependence>& all, const WorkHandle& work, Dependence::Edge edge = Dependence::Edge::kStream) {
  if (!is_over(work)) {
    all.push_back({work, edge});
  }
}

}  // namespace

void Streams::close(std::uint64_t stream) {
  const auto found = streams_.find(stream);
  if (found == streams_.end()) {
    return;
  }
  std::erase_if(closed_, is_over);
  if (found->second.traits.blocking && !is_over(found->second.last)) {
    closed_.push_back(found->second.last);
  }
  streams_.erase(found);
}

std::int32_t Streams::priority(std::uint64_t stream) const {
  const auto found = streams_.find(stream);
  return found == streams_.end() ? 0 : found->second.traits.priority;
}

std::vector<Dependence> Streams::dependences(std::uint64_t stream) const {
  std::vector<Dependence> all;
  bool blocking = true;
  if (const auto own = streams_.find(stream); own != streams_.end()) {
    blocking = own->second.traits.blocking;
    add(all, own->second.last);
    for (const Dependence& wait : own->second.waits) {
      add(all, wait.work, wait.edge);
    }
  }
  if (stream == kDefault) {
    for (const auto& [number, other] : streams_) {
      if (number != kDefault && other.traits.blocking) {
        add(all, other.last);
        for (const Dependence& wait : other.waits) {
          add(all, wait.work);
        }
      }
    }
    for (const WorkHandle& work : closed_) {
      add(all, work);
    }
  } else if (blocking) {
    if (const auto main = streams_.find(kDefault); main != streams_.end()) {
      add(all, main->second.last);
    }
  }
  return all;
}

void Streams::enter(std::uint64_t stream, const WorkHandle& work) {
  Stream& entry = streams_[stream];
  entry.last = work;
  entry.waits.clear();
}

void Streams::wait(std::uint64_t stream, const WorkHandle& work, Dependence::Edge edge) {
  if (!is_over(work)) {
    streams_[stream].waits.push_back({work, edge});
  }
}

void Streams::make_programmatic(std::uint64_t stream, std::vector<Dependence>& dependences) const {
  const auto own = streams_.find(stream);
  for (Dependence& dependence : dependences) {
    const bool is_last = own != streams_.end() && dependence.work == own->second.last;
    if (is_last && dependence.work->kind == WorkKind::kKernel) {
      dependence.edge = Dependence::Edge::kProgrammatic;
    }
  }
}

}  // namespace warpsim
