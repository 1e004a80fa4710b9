// The driver's linker: units of PTX or of relocatable machine code become one image, which the program loads as a
// module.
//
// Machine code is linked to a cubin (sass/cubin_linker.h) if all units have some, PTX if all have some; PTX beside
// machine code is compiled first, with --ptxas. Errors of the link end cuLinkComplete with CUDA_ERROR_UNKNOWN, as in
// CUDA's driver (reports of numba's users).

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/input_file.h"
#include "cuda/calls.h"
#include "cuda/code/device_runtime_code.h"
#include "cuda/driver/driver_api.h"
#include "cuda/modules/code_images.h"
#include "cuda/modules/link_inputs.h"
#include "emulator/machine_code/system_functions.h"
#include "sass/archive_members.h"
#include "sass/cubin_linker.h"

namespace warpsim::cuda {

namespace {

enum InputType : int { kCubinInput, kPtxInput, kFatBinaryInput, kObjectInput, kLibraryInput };

LinkState& state_of(Context& context, const void* handle) {
  const auto found = context.links().find(handle);
  if (found == context.links().end()) {
    throw CallError(kInvalidHandle);
  }
  return *found->second;
}

void add(Context& context, LinkState& state, int type, std::string data, const std::string& name) {
  const auto bytes = std::as_bytes(std::span(data));
  try {
    switch (type) {
      case kCubinInput:
        state.units.push_back(unit_of_cubin(bytes, name));
        return;
      case kPtxInput:
        data.resize(std::min(data.find('\0'), data.size()));
        state.units.push_back({.name = name, .cubin = {}, .ptx = std::move(data)});
        return;
      case kFatBinaryInput:
        state.units.push_back(unit_of_fat_binary(bytes, name, context.capability()));
        return;
      case kObjectInput:
        state.units.push_back(unit_of_object(bytes, name, context.capability()));
        return;
      case kLibraryInput: {
        std::vector<LinkUnit> members = units_of_library(bytes, name, context.capability());
        std::ranges::move(members, std::back_inserter(state.members));
        return;
      }
      default:
        throw CallError(kNotSupported, fmt::format("{}: an input of type {} is not linked; supported are cubins, PTX, "
                                                   "fat binaries, objects and libraries (0 to 4)",
                                                   name, type));
    }
  } catch (const InvalidLinkInput& error) {
    throw CallError(kInvalidImage, error.what());
  } catch (const sass::InvalidCubin& error) {
    throw CallError(kInvalidImage, error.what());
  }
}

bool all_have(const LinkState& state, std::string LinkUnit::*code) {
  return std::ranges::none_of(state.units, [code](const LinkUnit& unit) { return (unit.*code).empty(); });
}

std::vector<std::string> texts_of(const LinkState& state) {
  std::vector<std::string> texts;
  for (const LinkUnit& unit : state.units) {
    texts.push_back(unit.ptx);
  }
  return texts;
}

// With the PTX of units that have nothing else compiled.
std::vector<LinkUnit> machine_units(Context& context, std::vector<LinkUnit> units) {
  for (LinkUnit& unit : units) {
    if (!unit.cubin.empty()) {
      continue;
    }
    if (!context.ptxas().exists()) {
      throw CallError(
          kNoBinaryForGpu,
          fmt::format("{}: it has PTX only, and other units of the link have machine code only; --ptxas names "
                      "an assembler that compiles it",
                      unit.name));
    }
    unit.cubin = context.ptxas().compile_unit(unit.ptx, unit.name, context.capability());
  }
  return units;
}

std::vector<sass::LinkInput> inputs_of(const std::vector<LinkUnit>& units) {
  std::vector<sass::LinkInput> inputs;
  inputs.reserve(units.size());
  for (const LinkUnit& unit : units) {
    inputs.push_back({std::as_bytes(std::span(unit.cubin)), unit.name});
  }
  return inputs;
}

std::string linked_cubin(Context& context, const LinkState& state) {
  try {
    const std::vector<LinkUnit> units = machine_units(context, state.units);
    std::vector<sass::LinkInput> inputs = inputs_of(units);
    std::vector<LinkUnit> offered = state.members;
    std::erase_if(offered, [](const LinkUnit& member) {
      return member.cubin.empty() || is_device_runtime_code(member.cubin);  // the emulator provides it
    });
    const std::vector<sass::LinkInput> members = inputs_of(offered);
    for (const std::size_t member : sass::needed_members(inputs, members)) {
      inputs.push_back(members[member]);
    }
    return sass::link_cubins(inputs, is_system_function, "linked code");
  } catch (const sass::LinkFailure& error) {
    throw CallError(kUnknown, error.what());
  } catch (const sass::InvalidCubin& error) {
    throw CallError(kInvalidImage, error.what());
  } catch (const PtxasFailure& error) {
    throw CallError(kInvalidPtx, error.what());
  }
}

// Errors in the code are reported by the link. If something else can be executed instead, returns why a kernel cannot
// be; empty if all of them can be.
std::string load_once(Context& context, const std::string& image, bool has_other) {
  const std::unique_ptr<Module> module = module_of_image(image.data());
  context.load(*module);
  std::string refusal = has_other ? context.device().refusal(module->on[current_device()].id) : std::string();
  context.device().unload_module(module->on[current_device()].id);
  return refusal;
}

std::string link(Context& context, const LinkState& state) {
  const CodeTarget target = context.code_target();
  const bool has_ptx = all_have(state, &LinkUnit::ptx);
  const bool has_machine = all_have(state, &LinkUnit::cubin);
  const bool wants_ptx = target.choice == CodeChoice::kPtx || (target.ptx_first && has_ptx);
  if (wants_ptx && !has_ptx) {
    throw CallError(kNoBinaryForGpu, "a unit of the link has machine code only, and --code ptx allows PTX only");
  }
  const bool compiles = context.ptxas().exists() && (state.units.size() > 1 || !has_ptx);
  if (!wants_ptx && (has_machine || !has_ptx || compiles || target.choice == CodeChoice::kMachine)) {
    std::string image = linked_cubin(context, state);
    const std::string refusal = load_once(context, image, has_ptx && target.choice != CodeChoice::kMachine);
    if (refusal.empty()) {
      return image;
    }
    context.say_once(
        fmt::format("linked code: the PTX is executed instead of the machine code, of which a part is not "
                    "supported: {}",
                    refusal));
  }
  std::string image = linked_image(texts_of(state));
  load_once(context, image, false);
  return image;
}

}  // namespace

}  // namespace warpsim::cuda

using namespace warpsim::cuda;  // NOLINT(google-build-using-namespace): the functions have C's names

int cuLinkCreate_v2(unsigned /*count*/, int* /*options*/, void** /*values*/, void** state) {
  return context_call([&](Context& context) {
    auto made = std::make_unique<LinkState>();
    result(state) = made.get();
    context.links()[made.get()] = std::move(made);
  });
}

int cuLinkAddData_v2(void* state, int type, const void* data, std::size_t bytes, const char* name, unsigned /*count*/,
                     int* /*options*/, void** /*values*/) {
  return driver_call([&](Context& context) {
    const auto* const begin = &result(static_cast<const char*>(data));
    LinkState& link_state = state_of(context, state);
    const std::size_t number = link_state.units.size() + 1;
    add(context, link_state, type, {begin, bytes},
        name == nullptr || *name == '\0' ? fmt::format("linked code (input {})", number) : std::string(name));
  });
}

int cuLinkAddFile_v2(void* state, int type, const char* path, unsigned /*count*/, int* /*options*/, void** /*values*/) {
  return driver_call([&](Context& context) {
    std::string text;
    std::string fault;
    if (!warpsim::read_input(&result(path), warpsim::kInputLimitBytes, text, fault)) {
      throw CallError(kFileNotFound);
    }
    add(context, state_of(context, state), type, std::move(text), path);
  });
}

int cuLinkComplete(void* state, void** image, std::size_t* bytes) {
  return driver_call([&](Context& context) {
    LinkState& link_state = state_of(context, state);
    if (link_state.units.empty()) {
      throw CallError(kInvalidValue);
    }
    link_state.image = link(context, link_state);
    result(image) = link_state.image.data();
    if (bytes != nullptr) {
      *bytes = link_state.image.size();
    }
  });
}

int cuLinkDestroy(void* state) {
  return driver_call([&](Context& context) {
    state_of(context, state);
    context.links().erase(state);
  });
}
