#include "support/ptx_machine.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <random>

#include "emulator/code/kernel_image.h"
#include "emulator/code/module_image.h"
#include "emulator/execution/grid_execution.h"
#include "emulator/memory/device_memory.h"
#include "ptx/parser.h"

namespace warpsim::test {

namespace {

constexpr std::size_t kSources = 4;
constexpr std::uint64_t kRowBytes = 8 * kSources;
constexpr const char* kNames[] = {"d", "a", "b", "c", "e"};

std::string declare(const std::string& name, const std::string& type) {
  return fmt::format(".reg .{} {};\n", type, name);
}

std::string load(const std::string& name, const std::string& type, std::size_t offset) {
  if (type == "pred") {
    return fmt::format("ld.global.u32 %w, [%in+{}];\nsetp.ne.u32 {}, %w, 0;\n", offset, name);
  }
  return fmt::format("ld.global.{} {}, [%in+{}];\n", type, name, offset);
}

std::string kernel_text(const std::string& instructions, const std::vector<std::string>& types) {
  std::string text =
      ".version 9.0\n.target sm_100a\n.address_size 64\n"
      ".visible .entry kernel(.param .u64 in, .param .u64 out) {\n"
      ".reg .b64 %in, %out, %offset;\n.reg .b32 %t, %w;\n";
  for (std::size_t i = 0; i < types.size(); ++i) {
    text += declare(kNames[i], types[i]);
  }
  text +=
      "ld.param.u64 %in, [in];\nld.param.u64 %out, [out];\nmov.u32 %t, %tid.x;\n"
      "mul.wide.u32 %offset, %t, 32;\nadd.u64 %in, %in, %offset;\n"
      "mul.wide.u32 %offset, %t, 8;\nadd.u64 %out, %out, %offset;\n";
  for (std::size_t i = 1; i < types.size(); ++i) {
    text += load(kNames[i], types[i], 8 * (i - 1));
  }
  text += instructions + "\n";
  if (types[0] == "pred") {
    text += "selp.u32 %w, 1, 0, d;\nst.global.u32 [%out], %w;\n";
  } else {
    text += fmt::format("st.global.{} [%out], d;\n", types[0]);
  }
  return text + "ret;\n}\n";
}

// The number of rows that fit a block.
std::vector<std::uint64_t> run_block(const std::string& text, const std::vector<Row>& rows) {
  constexpr std::uint64_t kCapacity = std::uint64_t{1} << 24U;
  DeviceMemory memory(kCapacity);
  const ModuleImage module(ptx::parse_module(text, "test.ptx"), memory);
  const KernelImage kernel(module, 0);
  const Address in = memory.allocate(kRowBytes * rows.size());
  const Address out = memory.allocate(8 * rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    std::memcpy(memory.host(in + kRowBytes * i, kRowBytes), rows[i].data(), 8 * rows[i].size());
  }
  LaunchContext launch;
  launch.kernel = &kernel;
  launch.memory = &memory;
  launch.grid = {1, 1, 1};
  launch.cluster = {1, 1, 1};
  launch.block = {static_cast<std::uint32_t>(rows.size()), 1, 1};
  launch.parameters.resize(16);
  std::memcpy(launch.parameters.data(), &in, 8);
  std::memcpy(launch.parameters.data() + 8, &out, 8);
  execute_grid(launch, {});
  std::vector<std::uint64_t> result(rows.size());
  std::memcpy(result.data(), memory.host(out, 8 * rows.size()), 8 * rows.size());
  return result;
}

template <class T>
std::vector<T> sample(std::vector<T> special, std::size_t random) {
  std::mt19937_64 engine(1);
  for (std::size_t i = 0; i < random; ++i) {
    special.push_back(
        std::bit_cast<T>(static_cast<std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>>(engine())));
  }
  return special;
}

}  // namespace

std::vector<std::uint64_t> run_ptx(const std::string& instructions, const std::vector<std::string>& types,
                                   const std::vector<Row>& rows) {
  constexpr std::size_t kMostThreads = 1024;
  const std::string text = kernel_text(instructions, types);
  std::vector<std::uint64_t> results;
  for (std::size_t first = 0; first < rows.size(); first += kMostThreads) {
    const auto begin = rows.begin() + static_cast<std::ptrdiff_t>(first);
    const auto end = rows.begin() + static_cast<std::ptrdiff_t>(std::min(rows.size(), first + kMostThreads));
    const std::vector<std::uint64_t> block = run_block(text, {begin, end});
    results.insert(results.end(), block.begin(), block.end());
  }
  return results;
}

std::uint64_t run_row(const std::string& instructions, const std::vector<std::string>& types, const Row& row) {
  return run_ptx(instructions, types, std::vector<Row>{row}).front();
}

std::uint64_t bits(float value) {
  return std::bit_cast<std::uint32_t>(value);
}
std::uint64_t bits(double value) {
  return std::bit_cast<std::uint64_t>(value);
}
float single(std::uint64_t bits) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
}
double from_bits(std::uint64_t bits) {
  return std::bit_cast<double>(bits);
}

std::vector<std::uint32_t> sample_words(std::size_t random) {
  return sample<std::uint32_t>(
      {0,      1,       2,        31,       32,       33,         0x7f,       0x80,       0xff,       0x7fff,    0x8000,
       0xffff, 0x10000, 0x7fffff, 0x800000, 0xffffff, 0x7fffffff, 0x80000000, 0x80000001, 0xfffffffe, 0xffffffff},
      random);
}

std::vector<std::uint64_t> sample_long_words(std::size_t random) {
  return sample<std::uint64_t>(
      {0, 1, 2, 63, 64, 65, 0xffff, 0x7fffffff, 0x80000000, 0xffffffff, 0x100000000, 0x7fffffffffffffff,
       0x8000000000000000, 0x8000000000000001, 0xfffffffffffffffe, 0xffffffffffffffff},
      random);
}

std::vector<float> sample_singles(std::size_t random) {
  using Limits = std::numeric_limits<float>;
  return sample<float>({0.0F,
                        -0.0F,
                        1.0F,
                        -1.0F,
                        0.5F,
                        1.5F,
                        2.5F,
                        -2.5F,
                        3.0F,
                        1.0F / 3,
                        0x1.000002p0F,
                        0x1.fffffep-1F,
                        Limits::min(),
                        -Limits::min(),
                        Limits::denorm_min(),
                        -Limits::denorm_min(),
                        0x1.8p-127F,
                        -0x1.fffffcp-127F,
                        Limits::max(),
                        -Limits::max(),
                        0x1p-63F,
                        0x1p-64F,
                        0x1p64F,
                        16777217.0F,
                        65504.0F,
                        65520.0F,
                        -65536.0F,
                        Limits::infinity(),
                        -Limits::infinity(),
                        Limits::quiet_NaN()},
                       random);
}

std::vector<double> sample_doubles(std::size_t random) {
  using Limits = std::numeric_limits<double>;
  return sample<double>({0.0,
                         -0.0,
                         1.0,
                         -1.0,
                         0.5,
                         1.5,
                         2.5,
                         -2.5,
                         3.0,
                         1.0 / 3,
                         0x1.0000000000001p0,
                         Limits::min(),
                         -Limits::min(),
                         Limits::denorm_min(),
                         -Limits::denorm_min(),
                         Limits::max(),
                         -Limits::max(),
                         0x1p-537,
                         0x1p512,
                         Limits::infinity(),
                         -Limits::infinity()},
                        random);
}

}  // namespace warpsim::test
