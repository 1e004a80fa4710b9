#include "frontend/wtrace/wtrace_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <list>
#include <map>
#include <mutex>
#include <utility>

#include "base/error.h"
#include "base/input_file.h"
#include "frontend/workload/block_trace.h"
#include "frontend/workload/kept_failure.h"
#include "frontend/workload/spare_objects.h"
#include "frontend/wtrace/wtrace_format.h"
#include "frontend/wtrace/wtrace_frame.h"
#include "frontend/wtrace/wtrace_group_decoder.h"
#include "frontend/wtrace/wtrace_program.h"

namespace warpsim {
namespace {

// Number of groups of a kernel that are kept open for blocks that are requested out of order, or by several threads.
constexpr std::size_t kOpenGroups = 8;

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
  // A group that blocks are read from, by one thread at a time.
  struct OpenGroup {
    explicit OpenGroup(std::size_t group) : number(group) {}
    const std::size_t number;
    std::mutex mutex;
    KeptFailure failure;
    std::shared_ptr<wtrace::GroupDecoder> decoder;  // null: not read yet
    // Read on the way to a later block.
    std::map<std::uint64_t, std::unique_ptr<wtrace::CodedBlock>> waiting;
  };
  // A block, and the decoder that writes it out.
  struct Found {
    std::shared_ptr<const wtrace::GroupDecoder> decoder;
    std::unique_ptr<wtrace::CodedBlock> block;
  };

  std::shared_ptr<OpenGroup> find(std::size_t number);
  void forget(const OpenGroup& group);
  void open(OpenGroup& group) const;
  void check_texels(std::size_t group, const trace::Group& message) const;
  Found take(OpenGroup& group, std::uint64_t linear_index);
  [[noreturn]] void fail(std::size_t group, const std::string& what) const;

  std::shared_ptr<TraceFile> file_;
  const trace::Kernel& kernel_;
  std::uint32_t launch_index_;
  std::shared_ptr<const StaticProgram> program_;
  std::uint32_t program_size_;
  std::uint32_t warps_per_block_;
  std::vector<std::uint64_t> first_block_;      // by group, and the end
  std::list<std::shared_ptr<OpenGroup>> open_;  // most recently used first
  std::mutex open_mutex_;
  SpareObjects<wtrace::CodedBlock> spare_;
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

std::shared_ptr<WtraceBlockReader::OpenGroup> WtraceBlockReader::find(std::size_t number) {
  const std::scoped_lock lock(open_mutex_);
  const auto found = std::ranges::find_if(open_, [number](const auto& group) { return group->number == number; });
  if (found != open_.end()) {
    open_.splice(open_.begin(), open_, found);
  } else {
    if (open_.size() == kOpenGroups) {
      open_.pop_back();
    }
    open_.push_front(std::make_shared<OpenGroup>(number));
  }
  return open_.front();
}

void WtraceBlockReader::forget(const OpenGroup& group) {
  const std::scoped_lock lock(open_mutex_);
  std::erase_if(open_, [&group](const auto& other) { return other.get() == &group; });
}

void WtraceBlockReader::open(OpenGroup& group) const {
  const trace::GroupRef& ref = kernel_.groups(static_cast<int>(group.number));
  trace::Group message;
  file_->frames().read(ref.frame(), wtrace::FrameKind::kGroup, message);
  if (message.first_block() != first_block_[group.number] || message.block_count() != ref.block_count() ||
      message.instructions() != ref.instructions()) {
    fail(group.number,
         fmt::format("it holds {} blocks from {} with {} instructions; expected {} from {} with {}, as the index "
                     "says",
                     message.block_count(), message.first_block(), message.instructions(), ref.block_count(),
                     first_block_[group.number], ref.instructions()));
  }
  check_texels(group.number, message);
  group.waiting.clear();
  group.decoder = std::make_shared<wtrace::GroupDecoder>(std::move(message), program_size_, warps_per_block_);
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

// The group's mutex is held.
WtraceBlockReader::Found WtraceBlockReader::take(OpenGroup& group, std::uint64_t linear_index) {
  const bool was_returned =
      group.decoder != nullptr && linear_index < group.decoder->next_block() && !group.waiting.contains(linear_index);
  if (group.decoder == nullptr || was_returned) {
    open(group);
  }
  const auto waiting = group.waiting.find(linear_index);
  if (waiting != group.waiting.end()) {
    Found found{group.decoder, std::move(waiting->second)};
    group.waiting.erase(waiting);
    return found;
  }
  while (true) {
    std::unique_ptr<wtrace::CodedBlock> block = spare_.take();
    group.decoder->next(*block);
    if (block->linear_index == linear_index) {
      return {group.decoder, std::move(block)};
    }
    const std::uint64_t earlier = block->linear_index;
    group.waiting[earlier] = std::move(block);
  }
}

void WtraceBlockReader::read(std::uint64_t linear_index, BlockTrace& out) {
  if (linear_index >= first_block_.back()) {
    throw TraceError(fmt::format("{}: launch {} ('{}'): block {} is requested; expected less than {}", file_->path(),
                                 launch_index_, kernel_.name(), linear_index, first_block_.back()));
  }
  const auto after = std::upper_bound(first_block_.begin(), first_block_.end(), linear_index);
  const auto number = static_cast<std::size_t>(after - first_block_.begin()) - 1;
  const std::shared_ptr<OpenGroup> group = find(number);
  Found found;
  bool is_read = false;
  try {
    const std::scoped_lock lock(group->mutex);
    found = group->failure.keep([&] { return take(*group, linear_index); });
    is_read = group->decoder->finished() && group->waiting.empty();
  } catch (const wtrace::StreamError& error) {
    fail(number, error.what());
  }
  if (is_read) {
    forget(*group);
  }
  found.decoder->expand(*found.block, out);
  spare_.give_back(std::move(found.block));
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
