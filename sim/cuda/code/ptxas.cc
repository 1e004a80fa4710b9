#include "cuda/code/ptxas.h"

#include <fmt/format.h>
#include <stdlib.h>  // NOLINT(modernize-deprecated-headers): mkdtemp is POSIX

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "base/input_file.h"
#include "base/output_file.h"
#include "base/tool_process.h"

namespace warpsim::cuda {

namespace {

namespace fs = std::filesystem;

class TemporaryPlace {
 public:
  TemporaryPlace() {
    std::string name = (fs::temp_directory_path() / "warpsim_ptxas_XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) {
      throw PtxasFailure(fmt::format("{}: {}; a folder for the input of ptxas is needed", name, std::strerror(errno)));
    }
    path_ = name;
  }
  ~TemporaryPlace() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  TemporaryPlace(const TemporaryPlace&) = delete;
  TemporaryPlace& operator=(const TemporaryPlace&) = delete;
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

// "a" of ".target sm_90a".
std::string suffix_of(std::string_view ptx) {
  constexpr std::string_view kTarget = ".target";
  const std::size_t at = ptx.find(kTarget);
  const std::size_t end = at == std::string_view::npos ? at : ptx.find_first_of(",\n;", at);
  if (end == std::string_view::npos) {
    return {};
  }
  const std::string_view target = ptx.substr(at + kTarget.size(), end - at - kTarget.size());
  const std::size_t last = target.find_last_not_of(" \t\r");
  return last != std::string_view::npos && (target[last] == 'a' || target[last] == 'f') ? std::string(1, target[last])
                                                                                        : std::string();
}

}  // namespace

std::string Ptxas::compile(std::string_view ptx, const std::string& file, std::uint32_t capability) const {
  return run(ptx, file, capability, {});
}

std::string Ptxas::compile_unit(std::string_view ptx, const std::string& file, std::uint32_t capability) const {
  return run(ptx, file, capability, {"--compile-only"});
}

std::string Ptxas::run(std::string_view ptx, const std::string& file, std::uint32_t capability,
                       const std::vector<std::string>& options) const {
  const TemporaryPlace place;
  const std::string input = (place.path() / "code.ptx").string();
  const std::string output = (place.path() / "code.cubin").string();
  write_output_file(input, std::string(ptx));
  std::vector<std::string> words = command_;
  words.push_back(fmt::format("-arch=sm_{}{}", capability, suffix_of(ptx)));
  words.insert(words.end(), options.begin(), options.end());
  words.insert(words.end(), {"-o", output, input});
  // The program that is executed may have libraries that it must not load.
  const ToolOutcome outcome = run_tool({.words = words, .folder = place.path().string(), .unset = {"LD_PRELOAD"}});
  if (outcome.error != 0) {
    throw PtxasFailure(fmt::format("{}: {}; --ptxas names the assembler of a CUDA toolkit, which must be in PATH",
                                   command_.front(), std::strerror(outcome.error)));
  }
  if (!outcome.succeeded) {
    throw PtxasFailure(fmt::format("{}: {} does not compile it: {}", file, command_.front(),
                                   outcome.output.substr(0, outcome.output.find_last_not_of('\n') + 1)));
  }
  return require_input(output, "machine code");
}

}  // namespace warpsim::cuda
