#include "frontend/workload/convert.h"

#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>

#include "base/error.h"
#include "frontend/workload/block_copy.h"
#include "frontend/workload/workload.h"
#include "support/invented_trace.h"

namespace warpsim {
namespace {

const std::string kTraces = WARPSIM_SOURCE_DIR "/traces/";

bool same_program(const StaticProgram& a, const StaticProgram& b) {
  if (a.function != b.function || a.architecture != b.architecture || a.has_listing != b.has_listing ||
      a.has_control != b.has_control || a.opcodes != b.opcodes || a.text != b.text ||
      a.instructions.size() != b.instructions.size()) {
    return false;
  }
  for (std::size_t i = 0; i < a.instructions.size(); ++i) {
    const StaticInstruction& x = a.instructions[i];
    const StaticInstruction& y = b.instructions[i];
    const auto same_registers = [](const auto& p, const auto& q) {
      return std::equal(p.begin(), p.end(), q.begin(), [](const RegisterRange& r, const RegisterRange& s) {
        return r.first == s.first && r.count == s.count;
      });
    };
    if (x.pc != y.pc || x.opcode != y.opcode || x.kind != y.kind || x.pipe != y.pipe || x.timing != y.timing ||
        x.space != y.space || x.bytes_per_lane != y.bytes_per_lane || x.guard != y.guard ||
        x.immediate != y.immediate || x.control.stall_cycles != y.control.stall_cycles ||
        x.control.wait_mask != y.control.wait_mask || x.control.write_barrier != y.control.write_barrier ||
        x.control.read_barrier != y.control.read_barrier || x.control.reuse_mask != y.control.reuse_mask ||
        x.control.yield != y.control.yield || !same_registers(x.sources, y.sources) ||
        !same_registers(x.destinations, y.destinations) || x.uniform_sources != y.uniform_sources) {
      return false;
    }
  }
  return true;
}

// "" if both workloads are equal, otherwise the difference.
std::string difference(const std::string& expected_path, const std::string& actual_path) {
  const auto expected = open_workload(expected_path, WorkloadOptions{});
  const auto actual = open_workload(actual_path, WorkloadOptions{});
  BlockTrace expected_block;
  BlockTrace actual_block;
  while (std::optional<Command> e = expected->next()) {
    const std::optional<Command> a = actual->next();
    if (!a || e->index() != a->index()) {
      return "commands";
    }
    if (const auto* copy = std::get_if<CopyToDevice>(&*e)) {
      const auto& other = std::get<CopyToDevice>(*a);
      if (copy->destination != other.destination || copy->bytes != other.bytes) {
        return "copy";
      }
      continue;
    }
    KernelSource& x = *std::get<std::unique_ptr<KernelSource>>(*e);
    KernelSource& y = *std::get<std::unique_ptr<KernelSource>>(*a);
    if (x.launch().kernel != y.launch().kernel || x.launch().grid != y.launch().grid ||
        x.launch().block != y.launch().block || x.launch().shared_bytes != y.launch().shared_bytes ||
        x.launch().stream != y.launch().stream || !same_program(*x.launch().program, *y.launch().program)) {
      return "launch " + x.launch().kernel;
    }
    for (std::uint64_t block = 0; block < x.launch().grid.count(); ++block) {
      copy_block(x, block, expected_block);
      copy_block(y, block, actual_block);
      const std::string what = test::difference(expected_block, actual_block);
      if (!what.empty()) {
        return what;
      }
    }
  }
  return actual->next() ? "more commands" : "";
}

TEST_CASE("convert: native to text and back keeps every record and the program") {
  const test::TemporaryDirectory directory;
  for (const char* name : {"scan", "transpose", "bfs"}) {
    INFO(name);
    const std::string native = kTraces + name + ".wtrace";
    const std::string text = directory.path(name);
    const std::string again = directory.path(std::string(name) + ".wtrace");
    convert(native, text);
    CHECK(difference(native, text) == "");
    convert(text, again);
    CHECK(difference(native, again) == "");
    // The same content makes the same file, but for the version of the format in its header and footer.
    constexpr std::size_t kHeaderBytes = 16;
    constexpr std::size_t kFooterBytes = 32;
    const auto content = [&](const std::string& file) {
      const std::string whole = test::read_file(file);
      return whole.substr(kHeaderBytes, whole.size() - kHeaderBytes - kFooterBytes);
    };
    CHECK(content(again) == content(native));
  }
}

TEST_CASE("convert: names that do not determine the direction are refused") {
  const test::TemporaryDirectory directory;
  CHECK_THROWS_AS(convert(kTraces + "scan.wtrace", directory.path("b.wtrace")), UsageError);
  convert(kTraces + "scan.wtrace", directory.path("text"));
  CHECK_THROWS_AS(convert(directory.path("text"), directory.path("other")), UsageError);
  CHECK_THROWS_AS(convert(directory.path("missing"), directory.path("b.wtrace")), TraceError);
  CHECK_FALSE(std::filesystem::exists(directory.path("b.wtrace")));
}

TEST_CASE("convert: recorded text traces lose nothing and are no larger than their xz files", "[slow]") {
  const char* const recorded = std::getenv("WARPSIM_RECORDED_TRACES");
  if (recorded == nullptr) {
    WARN("skipped: WARPSIM_RECORDED_TRACES does not name a folder of text traces");
    return;
  }
  const test::TemporaryDirectory directory;
  std::uint64_t text_bytes = 0;
  std::uint64_t native_bytes = 0;
  for (const auto& folder : std::filesystem::directory_iterator(recorded)) {
    const std::string native = directory.path(folder.path().filename().string() + ".wtrace");
    INFO(native);
    convert(folder.path().string(), native);
    CHECK(difference(folder.path().string(), native) == "");
    native_bytes += std::filesystem::file_size(native);
    for (const auto& file : std::filesystem::directory_iterator(folder)) {
      text_bytes += file.path().extension() == ".xz" ? file.file_size() : 0;
    }
  }
  CHECK(native_bytes <= text_bytes);
}

}  // namespace
}  // namespace warpsim
