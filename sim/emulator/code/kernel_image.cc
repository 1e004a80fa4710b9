#include "emulator/code/kernel_image.h"

#include "base/round_up.h"

#include <algorithm>
#include <functional>

#include "emulator/code/function_decoder.h"
#include "emulator/execution/device_runtime_calls.h"

namespace warpsim {

namespace {

// Places static shared variables one after another; those of open length follow all of them.
class SharedLayout {
 public:
  explicit SharedLayout(SymbolPlaces& symbols) : symbols_(symbols) {}

  std::uint32_t lay_out(const ptx::Module& module, const std::vector<bool>& reached) {
    constexpr std::uint32_t kLeastOfOpen = 16;
    symbols_.shared.assign(module.variables.size(), 0);
    symbols_.own_shared.resize(module.functions.size());
    const auto each = [&](const auto& place_one) {
      for (std::size_t i = 0; i < module.variables.size(); ++i) {
        place_one(module.variables[i], symbols_.shared[i]);
      }
      for (std::size_t f = 0; f < module.functions.size(); ++f) {
        const std::vector<ptx::Variable>& own = module.functions[f].variables;
        symbols_.own_shared[f].resize(own.size());
        for (std::size_t i = 0; i < own.size() && reached[f]; ++i) {
          place_one(own[i], symbols_.own_shared[f][i]);
        }
      }
    };
    std::uint32_t alignment_of_open = 1;  // without such arrays the end does not change
    each([&](const ptx::Variable& variable, std::uint32_t& offset) {
      if (variable.space != ptx::StateSpace::kShared) {
        return;
      }
      if (variable.bytes() == 0) {
        alignment_of_open = std::max({alignment_of_open, variable.alignment, kLeastOfOpen});
        return;
      }
      next_ = round_up(next_, variable.alignment);
      offset = next_;
      next_ += static_cast<std::uint32_t>(variable.bytes());
    });
    next_ = round_up(next_, alignment_of_open);
    each([&](const ptx::Variable& variable, std::uint32_t& offset) {
      if (variable.space == ptx::StateSpace::kShared && variable.bytes() == 0) {
        offset = next_;
      }
    });
    return next_;
  }

 private:
  SymbolPlaces& symbols_;
  std::uint32_t next_ = 0;
};

// Functions that a function names: calls, tables of call targets, addresses taken.
std::vector<std::uint32_t> named_functions(const ptx::Module& module, const ptx::Function& function) {
  std::vector<std::uint32_t> found;
  const auto see_symbol = [&](std::uint32_t number) {
    const ptx::Symbol& symbol = module.symbols[number];
    if (symbol.kind == ptx::Symbol::Kind::kFunction) {
      found.push_back(symbol.number);
    }
  };
  const std::function<void(const ptx::Operand&)> see = [&](const ptx::Operand& operand) {
    if (operand.kind == ptx::Operand::Kind::kSymbol && operand.scope == ptx::Operand::Scope::kModule) {
      see_symbol(operand.number);
    }
    std::ranges::for_each(operand.elements, see);
  };
  for (const ptx::Instruction& instruction : function.body) {
    std::ranges::for_each(instruction.operands, see);
  }
  for (const ptx::TargetTable& table : function.call_targets) {
    std::ranges::for_each(table.targets, see_symbol);
  }
  return found;
}

bool calls_indirectly(const ptx::Module& module, const ptx::Function& function) {
  return std::ranges::any_of(function.body, [&](const ptx::Instruction& instruction) {
    return instruction.opcode == "call" && std::ranges::none_of(instruction.operands, [&](const ptx::Operand& operand) {
             return operand.kind == ptx::Operand::Kind::kSymbol && operand.scope == ptx::Operand::Scope::kModule &&
                    module.symbols[operand.number].kind == ptx::Symbol::Kind::kFunction;
           });
  });
}

// Functions whose addresses are initial values of variables.
std::vector<std::uint32_t> functions_in_data(const ptx::Module& module) {
  std::vector<std::uint32_t> found;
  const auto see = [&](const ptx::Variable& variable) {
    for (const ptx::InitialValue& value : variable.initial) {
      if (value.symbol >= 0) {
        const ptx::Symbol& symbol = module.symbols[static_cast<std::size_t>(value.symbol)];
        if (symbol.kind == ptx::Symbol::Kind::kFunction) {
          found.push_back(symbol.number);
        }
      }
    }
  };
  std::ranges::for_each(module.variables, see);
  return found;
}

// A function of the system.
bool changes_what_blocks_share(std::string_view function) {
  return function == "malloc" || function == "free" || find_device_runtime_form(function) != nullptr;
}

class Reach {
 public:
  Reach(const ptx::Module& module, std::uint32_t entry) : module_(module), reached(module.functions.size()) {
    visit(entry);
  }

 private:
  void visit(std::uint32_t first) {
    std::vector<std::uint32_t> waiting{first};
    bool data_seen = false;
    while (!waiting.empty()) {
      const std::uint32_t number = waiting.back();
      waiting.pop_back();
      const ptx::Function& function = module_.functions[number];
      calls_system = calls_system || (!function.has_body && changes_what_blocks_share(function.name));
      // Another kernel is launched, not called.
      if (reached[number] || !function.has_body || (function.is_entry && number != first)) {
        continue;
      }
      reached[number] = true;
      const std::vector<std::uint32_t> named = named_functions(module_, function);
      waiting.insert(waiting.end(), named.begin(), named.end());
      if (!data_seen && calls_indirectly(module_, function)) {
        data_seen = true;
        const std::vector<std::uint32_t> more = functions_in_data(module_);
        waiting.insert(waiting.end(), more.begin(), more.end());
      }
    }
  }

  const ptx::Module& module_;

 public:
  std::vector<bool> reached;
  bool calls_system = false;
};

std::unique_ptr<const ModuleImage> translated(const ModuleImage& module, std::uint32_t entry) {
  const ptx::KernelSource* const source = module.module().kernel_source.get();
  return source == nullptr ? nullptr : std::make_unique<const ModuleImage>(source->kernel(entry), module);
}

}  // namespace

KernelImage::KernelImage(const ModuleImage& module, std::uint32_t entry)
    : own_(translated(module, entry)),
      module_(own_ == nullptr ? &module : own_.get()),
      entry_(entry),
      name_(module.module().functions[entry].name) {
  const ptx::Module& text = module_->module();
  if (own_ != nullptr) {
    entry_ = static_cast<std::uint32_t>(text.find_function(name_) - text.functions.data());
  }
  const Reach reach(text, entry_);
  const std::vector<bool>& reached = reach.reached;
  SymbolPlaces symbols{module_, entry_, {}, {}};
  shared_bytes_before_dynamic_ = SharedLayout(symbols).lay_out(text, reached);
  for (const ptx::Variable& variable : text.functions[entry_].variables) {
    system_shared_bytes_ += variable.name == kSystemSharedName ? static_cast<std::uint32_t>(variable.bytes()) : 0;
  }
  for (std::uint32_t f = 0; f < text.functions.size(); ++f) {
    functions_.push_back(reached[f] ? FunctionDecoder(symbols, f, name_).decode() : nullptr);
  }
  for (const CallSite::Argument& parameter : functions_[entry_]->parameters) {
    parameters_.push_back({parameter.here, parameter.bytes});
    parameter_bytes_ = std::max(parameter_bytes_, parameter.here + parameter.bytes);
  }
  takes_stack_ = text.functions[entry_].grows_stack;
  launches_work_ = std::ranges::any_of(text.functions, [](const ptx::Function& function) {
    const DeviceRuntimeForm* const form = find_device_runtime_form(function.name);
    return form != nullptr && form->function->takes_stream;
  });
  calls_system_ = reach.calls_system;
  launches_graphs_ =
      std::ranges::any_of(text.functions, [](const ptx::Function& f) { return f.name == "cudaGraphLaunch"; });
  measure_local();
}

void KernelImage::measure_local() {
  enum class State : std::uint8_t { kNew, kOpen, kDone };
  std::vector<State> states(functions_.size(), State::kNew);
  std::vector<std::uint32_t> depth(functions_.size(), 0);
  std::uint32_t deepest_indirect = 0;
  for (const auto& function : functions_) {
    deepest_indirect = std::max(deepest_indirect, function == nullptr ? 0 : function->local_bytes);
    takes_stack_ = takes_stack_ || (function != nullptr && function->stack_mark != kNoPlace);
  }
  const std::function<std::uint32_t(std::uint32_t)> measure = [&](std::uint32_t number) -> std::uint32_t {
    if (functions_[number] == nullptr || states[number] == State::kDone) {
      return depth[number];
    }
    if (states[number] == State::kOpen) {
      recursive_ = true;
      return 0;
    }
    states[number] = State::kOpen;
    std::uint32_t below = 0;
    for (const CallSite& call : functions_[number]->calls) {
      below =
          std::max(below, call.function >= 0 ? measure(static_cast<std::uint32_t>(call.function)) : deepest_indirect);
    }
    states[number] = State::kDone;
    depth[number] = functions_[number]->local_bytes + below;
    return depth[number];
  };
  local_bytes_ = measure(entry_);
}

}  // namespace warpsim
