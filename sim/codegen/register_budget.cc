#include "codegen/register_budget.h"

#include <algorithm>

#include "codegen/function_selector.h"
#include "codegen/instruction_order.h"
#include "codegen/machine_order.h"
#include "codegen/register_assignment.h"
#include "codegen/register_pressure.h"
#include "ptx/ptx_error.h"

namespace warpsim::codegen {

namespace {

class Budget {
 public:
  Budget(const ptx::Module& module, ptx::Function& function, const CompileTarget& target)
      : module_(module),
        function_(function),
        target_(target),
        graph_(ptx::make_flow_graph(function)),
        pressure_(function, graph_, target.architecture),
        order_(function.body.size()) {
    for (std::uint32_t i = 0; i < order_.size(); ++i) {
      order_[i] = i;
    }
  }

  void run() {
    try {
      find_order();
    } catch (const ptx::PtxError&) {
      // An instruction without machine code: an error when a kernel that can reach it is prepared, not before.
      reorder(function_, to_text());
    }
  }

 private:
  void find_order() {
    const std::vector<std::uint32_t>& steps = target_.register_steps;
    // The order of the text where values are close to their readers.
    const std::uint32_t least = try_order(0);
    const auto step = std::ranges::lower_bound(steps, least);
    const std::uint32_t most = step == steps.end() ? steps.back() : *step;
    // An order for latency can also need fewer.
    if (step != steps.begin() && order_within(*std::prev(step))) {
      function_.allotted_registers = std::min(needed_, *std::prev(step));
      return;
    }
    order_within(most);
    function_.allotted_registers = std::min(needed_, most);
  }

  // The order with the highest limit with which the code needs so many registers and few more. Returns false, and
  // leaves the order of the text, if there is none.
  bool order_within(std::uint32_t step) {
    constexpr std::uint32_t kSavedOtherwise = 4;  // assumed: registers that compilers save by means not modelled
    constexpr std::uint32_t kBeyond = 8;          // values are fewer than the limit where several are not live at once
    const auto fits = [&](std::uint32_t limit) { return try_order(limit) <= step + kSavedOtherwise; };
    std::uint32_t low = 0;
    std::uint32_t high = step + kBeyond;
    if (fits(high)) {
      return true;
    }
    while (high - low > 1) {
      const std::uint32_t middle = (low + high) / 2;
      (fits(middle) ? low : high) = middle;
    }
    return fits(low);
  }

  // Puts the instructions in order and returns how many registers the machine code needs then.
  std::uint32_t try_order(std::uint32_t limit) {
    reorder(function_, to_text());
    order_ = order_for(function_, graph_, pressure_, limit);
    reorder(function_, order_);
    SelectedFunction selected = FunctionSelector(module_, function_, target_.architecture).select();
    order_machine_instructions(function_, graph_, target_.architecture, selected);
    needed_ = assign_registers(graph_, selected, target_.register_steps).general;
    return needed_;
  }

  // The order that takes the instructions back to that of the text.
  std::vector<std::uint32_t> to_text() const {
    std::vector<std::uint32_t> back(order_.size());
    for (std::uint32_t i = 0; i < order_.size(); ++i) {
      back[order_[i]] = i;
    }
    return back;
  }

  const ptx::Module& module_;
  ptx::Function& function_;
  const CompileTarget& target_;
  ptx::FlowGraph graph_;  // of every order: instructions stay in their block
  RegisterPressure pressure_;
  std::vector<std::uint32_t> order_;  // that the function has
  std::uint32_t needed_ = 0;          // registers for it
};

}  // namespace

void order_for_registers(const ptx::Module& module, ptx::Function& function, const CompileTarget& target) {
  Budget(module, function, target).run();
}

}  // namespace warpsim::codegen
