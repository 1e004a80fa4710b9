// How well the native format finds what repeats: sizes that follow from its rules.
#include <catch2/catch.hpp>

#include "frontend/wtrace_group_encoder.h"
#include "frontend/wtrace_predictor.h"
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

TEST_CASE("wtrace: warps that run the same way share one path") {
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
  // One run: full mask from the history, length 12 stated behind it.
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
  // Instruction 2 repeats what instruction 1 had: one column of ten masks.
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

TEST_CASE("wtrace: lanes that are a subset of a known shape need no shape of their own") {
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

TEST_CASE("origin predictor: a warp moves as the warp before did") {
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

TEST_CASE("origin predictor: a warp moves as the same warp of the block before did") {
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
