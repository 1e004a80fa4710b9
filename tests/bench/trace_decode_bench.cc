// Decoding speed of recorded traces: the native format compared with the same trace as xz-compressed text.
// Both are timed as a run reads them, from opening the trace to the last block of the last launch, on one thread; items
// are executed warp instructions.
//
//   warpsim_bench [--benchmark_...]                    the bundled traces, written as text and compressed as `xz -6`
//   warpsim_bench [--benchmark_...] DIRECTORY...       recorded Accel-Sim directories, converted to native for the time
#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <lzma.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <variant>
#include <vector>

#include "frontend/workload/convert.h"
#include "frontend/workload/workload.h"

namespace warpsim {
namespace {

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

// Replaces the kernel files of a text trace by compressed ones.
void compress_kernels(const std::filesystem::path& directory) {
  for (int id = 1; std::filesystem::exists(directory / fmt::format("kernel-{}.traceg", id)); ++id) {
    const std::filesystem::path plain = directory / fmt::format("kernel-{}.traceg", id);
    std::ifstream in(plain, std::ios::binary);
    const std::vector<std::uint8_t> text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
    const std::vector<std::uint8_t> compressed = compress(text);
    std::ofstream out(plain.string() + ".xz", std::ios::binary);
    out.write(reinterpret_cast<const char*>(compressed.data()), static_cast<std::streamsize>(compressed.size()));
    std::filesystem::remove(plain);
  }
}

// One workload in both formats.
struct Pair {
  std::string name;
  std::string text;
  std::string native;
};

// The folder for files of the benchmark itself. Removed at the end.
class Scratch {
 public:
  Scratch() : directory_(std::filesystem::temp_directory_path() / fmt::format("warpsim-bench-{}", getpid())) {
    std::filesystem::create_directory(directory_);
  }
  ~Scratch() { std::filesystem::remove_all(directory_); }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  Pair pair_of_bundled(const std::filesystem::path& native) const {
    const std::filesystem::path text = directory_ / native.stem();
    convert(native.string(), text.string());
    compress_kernels(text);
    return {native.stem().string(), text.string(), native.string()};
  }
  Pair pair_of_recorded(const std::string& text) const {
    const std::string name = open_workload(text, {})->name();
    const std::string native = (directory_ / (name + ".wtrace")).string();
    convert(text, native);
    return {name, text, native};
  }

 private:
  std::filesystem::path directory_;
};

std::uint64_t decode(const std::string& trace) {
  std::uint64_t instructions = 0;
  const std::unique_ptr<Workload> workload = open_workload(trace, {});
  while (const std::optional<Command> command = workload->next()) {
    const auto* kernel = std::get_if<std::unique_ptr<KernelSource>>(&*command);
    if (kernel == nullptr) {
      continue;
    }
    const std::uint64_t blocks = (*kernel)->launch().grid.count();
    for (std::uint64_t i = 0; i < blocks; ++i) {
      const std::unique_ptr<BlockSource> block = (*kernel)->start_block(i, 0);
      for (std::uint32_t warp = 0; warp < block->warp_count(); ++warp) {
        WarpStream stream;
        stream.warp = warp;
        block->refill(stream, 0);
        benchmark::DoNotOptimize(stream.next);
        instructions += static_cast<std::uint64_t>(stream.end - stream.next);
      }
    }
  }
  return instructions;
}

void time_decoding(benchmark::State& state, const std::vector<std::string>& traces) {
  std::uint64_t instructions = 0;
  for ([[maybe_unused]] const auto _ : state) {
    for (const std::string& trace : traces) {
      instructions += decode(trace);
    }
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(instructions));
}

void add_benchmarks(const std::vector<Pair>& pairs) {
  const auto add = [](const std::string& label, const std::vector<std::string>& traces) {
    benchmark::RegisterBenchmark(label.c_str(), time_decoding, traces)->Unit(benchmark::kMillisecond);
  };
  std::vector<std::string> text;
  std::vector<std::string> native;
  for (const Pair& pair : pairs) {
    text.push_back(pair.text);
    native.push_back(pair.native);
    add("decode_text/" + pair.name, {pair.text});
    add("decode_native/" + pair.name, {pair.native});
  }
  add("decode_text/all", text);
  add("decode_native/all", native);
}

int run(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  const Scratch scratch;
  std::vector<Pair> pairs;
  for (int i = 1; i < argc; ++i) {
    pairs.push_back(scratch.pair_of_recorded(argv[i]));
  }
  if (pairs.empty()) {
    for (const auto& entry : std::filesystem::directory_iterator(WARPSIM_SOURCE_DIR "/traces")) {
      if (entry.path().extension() == ".wtrace") {
        pairs.push_back(scratch.pair_of_bundled(entry.path()));
      }
    }
    std::sort(pairs.begin(), pairs.end(), [](const Pair& a, const Pair& b) { return a.name < b.name; });
  }
  add_benchmarks(pairs);
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}

}  // namespace
}  // namespace warpsim

int main(int argc, char** argv) {
  try {
    return warpsim::run(argc, argv);
  } catch (const std::exception& error) {
    fmt::print(stderr, "warpsim_bench: {}\n", error.what());
    return 2;
  }
}
