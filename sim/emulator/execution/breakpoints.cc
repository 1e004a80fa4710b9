#include "emulator/execution/breakpoints.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/demangle.h"
#include "base/error.h"
#include "emulator/code/kernel_image.h"
#include "emulator/execution/launch_context.h"
#include "emulator/execution/warp_context.h"
#include "emulator/memory/block_memory.h"

namespace warpsim {

namespace {

constexpr std::uint32_t kNone = ~std::uint32_t{0};

template <class Number>
std::optional<Number> number_of(std::string_view text) {
  Number value = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  return error == std::errc() && stop == end ? std::optional(value) : std::nullopt;
}

struct FoundOperation {
  const FunctionCode* code = nullptr;
  std::uint32_t operation = 0;
  std::uint32_t line = kNone;
};

// The first instruction at or after the line, in the function that contains the line.
FoundOperation find_line(const KernelImage& kernel, std::uint32_t line) {
  FoundOperation found;
  for (std::uint32_t i = 0; i < kernel.module().module().functions.size(); ++i) {
    const FunctionCode* const code = kernel.function(i);
    if (code == nullptr || code->source->place.line > line) {
      continue;
    }
    for (std::uint32_t at = 0; at < code->end(); ++at) {
      const std::uint32_t here = code->operations[at].line;
      if (here >= line && here < found.line) {
        found = {code, at, here};
      }
    }
  }
  return found;
}

// "mad.lo.s32": the instruction's opcode and modifiers.
std::string instruction_text(const FunctionCode& code, std::uint32_t at) {
  const ptx::Instruction& instruction = code.source->body[at];
  std::string text(instruction.opcode);
  for (const std::string_view modifier : instruction.modifiers) {
    text += fmt::format(".{}", modifier);
  }
  return text;
}

}  // namespace

Breakpoint breakpoint_of(const std::string& text) {
  const std::size_t colon = text.rfind(':');
  const auto line =
      number_of<std::uint32_t>(colon == std::string::npos ? "" : std::string_view(text).substr(colon + 1));
  if (!line || *line == 0 || colon == 0) {
    throw UserError(fmt::format("breakpoint '{}': expected KERNEL:LINE, a line of the PTX from 1 on", text));
  }
  Breakpoint breakpoint;
  breakpoint.kernel = text.substr(0, colon);
  breakpoint.line = *line;
  return breakpoint;
}

Breakpoint::OneWarp warp_of(const std::string& text) {
  const std::size_t comma = text.find(',');
  const std::string_view whole = text;
  const auto block = number_of<std::uint64_t>(whole.substr(0, comma));
  const auto warp = number_of<std::uint32_t>(comma == std::string::npos ? "" : whole.substr(comma + 1));
  if (!block || !warp) {
    throw UserError(fmt::format("warp '{}': expected BLOCK,WARP, both counted from 0", text));
  }
  return {*block, *warp};
}

Breakpoints::Breakpoints(std::vector<Breakpoint> asked, std::function<void(const std::string&)> show)
    : asked_(std::move(asked)), hit_(asked_.size(), false), show_(std::move(show)) {}

bool Breakpoints::prepare(const KernelImage& kernel) {
  stops_.clear();
  for (std::size_t i = 0; i < asked_.size(); ++i) {
    const Breakpoint& asked = asked_[i];
    if (asked.count == 0 || !is_called(kernel.name(), asked.kernel)) {
      continue;
    }
    const FoundOperation found = find_line(kernel, asked.line);
    if (found.code == nullptr) {
      show_(fmt::format("breakpoint {}:{}: the kernel has no instruction at or after this line of {}\n", asked.kernel,
                        asked.line, kernel.module().module().file));
      asked_[i].count = 0;
      hit_[i] = true;
      continue;
    }
    stops_.push_back({i, found.code, found.operation, asked.warp, asked.count});
  }
  return !stops_.empty();
}

std::uint32_t Breakpoints::next(const FunctionCode& code, std::uint32_t at) const {
  std::uint32_t nearest = kNone;
  for (const Stop& stop : stops_) {
    if (stop.code == &code && stop.operation >= at && stop.left != 0) {
      nearest = std::min(nearest, stop.operation);
    }
  }
  return nearest;
}

void Breakpoints::reached(const WarpContext& warp, std::uint32_t at, LaneMask lanes) {
  for (Stop& stop : stops_) {
    if (stop.code != warp.code || stop.operation != at || stop.left == 0) {
      continue;
    }
    if (!stop.warp) {
      stop.warp = Breakpoint::OneWarp{warp.block->linear_index, warp.index};
    }
    if (stop.warp->block != warp.block->linear_index || stop.warp->warp != warp.index) {
      continue;
    }
    --stop.left;
    --asked_[stop.asked].count;
    hit_[stop.asked] = true;
    const KernelImage& kernel = *warp.launch->kernel;
    const Dim3& block = warp.block->index;
    show_(fmt::format("{}:{}: {}: {}, warp {} of block ({}, {}, {}), lanes {:#010x}\n{}", kernel.module().module().file,
                      warp.code->operations[at].line, plain_name(kernel.name()), instruction_text(*warp.code, at),
                      warp.index, block.x, block.y, block.z, lanes, registers_text(warp, lanes)));
  }
}

std::vector<std::string> Breakpoints::not_reached() const {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < asked_.size(); ++i) {
    if (!hit_[i]) {
      names.push_back(fmt::format("{}:{}", asked_[i].kernel, asked_[i].line));
    }
  }
  return names;
}

}  // namespace warpsim
