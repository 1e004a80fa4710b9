#include "core/launch/managed_memory_config.h"

#include <catch2/catch.hpp>
#include <string>

#include "config/config_tree.h"
#include "core/gpu/gpu_config.h"

namespace warpsim {
namespace {

GpuConfig gpu(const std::string& name) {
  return ConfigTree::load(WARPSIM_SOURCE_DIR "/configs/" + name + ".yaml", {}).read<GpuConfig>();
}

TEST_CASE("managed memory config: GPUs from 6.0 on have page faults, as CUDA's programming guide says") {
  for (const char* const name : {"p100", "gtx1080", "v100", "t4", "a100", "rtx4090", "h200", "tegrax2", "orin"}) {
    CHECK(gpu(name).managed_memory.page_faults);
  }
  for (const char* const name : {"gtx480", "gtx680", "k40", "gtx750ti", "gtx980", "tegrax1"}) {
    CHECK_FALSE(gpu(name).managed_memory.page_faults);
  }
}

TEST_CASE("managed memory config: a GB/s is a byte in a nanosecond") {
  CHECK(transfer_ns(65536, 8) == 8192);
}

}  // namespace
}  // namespace warpsim
