// What the launches of a device tell its user: the output of kernels, findings in them, launches that do nothing.
#pragma once

#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "cuda/device/line_findings.h"
#include "emulator/execution/launch_context.h"

namespace warpsim::cuda {

class LaunchReports {
 public:
  // Has the launch report here, which outlives it. `warns`: of uninitialised shared memory; `tolerates`: what CUDA does
  // not allow.
  void connect(LaunchContext& launch, const std::string& kernel, bool warns, bool tolerates);

  void add(std::string finding) { findings_.push_back(std::move(finding)); }
  // Once for each kernel.
  void add_skipped(const std::string& kernel);

  // Since the last call.
  std::string take_printed();
  std::vector<std::string> take_findings();
  // For a search that adds to them.
  std::vector<std::string>& findings() { return findings_; }

 private:
  std::mutex print_mutex_;  // threads that execute a kernel print at any time
  std::string printed_;
  std::vector<std::string> findings_;
  LineFindings uninitialised_{"read uninitialised shared memory"};
  LineFindings tolerated_{"do what CUDA does not allow"};
  std::set<std::string> skipped_;
};

}  // namespace warpsim::cuda
