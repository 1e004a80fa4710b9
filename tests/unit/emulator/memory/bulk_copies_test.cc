// Bulk copies, stores that report to mbarriers, and bulk copies of tensors.
#include "emulator/memory/bulk_copies.h"

#include <catch2/catch.hpp>
#include <cstring>
#include <string>
#include <vector>

#include "emulator/memory/tensor_map.h"
#include "emulator/memory/tensor_rows.h"
#include "emulator/numbers/atomic_update.h"
#include "ptx/ptx_error.h"
#include "support/ptx_launch.h"

namespace warpsim::test {
namespace {

using Words = std::vector<std::uint32_t>;

const std::string kBuffer = ".shared .align 128 .b8 buffer[256];\n.shared .align 8 .b64 barrier;\n";
const std::string kStart = "mbarrier.init.shared.b64 [barrier], 1;\nmov.u32 %r0, buffer;\nmov.u32 %r1, barrier;\n";
std::string expect(std::uint32_t bytes) {
  return "mbarrier.arrive.expect_tx.shared.b64 %rd0, [barrier], " + std::to_string(bytes) + ";\n";
}
// Whether the first phase has ended, in %r7.
const std::string kEnded = "mbarrier.test_wait.parity.shared.b64 %p0, [barrier], 0;\nselp.u32 %r7, 1, 0, %p0;\n";
const std::string kStore = "st.global.v4.u32 [%out], {%r4, %r5, %r6, %r7};\n";

// %r4 to %r6: words of shared memory; %r7: whether the copy has ended the phase.
Words after_copy(const std::string& copy, std::uint32_t bytes) {
  PtxLaunch test(kBuffer + kStart + expect(bytes) + copy + kEnded +
                 "ld.shared.u32 %r4, [buffer];\nld.shared.u32 %r5, [buffer+4];\nld.shared.u32 %r6, [buffer+12];\n" +
                 kStore);
  for (std::uint32_t i = 0; i < 64; ++i) {
    test.set_input<std::uint32_t>(i, i + 1);
  }
  test.run();
  return test.outputs<std::uint32_t>(4);
}

TEST_CASE("a bulk copy into shared memory reports its bytes") {
  const std::string copy =
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r0], [%in+16], 32, [%r1];\n";
  CHECK(after_copy(copy, 32) == Words{5, 6, 8, 1});
  CHECK(after_copy(copy, 48) == Words{5, 6, 8, 0});
  const std::string hinted =
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.L2::cache_hint [%r0], [%in], 16, [%r1], "
      "%rd1;\n";
  CHECK(after_copy(hinted, 16) == Words{1, 2, 4, 1});
}

TEST_CASE("bulk copies move whole units of 16 bytes") {
  for (const std::string operands : {"[%r0], [%in+4], 16, [%r1];", "[%r0], [%in], 8, [%r1];"}) {
    PtxLaunch test(kBuffer + kStart + "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes " + operands);
    CHECK_THAT(test.fault(), Catch::Contains("not all multiples of 16"));
  }
  PtxLaunch outside(kBuffer + kStart +
                    "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r0], [%in+4080], 32, [%r1];");
  CHECK_THAT(outside.fault(), Catch::Contains("reads 32 bytes"));
}

TEST_CASE("a bulk copy out of shared memory belongs to a group") {
  PtxLaunch test(kBuffer +
                 "mov.u32 %r0, buffer;\nmov.u32 %r1, 0x01020304;\nmov.u32 %r2, 9;\n"
                 "st.shared.v4.u32 [buffer], {%r1, %r2, %r2, %r1};\nfence.proxy.async.shared::cta;\n"
                 "cp.async.bulk.global.shared::cta.bulk_group [%out], [%r0], 16;\n"
                 "cp.async.bulk.global.shared::cta.bulk_group.cp_mask [%out+16], [%r0], 16, 0x0105;\n"
                 "cp.async.bulk.commit_group;\ncp.async.bulk.wait_group.read 0;\ncp.async.bulk.wait_group 0;");
  test.run();
  CHECK(test.outputs<std::uint32_t>(8) == Words{0x01020304, 9, 9, 0x01020304, 0x00020004, 0, 9, 0});
}

TEST_CASE("bulk reductions update each element") {
  PtxLaunch test(kBuffer +
                 "mov.u32 %r0, buffer;\nmov.u32 %r1, 3;\nmov.u32 %r2, 0x80000000;\n"
                 "st.shared.v4.u32 [buffer], {%r1, %r2, %r1, %r2};\n"
                 "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%out], [%r0], 16;\n"
                 "cp.reduce.async.bulk.global.shared::cta.bulk_group.min.s32 [%out+16], [%r0], 16;\n"
                 "mov.u32 %r1, 0x40003c00;\nst.shared.v4.u32 [buffer], {%r1, %r1, %r1, %r1};\n"  // 1, 2
                 "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.noftz.f16 [%out+32], [%r0], 16;\n"
                 "cp.reduce.async.bulk.global.shared::cta.bulk_group.max.noftz.f16 [%out+48], [%r0], 16;");
  for (std::uint32_t i = 0; i < 4; ++i) {
    test.set_output<std::uint32_t>(i, 10 + i);
    test.set_output<std::uint32_t>(4 + i, i);
    test.set_output<std::uint32_t>(8 + i, 0x3c003c00);
    test.set_output<std::uint32_t>(12 + i, 0xbc007e00);  // NaN, -1
  }
  test.run();
  CHECK(test.outputs<std::uint32_t>(16) == Words{13, 0x8000000b, 15, 0x8000000d,  //
                                                 0, 0x80000000, 2, 0x80000000,    //
                                                 0x42004000, 0x42004000, 0x42004000, 0x42004000, 0x40003c00, 0x40003c00,
                                                 0x40003c00, 0x40003c00});
}

// Two blocks of a cluster: the first one's steps, then the view of the second one, both after barriers.
Words second_block(const std::string& first, std::uint32_t expected) {
  PtxLaunch test(kBuffer + kStart + expect(expected) +
                 "mov.u32 %r2, %cluster_ctarank;\nsetp.eq.u32 %p1, %r2, 0;\n"
                 "barrier.cluster.arrive;\nbarrier.cluster.wait;\n@!%p1 bra wait;\n"
                 "mov.u32 %r3, 1;\nmapa.shared::cluster.u32 %r4, %r0, %r3;\nmapa.shared::cluster.u32 %r5, %r1, %r3;\n" +
                 first + "wait:\nbarrier.cluster.arrive;\nbarrier.cluster.wait;\n@%p1 bra past;\n" + kEnded +
                 "ld.shared.v2.u32 {%r4, %r5}, [buffer];\nld.shared.u32 %r6, [buffer+8];\n" + kStore + "past:");
  test.launch.grid = {2, 1, 1};
  test.launch.cluster = {2, 1, 1};
  for (std::uint32_t i = 0; i < 64; ++i) {
    test.set_input<std::uint32_t>(i, i + 1);
  }
  test.run();
  return test.outputs<std::uint32_t>(4);
}

TEST_CASE("copies and stores reach another block and its mbarrier") {
  CHECK(
      second_block("st.shared.v2.u32 [%r0], {%r3, %r3};\nst.shared.v2.u32 [%r0+8], {%r3, %r3};\n"
                   "cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%r4], [%r0], 16, [%r5];\n",
                   16) == Words{1, 1, 1, 1});
  CHECK(second_block("st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.v2.b32 [%r4], {%r3, 7}, [%r5];\n"
                     "st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.u32 [%r4+8], 8, [%r5];\n",
                     12) == Words{1, 7, 8, 1});
  CHECK(second_block(
            "st.shared::cluster.v2.u32 [%r4], {%r3, 5};\nst.shared::cluster.u32 [%r4+8], 8;\n"
            "red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u32 [%r4+4], 6, [%r5];\n"
            "red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.max.s32 [%r4+8], -1, [%r5];\n",
            8) == Words{1, 11, 8, 1});
}

TEST_CASE("a multicast copies to the same offset in all blocks of its mask") {
  CHECK(second_block("mov.u16 %h0, 3;\n"
                     "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster "
                     "[%r0], [%in], 16, [%r1], %h0;\nld.shared.u32 %r6, [buffer+12];\nst.global.u32 [%out+16], %r6;\n",
                     16) == Words{1, 2, 3, 1});
}

TEST_CASE("shared memory is filled with zeros in bulk") {
  PtxLaunch test(kBuffer +
                 "mov.u32 %r0, buffer;\nmov.u32 %r1, 1;\nst.shared.u32 [buffer+12], %r1;\n"
                 "mov.u64 %rd0, 16;\nst.bulk.weak.shared::cta [%r0], %rd0, 0;\n"
                 "ld.shared.v4.u32 {%r4, %r5, %r6, %r7}, [buffer];\n" +
                 kStore);
  test.set_output<std::uint32_t>(3, 9);
  test.run();
  CHECK(test.outputs<std::uint32_t>(4) == Words{0, 0, 0, 0});
  CHECK(test.warnings.empty());
}

// --- tensors ---

TEST_CASE("a tensor map keeps its values, and other bytes are not accepted") {
  TensorMap map;
  map.address = 0x7000'0000'1000;
  map.dimensions = 2;
  map.type = TensorType::kBf16;
  map.size = {std::uint64_t{1} << 32U, 7, 1, 1, 1};
  map.stride = {2, 4096, 0, 0, 0};
  map.box = {64, 3, 1, 1, 1};
  map.element_stride = {1, 2, 1, 1, 1};
  map.swizzle = 3;
  map.fills_nan = true;
  std::vector<std::byte> bytes(kTensorMapBytes);
  map.encode(bytes.data());
  TensorMap read;
  REQUIRE(read.decode(bytes.data()));
  CHECK(read.address == map.address);
  CHECK(read.size == map.size);
  CHECK(read.stride == map.stride);
  CHECK(read.box == map.box);
  CHECK(read.swizzle == 3);
  CHECK(read.fills_nan);
  CHECK(read.box_bytes() == 64 * 2 * 2);
}

TEST_CASE("swizzles move units depending on the number of their row") {
  CHECK(swizzled(0x000, 3) == 0x000);
  CHECK(swizzled(0x080, 3) == 0x090);
  CHECK(swizzled(0x3f4, 3) == 0x384);
  CHECK(swizzled(0x480, 3) == 0x490);
  CHECK(swizzled(0x1c0, 2) == 0x1f0);
  CHECK(swizzled(0x140, 1) == 0x140);
  CHECK(swizzled(0x180, 1) == 0x190);
  CHECK(swizzled(0x3f4, 0) == 0x3f4);
}

// A tensor of 16-bit numbers of 16 columns and 8 rows, 100 row + column, and a box of 8 columns and `rows` rows.
struct Tensor : PtxLaunch {
  TensorMap map;
  explicit Tensor(const std::string& body) : PtxLaunch(kBuffer + kStart + "ld.global.u64 %rd1, [%out+4088];\n" + body) {
    map.address = in;
    map.type = TensorType::kU16;
    map.dimensions = 2;
    map.size = {16, 8, 1, 1, 1};
    map.stride = {2, 32, 0, 0, 0};
    map.box = {8, 4, 1, 1, 1};
    for (std::uint32_t i = 0; i < 128; ++i) {
      set_input<std::uint16_t>(i, static_cast<std::uint16_t>(i / 16 * 100 + i % 16));
    }
  }
  void execute() {
    const Address place = memory.allocate(kTensorMapBytes);
    map.encode(memory.host(place, kTensorMapBytes));
    set_output(511, place);
    run();
  }
};

const std::string kCopyOut =
    "cp.async.bulk.global.shared::cta.bulk_group [%out], [%r0], 256;\n" + kEnded + "st.global.u32 [%out+512], %r7;\n";

std::string load_at(int column, int row) {
  return "mov.u32 %r2, " + std::to_string(column) + ";\nmov.u32 %r3, " + std::to_string(row) +
         ";\ncp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%r0], [%rd1, {%r2, %r3}], "
         "[%r1];\n";
}

TEST_CASE("a box of a tensor is stored by rows in shared memory") {
  Tensor test(expect(64) + load_at(3, 2) + kCopyOut);
  test.execute();
  CHECK(test.output<std::uint32_t>(128) == 1);
  for (std::uint16_t row = 0; row < 4; ++row) {
    for (std::uint16_t column = 0; column < 8; ++column) {
      CHECK(test.output<std::uint16_t>(row * 8U + column) == (row + 2) * 100 + column + 3);
    }
  }
}

TEST_CASE("outside of the tensor there are zeros or NaNs, and their bytes count") {
  for (const bool fills_nan : {false, true}) {
    Tensor test(expect(64) + load_at(-2, 6) + kCopyOut);
    test.map.type = TensorType::kF16;
    test.map.fills_nan = fills_nan;
    test.execute();
    CHECK(test.output<std::uint32_t>(128) == 1);
    const std::uint16_t outside = fills_nan ? 0x7ff7 : 0;
    CHECK(test.output<std::uint16_t>(0) == outside);
    CHECK(test.output<std::uint16_t>(1) == outside);
    CHECK(test.output<std::uint16_t>(2) == 600);
    CHECK(test.output<std::uint16_t>(8 + 7) == 705);
    CHECK(test.output<std::uint16_t>(16 + 4) == outside);
  }
}

TEST_CASE("a stride skips elements") {
  Tensor test(expect(32) + load_at(0, 1) + kCopyOut);
  test.map.element_stride[1] = 3;
  test.execute();
  CHECK(test.output<std::uint32_t>(128) == 1);
  CHECK(test.output<std::uint16_t>(1) == 101);
  CHECK(test.output<std::uint16_t>(8 + 1) == 401);
}

TEST_CASE("a swizzled box is stored as it was loaded") {
  Tensor test(expect(256) + load_at(0, 0) + kCopyOut +
              "mov.u32 %r2, 0;\nmov.u32 %r3, 0;\nmov.b64 %rd2, %rd1;\nadd.u64 %rd2, %rd2, 128;\n"
              "cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%rd2, {%r2, %r3}], [%r0];");
  test.map.box = {16, 8, 1, 1, 1};
  test.map.swizzle = 1;
  const Address place = test.memory.allocate(2 * kTensorMapBytes);
  test.map.encode(test.memory.host(place, kTensorMapBytes));
  TensorMap back = test.map;
  back.address = test.out + 1024;
  back.size = {15, 7, 1, 1, 1};
  back.encode(test.memory.host(place + kTensorMapBytes, kTensorMapBytes));
  test.set_output(511, place);
  test.run();
  // Rows of 32 bytes: from 128 bytes on the two halves of a row are exchanged.
  CHECK(test.output<std::uint16_t>(1) == 1);
  CHECK(test.output<std::uint16_t>(4 * 16) == 408);
  CHECK(test.output<std::uint16_t>(4 * 16 + 8) == 400);
  for (std::uint16_t row = 0; row < 8; ++row) {
    for (std::uint16_t column = 0; column < 16; ++column) {
      CHECK(test.output<std::uint16_t>(512U + row * 16U + column) == (row < 7 && column < 15 ? row * 100 + column : 0));
    }
  }
}

TEST_CASE("boxes of tensors are added to memory") {
  Tensor test(expect(64) + load_at(0, 0) +
              "cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.tile.bulk_group [%rd1, {%r2, %r3}], [%r0];");
  test.map.type = TensorType::kU32;
  test.map.size[0] = 8;
  test.map.stride[0] = 4;
  test.map.box = {4, 4, 1, 1, 1};
  test.execute();
  std::uint32_t doubled = 0;
  std::memcpy(&doubled, test.memory.host(test.in + 36, 4), 4);
  CHECK(doubled == 2 * (102 | 103U << 16U));
}

TEST_CASE("columns of pixels stay in their bounding box, and their offsets come on top") {
  // 8 channels, 4 pixels, 4 images; the bounding box has pixels -1 to 2. Six pixels from pixel 1 on, offset by one: a
  // sequence that an H100 copied in the same way.
  Tensor test(expect(96) +
              "mov.u32 %r2, 0;\nmov.u32 %r3, 1;\nmov.u32 %r4, 2;\nmov.b16 %h0, 1;\n"
              "cp.async.bulk.tensor.3d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes [%r0], "
              "[%rd1, {%r2, %r3, %r4}], [%r1], {%h0};\n" +
              kCopyOut);
  test.map.dimensions = 3;
  test.map.size = {8, 4, 4, 1, 1};
  test.map.stride = {2, 16, 64, 0, 0};
  test.map.box = {8, 1, 1, 1, 1};
  test.map.in_columns = true;
  test.map.pixels = 6;
  test.map.lower[1] = -1;
  test.map.upper[1] = -1;
  test.execute();
  CHECK(test.output<std::uint32_t>(128) == 1);
  // Pixels 2 and 3 of image 2, then 0 to 3 of image 3: a pixel is half a row of the test's matrix.
  const std::vector<std::uint32_t> pixels = {10, 11, 12, 13, 14, 15};
  for (std::uint32_t i = 0; i < pixels.size(); ++i) {
    CHECK(test.output<std::uint16_t>(i * 8U + 3) == pixels[i] / 2 * 100 + pixels[i] % 2 * 8 + 3);
  }
}

TEST_CASE("a box is contiguous pieces of memory, without what is outside of the tensor") {
  Tensor test(load_at(0, 0));
  test.map.box = {16, 4, 1, 1, 1};
  TensorMap map = test.map;
  const auto pieces = [&](std::int64_t column, std::int64_t row) {
    const TensorCoordinates origin = {column, row, 0, 0, 0};
    const TensorCoordinates offsets = {};
    return BoxRows(map, origin, offsets).pieces();
  };
  REQUIRE(pieces(0, 2).size() == 1);
  CHECK(pieces(0, 2)[0].address == test.in + 64);
  CHECK(pieces(0, 2)[0].bytes == 128);
  REQUIRE(pieces(4, 6).size() == 2);
  CHECK(pieces(4, 6)[1].address == test.in + 7 * 32 + 8);
  CHECK(pieces(4, 6)[1].bytes == 24);
  CHECK(pieces(16, 0).empty());
}

TEST_CASE("unsupported tensor copies are reported") {
  Tensor dimensions(load_at(0, 0));
  dimensions.map.dimensions = 3;
  const Address place = dimensions.memory.allocate(kTensorMapBytes);
  dimensions.map.encode(dimensions.memory.host(place, kTensorMapBytes));
  dimensions.set_output(511, place);
  CHECK_THAT(dimensions.fault(), Catch::EndsWith("a tensor map of 3 dimensions, not 2"));
  PtxLaunch none(kBuffer + kStart + "mov.u64 %rd1, %in;\n" + load_at(0, 0));
  CHECK_THAT(none.fault(), Catch::Contains("there is no tensor map at"));
  PtxLaunch flat(kBuffer + kStart +
                 "cp.async.bulk.tensor.2d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes [%r0], "
                 "[%rd1, {%r1, %r1}], [%r1], {%h0};");
  CHECK_THROWS_AS(flat.run(), ptx::PtxError);
  CHECK(element_update(Atomic::kExchange, ptx::DataType::kU32) == nullptr);
  CHECK(element_update(Atomic::kMin, ptx::DataType::kF32) == nullptr);
}

}  // namespace
}  // namespace warpsim::test
