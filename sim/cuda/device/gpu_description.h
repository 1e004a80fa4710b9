// The description of a GPU of a process: its file and what that says.
#pragma once

#include <string>
#include <vector>

#include "config/config_tree.h"
#include "core/gpu/gpu_config.h"

namespace warpsim::cuda {

struct GpuDescription {
  std::string file;
  ConfigTree tree;
  GpuConfig config;
};

// `gpu`: as in --gpu. Throws UserError.
GpuDescription describe_gpu(const std::string& gpu, const std::vector<std::string>& overrides);

}  // namespace warpsim::cuda
