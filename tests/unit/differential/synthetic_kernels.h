// Kernels that together use every part of the machine, for comparisons of modes of simulation.
#pragma once

#include <string>
#include <vector>

#include "support/synthetic_kernel.h"

namespace warpsim::test {

struct NamedKernel {
  std::string name;
  KernelBuilder builder;
  KernelShape shape;
};

inline KernelBuilder arithmetic_kernel() {
  KernelBuilder k;
  k.iadd_constant(1, 2, 0, 0x210);
  k.loop(20, [&] {
    k.ffma(4, 0, 2, 6).stall(2);
    k.op("IMAD", 5, {4, 1, 7}).stall(4);
    k.mufu(6, 5).writes(0);
    k.op("HMMA.16816.F32", 8, {4, 6, 255}).waits(0).writes(1);
    k.iadd(9, 8, 1).waits(1).yield();
  });
  k.exit();
  return k;
}

inline KernelBuilder streaming_kernel() {
  KernelBuilder k;
  k.loop(12, [&] {
    const auto stream = [](Address base) {
      return Addresses{.base = base, .warp_stride = 128, .block_stride = 512, .round_stride = 0x4000};
    };
    k.ldg(4, stream(0x100000)).writes(0);
    k.ldg(5, stream(0x200000)).writes(1);
    k.ffma(6, 4, 5, 6).waits(0).waits(1).stall(4);
    k.stg(stream(0x300000), 6).reads(2);
  });
  k.exit();
  return k;
}

inline KernelBuilder shared_kernel() {
  KernelBuilder k;
  k.loop(8, [&] {
    k.sts({.base = 0, .lane_stride = 8, .warp_stride = 256}, 4);
    k.bar();
    k.lds(5, {.base = 0, .lane_stride = 64}).writes(0);
    k.load("ATOMS.ADD", 6, {.base = 0x400, .lane_stride = 0}).writes(1);
    k.iadd(4, 5, 6).waits(0).waits(1);
    k.only([](std::uint32_t warp) { return warp % 2 == 1; }, [&] { k.op("SHFL.IDX", 7, {4, 4, 4}).writes(2); });
    k.bar();
  });
  k.exit();
  return k;
}

inline KernelBuilder scattered_kernel() {
  KernelBuilder k;
  k.loop(6, [&] {
    k.ldg(4, {.base = 0x100000, .lane_stride = 4160, .warp_stride = 0x20000, .round_stride = 0x3000}).writes(0);
    k.load("ATOMG.E.ADD", 5, {.base = 0x800000, .lane_stride = 0, .warp_stride = 32}).writes(1);
    k.store("RED.E.ADD", {.base = 0x900000, .lane_stride = 128}, 4).waits(0);
    k.store("STL", {.base = 8, .lane_stride = 0}, 4);
    k.load("LDL", 6, {.base = 8, .lane_stride = 0}).writes(2);
    k.iadd(7, 5, 6).waits(1).waits(2);
  });
  k.membar_device();
  k.stg({.base = 0xa00000}, 7);
  k.exit();
  return k;
}

inline KernelBuilder copying_kernel() {
  KernelBuilder k;
  k.loop(6, [&] {
    k.ldgsts({.base = 0x100000, .lane_stride = 16, .warp_stride = 512, .block_stride = 0x8000, .round_stride = 0x1000});
    k.commit(0);
    k.depbar(0, 1);
    k.bar();
    k.load("LDSM.16.M88.4", 4, {.base = 0, .lane_stride = 16}).writes(1);
    k.op("HMMA.16816.F32", 8, {4, 6, 255}).waits(1);
    k.ldc(9, 0, 0x240).writes(2);
    k.iadd(10, 9, 1).waits(2);
  });
  k.depbar(0, 0);
  k.exit();
  return k;
}

inline std::vector<NamedKernel> every_synthetic_kernel() {
  return {{"arithmetic", arithmetic_kernel(), {.blocks = 6, .warps = 5}},
          {"streaming", streaming_kernel(), {.blocks = 9, .warps = 4}},
          {"shared", shared_kernel(), {.blocks = 5, .warps = 8, .shared_bytes = 4096}},
          {"scattered", scattered_kernel(), {.blocks = 4, .warps = 3, .local_bytes = 64}},
          {"copying", copying_kernel(), {.blocks = 7, .warps = 4, .shared_bytes = 2048}}};
}

}  // namespace warpsim::test
