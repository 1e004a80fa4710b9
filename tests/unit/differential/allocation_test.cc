// Simulation allocates nothing while a kernel runs: buffers have grown to their working sizes, blocks are returned
// ready-made. This executable counts every allocation.
#include <atomic>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <memory>
#include <new>

#include "support/machine.h"
#include "unit/differential/synthetic_kernels.h"

namespace {
std::atomic<std::uint64_t> allocations{0};

void* counted_allocation(std::size_t bytes) {
  allocations.fetch_add(1, std::memory_order_relaxed);
  void* memory = std::malloc(bytes == 0 ? 1 : bytes);
  if (memory == nullptr) {
    throw std::bad_alloc();
  }
  return memory;
}
}  // namespace

void* operator new(std::size_t bytes) {
  return counted_allocation(bytes);
}
void* operator new[](std::size_t bytes) {
  return counted_allocation(bytes);
}
// Sanitizers replace these as well; they must match our delete.
void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept {
  return std::malloc(bytes == 0 ? 1 : bytes);
}
void* operator new[](std::size_t bytes, const std::nothrow_t&) noexcept {
  return std::malloc(bytes == 0 ? 1 : bytes);
}
void operator delete(void* memory) noexcept {
  std::free(memory);
}
void operator delete[](void* memory) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}
void operator delete[](void* memory, std::size_t) noexcept {
  std::free(memory);
}

namespace warpsim::test {
namespace {

// Allocations between two reports of progress, 2000 cycles apart, of a kernel whose blocks stay resident: from the
// `first` report to the `last`.
std::uint64_t allocations_while_running(const KernelBuilder& builder, KernelShape shape, int first, int last) {
  shape.supply = Supply::kWhole;
  SyntheticKernel kernel(builder, shape);
  Machine gpu(tiny_config(), {});
  int reports = 0;
  std::uint64_t at_first = 0;
  std::uint64_t at_last = 0;
  gpu.run(kernel, {.progress = [&](const LaunchProgress&) {
            ++reports;
            at_first = reports == first ? allocations.load() : at_first;
            at_last = reports == last ? allocations.load() : at_last;
          }});
  REQUIRE(reports > last);
  return at_last - at_first;
}

// One iteration of a kernel, repeated so that it runs for tens of thousands of cycles.
KernelBuilder endless(const std::function<void(KernelBuilder&)>& round) {
  KernelBuilder k;
  k.loop(2000, [&] { round(k); });
  k.exit();
  return k;
}

TEST_CASE("Counting allocations works") {
  const std::uint64_t before = allocations.load();
  const auto value = std::make_unique<int>(1);
  CHECK(*value == 1);
  CHECK(allocations.load() > before);
}

TEST_CASE("Arithmetic, barriers and shared memory allocate nothing while they run") {
  const KernelBuilder k = endless([](KernelBuilder& b) {
    b.iadd_constant(1, 2, 0, 0x210);
    b.ffma(4, 0, 2, 6).stall(4);
    b.mufu(5, 4).writes(0);
    b.sts({.base = 0, .lane_stride = 8}, 5).waits(0).reads(1);
    b.bar().waits(1);
    b.lds(6, {.base = 0, .lane_stride = 16}).writes(2);
    b.ldc(7, 0, 0x240).writes(3);
    b.iadd(8, 6, 7).waits(2).waits(3);
  });
  CHECK(allocations_while_running(k, {.blocks = 2, .warps = 8, .shared_bytes = 1024}, 4, 12) == 0);
}

TEST_CASE("Global loads, stores, atomics and copies allocate nothing while they run") {
  const KernelBuilder k = endless([](KernelBuilder& b) {
    b.ldg(4, {.base = 0x100000, .warp_stride = 0x10000, .block_stride = 0x100000, .round_stride = 128}).writes(0);
    b.ldg(5, {.base = 0x800000, .lane_stride = 256, .round_stride = 64}).writes(1);
    b.ffma(6, 4, 5, 6).waits(0).waits(1).stall(4);
    b.stg({.base = 0x900000, .warp_stride = 0x10000, .round_stride = 128}, 6).reads(2);
    b.store("RED.E.ADD", {.base = 0xa00000, .lane_stride = 0, .round_stride = 32}, 6);
    b.load("ATOMG.E.ADD", 7, {.base = 0xb00000, .lane_stride = 4}).writes(3);
    b.ldgsts({.base = 0xc00000, .lane_stride = 16, .round_stride = 512});
    b.commit(4);
    b.depbar(4, 1);
    b.iadd(8, 7, 7).waits(3).waits(2);
  });
  // 80 thousand cycles. A pool may still double at a new maximum of its use; there are no regular allocations.
  CHECK(allocations_while_running(k, {.blocks = 2, .warps = 4}, 50, 90) <= 3);
}

}  // namespace
}  // namespace warpsim::test
