#include "cuda/code/device_runtime_code.h"

#include <algorithm>
#include <vector>

namespace warpsim::cuda {

bool is_device_runtime_code(std::string_view code) {
  return code.find("cnpGetParameterBuffer") != std::string_view::npos &&
         code.find("cudaGetParameterBuffer") != std::string_view::npos;
}

bool is_device_runtime(std::span<const FatBinaryEntry> unit) {
  using Kind = FatBinaryEntry::Kind;
  for (const Kind kind : {Kind::kPtx, Kind::kMachineCode}) {
    const auto found = std::ranges::find(unit, kind, &FatBinaryEntry::kind);
    if (found == unit.end()) {
      continue;
    }
    if (kind == Kind::kPtx) {
      return is_device_runtime_code(ptx_text(*found));
    }
    const std::vector<std::byte> cubin = machine_code(*found);
    return is_device_runtime_code({reinterpret_cast<const char*>(cubin.data()), cubin.size()});
  }
  return false;
}

}  // namespace warpsim::cuda
