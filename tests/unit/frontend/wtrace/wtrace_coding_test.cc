// How the native format finds repetition: sizes that follow from its rules.
#include <algorithm>
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "frontend/wtrace/wtrace_group_decoder.h"
#include "frontend/wtrace/wtrace_group_encoder.h"
#include "frontend/wtrace/wtrace_predictor.h"
#include "support/invented_trace.h"

namespace warpsim {
namespace {

using test::InventedKernel;
using wtrace::OriginPredictor;
using wtrace::OriginRule;

trace::Group group_of(const InventedKernel& kernel) {
  wtrace::GroupEncoder encoder(kernel.launch);
  for (const BlockTrace& block : kernel.blocks) {
    encoder.add(block);
  }
  return encoder.take();
}

TEST_CASE("wtrace: warps with equal execution share one path") {
  InventedKernel kernel = test::invented_kernel(test::invented_program(12), 10, 64);
  for (BlockTrace& block : kernel.blocks) {
    for (std::uint32_t warp = 0; warp < 2; ++warp) {
      for (std::uint32_t i = 0; i < 12; ++i) {
        test::add_instruction(block, i, kAllLanes);
      }
      test::end_warp(block);
    }
  }
  const trace::Group group = group_of(kernel);
  CHECK(group.path_count() == 1);
  CHECK(group.warp_paths() == std::string(20, '\x01'));
  // One run: full mask from the history, length 12 stated after it.
  CHECK(group.paths() == std::string("\x01\x00\x0c", 3));
  CHECK(group.path_masks().empty());
}

TEST_CASE("wtrace: masks of a guarded instruction that differ between warps do not split their path") {
  InventedKernel kernel = test::invented_kernel(test::invented_program(5), 1, 320);
  for (std::uint32_t warp = 0; warp < 10; ++warp) {
    const LaneMask guarded = 0x10101 * (warp + 1);
    for (std::uint32_t i = 0; i < 5; ++i) {
      test::add_instruction(kernel.blocks[0], i, i == 1 || i == 2 ? guarded : kAllLanes);
    }
    test::end_warp(kernel.blocks[0]);
  }
  const trace::Group group = group_of(kernel);
  CHECK(group.path_count() == 1);
  CHECK(group.path_masks().empty());
  // Instruction 2 repeats the masks of instruction 1: one column of ten masks.
  REQUIRE(group.mask_columns_size() == 1);
  CHECK(group.mask_columns(0).instruction() == 1);
  CHECK(group.mask_columns(0).masks().size() == 40);
  CHECK(group.mask_columns(0).masks().substr(0, 8) == std::string("\x01\x01\x01\x00\x02\x02\x02\x00", 8));
}

TEST_CASE("wtrace: addresses that move regularly over warps and blocks leave no differences") {
  InventedKernel kernel = test::invented_kernel(test::invented_program(1), 8, 128);
  for (BlockTrace& block : kernel.blocks) {
    for (std::uint64_t warp = 0; warp < 4; ++warp) {
      for (std::uint64_t i = 0; i < 6; ++i) {
        test::add_strided(block, 0, kAllLanes, 0x7f0000000000 + block.linear_index * 512 + warp * 128 + i * 65536, 4);
      }
      test::end_warp(block);
    }
  }
  const trace::Group group = group_of(kernel);
  REQUIRE(group.address_columns_size() == 1);
  const std::string& origins = group.address_columns(0).origins();
  CHECK(origins.size() < 8 * 4 * 6 + 10);
  CHECK(std::count(origins.begin(), origins.end(), '\0') >= 8 * 4 * 6 - 10);
}

TEST_CASE("wtrace: lanes that are a subset of a known shape do not need their own shape") {
  InventedKernel kernel = test::invented_kernel(test::invented_program(1), 1, 32);
  std::vector<Address> all;
  for (Address lane = 0; lane < 32; ++lane) {
    all.push_back(0x500 + lane / 4 * 16 + lane);
  }
  test::add_list(kernel.blocks[0], 0, kAllLanes, all);
  test::add_list(kernel.blocks[0], 0, 0x80000011, {all[0] + 64, all[4] + 64, all[31] + 64});
  test::end_warp(kernel.blocks[0]);
  const trace::Group group = group_of(kernel);
  CHECK(group.shapes().size() == 32);  // one kind and 31 differences of one byte
  CHECK(group.address_columns(0).shapes() == std::string(2, '\0'));
}

TEST_CASE("wtrace: the example of the format's description decodes to the stated content") {
  trace::Group group;
  group.set_block_count(1);
  group.set_instructions(3);
  group.set_path_count(1);
  group.set_paths("\x02\x40\x25");
  group.set_path_masks(std::string("\xff\xff\x00\x00", 4));
  group.set_warp_paths("\x01");
  group.set_shapes("\x01\x08");
  trace::AddressColumn& column = *group.add_address_columns();
  column.set_instruction(1);
  column.set_shapes(std::string(1, '\0'));
  column.set_first_origin(0x1000);
  column.set_origins(std::string(1, '\0'));
  wtrace::GroupDecoder decoder(group, 3, 1);
  BlockTrace block;
  wtrace::CodedBlock coded;
  decoder.next(coded);
  decoder.expand(coded, block);
  CHECK(decoder.finished());
  BlockTrace expected;
  expected.warp_begin = {0};
  test::add_instruction(expected, 0, kAllLanes);
  test::add_strided(expected, 1, kAllLanes, 0x1000, 4);
  test::add_instruction(expected, 2, 0xffff);
  test::end_warp(expected);
  CHECK(test::difference(expected, block) == "");
}

// A path of one instruction that each mask code gives its mask: codes 5, 6, 7, 0, 9, 1, 8, 10, 4 one after another.
TEST_CASE("wtrace: every mask code gives the mask that the format states") {
  trace::Group group;
  group.set_block_count(1);
  group.set_instructions(9);
  group.set_path_count(1);
  group.set_paths("\x09\x25\x26\x27\x20\x29\x21\x28\x2a\x24");
  group.set_path_masks("\xf0\xf0\xf0\xf0\x30\x30\x30\x30");
  group.set_warp_paths("\x01");
  wtrace::GroupDecoder decoder(group, 9, 1);
  BlockTrace block;
  wtrace::CodedBlock coded;
  decoder.next(coded);
  decoder.expand(coded, block);
  std::vector<LaneMask> masks;
  for (const WarpInstruction& instruction : block.instructions) {
    masks.push_back(instruction.active);
  }
  CHECK(masks == std::vector<LaneMask>{0xf0f0f0f0,  // 5: pushed on {ffffffff}
                                       0x30303030,  // 6: aside
                                       0x30303030,  // 7: aside again
                                       0xf0f0f0f0,  // 0: the front is still the flow
                                       0xc0c0c0c0,  // 9: without aside, pushed
                                       0xf0f0f0f0,  // 1: to the front again
                                       0x30303030,  // 8: aside, pushed
                                       0xc0c0c0c0,  // 10: f0f0f0f0 without 30303030
                                       0});
}

TEST_CASE("origin predictor: last and linear continue the column") {
  OriginPredictor last(OriginRule::kLast, 100, 2);
  CHECK(last.predict(0, 0) == 100);
  last.update(130);
  CHECK(last.predict(1, 1) == 130);
  OriginPredictor linear(OriginRule::kLinear, 100, 2);
  CHECK(linear.predict(0, 0) == 100);
  linear.update(100);
  CHECK(linear.predict(0, 0) == 100);
  linear.update(107);
  CHECK(linear.predict(1, 1) == 114);
}

TEST_CASE("origin predictor: a warp changes like the previous warp") {
  OriginPredictor plane(OriginRule::kWarpPlane, 100, 2);
  CHECK(plane.predict(0, 0) == 100);
  plane.update(100);
  CHECK(plane.predict(0, 0) == 100);
  plane.update(110);
  CHECK(plane.predict(0, 0) == 120);  // no warp before: continues its own step
  plane.update(125);
  CHECK(plane.predict(1, 1) == 100);  // no step between warps yet
  plane.update(1000);
  CHECK(plane.predict(1, 1) == 1010);
  plane.update(1010);
  CHECK(plane.predict(1, 1) == 1025);
  plane.update(1025);
  CHECK(plane.predict(0, 2) == 1900);  // 1000 and the step of 900
}

TEST_CASE("origin predictor: a warp changes like the same warp of the previous block") {
  OriginPredictor plane(OriginRule::kBlockPlane, 0, 2);
  const auto next = [&](std::uint32_t warp, std::uint64_t serial, Address origin) {
    const Address predicted = plane.predict(warp, serial);
    plane.update(origin);
    return predicted;
  };
  next(0, 0, 10);
  next(0, 0, 20);
  next(1, 1, 500);
  next(1, 1, 700);
  CHECK(next(0, 2, 40) == 10);
  CHECK(next(0, 2, 50) == 50);
  CHECK(next(1, 3, 600) == 500);
  CHECK(next(1, 3, 800) == 800);
  CHECK(next(0, 4, 70) == 70);
}

}  // namespace
}  // namespace warpsim
