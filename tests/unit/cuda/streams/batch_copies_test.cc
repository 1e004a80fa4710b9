// Batches of copies by one call.
#include "cuda/streams/batch_copies.h"

#include <array>
#include <catch2/catch.hpp>
#include <numeric>
#include <vector>

#include "cuda/streams/batch_copy_api.h"
#include "support/graph_program.h"

namespace warpsim::cuda {
namespace {

using test::GraphProgram;

constexpr int kOrderOfStream = 1;
constexpr int kOrderDuringCall = 2;

abi::CopyAttributes attributes(int order) {
  abi::CopyAttributes all = {};
  all.source_order = order;
  return all;
}

abi::CopyOperand pointer(void* data, std::size_t row_elements = 0, std::size_t slice_rows = 0) {
  abi::CopyOperand operand = {};
  operand.type = 1;
  operand.pointer = {data, row_elements, slice_rows, {}};
  return operand;
}

TEST_CASE("Batch of copies: each pair of pointers is copied") {
  GraphProgram program;
  std::array<std::uint8_t, 64> in = {};
  std::iota(in.begin(), in.end(), std::uint8_t{1});
  std::array<std::uint8_t, 64> out = {};
  auto* const device = static_cast<std::uint8_t*>(program.data);
  void* targets[] = {device, device + 32, device + 64};
  const void* sources[] = {in.data(), in.data() + 16, in.data() + 40};
  const std::size_t bytes[] = {16, 8, 4};
  const abi::CopyAttributes all[] = {attributes(kOrderOfStream), attributes(kOrderDuringCall)};
  const std::size_t first[] = {0, 2};
  REQUIRE(cudaMemcpyBatchAsync(targets, sources, bytes, 3, all, first, 2, program.stream) == kSuccess);
  void* back[] = {out.data(), out.data() + 16, out.data() + 24};
  const void* from[] = {device, device + 32, device + 64};
  REQUIRE(cudaMemcpyBatchAsync(back, from, bytes, 3, all, first, 1, program.stream) == kSuccess);
  REQUIRE(cudaStreamSynchronize(program.stream) == kSuccess);
  CHECK(std::equal(in.begin(), in.begin() + 16, out.begin()));
  CHECK(std::equal(in.begin() + 16, in.begin() + 24, out.begin() + 16));
  CHECK(std::equal(in.begin() + 40, in.begin() + 44, out.begin() + 24));
}

TEST_CASE("Batch of copies: errors, after which nothing was copied") {
  GraphProgram program;
  std::uint32_t word = 7;
  REQUIRE(cudaMemset(program.data, 0, 64) == kSuccess);
  void* targets[] = {program.data, nullptr};
  const void* sources[] = {&word, &word};
  std::size_t bytes[] = {4, 4};
  const abi::CopyAttributes good[] = {attributes(kOrderOfStream), attributes(kOrderOfStream)};
  const std::size_t first[] = {0, 1};
  std::size_t failed = 5;
  CHECK(cuMemcpyBatchAsync(targets, const_cast<void* const*>(sources), bytes, 2, good, first, 1, &failed,
                           program.stream) == kInvalidValue);
  CHECK(failed == 1);
  std::uint32_t back = 1;
  REQUIRE(cudaMemcpy(&back, program.data, 4, 2) == kSuccess);
  CHECK(back == 0);
  const auto copy_one = [&](const abi::CopyAttributes* all, const std::size_t* firsts, std::size_t count,
                            StreamHandle stream) {
    return cudaMemcpyBatchAsync(targets, sources, bytes, 1, all, firsts, count, stream);
  };
  CHECK(copy_one(good, first, 2, program.stream) == kInvalidValue);  // more attributes than copies
  CHECK(copy_one(good, first, 0, program.stream) == kInvalidValue);
  CHECK(copy_one(good, first + 1, 1, program.stream) == kInvalidValue);
  const abi::CopyAttributes invalid = attributes(0);
  CHECK(copy_one(&invalid, first, 1, program.stream) == kInvalidValue);
  CHECK(copy_one(good, first, 1, reinterpret_cast<StreamHandle>(1)) == kInvalidValue);  // the legacy default stream
  CHECK(cudaMemcpyBatchAsync(targets, sources, bytes, 0, good, first, 1, program.stream) == kInvalidValue);
  CHECK(copy_one(good, first, 1, program.stream) == kSuccess);
  CHECK(cuMemcpyBatchAsync(targets, const_cast<void* const*>(sources), bytes, 0, good, first, 1, &failed,
                           program.stream) == kInvalidValue);
  CHECK(failed == SIZE_MAX);
}

TEST_CASE("Batch of boxes: pitches, slices and arrays") {
  GraphProgram program;
  std::array<std::uint8_t, 48> in = {};
  std::iota(in.begin(), in.end(), std::uint8_t{1});
  std::array<std::uint8_t, 48> out = {};
  abi::CopyOfBatch copies[2] = {};
  // Two slices of two rows of three bytes; the rows of the source have 4 bytes, its slices 3 rows.
  copies[0].source = pointer(in.data(), 4, 3);
  copies[0].target = pointer(program.data);
  copies[0].extent = {3, 2, 2};
  copies[0].source_order = kOrderOfStream;
  copies[1] = copies[0];
  copies[1].source = pointer(in.data() + 24);
  copies[1].target = pointer(static_cast<std::uint8_t*>(program.data) + 64);
  copies[1].extent = {5, 1, 1};
  REQUIRE(cudaMemcpy3DBatchAsync(2, copies, 0, program.stream) == kSuccess);
  REQUIRE(cudaMemcpy(out.data(), program.data, 12, 2) == kSuccess);
  CHECK(std::vector<int>(out.begin(), out.begin() + 12) == std::vector<int>{1, 2, 3, 5, 6, 7, 13, 14, 15, 17, 18, 19});
  REQUIRE(cudaMemcpy(out.data(), static_cast<std::uint8_t*>(program.data) + 64, 5, 2) == kSuccess);
  CHECK(std::equal(in.begin() + 24, in.begin() + 29, out.begin()));

  ArrayHandle array = nullptr;
  const abi::ChannelFormat words = {{32, 0, 0, 0}, 1};
  REQUIRE(cudaMallocArray(&array, &words, 8, 2, 0) == kSuccess);
  copies[0].source = pointer(in.data());
  copies[0].target = {};
  copies[0].target.type = 2;
  copies[0].target.array = {array, {4, 1, 0}};
  copies[0].extent = {4, 1, 1};  // elements of the array
  REQUIRE(cudaMemcpy3DBatchAsync(1, copies, 0, program.stream) == kSuccess);
  std::swap(copies[0].source, copies[0].target);
  out = {};
  copies[0].target = pointer(out.data());
  REQUIRE(cudaMemcpy3DBatchAsync(1, copies, 0, program.stream) == kSuccess);
  REQUIRE(cudaStreamSynchronize(program.stream) == kSuccess);
  CHECK(std::equal(in.begin(), in.begin() + 16, out.begin()));

  copies[0].target = pointer(out.data(), 3);  // rows shorter than the copy
  CHECK(cudaMemcpy3DBatchAsync(1, copies, 0, program.stream) == kInvalidValue);
  copies[0].target = pointer(out.data());
  copies[0].extent.height = 0;
  CHECK(cudaMemcpy3DBatchAsync(1, copies, 0, program.stream) == kInvalidValue);
  copies[0].extent.height = 1;
  CHECK(cudaMemcpy3DBatchAsync(1, copies, 1, program.stream) == kInvalidValue);
  copies[0].source_order = 4;
  CHECK(cudaMemcpy3DBatchAsync(1, copies, 0, program.stream) == kInvalidValue);
}

}  // namespace
}  // namespace warpsim::cuda
