// Pieces of invented Accel-Sim traces.
#pragma once

#include <string>

namespace warpsim::test {

// A header of one kernel; `grid` and `block` as "(1,1,1)".
inline std::string accelsim_header(int version = 5, const std::string& grid = "(1,1,1)",
                                   const std::string& block = "(32,1,1)") {
  return "-kernel name = twice\n-kernel id = 1\n-grid dim = " + grid + "\n-block dim = " + block +
         "\n-shmem = 0\n-nregs = 8\n-binary version = 80\n-cuda stream id = 0\n"
         "-shmem base_addr = 0x00007f0000000000\n-local mem base_addr = 0x00007f1000000000\n-nvbit version = 1.7\n"
         "-accelsim tracer version = " +
         std::to_string(version) + "\n-enable lineinfo = 0\n\n#traces format = free text\n\n";
}

inline std::string thread_block(const std::string& index, const std::string& warps) {
  return "#BEGIN_TB\n\nthread block = " + index + "\n\n" + warps + "\n#END_TB\n\n";
}

// The example of the format's description: a read-modify-write by one warp.
inline std::string tiny_trace() {
  return accelsim_header() + thread_block("0,0,0",
                                          "warp = 0\ninsts = 5\n"
                                          "0000 ffffffff 1 R2 S2R 0 0 0 \n"
                                          "0010 0000000f 1 R4 LDG.E 1 R2 4 1 0x7f2000000000 4 0 \n"
                                          "0020 00000105 1 R5 LDG.E 1 R2 4 2 0x7f2000001000 64 -32 0 \n"
                                          "0030 ffffffff 1 R4 FADD 2 R4 R5 0 0 \n"
                                          "0040 ffffffff 0 EXIT 0 0 0 \n");
}

}  // namespace warpsim::test
