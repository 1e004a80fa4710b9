// Finds the shipped GPU descriptions: in the source tree, or in the folder in which `cmake --install` put them.
#pragma once

#include <string>
#include <vector>

namespace warpsim {

// The file that --gpu means: a path, or the name of a shipped description ("h200"). Throws UsageError with
// the nearest name.
std::string find_gpu_file(const std::string& gpu);

struct ShippedGpu {
  std::string name;  // "h200"
  std::string path;
};
// In order of name.
std::vector<ShippedGpu> shipped_gpus();

}  // namespace warpsim
