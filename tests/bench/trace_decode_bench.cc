// How fast recorded instructions become BlockTraces: the native format against the same trace as xz-compressed text.
// Both are timed from opening the file to the last block, on one thread; items are executed warp instructions. Set-up
// writes the text with our own writer and compresses it as `xz -6` does.
#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <lzma.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

#include "frontend/accelsim_reader.h"
#include "frontend/convert.h"
#include "frontend/wtrace_reader.h"

namespace warpsim {
namespace {

std::string native_path(const std::string& name) {
  return std::string(WARPSIM_SOURCE_DIR) + "/traces/" + name + ".wtrace";
}

std::vector<std::uint8_t> compress(const std::vector<std::uint8_t>& text) {
  std::vector<std::uint8_t> out(lzma_stream_buffer_bound(text.size()));
  std::size_t size = 0;
  if (lzma_easy_buffer_encode(6, LZMA_CHECK_CRC64, nullptr, text.data(), text.size(), out.data(), &size, out.size()) !=
      LZMA_OK) {
    throw std::runtime_error("xz compression failed");
  }
  out.resize(size);
  return out;
}

// The trace as a directory of text, its first kernel compressed. Kept between benchmarks, removed at the end.
class TextTrace {
 public:
  explicit TextTrace(const std::string& name)
      : directory_(std::filesystem::temp_directory_path() / fmt::format("warpsim-bench-{}-{}", getpid(), name)) {
    convert(native_path(name), directory_.string());
    std::ifstream in(directory_ / "kernel-1.traceg", std::ios::binary);
    const std::vector<std::uint8_t> text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
    const std::vector<std::uint8_t> compressed = compress(text);
    std::ofstream out(kernel(), std::ios::binary);
    out.write(reinterpret_cast<const char*>(compressed.data()), static_cast<std::streamsize>(compressed.size()));
  }
  ~TextTrace() { std::filesystem::remove_all(directory_); }
  TextTrace(const TextTrace&) = delete;
  TextTrace& operator=(const TextTrace&) = delete;
  std::string kernel() const { return (directory_ / "kernel-1.traceg.xz").string(); }

 private:
  std::filesystem::path directory_;
};

std::uint64_t read_all(BlockReader& blocks, std::uint64_t count) {
  BlockTrace block;
  std::uint64_t instructions = 0;
  for (std::uint64_t i = 0; i < count; ++i) {
    blocks.read(i, block);
    benchmark::DoNotOptimize(block.instructions.data());
    instructions += block.instructions.size();
  }
  return instructions;
}

void decode_text(benchmark::State& state, const std::string& name) {
  const TextTrace text(name);
  std::uint64_t instructions = 0;
  for ([[maybe_unused]] const auto _ : state) {
    const AccelsimKernel kernel = open_accelsim_kernel(text.kernel(), "");
    instructions += read_all(*kernel.blocks, kernel.launch.grid.count());
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(instructions));
}

void decode_native(benchmark::State& state, const std::string& name) {
  const std::string path = native_path(name);
  std::uint64_t instructions = 0;
  for ([[maybe_unused]] const auto _ : state) {
    const WtraceKernel kernel = open_wtrace_kernel(path, 0);
    instructions += read_all(*kernel.blocks, kernel.launch.grid.count());
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(instructions));
}

BENCHMARK_CAPTURE(decode_text, vecadd, "vecadd")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(decode_native, vecadd, "vecadd")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(decode_text, sgemm_reg, "sgemm_reg")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(decode_native, sgemm_reg, "sgemm_reg")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(decode_text, bitonic, "bitonic")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(decode_native, bitonic, "bitonic")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(decode_text, wmma_gemm, "wmma_gemm")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(decode_native, wmma_gemm, "wmma_gemm")->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace warpsim

BENCHMARK_MAIN();
