// Containers of tests/data/fatbin: one kernel, `scale`, packed by nvcc 13 for compute_75, compute_90 and compute_90a
// and as machine code for sm_75.
#include "cuda/code/fat_binary.h"

#include <catch2/catch.hpp>
#include <cstring>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include "sass/cubin.h"

namespace warpsim::cuda {
namespace {

std::string load(const std::string& name) {
  std::ifstream file(WARPSIM_SOURCE_DIR "/tests/data/fatbin/" + name + ".fatbin", std::ios::binary);
  REQUIRE(file);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::span<const std::byte> bytes_of(const std::string& text) {
  return std::as_bytes(std::span(text));
}

TEST_CASE("entries name kind, target and suffix in every compression mode") {
  const auto* const mode = GENERATE("none", "speed", "default", "size");
  CAPTURE(mode);
  const std::string file = load(mode);
  const std::vector<FatBinaryEntry> entries = read_fat_binary(bytes_of(file));
  std::vector<std::string> names;
  for (const FatBinaryEntry& entry : entries) {
    names.push_back(target_name(entry));
  }
  CHECK(names == std::vector<std::string>{"sm_75", "compute_75", "compute_90", "compute_90a"});
}

TEST_CASE("PTX is the same text with every compression") {
  const std::string plain_file = load("none");
  const std::string plain = ptx_text(read_fat_binary(bytes_of(plain_file))[2]);
  CHECK(plain.find(".target sm_90\n") != std::string::npos);
  CHECK(plain.find("_Z5scalePffi") != std::string::npos);
  CHECK(plain.find('\0') == std::string::npos);
  const auto* const mode = GENERATE("speed", "default", "size");
  CAPTURE(mode);
  const std::string file = load(mode);
  std::string text = ptx_text(read_fat_binary(bytes_of(file))[2]);
  // Compressed entries keep only one empty line before the first directive.
  CHECK(text.substr(text.find(".version")) == plain.substr(plain.find(".version")));
}

TEST_CASE("machine code is the same cubin with every compression") {
  const std::string plain_file = load("none");
  const std::vector<std::byte> plain = machine_code(read_fat_binary(bytes_of(plain_file))[0]);
  CHECK(sass::is_cubin(plain));
  const auto* const mode = GENERATE("speed", "default", "size");
  CAPTURE(mode);
  const std::string file = load(mode);
  const std::vector<FatBinaryEntry> entries = read_fat_binary(bytes_of(file));
  CHECK(machine_code(entries[0]) == plain);
  CHECK_THROWS_WITH(machine_code(entries[1]), "fat binary: machine code expected, the entry is compute_75");
}

TEST_CASE("the highest target that is not above the GPU is chosen") {
  const std::string file = load("default");
  const std::vector<FatBinaryEntry> entries = read_fat_binary(bytes_of(file));
  CHECK(target_name(choose_ptx(entries, 75, false)) == "compute_75");
  CHECK(target_name(choose_ptx(entries, 89, false)) == "compute_75");
  CHECK(target_name(choose_ptx(entries, 90, false)) == "compute_90a");
  // Code only for 9.0 does not run on later GPUs.
  CHECK(target_name(choose_ptx(entries, 100, false)) == "compute_90");
}

TEST_CASE("code of a family only runs within it") {
  FatBinaryEntry entry;
  entry.target = 100;
  entry.suffix = 'f';
  CHECK(runs_on(entry, 100));
  CHECK(runs_on(entry, 103));
  CHECK_FALSE(runs_on(entry, 120));
  CHECK_FALSE(runs_on(entry, 90));
}

TEST_CASE("a GPU older than all PTX is refused unless the target is forced") {
  const std::string file = load("default");
  const std::vector<FatBinaryEntry> entries = read_fat_binary(bytes_of(file));
  CHECK_THROWS_WITH(choose_ptx(entries, 70, false), Catch::Contains("no PTX for compute capability 7.0") &&
                                                        Catch::Contains("compute_90a") &&
                                                        Catch::Contains("--force-target"));
  CHECK(target_name(choose_ptx(entries, 70, true)) == "compute_75");
}

TEST_CASE("for a program with only machine code the message states how to include PTX") {
  const std::string file = load("machine_code");
  const std::vector<FatBinaryEntry> entries = read_fat_binary(bytes_of(file));
  CHECK_THROWS_WITH(choose_ptx(entries, 90, true),
                    Catch::Contains("it holds sm_75") && Catch::Contains("-gencode arch=compute_90,code=compute_90"));
}

TEST_CASE("a container truncated anywhere is one error") {
  const std::string file = load("size");
  for (std::size_t bytes = 0; bytes < file.size(); bytes += 7) {
    CHECK_THROWS_AS(read_fat_binary(bytes_of(file).first(bytes)), InvalidFatBinary);
  }
}

TEST_CASE("a container with any byte changed is either read or refused") {
  const std::string file = load("speed");
  std::mt19937 random(1);
  for (int round = 0; round < 2000; ++round) {
    std::string changed = file;
    for (int change = 0; change < 3; ++change) {
      // Half of the changes affect the first headers.
      const std::size_t limit = (random() & 1) != 0 ? changed.size() : 128;
      changed[random() % limit] = static_cast<char>(random());
    }
    try {
      for (const FatBinaryEntry& entry : read_fat_binary(bytes_of(changed))) {
        if (entry.kind == FatBinaryEntry::Kind::kPtx && entry.uncompressed_bytes < (1U << 20)) {
          ptx_text(entry);
        }
      }
    } catch (const InvalidFatBinary& error) {
      CHECK(std::string(error.what()).find("fat binary") == 0);
    }
  }
}

TEST_CASE("an entry that claims to expand beyond the limit is refused") {
  std::string file = load("speed");
  constexpr std::size_t kFirstPtx = 6392;
  constexpr std::size_t kUncompressedBytes = 56;
  const std::uint64_t huge = 1ULL << 40;
  std::memcpy(file.data() + kFirstPtx + kUncompressedBytes, &huge, sizeof huge);
  CHECK_THROWS_AS(ptx_text(read_fat_binary(bytes_of(file))[1]), InvalidFatBinary);
}

}  // namespace
}  // namespace warpsim::cuda
