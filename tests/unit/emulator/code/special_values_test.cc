// Special registers of blocks in three dimensions, partial warps and clusters.
#include "emulator/code/special_values.h"

#include <catch2/catch.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "support/ptx_launch.h"

namespace warpsim::test {
namespace {

// The register's value of each thread, blocks in order, threads in order.
std::vector<std::uint32_t> values_of(const std::string& name, Dim3 grid, Dim3 block, Dim3 cluster = {1, 1, 1},
                                     const std::string& declarations = {}) {
  PtxLaunch test(
      "mov.u32 %r0, %ctaid.z;\nmov.u32 %r1, %nctaid.y;\nmov.u32 %r2, %ctaid.y;\nmad.lo.u32 %r0, %r0, %r1, %r2;\n"
      "mov.u32 %r1, %nctaid.x;\nmov.u32 %r2, %ctaid.x;\nmad.lo.u32 %r0, %r0, %r1, %r2;\n"
      "mov.u32 %r1, %ntid.z;\nmov.u32 %r2, %tid.z;\nmad.lo.u32 %r0, %r0, %r1, %r2;\n"
      "mov.u32 %r1, %ntid.y;\nmov.u32 %r2, %tid.y;\nmad.lo.u32 %r0, %r0, %r1, %r2;\n"
      "mov.u32 %r1, %ntid.x;\nmad.lo.u32 %r0, %r0, %r1, %t;\n"
      "mul.wide.u32 %rd0, %r0, 4;\nadd.u64 %rd0, %rd0, %out;\n"
      "mov.u32 %r3, " +
          name + ";\nst.global.u32 [%rd0], %r3;",
      declarations);
  test.launch.grid = grid;
  test.launch.block = block;
  test.launch.cluster = cluster;
  test.launch.sm_count = 7;
  test.launch.dynamic_shared_bytes = 48;
  test.run();
  return test.outputs<std::uint32_t>(grid.count() * block.count());
}

std::uint32_t value_of(const std::string& name, const std::string& declarations = {}) {
  return values_of(name, {1, 1, 1}, {1, 1, 1}, {1, 1, 1}, declarations).front();
}

using Values = std::vector<std::uint32_t>;

TEST_CASE("threads are counted along x, then y, then z") {
  CHECK(values_of("%tid.x", {1, 1, 1}, {3, 2, 2}) == Values{0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2});
  CHECK(values_of("%tid.y", {1, 1, 1}, {3, 2, 2}) == Values{0, 0, 0, 1, 1, 1, 0, 0, 0, 1, 1, 1});
  CHECK(values_of("%tid.z", {1, 1, 1}, {3, 2, 2}) == Values{0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1});
}

TEST_CASE("thread numbers continue from warp to warp") {
  const Dim3 block{5, 7, 3};  // warps begin and end within rows and planes
  const Values x = values_of("%tid.x", {2, 1, 1}, block);
  const Values y = values_of("%tid.y", {2, 1, 1}, block);
  const Values z = values_of("%tid.z", {2, 1, 1}, block);
  for (std::uint32_t i = 0; i < 210; ++i) {
    CHECK(x[i] == i % 5);
    CHECK(y[i] == i % 105 / 5 % 7);
    CHECK(z[i] == i % 105 / 35);
  }
}

TEST_CASE("sizes of block and grid are those of the launch") {
  CHECK(values_of("%ntid.x", {1, 1, 1}, {3, 2, 1}) == Values(6, 3));
  CHECK(values_of("%ntid.y", {1, 1, 1}, {3, 2, 1}) == Values(6, 2));
  CHECK(values_of("%ntid.z", {1, 1, 1}, {3, 2, 1}) == Values(6, 1));
  CHECK(values_of("%nctaid.x", {2, 1, 3}, {1, 1, 1}) == Values(6, 2));
  CHECK(values_of("%nctaid.y", {2, 1, 3}, {1, 1, 1}) == Values(6, 1));
  CHECK(values_of("%nctaid.z", {2, 1, 3}, {1, 1, 1}) == Values(6, 3));
}

TEST_CASE("blocks are counted along x, then y, then z") {
  CHECK(values_of("%ctaid.x", {2, 2, 2}, {1, 1, 1}) == Values{0, 1, 0, 1, 0, 1, 0, 1});
  CHECK(values_of("%ctaid.y", {2, 2, 2}, {1, 1, 1}) == Values{0, 0, 1, 1, 0, 0, 1, 1});
  CHECK(values_of("%ctaid.z", {2, 2, 2}, {1, 1, 1}) == Values{0, 0, 0, 0, 1, 1, 1, 1});
}

TEST_CASE("lanes and warps are counted through the whole block, the last warp may be partial") {
  const Dim3 block{5, 7, 2};  // 70 threads: 32, 32 and 6
  const Values lanes = values_of("%laneid", {1, 1, 1}, block);
  const Values warps = values_of("%warpid", {1, 1, 1}, block);
  for (std::uint32_t i = 0; i < 70; ++i) {
    CHECK(lanes[i] == i % 32);
    CHECK(warps[i] == i / 32);
  }
  CHECK(values_of("%nwarpid", {1, 1, 1}, block).back() == 3);
  CHECK(value_of("%nwarpid") == 1);
}

TEST_CASE("masks of lanes are below and above the own lane") {
  const Dim3 warp{32, 1, 1};
  const Values equal = values_of("%lanemask_eq", {1, 1, 1}, warp);
  const Values less = values_of("%lanemask_lt", {1, 1, 1}, warp);
  const Values less_equal = values_of("%lanemask_le", {1, 1, 1}, warp);
  const Values greater = values_of("%lanemask_gt", {1, 1, 1}, warp);
  const Values greater_equal = values_of("%lanemask_ge", {1, 1, 1}, warp);
  for (std::uint32_t i = 0; i < 32; ++i) {
    CHECK(equal[i] == 1U << i);
    CHECK(less[i] == (1U << i) - 1);
    CHECK(less_equal[i] == ((1U << i) - 1 | 1U << i));
    CHECK((less_equal[i] ^ greater[i]) == 0xffffffff);
    CHECK((less[i] ^ greater_equal[i]) == 0xffffffff);
  }
  CHECK(greater[31] == 0);
  CHECK(less_equal[31] == 0xffffffff);
}

TEST_CASE("a partial warp has the masks of a full one") {
  const Values masks = values_of("%lanemask_gt", {1, 1, 1}, {3, 1, 1});
  CHECK(masks == Values{0xfffffffe, 0xfffffffc, 0xfffffff8});
}

TEST_CASE("the SM number is one of the device") {
  CHECK(value_of("%nsmid") == 7);
  for (const std::uint32_t sm : values_of("%smid", {10, 1, 1}, {1, 1, 1})) {
    CHECK(sm < 7);
  }
}

TEST_CASE("sizes of shared memory are static and dynamic ones, and the driver's reserve") {
  const std::string shared = ".shared .b8 bytes[20];";
  CHECK(value_of("%dynamic_smem_size", shared) == 48);
  CHECK(value_of("%total_smem_size", shared) == 68);
  CHECK(value_of("%aggr_smem_size", shared) == 68 + 1024);
  CHECK(value_of("%reserved_smem_offset_begin") == 0);
  CHECK(value_of("%reserved_smem_offset_end") == 1024);
  CHECK(value_of("%reserved_smem_offset_cap") == 1024);
}

TEST_CASE("before 8.0 the driver reserves no shared memory") {
  PtxLaunch test(
      "mov.u32 %r0, %aggr_smem_size;\nmov.u32 %r1, %reserved_smem_offset_end;\n"
      "st.global.v2.u32 [%out], {%r0, %r1};");
  test.launch.capability = 75;
  test.launch.dynamic_shared_bytes = 16;
  test.run();
  CHECK(test.outputs<std::uint32_t>(2) == Values{16, 0});
}

TEST_CASE("a clock does not run backwards, its halves are those of 64 bits") {
  PtxLaunch test(
      "mov.u64 %rd0, %clock64;\nmov.u32 %r0, %clock;\nmov.u32 %r1, %clock_hi;\nmov.u64 %rd1, %clock64;\n"
      "st.global.v2.u64 [%out], {%rd0, %rd1};\nst.global.v2.u32 [%out+16], {%r0, %r1};");
  test.run();
  const auto first = test.output<std::uint64_t>(0);
  const auto last = test.output<std::uint64_t>(1);
  CHECK(first <= last);
  CHECK(first <= test.output<std::uint32_t>(4));
  CHECK(test.output<std::uint32_t>(4) <= last);
  CHECK(test.output<std::uint32_t>(5) == 0);
}

TEST_CASE("the number of the grid is that of the launch") {
  PtxLaunch test("mov.u64 %rd0, %gridid;\nst.global.u64 [%out], %rd0;");
  test.launch.grid_id = 0x100000005;
  test.run();
  CHECK(test.output<std::uint64_t>(0) == 0x100000005);
}

TEST_CASE("blocks of a cluster are counted in it, and clusters in the grid") {
  const Dim3 grid{4, 2, 1};
  const Dim3 one{1, 1, 1};
  const Dim3 cluster{2, 2, 1};
  CHECK(values_of("%cluster_ctaid.x", grid, one, cluster) == Values{0, 1, 0, 1, 0, 1, 0, 1});
  CHECK(values_of("%cluster_ctaid.y", grid, one, cluster) == Values{0, 0, 0, 0, 1, 1, 1, 1});
  CHECK(values_of("%cluster_ctaid.z", grid, one, cluster) == Values(8, 0));
  CHECK(values_of("%cluster_ctarank", grid, one, cluster) == Values{0, 1, 0, 1, 2, 3, 2, 3});
  CHECK(values_of("%cluster_nctaid.x", grid, one, cluster) == Values(8, 2));
  CHECK(values_of("%cluster_nctaid.y", grid, one, cluster) == Values(8, 2));
  CHECK(values_of("%cluster_nctaid.z", grid, one, cluster) == Values(8, 1));
  CHECK(values_of("%cluster_nctarank", grid, one, cluster) == Values(8, 4));
  CHECK(values_of("%clusterid.x", grid, one, cluster) == Values{0, 0, 1, 1, 0, 0, 1, 1});
  CHECK(values_of("%clusterid.y", grid, one, cluster) == Values(8, 0));
  CHECK(values_of("%nclusterid.x", grid, one, cluster) == Values(8, 2));
  CHECK(values_of("%nclusterid.y", grid, one, cluster) == Values(8, 1));
}

TEST_CASE("a block without a cluster is a cluster of one block") {
  const Dim3 grid{3, 1, 1};
  const Dim3 one{1, 1, 1};
  CHECK(values_of("%cluster_ctarank", grid, one) == Values(3, 0));
  CHECK(values_of("%cluster_nctarank", grid, one) == Values(3, 1));
  CHECK(values_of("%clusterid.x", grid, one) == Values{0, 1, 2});
  CHECK(values_of("%nclusterid.x", grid, one) == Values(3, 3));
}

TEST_CASE("a predicate states whether a cluster was requested") {
  for (const std::uint32_t blocks : {1U, 2U}) {
    PtxLaunch test("mov.pred %p0, %is_explicit_cluster;\nselp.u32 %r0, 1, 0, %p0;\nst.global.u32 [%out], %r0;");
    test.launch.grid = {2, 1, 1};
    test.launch.cluster = {blocks, 1, 1};
    test.run();
    CHECK(test.output<std::uint32_t>(0) == blocks - 1);
  }
}

TEST_CASE("registers of the environment hold the launch's values, zeros otherwise") {
  PtxLaunch test(
      "mov.u32 %r0, %envreg2;\nmov.u32 %r1, %envreg31;\nmov.b32 %r2, %envreg0;\n"
      "st.global.u32 [%out], %r0;\nst.global.u32 [%out+4], %r1;\nst.global.u32 [%out+8], %r2;");
  test.launch.environment[2] = 7;
  test.launch.environment[31] = 9;
  test.run();
  CHECK(test.outputs<std::uint32_t>(3) == Values{7, 9, 0});
}

}  // namespace
}  // namespace warpsim::test
