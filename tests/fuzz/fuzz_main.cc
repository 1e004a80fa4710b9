// Calls a fuzz target with mutations of the given files for a time; the mutations are always the same.
//
//   ptx_parser_fuzz SECONDS FOLDER          mutations of the files in the folder
//   ptx_parser_fuzz SECONDS FOLDER NUMBER   the same, and prints the text of that number instead of stopping there
//
// The number of the current text is stored in the file fuzz_progress.txt: if the target crashes, it identifies the
// text.
#include <sys/resource.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "fuzz/mutator.h"

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer's name
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

constexpr unsigned kSecondsOfText = 10;  // longer is a hang
constexpr std::size_t kMostKept = 64;
// Kept texts are neither too short to resemble their origin nor slow.
constexpr std::size_t kShortestKept = 1000;
constexpr std::size_t kLongestKept = 20000;
constexpr std::size_t kMostMemory = std::size_t{600} << 20;

// Sanitizers reserve address space of their own.
void limit_memory() {
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
  const rlimit limit = {kMostMemory, kMostMemory};
  setrlimit(RLIMIT_AS, &limit);
#endif
}

std::vector<std::string> texts_in(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());
  std::vector<std::string> texts;
  for (const std::filesystem::path& path : paths) {
    std::ifstream file(path);
    texts.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  }
  return texts;
}

bool accepted(const std::string& text) {
  alarm(kSecondsOfText);
  return LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(text.data()), text.size()) == 0;
}

int fuzz(double seconds, std::vector<std::string> texts, std::uint64_t shown) {
  std::FILE* progress = std::fopen("fuzz_progress.txt", "w");
  if (progress == nullptr || texts.empty()) {
    std::fputs("fuzz: no texts to begin with, or no file for the progress\n", stderr);
    return 2;
  }
  const std::size_t given = texts.size();
  warpsim::Mutator mutator(1);
  const auto begin = std::chrono::steady_clock::now();
  std::uint64_t number = 0;
  std::uint64_t modules = 0;
  while (std::chrono::steady_clock::now() - begin < std::chrono::duration<double>(seconds)) {
    const std::string text = mutator.mutate(texts);
    ++number;
    if (number == shown) {
      std::fwrite(text.data(), 1, text.size(), stdout);
      return 0;
    }
    const std::string line = std::to_string(number) + "\n";
    if (pwrite(fileno(progress), line.data(), line.size(), 0) < 0) {
      return 2;
    }
    // Accepted texts lead to more: a few of them are kept and changed further.
    if (accepted(text)) {
      ++modules;
      const bool kept = text.size() >= kShortestKept && text.size() <= kLongestKept;
      if (kept && texts.size() < given + kMostKept) {
        texts.push_back(text);
      } else if (kept) {
        texts[given + mutator.below(kMostKept)] = text;
      }
    }
  }
  std::fclose(progress);
  std::printf("%llu texts, %llu of them accepted\n", static_cast<unsigned long long>(number),
              static_cast<unsigned long long>(modules));
  return 0;
}

}  // namespace

int main(int count, char** arguments) {
  if (count < 3) {
    std::fputs("usage: fuzz SECONDS FOLDER [NUMBER]\n", stderr);
    return 2;
  }
  limit_memory();
  try {
    return fuzz(std::atof(arguments[1]), texts_in(arguments[2]),
                count > 3 ? std::strtoull(arguments[3], nullptr, 10) : 0);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "fuzz: %s\n", error.what());
    return 1;
  }
}
