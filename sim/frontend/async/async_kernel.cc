#include "frontend/async/async_kernel.h"

#include <algorithm>
#include <utility>

namespace warpsim {

bool is_asynchronous(const StaticProgram& program) {
  return has_text(program) && std::ranges::any_of(program.instructions, [](const StaticInstruction& instruction) {
           return instruction.kind == OpKind::kMbarrier || instruction.kind == OpKind::kBulkCopy;
         });
}

AsyncKernel::AsyncKernel(const KernelLaunch& launch, std::unique_ptr<BlockReader> reader)
    : launch_(launch),
      reader_(std::move(reader)),
      scalar_(make_scalar_program(*launch_.program)),
      decoder_(launch_, scalar_),
      loops_(*launch_.program, scalar_),
      tiles_(launch_) {
  findings_->kernel = launch.kernel;
}

std::vector<std::uint64_t> AsyncKernel::members_of(std::uint64_t linear_index) const {
  const Dim3& grid = launch_.grid;
  const Dim3& cluster = launch_.cluster;
  const std::uint64_t x = linear_index % grid.x / cluster.x * cluster.x;
  const std::uint64_t y = linear_index / grid.x % grid.y / cluster.y * cluster.y;
  const std::uint64_t z = linear_index / grid.x / grid.y / cluster.z * cluster.z;
  std::vector<std::uint64_t> members;
  for (std::uint32_t k = 0; k < cluster.z; ++k) {
    for (std::uint32_t j = 0; j < cluster.y; ++j) {
      for (std::uint32_t i = 0; i < cluster.x; ++i) {
        members.push_back(x + i + std::uint64_t{grid.x} * (y + j + std::uint64_t{grid.y} * (z + k)));
      }
    }
  }
  return members;
}

void AsyncKernel::read(std::uint64_t linear_index, BlockTrace& out) {
  if (!ready_.contains(linear_index)) {
    read_cluster(linear_index);
  }
  const auto found = ready_.find(linear_index);
  out = std::move(found->second);
  ready_.erase(found);
}

void AsyncKernel::read_cluster(std::uint64_t linear_index) {
  const std::vector<std::uint64_t> members = members_of(linear_index);
  std::vector<AsyncBlock> blocks;
  blocks.reserve(members.size());
  std::vector<CopySizes::Member> cluster;
  for (const std::uint64_t member : members) {
    BlockTrace& trace = ready_[member];
    reader_->read(member, trace);
    blocks.push_back(decoder_.decode(trace));
    loops_.fold(trace, findings_->loops);
    cluster.push_back({&trace, &blocks.back()});
  }
  sizes_.infer(*launch_.program, cluster, findings_->sizes);
  tiles_.assign(cluster);
  note(cluster);
}

void AsyncKernel::note(const std::vector<CopySizes::Member>& cluster) {
  for (const CopySizes::Member& member : cluster) {
    findings_->unknown_operations += member.block->unknown_operations;
    findings_->contradictions += member.block->contradictions;
    findings_->copies += member.block->copies.size();
    findings_->tensor_loads += static_cast<std::uint64_t>(
        std::ranges::count_if(member.block->copies, [](const AsyncCopyRecord& copy) { return copy.by_descriptor; }));
  }
  findings_->box_bytes.clear();
  for (const auto& [name, bytes] : sizes_.sizes()) {
    findings_->box_bytes.push_back(bytes);
  }
  std::ranges::sort(findings_->box_bytes);
  findings_->tile_grid.clear();
  for (const TileAddresses::Axis& axis : tiles_.axes()) {
    findings_->tile_grid.push_back(axis.extent);
  }
}

}  // namespace warpsim
