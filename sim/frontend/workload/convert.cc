#include "frontend/workload/convert.h"

#include <fmt/format.h>

#include <memory>
#include <optional>
#include <utility>
#include <variant>

#include "base/error.h"
#include "frontend/accelsim/trace_text.h"
#include "frontend/workload/block_copy.h"
#include "frontend/workload/workload.h"
#include "frontend/wtrace/wtrace_reader.h"
#include "frontend/wtrace/wtrace_writer.h"

namespace warpsim {
namespace {

void write_kernel(KernelSource& kernel, WtraceWriter& writer) {
  writer.begin_kernel(kernel.launch());
  const std::uint64_t blocks = kernel.launch().grid.count();
  for (std::uint64_t index = 0; index < blocks; ++index) {
    BlockTrace block;
    copy_block(kernel, index, block);
    writer.add_block(std::move(block));
  }
  writer.end_kernel();
}

void to_wtrace(CommandSource& source, const std::string& out) {
  WtraceWriter writer(out);
  while (std::optional<Command> command = source.next()) {
    if (const auto* copy = std::get_if<CopyToDevice>(&*command)) {
      writer.add_copy(*copy);
    } else {
      write_kernel(*std::get<std::unique_ptr<KernelSource>>(*command), writer);
    }
  }
  writer.finish();
}

void to_text(CommandSource& source, const std::string& out) {
  TraceTextWriter writer(out);
  while (std::optional<Command> command = source.next()) {
    if (const auto* copy = std::get_if<CopyToDevice>(&*command)) {
      writer.add_copy(*copy);
    } else {
      writer.add_kernel(*std::get<std::unique_ptr<KernelSource>>(*command));
    }
  }
  writer.finish();
}

}  // namespace

void convert(const std::string& in, const std::string& out) {
  const bool out_is_wtrace = out.ends_with(".wtrace");
  if (is_wtrace(in)) {
    if (out_is_wtrace) {
      throw UsageError(
          fmt::format("'{}' is a .wtrace already; expected OUT to name a new directory, got '{}'", in, out));
    }
    to_text(*open_wtrace(in), out);
    return;
  }
  if (!out_is_wtrace) {
    throw UsageError(fmt::format("'{}' becomes a .wtrace; expected OUT to end in .wtrace, got '{}'", in, out));
  }
  to_wtrace(*open_workload(in, WorkloadOptions{}), out);
}

}  // namespace warpsim
