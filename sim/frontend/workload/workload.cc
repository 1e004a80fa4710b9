#include "frontend/workload/workload.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdio>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <utility>

#include "base/error.h"
#include "base/input_file.h"
#include "frontend/accelsim/accelsim_header.h"
#include "frontend/accelsim/accelsim_reader.h"
#include "frontend/accelsim/input_stream.h"
#include "frontend/accelsim/listing_search.h"
#include "frontend/workload/block_trace.h"
#include "frontend/workload/workload_notes.h"
#include "frontend/wtrace/wtrace_reader.h"

namespace warpsim {
namespace {

namespace fs = std::filesystem;

constexpr std::array<const char*, 4> kCompressions{"", ".xz", ".gz", ".zst"};

void hash_file(XXH64_state_t& state, const std::string& path) {
  std::string fault;
  const FilePointer file = open_input(path, fault);
  if (file == nullptr) {
    throw TraceError(fmt::format("{}: cannot be read: {}; expected a file of the trace", path, fault));
  }
  std::vector<char> buffer(1U << 18U);
  std::uint64_t bytes = 0;
  while (const std::size_t n = std::fread(buffer.data(), 1, buffer.size(), file.get())) {
    XXH64_update(&state, buffer.data(), n);
    bytes += n;
  }
  XXH64_update(&state, &bytes, sizeof bytes);
}

std::string hash_files(const std::vector<std::string>& files) {
  struct Free {
    void operator()(XXH64_state_t* state) const { XXH64_freeState(state); }
  };
  const std::unique_ptr<XXH64_state_t, Free> state(XXH64_createState());
  XXH64_reset(state.get(), 0);
  for (const std::string& file : files) {
    hash_file(*state, file);
  }
  return fmt::format("{:016x}", XXH64_digest(state.get()));
}

// Common to all kinds of workloads: name, hash, notes.
class WorkloadBase : public Workload {
 public:
  WorkloadBase(std::string name, bool strict) : name_(std::move(name)), notes_(strict) {}
  const std::string& name() const override { return name_; }
  const std::string& content_hash() const override {
    if (hash_.empty()) {
      hash_ = hash_files(files());
    }
    return hash_;
  }
  std::vector<std::string> notes() const override { return notes_.sentences(); }

 protected:
  WorkloadNotes& kernel_notes() { return notes_; }

 private:
  std::string name_;
  WorkloadNotes notes_;
  mutable std::string hash_;
};

struct AccelsimCommand {
  CopyToDevice copy;
  std::string kernel_file;  // empty: the copy
};

class AccelsimWorkload final : public WorkloadBase {
 public:
  AccelsimWorkload(std::string name, std::string list_file, std::vector<AccelsimCommand> commands,
                   const WorkloadOptions& options)
      : WorkloadBase(std::move(name), options.strict),
        list_file_(std::move(list_file)),
        commands_(std::move(commands)),
        sass_file_(options.sass_file),
        infer_asynchronous_(options.infer_asynchronous) {}

  std::optional<Command> next() override {
    if (position_ == commands_.size()) {
      return std::nullopt;
    }
    const AccelsimCommand& command = commands_[position_++];
    if (command.kernel_file.empty()) {
      return command.copy;
    }
    const std::uint32_t launch_index = launches_++;  // counted even if the file is unreadable
    AccelsimKernel kernel = open_accelsim_kernel(command.kernel_file, sass_file_);
    kernel.launch.launch_index = launch_index;
    kernel.launch.program = known_program(std::move(kernel.launch.program));
    kernel_notes().add_kernel(kernel.launch, command.kernel_file);
    auto source =
        std::make_unique<TraceKernelSource>(std::move(kernel.launch), std::move(kernel.blocks), infer_asynchronous_);
    kernel_notes().add_findings(source->async_findings());
    return source;
  }

  // The list, the kernel files and every listing that may be used.
  std::vector<std::string> files() const override {
    std::vector<std::string> files;
    if (!list_file_.empty()) {
      files.push_back(list_file_);
    }
    for (const AccelsimCommand& command : commands_) {
      if (!command.kernel_file.empty()) {
        files.push_back(command.kernel_file);
      }
    }
    const std::vector<std::string> listings = listing_files(files.back(), sass_file_);
    files.insert(files.end(), listings.begin(), listings.end());
    return files;
  }

 private:
  // Launches of one kernel share its program, so that instruction caches recognise the code. Without a listing each
  // launch shows only the code that it executed; if that differs, so do the programs.
  std::shared_ptr<const StaticProgram> known_program(std::shared_ptr<const StaticProgram> program) {
    const auto known = std::ranges::find_if(programs_, [&](const auto& other) { return *other == *program; });
    if (known != programs_.end()) {
      return *known;
    }
    programs_.push_back(program);
    return program;
  }

  std::string list_file_;
  std::vector<AccelsimCommand> commands_;
  std::string sass_file_;
  bool infer_asynchronous_;
  std::vector<std::shared_ptr<const StaticProgram>> programs_;
  std::size_t position_ = 0;
  std::uint32_t launches_ = 0;
};

class NativeWorkload final : public WorkloadBase {
 public:
  NativeWorkload(std::string name, std::string path, const WorkloadOptions& options)
      : WorkloadBase(std::move(name), options.strict),
        path_(std::move(path)),
        source_(open_wtrace(path_, options.infer_asynchronous)) {}

  std::optional<Command> next() override {
    std::optional<Command> command = source_->next();
    if (command) {
      if (const auto* kernel = std::get_if<std::unique_ptr<KernelSource>>(&*command)) {
        kernel_notes().add_kernel((*kernel)->launch(), path_);
        if (const auto* recorded = dynamic_cast<const TraceKernelSource*>(kernel->get())) {
          kernel_notes().add_findings(recorded->async_findings());
        }
      }
    }
    return command;
  }

  std::vector<std::string> files() const override { return {path_}; }

 private:
  std::string path_;
  std::unique_ptr<CommandSource> source_;
};

// Reads kernelslist.g.
class ListReader {
 public:
  explicit ListReader(const std::string& path) : path_(path), input_(path) {}

  std::vector<AccelsimCommand> read() {
    std::vector<AccelsimCommand> commands;
    std::string_view line;
    while (input_.next_line(line)) {
      const std::string_view text = line.substr(0, line.find_last_not_of(" \t\r") + 1);
      if (text.starts_with("kernel")) {
        commands.push_back({{}, find_kernel_file(text)});
      } else if (text.starts_with("MemcpyHtoD,")) {
        commands.push_back({read_copy(text), {}});
      }
    }
    const bool has_kernel =
        std::ranges::any_of(commands, [](const AccelsimCommand& command) { return !command.kernel_file.empty(); });
    if (!has_kernel) {
      throw TraceError(fmt::format("{}: names no kernel; expected a line 'kernel-1.traceg'", path_));
    }
    return commands;
  }

 private:
  [[noreturn]] void fail(const std::string& message) const {
    throw TraceError(fmt::format("{}:{}: {}", path_, input_.line_number(), message));
  }

  std::string find_kernel_file(std::string_view name) const {
    const fs::path base = fs::path(path_).parent_path() / std::string(name);
    for (const char* compression : kCompressions) {
      std::string file = base.string() + compression;
      std::error_code error;
      if (fs::is_regular_file(file, error)) {
        return file;
      }
    }
    fail(fmt::format("there is no file '{}'; expected it next to the list, or with the suffix .xz, .gz or .zst", name));
  }

  CopyToDevice read_copy(std::string_view text) const {
    CopyToDevice copy;
    text.remove_prefix(text.find(',') + 1);
    const std::size_t comma = text.find(',');
    std::string_view address = text.substr(0, comma);
    const std::string_view bytes = comma == std::string_view::npos ? std::string_view{} : text.substr(comma + 1);
    address.remove_prefix(address.starts_with("0x") ? 2 : 0);
    const auto to = std::from_chars(address.data(), address.data() + address.size(), copy.destination, 16);
    const auto count = std::from_chars(bytes.data(), bytes.data() + bytes.size(), copy.bytes);
    if (to.ec != std::errc{} || to.ptr != address.data() + address.size() || count.ec != std::errc{} ||
        count.ptr != bytes.data() + bytes.size()) {
      fail("expected 'MemcpyHtoD,0x<address>,<bytes>'");
    }
    return copy;
  }

  std::string path_;
  InputStream input_;
};

// Name of the folder, or of the folder above it if that is called `traces`. The root has no name: "trace".
std::string folder_name(const fs::path& folder) {
  std::error_code error;
  fs::path path = fs::absolute(folder.empty() ? "." : folder, error).lexically_normal();
  if (path.filename().empty()) {
    path = path.parent_path();
  }
  if (path.filename() == "traces" && path.has_parent_path()) {
    path = path.parent_path();
  }
  return path.filename().empty() ? "trace" : path.filename().string();
}

std::string file_stem(const fs::path& file) {
  std::string name = file.filename().string();
  for (const std::string_view suffix : {".xz", ".gz", ".zst", ".traceg", ".wtrace"}) {
    if (name.ends_with(suffix) && name.size() > suffix.size()) {
      name.resize(name.size() - suffix.size());
    }
  }
  return name;
}

}  // namespace

std::unique_ptr<Workload> open_workload(const std::string& path, const WorkloadOptions& options) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (!fs::exists(status)) {
    throw TraceError(fmt::format("{}: there is no such file or folder; expected a trace", path));
  }
  const bool is_folder = fs::is_directory(status);
  const std::string list = is_folder ? (fs::path(path) / "kernelslist.g").string() : path;
  if (is_folder && !fs::exists(list, error)) {
    throw TraceError(fmt::format("{}: the folder has no kernelslist.g; expected a trace folder", path));
  }
  if (is_folder || fs::path(path).filename() == "kernelslist.g") {
    std::vector<AccelsimCommand> commands = ListReader(list).read();
    return std::make_unique<AccelsimWorkload>(folder_name(fs::path(list).parent_path()), list, std::move(commands),
                                              options);
  }
  if (is_wtrace(path)) {
    return std::make_unique<NativeWorkload>(file_stem(path), path, options);
  }
  // Any file gets here: report at once if it is not a trace, not only when it is processed.
  InputStream input(path);
  read_accelsim_header(input);
  return std::make_unique<AccelsimWorkload>(file_stem(path), "", std::vector<AccelsimCommand>{{{}, path}}, options);
}

}  // namespace warpsim
