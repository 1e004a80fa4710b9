// Notes for the summary about the kernels of a workload: missing listings, unknown opcodes, generic accesses of unknown
// space, inferences about asynchronous copies. Each fact is reported once.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "core/launch/instruction_source.h"

namespace warpsim {

struct AsyncFindings;

class WorkloadNotes {
 public:
  // `strict`: an unknown opcode is an error.
  explicit WorkloadNotes(bool strict) : strict_(strict) {}

  // Throws TraceError for an unknown opcode if strict; `file` is for the message.
  void add_kernel(const KernelLaunch& launch, const std::string& file);
  // What is inferred about a kernel's asynchronous copies and barriers while it runs; null is ignored.
  void add_findings(std::shared_ptr<const AsyncFindings> findings);
  std::vector<std::string> sentences() const;

 private:
  struct UnknownOpcode {
    std::uint64_t instructions = 0;
    std::set<std::string> kernels;
  };

  bool strict_;
  std::set<std::string> without_listing_;
  std::set<std::string> without_control_;
  std::set<std::string> without_windows_;
  std::set<std::string> seen_;
  std::map<std::string, UnknownOpcode> unknown_;
  std::vector<std::shared_ptr<const AsyncFindings>> findings_;
};

}  // namespace warpsim
