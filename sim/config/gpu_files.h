// Finds the GPU descriptions that ship: beside the source tree, or where `cmake --install` put them.
#pragma once

#include <string>
#include <vector>

namespace warpsim {

// The file that --gpu means: a path as it is, or the name of a description that ships ("h200"). Throws UsageError with
// the nearest name.
std::string find_gpu_file(const std::string& gpu);

struct ShippedGpu {
  std::string name;  // "h200"
  std::string path;
};
// In order of name.
std::vector<ShippedGpu> shipped_gpus();

}  // namespace warpsim
