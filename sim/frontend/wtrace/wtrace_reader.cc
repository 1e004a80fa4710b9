#include "frontend/wtrace/wtrace_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <list>
#include <map>
#include <utility>

#include "base/error.h"
#include "base/input_file.h"
#include "frontend/workload/block_trace.h"
#include "frontend/wtrace/wtrace_format.h"
#include "frontend/wtrace/wtrace_frame.h"
#include "frontend/wtrace/wtrace_group_decoder.h"
#include "frontend/wtrace/wtrace_program.h"

namespace warpsim {
namespace {

// Number of groups of a kernel that are kept open for blocks that are requested out of order.
constexpr std::size_t kOpenGroups = 4;

Dim3 dim3_of(const trace::Dim3& from) {
  return Dim3{from.x(), from.y(), from.z()};
}

// A file and the state that all its kernels share.
class TraceFile {
 public:
  explicit TraceFile(const std::string& path) : frames_(path) {
    frames_.read(frames_.index(), wtrace::FrameKind::kIndex, index_);
    functions_.resize(static_cast<std::size_t>(index_.functions_size()));
  }

  const wtrace::FrameFile& frames() const { return frames_; }
  const trace::Index& index() const { return index_; }
  const std::string& path() const { return frames_.path(); }
  std::shared_ptr<const StaticProgram> function(std::uint32_t number);

 private:
  wtrace::FrameFile frames_;
  trace::Index index_;
  std::vector<std::shared_ptr<const StaticProgram>> functions_;  // those requested so far
};

std::shared_ptr<const StaticProgram> TraceFile::function(std::uint32_t number) {
  std::shared_ptr<const StaticProgram>& program = functions_[number];
  if (program == nullptr) {
    const trace::FrameRef& ref = index_.functions(static_cast<int>(number));
    trace::Function function;
    frames_.read(ref, wtrace::FrameKind::kFunction, function);
    try {
      program = std::make_shared<StaticProgram>(wtrace::from_message(function));
    } catch (const wtrace::StreamError& error) {
      throw TraceError(
          fmt::format("{}: function {} at byte {}: {}", frames_.path(), number, ref.offset(), error.what()));
    }
  }
  return program;
}

class WtraceBlockReader final : public BlockReader {
 public:
  // `kernel` is part of the file's index; its groups cover the grid.
  WtraceBlockReader(std::shared_ptr<TraceFile> file, const trace::Kernel& kernel, const KernelLaunch& launch);
  void read(std::uint64_t linear_index, BlockTrace& out) override;

 private:
  struct OpenGroup {
    OpenGroup(std::size_t group, trace::Group message, std::uint32_t program_size, std::uint32_t warps_per_block)
        : number(group), decoder(std::move(message), program_size, warps_per_block) {}
    std::size_t number;
    wtrace::GroupDecoder decoder;
    std::map<std::uint64_t, BlockTrace> waiting;  // decoded on the way to a later block
  };

  std::list<OpenGroup>::iterator open(std::size_t group);
  void check_texels(std::size_t group, const trace::Group& message) const;
  void read_from(OpenGroup& group, std::uint64_t linear_index, BlockTrace& out);
  [[noreturn]] void fail(std::size_t group, const std::string& what) const;

  std::shared_ptr<TraceFile> file_;
  const trace::Kernel& kernel_;
  std::uint32_t launch_index_;
  std::shared_ptr<const StaticProgram> program_;
  std::uint32_t program_size_;
  std::uint32_t warps_per_block_;
  std::vector<std::uint64_t> first_block_;  // by group, and the end
  std::list<OpenGroup> open_;               // most recently used first
};

WtraceBlockReader::WtraceBlockReader(std::shared_ptr<TraceFile> file, const trace::Kernel& kernel,
                                     const KernelLaunch& launch)
    : file_(std::move(file)),
      kernel_(kernel),
      launch_index_(launch.launch_index),
      program_(launch.program),
      program_size_(static_cast<std::uint32_t>(launch.program->instructions.size())),
      warps_per_block_(launch.warps_per_block()),
      first_block_{0} {
  for (const trace::GroupRef& group : kernel.groups()) {
    first_block_.push_back(first_block_.back() + group.block_count());
  }
}

void WtraceBlockReader::fail(std::size_t group, const std::string& what) const {
  throw TraceError(fmt::format("{}: launch {} ('{}'), group {} at byte {}: {}", file_->path(), launch_index_,
                               kernel_.name(), group, kernel_.groups(static_cast<int>(group)).frame().offset(), what));
}

std::list<WtraceBlockReader::OpenGroup>::iterator WtraceBlockReader::open(std::size_t group) {
  const trace::GroupRef& ref = kernel_.groups(static_cast<int>(group));
  trace::Group message;
  file_->frames().read(ref.frame(), wtrace::FrameKind::kGroup, message);
  if (message.first_block() != first_block_[group] || message.block_count() != ref.block_count() ||
      message.instructions() != ref.instructions()) {
    fail(group,
         fmt::format("it holds {} blocks from {} with {} instructions; expected {} from {} with {}, as the index "
                     "says",
                     message.block_count(), message.first_block(), message.instructions(), ref.block_count(),
                     first_block_[group], ref.instructions()));
  }
  if (open_.size() == kOpenGroups) {
    open_.pop_back();
  }
  check_texels(group, message);
  open_.emplace_front(group, std::move(message), program_size_, warps_per_block_);
  return open_.begin();
}

// Only instructions that the texture units execute have texels.
void WtraceBlockReader::check_texels(std::size_t group, const trace::Group& message) const {
  for (const trace::AddressColumn& column : message.address_columns()) {
    if (!column.texels().empty() && column.instruction() < program_size_ &&
        program_->instructions[column.instruction()].kind != OpKind::kTexture) {
      fail(group, fmt::format("instruction {} has 'texels'; expected them only of texture and surface instructions",
                              column.instruction()));
    }
  }
}

void WtraceBlockReader::read_from(OpenGroup& group, std::uint64_t linear_index, BlockTrace& out) {
  const auto waiting = group.waiting.find(linear_index);
  if (waiting != group.waiting.end()) {
    out = std::move(waiting->second);
    group.waiting.erase(waiting);
    return;
  }
  while (group.decoder.next_block() < linear_index) {
    const std::uint64_t earlier = group.decoder.next_block();
    group.decoder.next(group.waiting[earlier]);
  }
  group.decoder.next(out);
}

void WtraceBlockReader::read(std::uint64_t linear_index, BlockTrace& out) {
  if (linear_index >= first_block_.back()) {
    throw TraceError(fmt::format("{}: launch {} ('{}'): block {} is requested; expected less than {}", file_->path(),
                                 launch_index_, kernel_.name(), linear_index, first_block_.back()));
  }
  const auto after = std::upper_bound(first_block_.begin(), first_block_.end(), linear_index);
  const auto number = static_cast<std::size_t>(after - first_block_.begin()) - 1;
  try {
    auto group = std::find_if(open_.begin(), open_.end(), [&](const OpenGroup& o) { return o.number == number; });
    if (group != open_.end() && linear_index < group->decoder.next_block() && group->waiting.count(linear_index) == 0) {
      open_.erase(group);  // returned before: decode the group again
      group = open_.end();
    }
    if (group == open_.end()) {
      group = open(number);
    } else {
      open_.splice(open_.begin(), open_, group);
    }
    read_from(*group, linear_index, out);
    if (group->decoder.finished() && group->waiting.empty()) {
      open_.erase(group);
    }
  } catch (const wtrace::StreamError& error) {
    fail(number, error.what());
  }
}

// Makes launches of the index's kernels, each checked.
class KernelOpener {
 public:
  KernelOpener(std::shared_ptr<TraceFile> file, const trace::Kernel& kernel, std::uint32_t launch_index)
      : file_(std::move(file)), kernel_(kernel), launch_index_(launch_index) {}

  WtraceKernel open() const;

 private:
  void check() const;
  [[noreturn]] void fail(const std::string& what) const {
    throw TraceError(fmt::format("{}: launch {}: {}", file_->path(), launch_index_, what));
  }

  std::shared_ptr<TraceFile> file_;
  const trace::Kernel& kernel_;
  std::uint32_t launch_index_;
};

void KernelOpener::check() const {
  const auto check_dim = [&](const trace::Dim3& dim, const char* name, std::uint64_t limit) {
    const unsigned __int128 count = static_cast<unsigned __int128>(std::uint64_t{dim.x()} * dim.y()) * dim.z();
    if (count == 0 || count > limit) {
      fail(fmt::format("{} is ({},{},{}); expected at least 1 and at most {} in total", name, dim.x(), dim.y(), dim.z(),
                       limit));
    }
  };
  check_dim(kernel_.grid(), "grid", wtrace::kMaxBlocks);
  check_dim(kernel_.block(), "block", wtrace::kMaxThreadsPerBlock);
  check_dim(kernel_.cluster(), "cluster", wtrace::kMaxBlocks);
  std::uint64_t left = dim3_of(kernel_.grid()).count();
  for (const trace::GroupRef& group : kernel_.groups()) {
    if (group.block_count() == 0 || group.block_count() > left) {
      fail(fmt::format("a group of {} blocks; expected 1 to {}, the rest of the grid", group.block_count(), left));
    }
    left -= group.block_count();
  }
  if (left != 0) {
    fail(fmt::format("{} blocks of the grid are not in any group; expected none", left));
  }
  if (kernel_.function() >= static_cast<std::uint32_t>(file_->index().functions_size())) {
    fail(fmt::format("function {}; expected less than {}", kernel_.function(), file_->index().functions_size()));
  }
}

WtraceKernel KernelOpener::open() const {
  check();
  KernelLaunch launch;
  launch.launch_index = launch_index_;
  launch.kernel = kernel_.name();
  launch.grid = dim3_of(kernel_.grid());
  launch.block = dim3_of(kernel_.block());
  launch.cluster = dim3_of(kernel_.cluster());
  launch.registers_per_thread = kernel_.registers_per_thread();
  launch.shared_bytes = kernel_.shared_bytes();
  launch.local_bytes_per_thread = kernel_.local_bytes_per_thread();
  launch.stream = kernel_.stream();
  launch.shared_base = kernel_.shared_base();
  launch.local_base = kernel_.local_base();
  launch.program = file_->function(kernel_.function());
  auto blocks = std::make_unique<WtraceBlockReader>(file_, kernel_, launch);
  return {std::move(launch), std::move(blocks)};
}

class WtraceSource final : public CommandSource {
 public:
  WtraceSource(const std::string& path, bool infer_asynchronous)
      : file_(std::make_shared<TraceFile>(path)), infer_asynchronous_(infer_asynchronous) {}
  std::optional<Command> next() override;

 private:
  std::shared_ptr<TraceFile> file_;
  bool infer_asynchronous_;
  int next_ = 0;
  std::uint32_t launches_ = 0;
};

std::optional<Command> WtraceSource::next() {
  if (next_ == file_->index().commands_size()) {
    return std::nullopt;
  }
  const trace::Command& command = file_->index().commands(next_++);
  switch (command.what_case()) {
    case trace::Command::kCopy:
      return CopyToDevice{command.copy().destination(), command.copy().bytes()};
    case trace::Command::kKernel: {
      WtraceKernel kernel = KernelOpener(file_, command.kernel(), launches_++).open();
      return std::make_unique<TraceKernelSource>(std::move(kernel.launch), std::move(kernel.blocks),
                                                 infer_asynchronous_);
    }
    case trace::Command::WHAT_NOT_SET:
      break;
  }
  throw TraceError(
      fmt::format("{}: command {} is neither a copy nor a kernel; expected one of them", file_->path(), next_ - 1));
}

}  // namespace

bool is_wtrace(const std::string& path) {
  std::array<char, wtrace::kMagic.size()> magic{};
  std::string ignored;
  const FilePointer file = open_input(path, ignored);
  return file != nullptr && std::fread(magic.data(), 1, magic.size(), file.get()) == magic.size() &&
         magic == wtrace::kMagic;
}

std::unique_ptr<CommandSource> open_wtrace(const std::string& path, bool infer_asynchronous) {
  return std::make_unique<WtraceSource>(path, infer_asynchronous);
}

WtraceKernel open_wtrace_kernel(const std::string& path, std::uint32_t launch_index) {
  auto file = std::make_shared<TraceFile>(path);
  std::uint32_t launches = 0;
  for (const trace::Command& command : file->index().commands()) {
    if (command.has_kernel() && launches++ == launch_index) {
      return KernelOpener(std::move(file), command.kernel(), launch_index).open();
    }
  }
  throw TraceError(fmt::format("{}: launch {} is requested; expected less than {}", path, launch_index, launches));
}

}  // namespace warpsim
