#include "cuda/module_code.h"

#include <span>

#include "cuda/code_images.h"
#include "cuda/fat_binary.h"
#include "sass/cubin.h"

namespace warpsim::cuda {

namespace {

std::string text_of(std::span<const std::byte> container, const CodeTarget& target) {
  return ptx_text(choose_ptx(read_fat_binary(container), target.capability, target.force_target));
}

std::optional<std::string> machine_code_of(std::span<const std::byte> container, const CodeTarget& target) {
  const std::vector<FatBinaryEntry> entries = read_fat_binary(container);
  const FatBinaryEntry* const entry = choose_machine_code(entries, target.capability);
  if (entry == nullptr) {
    if (target.choice == CodeChoice::kMachine) {
      throw no_machine_code(entries, target.capability);
    }
    return std::nullopt;
  }
  const std::vector<std::byte> bytes = machine_code(*entry);
  return std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size());
}

// Without PTX that the GPU can run: nothing if there is machine code.
std::vector<std::string> texts_of(const Module& module, const CodeTarget& target, bool has_machine_code) {
  std::vector<std::string> texts;
  try {
    if (module.units.size() > 1) {
      for (const std::byte* const unit : module.units) {
        texts.push_back(text_of(container_at(unit), target));
      }
    } else {
      texts.push_back(text_of(container_of(module), target));
    }
  } catch (const NoUsablePtx&) {
    if (!has_machine_code) {
      throw;
    }
    texts.clear();
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
    // Linked code is in a fat binary of its own; its units have code that is not linked.
    code.machine =
        machine_code_of(module.embedded != nullptr ? container_at(module.embedded) : container_of(module), target);
  }
  if (target.choice != CodeChoice::kMachine) {
    code.ptx = texts_of(module, target, code.machine.has_value());
  }
  return code;
}

}  // namespace warpsim::cuda
