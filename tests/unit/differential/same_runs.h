// Compares two runs of a kernel: all times and all statistics.
#pragma once

#include <catch2/catch.hpp>
#include <cstdint>
#include <string>

#include "support/machine.h"

namespace warpsim::test {

// The first few statistics that differ; empty if none does.
inline std::string differences(const KernelRun& a, const KernelRun& b) {
  std::string text;
  int named = 0;
  for (const auto& [name, value] : a.statistics) {
    const auto other = b.statistics.find(name);
    const std::uint64_t theirs = other == b.statistics.end() ? 0 : other->second;
    if (value != theirs && ++named <= 5) {
      text += name + ": " + std::to_string(value) + " and " + std::to_string(theirs) + "\n";
    }
  }
  for (const auto& [name, value] : b.statistics) {
    if (a.statistics.count(name) == 0 && value != 0 && ++named <= 5) {
      text += name + ": none and " + std::to_string(value) + "\n";
    }
  }
  return text;
}

inline void check_same(const KernelRun& a, const KernelRun& b) {
  CHECK(a.result.start_cycle == b.result.start_cycle);
  CHECK(a.result.elapsed_cycles == b.result.elapsed_cycles);
  CHECK(a.result.duration_ns == b.result.duration_ns);
  CHECK(a.result.status == b.result.status);
  CHECK(differences(a, b) == "");
}

}  // namespace warpsim::test
