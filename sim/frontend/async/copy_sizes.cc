#include "frontend/async/copy_sizes.h"

#include <algorithm>
#include <set>

namespace warpsim {
namespace {

using Kind = AsyncOperation::Kind;

bool reaches(const AsyncOperation& copy, std::uint32_t from, std::uint32_t to) {
  return copy.blocks == 0 ? from == to : (copy.blocks >> to & 1U) != 0;
}

}  // namespace

// Copies through one descriptor have one size; where the descriptor is not known, those of one instruction.
std::uint64_t CopySizes::class_of(const AsyncCopyRecord& copy) {
  if (copy.source.varies_by_block()) {
    return mix_name(1, copy.instruction);
  }
  return mix_name(mix_name(2, copy.source.symbol), std::uint64_t{copy.source.scale} << 32U | copy.source.offset);
}

void CopySizes::infer(const StaticProgram& program, const std::vector<Member>& cluster, CopySizeStats& stats) {
  size_copies_in(cluster, stats);
  for (const Member& member : cluster) {
    size_copies_out(program, member, stats);
  }
}

std::vector<CopySizes::Equation> CopySizes::equations_of(const std::vector<Member>& cluster) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, Equation> by_barrier;  // rank, offset
  for (const Member& member : cluster) {
    for (const AsyncOperation& operation : member.trace->operations) {
      if (operation.kind == Kind::kArrive && operation.bytes > 0 && operation.blocks == 0) {
        by_barrier[{member.block->rank, operation.barrier}].expected += operation.bytes;
      } else if (operation.kind == Kind::kComplete) {
        for (const Member& target : cluster) {
          if (reaches(operation, member.block->rank, target.block->rank)) {
            by_barrier[{target.block->rank, operation.barrier}].expected -= operation.bytes;
          }
        }
      }
    }
  }
  for (const Member& member : cluster) {
    for (const AsyncCopyRecord& copy : member.block->copies) {
      const AsyncOperation& operation = member.trace->operations[copy.operation];
      for (const Member& target : cluster) {
        if (operation.kind != Kind::kCopyIn || !reaches(operation, member.block->rank, target.block->rank)) {
          continue;
        }
        Equation& equation = by_barrier[{target.block->rank, operation.barrier}];
        if (copy.known_size) {
          equation.expected -= operation.bytes;
        } else {
          ++equation.copies[class_of(copy)];
        }
      }
    }
  }
  std::vector<Equation> equations;
  for (auto& [barrier, equation] : by_barrier) {
    if (!equation.copies.empty() && equation.expected > 0) {
      equations.push_back(std::move(equation));
    }
  }
  return equations;
}

// Space of each class: the minimum distance from one of its destinations to the next destination of any copy.
std::map<std::uint64_t, std::int64_t> CopySizes::gaps_of(const std::vector<Member>& cluster) const {
  std::set<std::uint32_t> places;
  for (const Member& member : cluster) {
    for (const AsyncCopyRecord& copy : member.block->copies) {
      const AsyncOperation& operation = member.trace->operations[copy.operation];
      if (operation.kind == Kind::kCopyIn) {
        places.insert(operation.shared);
      }
    }
  }
  std::map<std::uint64_t, std::int64_t> gaps;
  for (const Member& member : cluster) {
    for (const AsyncCopyRecord& copy : member.block->copies) {
      const AsyncOperation& operation = member.trace->operations[copy.operation];
      const auto next = places.upper_bound(operation.shared);
      if (operation.kind != Kind::kCopyIn || copy.known_size || next == places.end()) {
        continue;
      }
      const std::int64_t gap = *next - operation.shared;
      const auto [entry, added] = gaps.try_emplace(class_of(copy), gap);
      entry->second = std::min(entry->second, gap);
    }
  }
  return gaps;
}

// Sizes that follow from equations with one unknown; false if there is none.
bool CopySizes::settle_single(const std::vector<Equation>& equations) {
  bool found = false;
  for (const Equation& equation : equations) {
    std::int64_t rest = equation.expected;
    std::uint64_t open = 0;
    std::int64_t count = 0;
    std::uint32_t unknowns = 0;
    for (const auto& [name, copies] : equation.copies) {
      if (const auto known = sizes_.find(name); known != sizes_.end()) {
        rest -= copies * known->second;
      } else {
        ++unknowns;
        open = name;
        count = copies;
      }
    }
    if (unknowns == 1 && rest > 0) {
      sizes_[open] = static_cast<std::int32_t>(std::max<std::int64_t>(16, rest / count));
      found = true;
    }
  }
  return found;
}

void CopySizes::solve(std::vector<Equation>& equations, std::map<std::uint64_t, std::int64_t>& gaps,
                      CopySizeStats& stats) {
  while (settle_single(equations)) {
  }
  for (const Equation& equation : equations) {
    std::int64_t bound = 0;
    std::int64_t open_copies = 0;
    std::int64_t rest = equation.expected;
    std::uint32_t unbounded = 0;
    for (const auto& [name, copies] : equation.copies) {
      if (const auto known = sizes_.find(name); known != sizes_.end()) {
        rest -= copies * known->second;
        continue;
      }
      open_copies += copies;
      const bool bounded = gaps.contains(name);
      unbounded += bounded ? 0 : 1;
      bound += bounded ? copies * gaps[name] : 0;
    }
    if (open_copies == 0) {
      continue;
    }
    // Copies are adjacent: their spaces are their sizes, and the last one gets the rest.
    if ((unbounded == 0 && bound == rest) || (unbounded == 1 && bound < rest)) {
      for (const auto& [name, copies] : equation.copies) {
        if (gaps.contains(name)) {
          sizes_.try_emplace(name, static_cast<std::int32_t>(gaps[name]));
        }
      }
      solve(equations, gaps, stats);
      return;
    }
    // The smallest space first; the others follow, or share.
    std::uint64_t tightest = 0;
    std::int64_t least = rest / open_copies;
    for (const auto& [name, copies] : equation.copies) {
      if (!sizes_.contains(name) && gaps.contains(name) && gaps[name] < least) {
        least = gaps[name];
        tightest = name;
      }
    }
    if (tightest != 0) {
      sizes_[tightest] = static_cast<std::int32_t>(least);
      solve(equations, gaps, stats);
      return;
    }
    ++stats.shared_out;
    for (const auto& [name, copies] : equation.copies) {
      sizes_.try_emplace(name, static_cast<std::int32_t>(std::max<std::int64_t>(16, least)));
    }
  }
}

void CopySizes::size_copies_in(const std::vector<Member>& cluster, CopySizeStats& stats) {
  bool complete = true;
  for (const Member& member : cluster) {
    for (const AsyncCopyRecord& copy : member.block->copies) {
      const Kind kind = member.trace->operations[copy.operation].kind;
      complete = complete && (kind != Kind::kCopyIn || copy.known_size || sizes_.contains(class_of(copy)));
    }
  }
  std::map<std::uint64_t, std::int64_t> gaps;
  if (!complete) {
    gaps = gaps_of(cluster);
    std::vector<Equation> equations = equations_of(cluster);
    solve(equations, gaps, stats);
  }
  for (const Member& member : cluster) {
    for (const AsyncCopyRecord& copy : member.block->copies) {
      AsyncOperation& operation = member.trace->operations[copy.operation];
      if (operation.kind != Kind::kCopyIn || copy.known_size) {
        continue;
      }
      const auto size = sizes_.find(class_of(copy));
      operation.bytes = size == sizes_.end() ? 0 : size->second;
      ++(operation.bytes == 0 ? stats.unknown : stats.inferred);
    }
  }
}

// --- copies out of shared memory ---

void CopySizes::size_copies_out(const StaticProgram& program, const Member& member, CopySizeStats& stats) {
  constexpr std::uint32_t kGranule = 16;
  std::set<std::uint32_t> places;
  for (const AsyncCopyRecord& copy : member.block->copies) {
    const AsyncOperation& operation = member.trace->operations[copy.operation];
    if (operation.kind != Kind::kCopyIn && !copy.known_size) {
      places.insert(operation.shared);
    }
  }
  if (places.empty()) {
    return;
  }
  std::vector<bool> written;
  const auto mark = [&](Address address, std::uint32_t bytes) {
    const auto offset = static_cast<std::uint32_t>(address & 0xffffffU);
    for (std::uint32_t g = offset / kGranule; g * kGranule < offset + bytes; ++g) {
      if (written.size() <= g) {
        written.resize(g + 1024);
      }
      written[g] = true;
    }
  };
  for (const WarpInstruction& record : member.trace->instructions) {
    const StaticInstruction& code = program.instructions[record.index];
    const bool store =
        code.kind == OpKind::kStoreMatrix || (code.kind == OpKind::kStore && code.space == MemorySpace::kShared);
    if (!store || record.active == 0 || record.addresses == WarpInstruction::kNoAddresses) {
      continue;
    }
    const LaneAddresses addresses = member.trace->addresses.at(record.addresses);
    const std::uint32_t lanes = code.kind == OpKind::kStoreMatrix
                                    ? std::min(32U, 8U * code.matrices)
                                    : static_cast<std::uint32_t>(__builtin_popcount(record.active));
    for (std::uint32_t i = 0; i < lanes; ++i) {
      mark(addresses.of_lane(i), code.bytes_per_lane);
    }
  }
  for (const AsyncCopyRecord& copy : member.block->copies) {
    AsyncOperation& operation = member.trace->operations[copy.operation];
    if (operation.kind == Kind::kCopyIn || copy.known_size) {
      continue;
    }
    const auto next = places.upper_bound(operation.shared);
    std::uint32_t g = operation.shared / kGranule;
    const std::uint32_t limit = next == places.end() ? 0xffffffffU : *next / kGranule;
    while (g < written.size() && g < limit && written[g]) {
      ++g;
    }
    operation.bytes = static_cast<std::int32_t>(g * kGranule - operation.shared);
    ++(operation.bytes == 0 ? stats.unknown : stats.inferred);
  }
}

}  // namespace warpsim
