#include "cuda/modules/module_code.h"

#include <span>

#include "cuda/code/device_runtime_code.h"
#include "cuda/code/fat_binary.h"
#include "cuda/modules/code_images.h"
#include "sass/cubin.h"

namespace warpsim::cuda {

namespace {

std::string text_of(std::span<const FatBinaryEntry> entries, const CodeTarget& target) {
  return ptx_text(choose_ptx(entries, target.capability, target.force_target));
}

std::string cubin_of(const FatBinaryEntry& entry) {
  const std::vector<std::byte> bytes = machine_code(entry);
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// Linked code is in a fat binary of its own; its units have code that is not linked.
std::vector<FatBinaryEntry> machine_entries(const Module& module) {
  return read_fat_binary(module.embedded != nullptr ? container_at(module.embedded) : container_of(module));
}

// Returns false if there is none.
bool take_code_of_others(const Module& module, ModuleCode& code) {
  const std::vector<FatBinaryEntry> entries = machine_entries(module);
  const FatBinaryEntry* const entry = choose_code_of_others(entries);
  if (entry != nullptr) {
    code.machine = cubin_of(*entry);
    code.of_other = target_name(*entry);
  }
  return entry != nullptr;
}

std::vector<std::string> texts_of(const Module& module, const CodeTarget& target) {
  std::vector<std::string> texts;
  if (module.units.size() > 1) {
    for (const std::byte* const unit : module.units) {
      const std::vector<FatBinaryEntry> entries = read_fat_binary(container_at(unit));
      if (!is_device_runtime(entries)) {
        texts.push_back(text_of(entries, target));
      }
    }
  } else {
    texts.push_back(text_of(read_fat_binary(container_of(module)), target));
  }
  return texts;
}

}  // namespace

ModuleCode code_for(const Module& module, const CodeTarget& target) {
  ModuleCode code;
  if (!module.texts.empty()) {
    code.ptx = module.texts;
    return code;
  }
  if (!module.image.empty()) {
    if (sass::is_cubin(std::as_bytes(std::span(module.image)))) {
      code.machine = module.image;
    } else {
      code.ptx.push_back(module.image);
    }
    return code;
  }
  if (target.choice != CodeChoice::kPtx) {
    const std::vector<FatBinaryEntry> entries = machine_entries(module);
    if (const FatBinaryEntry* const own = choose_machine_code(entries, target.capability)) {
      code.machine = cubin_of(*own);
    } else if (target.choice == CodeChoice::kMachine && !take_code_of_others(module, code)) {
      throw no_machine_code(entries, target.capability);
    }
  }
  if (target.choice == CodeChoice::kMachine) {
    return code;
  }
  try {
    code.ptx = texts_of(module, target);
  } catch (const NoUsablePtx&) {
    if (!code.machine && (target.choice == CodeChoice::kPtx || !take_code_of_others(module, code))) {
      throw;
    }
  }
  if (target.choice == CodeChoice::kAny && target.ptx_first && !code.ptx.empty()) {
    code.machine.reset();
  }
  return code;
}

}  // namespace warpsim::cuda
