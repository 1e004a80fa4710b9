#include "cuda/device/module_loader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <new>
#include <utility>
#include <vector>

#include "codegen/code_generator.h"
#include "core/blocks/register_steps.h"
#include "emulator/execution/device_runtime_calls.h"
#include "emulator/machine_code/cubin_module.h"
#include "ptx/linker.h"
#include "ptx/parser.h"
#include "sass/cubin.h"
#include "sass/decoder.h"
#include "sass/elf_image.h"

namespace warpsim::cuda {

namespace {

// The assembler only accepts the names of these functions in code that is linked later.
bool calls_device_runtime(std::string_view ptx) {
  return std::ranges::any_of(device_runtime_forms(), [ptx](const DeviceRuntimeForm& form) {
    return ptx.find(form.name) != std::string_view::npos;
  });
}

}  // namespace

ModuleLoader::ModuleLoader(const GpuConfig& config, const DeviceOptions& options, DeviceMemory& memory)
    : capability_(config.compute_capability),
      target_{.architecture = architecture_of(capability_), .register_steps = register_steps(config.occupancy)},
      force_target_(options.force_target),
      is_timed_(!options.functional_only),
      ptxas_(options.ptxas),
      memory_(memory) {}

Outcome ModuleLoader::check_target(const ptx::Module& code, const std::string& file) const {
  const std::uint32_t own = architecture_of(capability_);
  if (code.is_machine_code) {
    return {};  // executed as its own GPU does; its timing is that of code lowered to this one
  }
  const bool fits = code.architecture_specific ? code.target == own : code.target <= own;
  if (fits || force_target_) {
    return {};
  }
  return {Failure::kNoBinaryForGpu, fmt::format("{}: PTX for sm_{}{} does not run on compute capability {}", file,
                                                code.target, code.architecture_specific ? "a" : "", capability_)};
}

Outcome ModuleLoader::check_calls(const ptx::Module& code, const std::string& file) const {
  const auto calls = [](const ptx::Function& function) {
    return !function.has_body && is_device_synchronise(function.name);
  };
  if (architecture_of(capability_) < kFirstWithoutDeviceSynchronise || std::ranges::none_of(code.functions, calls)) {
    return {};
  }
  return {Failure::kDeviceSynchronise,
          fmt::format("{}: a kernel calls cudaDeviceSynchronize(), which compute capability {} does not have", file,
                      capability_)};
}

Outcome ModuleLoader::load(std::string_view code, const std::string& file, const Managed& managed,
                           std::unique_ptr<ModuleImage>& image) const {
  const auto parse = [&] {
    if (!ptxas_.exists() || sass::is_cubin(std::as_bytes(std::span(code)))) {
      return module_of_code(code, file);
    }
    const std::uint32_t capability = architecture_of(capability_);
    return module_of_code(calls_device_runtime(code) ? ptxas_.compile_unit(code, file, capability)
                                                     : ptxas_.compile(code, file, capability),
                          file);
  };
  return load_parsed(parse, file, managed, image);
}

Outcome ModuleLoader::link(std::span<const std::string> texts, const std::string& file, const Managed& managed,
                           std::unique_ptr<ModuleImage>& image) const {
  if (ptxas_.exists()) {
    return {Failure::kInvalidPtx, fmt::format("{}: --ptxas compiles single modules, and these {} units must be linked; "
                                              "nvcc links them for -gencode arch=compute_XX,code=sm_XX",
                                              file, texts.size())};
  }
  const auto linked = [&] {
    std::vector<std::unique_ptr<ptx::Module>> units;
    for (const std::string& text : texts) {
      units.push_back(ptx::parse_module(text, fmt::format("{} (unit {})", file, units.size() + 1)));
    }
    return ptx::link_modules(std::move(units), file);
  };
  return load_parsed(linked, file, managed, image);
}

template <class Parse>
Outcome ModuleLoader::load_parsed(Parse&& parse, const std::string& file, const Managed& managed,
                                  std::unique_ptr<ModuleImage>& image) const {
  try {
    std::unique_ptr<ptx::Module> text = parse();
    if (Outcome fits = check_target(*text, file); !fits) {
      return fits;
    }
    if (Outcome known = check_calls(*text, file); !known) {
      return known;
    }
    if (is_timed_ && !text->is_machine_code) {
      prepare_for_machine(*text);
    }
    image = std::make_unique<ModuleImage>(std::move(text), memory_, managed);
  } catch (const ptx::PtxError& error) {
    return {Failure::kInvalidPtx, error.what()};
  } catch (const PtxasFailure& error) {
    return {Failure::kInvalidPtx, error.what()};
  } catch (const sass::InvalidCubin& error) {
    return {Failure::kInvalidPtx, error.what()};
  } catch (const sass::UnknownInstruction& error) {
    return {Failure::kInvalidPtx, error.what()};
  } catch (const std::bad_alloc&) {
    return {Failure::kOutOfMemory, file + ": the module's variables do not fit into the device's memory"};
  }
  return {};
}

void ModuleLoader::optimise(ModuleImage& image, std::uint32_t kernel) const {
  if (is_timed_ && !image.module().is_machine_code) {
    optimise_for_machine(image.module(), kernel, target_);
  }
}

}  // namespace warpsim::cuda
