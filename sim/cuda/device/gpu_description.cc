#include "cuda/device/gpu_description.h"

#include <utility>

#include "config/gpu_files.h"

namespace warpsim::cuda {

GpuDescription describe_gpu(const std::string& gpu, const std::vector<std::string>& overrides) {
  std::string file = find_gpu_file(gpu);
  ConfigTree tree = ConfigTree::load(file, overrides);
  GpuConfig config = tree.read<GpuConfig>();
  return {std::move(file), std::move(tree), std::move(config)};
}

}  // namespace warpsim::cuda
