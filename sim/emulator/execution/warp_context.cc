#include "emulator/execution/warp_context.h"

#include <fmt/format.h>

#include "base/demangle.h"
#include "emulator/code/code_place.h"
#include "emulator/code/kernel_image.h"
#include "emulator/execution/launch_context.h"
#include "emulator/execution/sm_effects.h"
#include "emulator/memory/block_memory.h"

namespace warpsim {

const MatrixProduct& WarpContext::product(std::uint32_t number) const {
  return code->products[number];
}

Dim3 WarpContext::thread(std::uint32_t lane) const {
  const Dim3& size = launch->block;
  const std::uint32_t linear = index * kWarpSize + lane;
  return {linear % size.x, linear / size.x % size.y, linear / size.x / size.y};
}

namespace {

std::string told(const WarpContext& warp, const Operation& operation, std::uint32_t lane, const std::string& what) {
  const Dim3 id = warp.thread(lane);
  const Dim3& block = warp.block->index;
  const KernelImage& kernel = *warp.launch->kernel;
  return fmt::format("{}: kernel {}: thread ({}, {}, {}) of block ({}, {}, {}): {}", place_text(kernel, operation),
                     name_for_message(kernel.name()), id.x, id.y, id.z, block.x, block.y, block.z, what);
}

}  // namespace

void WarpContext::fault(FaultKind kind, const Operation& operation, std::uint32_t lane, const std::string& what) const {
  throw KernelFault(kind, told(*this, operation, lane, what));
}

void WarpContext::note_tolerated(const Operation& operation, std::uint32_t lane, const std::string& what) const {
  if (!rehearsing) {
    launch->tolerate(operation.line, told(*this, operation, lane, what));
  }
}

void WarpContext::warn(const Operation& operation, std::uint32_t lane, const std::string& what) const {
  if (!launch->warn || rehearsing) {
    return;
  }
  if (effects != nullptr) {
    effects->warn(*launch, operation.line, told(*this, operation, lane, what), now);
  } else {
    launch->warn(operation.line, told(*this, operation, lane, what));
  }
}

}  // namespace warpsim
