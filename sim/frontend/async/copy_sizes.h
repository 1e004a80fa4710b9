// Bytes of tensor copies, which neither the trace nor the program states: the box is in the descriptor, in memory. They
// are inferred from the bytes that barriers expect and from the destinations of the copies.
//
// Rules, in this order: copies through one descriptor have equal sizes; a copy ends before the next destination in
// shared memory; each barrier receives the bytes that it expects, which determines the remaining sizes; the rest is
// divided equally. Copies from shared memory move the bytes written there since the start of the block, from their
// address up to the first gap or the next copy's address.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "frontend/async/async_decoder.h"

namespace warpsim {

struct CopySizeStats {
  std::uint64_t inferred = 0;    // copies whose size follows from barriers and destinations
  std::uint64_t shared_out = 0;  // barriers whose bytes were divided equally
  std::uint64_t unknown = 0;     // copies without any evidence: not simulated
};

class CopySizes {
 public:
  // Blocks of one cluster, decoded; sets the operations' bytes. A size, once found, holds for the whole kernel.
  struct Member {
    BlockTrace* trace = nullptr;
    AsyncBlock* block = nullptr;
  };
  void infer(const StaticProgram& program, const std::vector<Member>& cluster, CopySizeStats& stats);

  const std::map<std::uint64_t, std::int32_t>& sizes() const { return sizes_; }

 private:
  // The bytes that one barrier of one block expects over the whole kernel, and the copies that report to it, by class.
  struct Equation {
    std::int64_t expected = 0;
    std::map<std::uint64_t, std::int64_t> copies;
  };
  static std::uint64_t class_of(const AsyncCopyRecord& copy);
  void size_copies_in(const std::vector<Member>& cluster, CopySizeStats& stats);
  static std::vector<Equation> equations_of(const std::vector<Member>& cluster);
  std::map<std::uint64_t, std::int64_t> gaps_of(const std::vector<Member>& cluster) const;
  void solve(std::vector<Equation>& equations, std::map<std::uint64_t, std::int64_t>& gaps, CopySizeStats& stats);
  bool settle_single(const std::vector<Equation>& equations);
  void size_copies_out(const StaticProgram& program, const Member& member, CopySizeStats& stats);

  std::map<std::uint64_t, std::int32_t> sizes_;  // by class
};

}  // namespace warpsim
