#include "cuda/device/precision_ratio.h"

#include <catch2/catch.hpp>
#include <string>

#include "cuda/device/gpu_description.h"

namespace warpsim::cuda {
namespace {

// As in the throughput tables of the CUDA C++ programming guide.
TEST_CASE("the ratio of single to double precision is that of the throughput tables", "[cuda]") {
  struct Row {
    const char* gpu;
    int ratio;
  };
  for (const Row& row : {Row{"geforce8800gtx", 0}, Row{"gtx280", 8}, Row{"gtx680", 24}, Row{"k40", 3}, Row{"p100", 2},
                         Row{"gtx1080", 32}, Row{"v100", 2}, Row{"t4", 32}, Row{"a100", 2}, Row{"rtx3070", 64},
                         Row{"rtx4090", 64}, Row{"h200", 2}}) {
    INFO(row.gpu);
    CHECK(precision_ratio(describe_gpu(std::string(WARPSIM_SOURCE_DIR "/configs/") + row.gpu + ".yaml", {}).config) ==
          row.ratio);
  }
}

}  // namespace
}  // namespace warpsim::cuda
