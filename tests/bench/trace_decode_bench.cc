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
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>
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

// A bundled trace as a directory of text whose kernels are compressed. Removed at the end.
class TextTrace {
 public:
  explicit TextTrace(const std::string& name)
      : directory_(std::filesystem::temp_directory_path() / fmt::format("warpsim-bench-{}-{}", getpid(), name)) {
    convert(native_path(name), directory_.string());
    for (int id = 1; std::filesystem::exists(directory_ / fmt::format("kernel-{}.traceg", id)); ++id) {
      const std::filesystem::path plain = directory_ / fmt::format("kernel-{}.traceg", id);
      std::ifstream in(plain, std::ios::binary);
      const std::vector<std::uint8_t> text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
      const std::vector<std::uint8_t> compressed = compress(text);
      kernels_.push_back(plain.string() + ".xz");
      std::ofstream out(kernels_.back(), std::ios::binary);
      out.write(reinterpret_cast<const char*>(compressed.data()), static_cast<std::streamsize>(compressed.size()));
      std::filesystem::remove(plain);
    }
  }
  ~TextTrace() { std::filesystem::remove_all(directory_); }
  TextTrace(const TextTrace&) = delete;
  TextTrace& operator=(const TextTrace&) = delete;
  const std::vector<std::string>& kernels() const { return kernels_; }

 private:
  std::filesystem::path directory_;
  std::vector<std::string> kernels_;
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

void decode_text(benchmark::State& state, const std::vector<std::string>& names) {
  std::vector<std::unique_ptr<TextTrace>> traces;
  for (const std::string& name : names) {
    traces.push_back(std::make_unique<TextTrace>(name));
  }
  std::uint64_t instructions = 0;
  for ([[maybe_unused]] const auto _ : state) {
    for (const auto& trace : traces) {
      for (const std::string& path : trace->kernels()) {
        const AccelsimKernel kernel = open_accelsim_kernel(path, "");
        instructions += read_all(*kernel.blocks, kernel.launch.grid.count());
      }
    }
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(instructions));
}

void decode_native(benchmark::State& state, const std::vector<std::string>& names) {
  std::vector<std::pair<std::string, std::uint32_t>> kernels;
  for (const std::string& name : names) {
    const auto source = open_wtrace(native_path(name));
    while (const std::optional<Command> command = source->next()) {
      if (const auto* kernel = std::get_if<std::unique_ptr<KernelSource>>(&*command)) {
        kernels.emplace_back(native_path(name), (*kernel)->launch().launch_index);
      }
    }
  }
  std::uint64_t instructions = 0;
  for ([[maybe_unused]] const auto _ : state) {
    for (const auto& [path, launch] : kernels) {
      const WtraceKernel kernel = open_wtrace_kernel(path, launch);
      instructions += read_all(*kernel.blocks, kernel.launch.grid.count());
    }
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(instructions));
}

void add_benchmarks() {
  const std::vector<std::string> all = {"bfs",     "bitonic",   "scan",   "sgemm_reg",
                                        "softmax", "transpose", "vecadd", "wmma_gemm"};
  const auto add = [](const std::string& label, const std::vector<std::string>& names) {
    benchmark::RegisterBenchmark(("decode_text/" + label).c_str(), decode_text, names)->Unit(benchmark::kMillisecond);
    benchmark::RegisterBenchmark(("decode_native/" + label).c_str(), decode_native, names)
        ->Unit(benchmark::kMillisecond);
  };
  for (const std::string& name : all) {
    add(name, {name});
  }
  add("all", all);
}

}  // namespace
}  // namespace warpsim

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  warpsim::add_benchmarks();
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
