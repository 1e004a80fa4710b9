// The answers of this program to a sweep (sweep/sweep_points.h).
#pragma once

#include <map>

#include "config/config_tree.h"
#include "sweep/sweep_points.h"

namespace warpsim {

class SimulatorSubject final : public SweepSubject {
 public:
  Trace trace(const std::string& path) override;
  std::string config_hash(const std::string& gpu, const std::vector<std::string>& overrides) override;
  std::vector<Option> options() override;
  void check_options(const std::vector<std::string>& words) override;
  std::string version() override;

  // Files of the requested traces and GPU descriptions.
  const std::vector<std::string>& files() const { return files_; }

 private:
  std::vector<std::string> files_;
  std::map<std::string, ConfigTree> gpus_;  // as described, before any override
};

}  // namespace warpsim
