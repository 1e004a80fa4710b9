#include "sass/info_writer.h"

#include <algorithm>
#include <cstring>

#include "sass/info_attributes.h"

namespace warpsim::sass {

namespace {

constexpr std::uint32_t kHighHalf = 16;

}  // namespace

void InfoWriter::add_short(std::uint8_t format, std::uint8_t attribute, std::uint32_t value) {
  constexpr std::uint32_t kByteBits = 8;
  constexpr std::uint32_t kByteMask = 0xff;
  for (const std::uint32_t each : {std::uint32_t{format}, std::uint32_t{attribute}, value, value >> kByteBits}) {
    bytes_.push_back(static_cast<std::byte>(each & kByteMask));
  }
}

void InfoWriter::add_record(std::uint8_t attribute, std::span<const std::uint32_t> words) {
  add_short(kBytes, attribute, static_cast<std::uint32_t>(words.size_bytes()));
  const auto content = std::as_bytes(words);
  bytes_.insert(bytes_.end(), content.begin(), content.end());
}

void InfoWriter::add_record(std::uint8_t attribute, std::initializer_list<std::uint32_t> words) {
  add_record(attribute, std::span(words.begin(), words.size()));
}

void InfoWriter::add_list(std::uint8_t attribute, const std::vector<std::uint32_t>& words) {
  constexpr std::size_t kTogether = 4096;
  for (std::size_t at = 0; at < words.size(); at += kTogether) {
    add_record(attribute, std::span(words).subspan(at, std::min(kTogether, words.size() - at)));
  }
}

void InfoWriter::add_registers(std::uint32_t symbol, std::uint32_t registers) {
  add_record(kRegisters, {symbol, registers});
}

void InfoWriter::add_frame(std::uint32_t symbol, std::uint32_t bytes) {
  add_record(kFrameSize, {symbol, bytes});
}

void InfoWriter::add_stack(std::uint32_t symbol, std::uint32_t bytes) {
  add_record(kMinStackSize, {symbol, bytes});
}

void InfoWriter::add_parameters(const FunctionInfo& info, std::uint32_t constants) {
  constexpr std::uint32_t kProperties = 0x1f000;  // that ptxas writes for all parameters
  constexpr std::uint32_t kSizeShift = 18;
  constexpr std::uint32_t kMostInRecord = (1U << (32 - kSizeShift)) - 1;
  if (info.parameter_bytes != 0 || info.parameter_offset != 0) {
    add_record(kParameterBank, {constants, info.parameter_offset | info.parameter_bytes << kHighHalf});
  }
  for (const KernelParameter& parameter : info.parameters) {
    const std::uint32_t place = parameter.ordinal | parameter.offset << kHighHalf;
    if (parameter.bytes <= kMostInRecord) {
      add_record(kParameter, {0, place, parameter.bytes << kSizeShift | kProperties});
    } else {
      add_record(kLargeParameter, {0, place, parameter.bytes});
    }
  }
}

void InfoWriter::add_function(const FunctionInfo& info, std::uint32_t constants) {
  add_parameters(info, constants);
  const auto add_dimensions = [&](std::uint8_t attribute, const std::optional<Dimensions>& size) {
    if (size) {
      add_record(attribute, std::span<const std::uint32_t>(*size));
    }
  };
  add_dimensions(kMaxThreads, info.max_threads);
  add_dimensions(kRequiredThreads, info.required_threads);
  add_dimensions(kCluster, info.cluster);
  if (info.explicit_cluster) {
    add_short(kNoValue, kExplicitCluster, 0);
  }
  if (info.max_cluster_blocks) {
    add_record(kMaxClusterBlocks, {*info.max_cluster_blocks});
  }
  if (info.barriers) {
    add_short(kByte, kBarriers, *info.barriers);
  }
  add_list(kExits, info.exits);
  add_list(kSystemCalls, info.system_calls);
  add_list(kExternals, info.externals);
  for (const IndirectBranch& branch : info.indirect_branches) {
    std::vector<std::uint32_t> words{branch.offset, 0, static_cast<std::uint32_t>(branch.targets.size())};
    words.insert(words.end(), branch.targets.begin(), branch.targets.end());
    add_record(kIndirectBranches, words);
  }
}

}  // namespace warpsim::sass
