#include "frontend/wtrace/wtrace_writer.h"

#include <fmt/format.h>

#include <utility>

#include "base/check.h"
#include "base/error.h"
#include "frontend/wtrace/wtrace_format.h"
#include "frontend/wtrace/wtrace_frame.h"
#include "frontend/wtrace/wtrace_group_encoder.h"
#include "frontend/wtrace/wtrace_program.h"

namespace warpsim {
namespace {

void put_dim3(const Dim3& from, trace::Dim3& to) {
  to.set_x(from.x);
  to.set_y(from.y);
  to.set_z(from.z);
}

}  // namespace

struct WtraceWriter::State {
  explicit State(const std::string& path) : frames(path) {}

  wtrace::FrameWriter frames;
  trace::Index index;
  std::map<std::string, std::uint32_t> functions;  // serialised message -> number
  // Of the kernel being written.
  std::optional<KernelLaunch> launch;
  trace::Kernel* kernel = nullptr;
  std::unique_ptr<wtrace::GroupEncoder> group;
  std::uint64_t blocks = 0;
};

WtraceWriter::WtraceWriter(const std::string& path) : state_(std::make_unique<State>(path)) {
  state_->index.set_producer("warpsim");
}

WtraceWriter::~WtraceWriter() = default;

void WtraceWriter::add_copy(const CopyToDevice& copy) {
  SIM_CHECK(!state_->launch, "a copy inside a kernel");
  trace::CopyToDevice& out = *state_->index.add_commands()->mutable_copy();
  out.set_destination(copy.destination);
  out.set_bytes(copy.bytes);
}

std::uint32_t WtraceWriter::function_of(const StaticProgram& program) {
  const trace::Function function = wtrace::to_message(program);
  const auto next = static_cast<std::uint32_t>(state_->functions.size());
  const auto [known, is_new] = state_->functions.try_emplace(function.SerializeAsString(), next);
  if (is_new) {
    *state_->index.add_functions() = state_->frames.write(wtrace::FrameKind::kFunction, function);
  }
  return known->second;
}

void WtraceWriter::begin_kernel(const KernelLaunch& launch) {
  SIM_CHECK(!state_->launch, "a kernel inside a kernel");
  SIM_CHECK(launch.program != nullptr, "a kernel without a program");
  state_->launch = launch;
  trace::Kernel& out = *state_->index.add_commands()->mutable_kernel();
  out.set_name(launch.kernel);
  put_dim3(launch.grid, *out.mutable_grid());
  put_dim3(launch.block, *out.mutable_block());
  put_dim3(launch.cluster, *out.mutable_cluster());
  out.set_registers_per_thread(launch.registers_per_thread);
  out.set_shared_bytes(launch.shared_bytes);
  out.set_local_bytes_per_thread(launch.local_bytes_per_thread);
  out.set_stream(launch.stream);
  out.set_shared_base(launch.shared_base);
  out.set_local_base(launch.local_base);
  out.set_function(function_of(*launch.program));
  state_->kernel = &out;
  state_->group = std::make_unique<wtrace::GroupEncoder>(*state_->launch);
  state_->blocks = 0;
}

void WtraceWriter::add_block(BlockTrace block) {
  SIM_CHECK(state_->launch.has_value(), "a block outside a kernel");
  SIM_CHECK(block.linear_index == state_->blocks, "blocks out of order");
  state_->group->add(std::move(block));
  ++state_->blocks;
  if (state_->group->full()) {
    write_group();
  }
}

void WtraceWriter::write_group() {
  const trace::Group group = state_->group->take();
  trace::GroupRef& ref = *state_->kernel->add_groups();
  *ref.mutable_frame() = state_->frames.write(wtrace::FrameKind::kGroup, group);
  ref.set_block_count(group.block_count());
  ref.set_instructions(group.instructions());
}

void WtraceWriter::end_kernel() {
  SIM_CHECK(state_->launch.has_value(), "the end of a kernel outside a kernel");
  const std::uint64_t expected = state_->launch->grid.count();
  if (state_->blocks != expected) {
    throw TraceError(fmt::format("kernel '{}': {} blocks recorded; expected the {} of its grid", state_->launch->kernel,
                                 state_->blocks, expected));
  }
  if (!state_->group->empty()) {
    write_group();
  }
  state_->group.reset();
  state_->launch.reset();
}

void WtraceWriter::finish() {
  SIM_CHECK(!state_->launch, "finish inside a kernel");
  state_->frames.finish(state_->index);
}

}  // namespace warpsim
