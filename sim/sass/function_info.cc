#include "sass/function_info.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "sass/info_attributes.h"

namespace warpsim::sass {

namespace {

class InfoReader {
 public:
  InfoReader(const ElfImage& image, const ElfSection& section) : image_(image), section_(section) {}

  // The next record; false at the end.
  bool next() {
    constexpr std::size_t kHeaderBytes = 4;
    begin_ = end_;
    const std::size_t left = section_.bytes.size() - begin_;
    if (left == 0) {
      return false;
    }
    if (left < kHeaderBytes) {
      fail(fmt::format("a record of {} bytes or more expected, {} are left", kHeaderBytes, left));
    }
    format_ = std::to_integer<std::uint8_t>(section_.bytes[begin_]);
    attribute_ = std::to_integer<std::uint8_t>(section_.bytes[begin_ + 1]);
    short_value_ = 0;
    std::memcpy(&short_value_, section_.bytes.data() + begin_ + 2, sizeof short_value_);
    if (format_ < kNoValue || format_ > kBytes) {
      fail(fmt::format("a record of format {}, expected 1 to 4", format_));
    }
    if (attribute_ > kLast) {
      fail(fmt::format("unknown attribute {:#x}; expected 0x1 to {:#x}, which CUDA 13.0 writes", attribute_,
                       static_cast<unsigned>(kLast)));
    }
    const std::size_t bytes = format_ == kBytes ? short_value_ : 0;
    if (bytes > left - kHeaderBytes) {
      fail(fmt::format("attribute {:#x} has {} bytes, but only {} are left", attribute_, bytes, left - kHeaderBytes));
    }
    end_ = begin_ + kHeaderBytes + bytes;
    words_.assign(bytes / sizeof(std::uint32_t), 0);
    if (!words_.empty()) {
      std::memcpy(words_.data(), section_.bytes.data() + begin_ + kHeaderBytes, words_.size() * sizeof(std::uint32_t));
    }
    return true;
  }

  std::uint8_t attribute() const { return attribute_; }
  std::uint32_t short_value() const { return format_ == kByte ? short_value_ & 0xffU : short_value_; }
  const std::vector<std::uint32_t>& words() const { return words_; }
  std::uint32_t word(std::size_t index) const {
    if (index >= words_.size()) {
      fail(fmt::format("attribute {:#x} has {} bytes, expected {} or more", attribute_,
                       words_.size() * sizeof(std::uint32_t), (index + 1) * sizeof(std::uint32_t)));
    }
    return words_[index];
  }
  Dimensions dimensions() const { return {word(0), word(1), word(2)}; }
  [[noreturn]] void fail(const std::string& what) const { image_.fail(section_, begin_, what); }

 private:
  const ElfImage& image_;
  const ElfSection& section_;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
  std::uint8_t format_ = 0;
  std::uint8_t attribute_ = 0;
  std::uint16_t short_value_ = 0;
  std::vector<std::uint32_t> words_;
};

constexpr std::uint32_t kHalfBits = 16;
constexpr std::uint32_t kHalfMask = 0xffff;

// Index, ordinal and offset, then the size: in the upper bits of a word with other properties, or for parameters of any
// size, alone.
KernelParameter parameter_of(const InfoReader& record) {
  constexpr std::uint32_t kSizeShift = 18;
  return {.ordinal = record.word(1) & kHalfMask,
          .offset = record.word(1) >> kHalfBits,
          .bytes = record.attribute() == kParameter ? record.word(2) >> kSizeShift : record.word(2)};
}

// For each branch its offset, a word that is 0, the number of targets, and the targets.
std::vector<IndirectBranch> branches_of(const InfoReader& record) {
  std::vector<IndirectBranch> branches;
  for (std::size_t at = 0; at < record.words().size();) {
    IndirectBranch branch{.offset = record.word(at), .targets = {}};
    const std::uint32_t count = record.word(at + 2);
    at += 3;
    if (count > record.words().size() - at) {
      record.fail(fmt::format("a branch with {} targets, but only {} are left", count, record.words().size() - at));
    }
    const auto begin = record.words().begin() + static_cast<std::ptrdiff_t>(at);
    branch.targets.assign(begin, begin + static_cast<std::ptrdiff_t>(count));
    at += count;
    branches.push_back(std::move(branch));
  }
  return branches;
}

void append(std::vector<std::uint32_t>& list, const std::vector<std::uint32_t>& more) {
  list.insert(list.end(), more.begin(), more.end());
}

void take_record(const InfoReader& record, FunctionInfo& info) {
  switch (record.attribute()) {
    case kMaxThreads:
      info.max_threads = record.dimensions();
      break;
    case kRequiredThreads:
      info.required_threads = record.dimensions();
      break;
    case kParameterBank:
      info.parameter_offset = record.word(1) & kHalfMask;
      info.parameter_bytes = record.word(1) >> kHalfBits;
      break;
    case kParameter:
    case kLargeParameter:
      info.parameters.push_back(parameter_of(record));
      break;
    case kExits:
      append(info.exits, record.words());
      break;
    case kIndirectBranches:
      for (IndirectBranch& branch : branches_of(record)) {
        info.indirect_branches.push_back(std::move(branch));
      }
      break;
    case kExternals:
      append(info.externals, record.words());
      break;
    case kSystemCalls:
      append(info.system_calls, record.words());
      break;
    case kCluster:
      info.cluster = record.dimensions();
      break;
    case kExplicitCluster:
      info.explicit_cluster = true;
      break;
    case kMaxClusterBlocks:
      info.max_cluster_blocks = record.word(0);
      break;
    case kBarriers:
      info.barriers = record.short_value();
      break;
    default:
      break;
  }
}

}  // namespace

FunctionInfo read_function_info(const ElfImage& image, const ElfSection& section) {
  FunctionInfo info;
  InfoReader record(image, section);
  while (record.next()) {
    take_record(record, info);
  }
  std::sort(info.parameters.begin(), info.parameters.end(),
            [](const KernelParameter& one, const KernelParameter& other) { return one.ordinal < other.ordinal; });
  for (std::size_t i = 0; i < info.parameters.size(); ++i) {
    const KernelParameter& parameter = info.parameters[i];
    if (parameter.ordinal != i || parameter.offset > info.parameter_bytes ||
        parameter.bytes > info.parameter_bytes - parameter.offset) {
      image.fail(section, 0,
                 fmt::format("parameter {} at offset {} with {} bytes; expected parameter {} within {} bytes",
                             parameter.ordinal, parameter.offset, parameter.bytes, i, info.parameter_bytes));
    }
  }
  return info;
}

std::map<std::uint32_t, FunctionResources> read_function_resources(const ElfImage& image, const ElfSection& section) {
  std::map<std::uint32_t, FunctionResources> resources;
  InfoReader record(image, section);
  while (record.next()) {
    switch (record.attribute()) {
      case kRegisters:
        resources[record.word(0)].registers = record.word(1);
        break;
      case kFrameSize:
        resources[record.word(0)].frame_bytes = record.word(1);
        break;
      case kMinStackSize:
        resources[record.word(0)].stack_bytes = record.word(1);
        break;
      case kMaxStackSize:
        resources[record.word(0)].max_stack_bytes = record.word(1);
        break;
      default:
        break;
    }
  }
  return resources;
}

}  // namespace warpsim::sass
