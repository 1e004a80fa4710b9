#include "codegen/register_budget.h"

#include <algorithm>
#include <functional>
#include <numeric>

#include "codegen/function_selector.h"
#include "codegen/instruction_order.h"
#include "codegen/machine_order.h"
#include "codegen/register_assignment.h"
#include "codegen/register_pressure.h"
#include "ptx/ptx_error.h"

namespace warpsim::codegen {

namespace {

constexpr std::uint32_t kSavedOtherwise = 4;  // assumed: registers that compilers save by means not modelled

class Budget {
 public:
  Budget(const ptx::Module& module, ptx::Function& function, const CompileTarget& target)
      : module_(module),
        function_(function),
        target_(target),
        graph_(ptx::make_flow_graph(function)),
        pressure_(function, graph_, target.architecture) {
    ordered_.order.resize(function.body.size());
    std::iota(ordered_.order.begin(), ordered_.order.end(), 0U);
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
    order_within(std::max(most, least));  // beyond the last step compilers spill, which is not modelled
    function_.allotted_registers = std::min(needed_, most);
  }

  // The order with the highest limit with which the code needs so many registers and few more. Returns false, and
  // leaves the order of the text, if there is none.
  bool order_within(std::uint32_t step) {
    constexpr std::uint32_t kBeyond = 8;  // values are fewer than the limit where several are not live at once
    std::uint32_t low = 0;
    std::uint32_t high = step + kBeyond;
    if (try_order(high) <= step + kSavedOtherwise) {
      return true;
    }
    while (high - low > 1) {
      const std::uint32_t middle = (low + high) / 2;
      (try_order(middle) <= step + kSavedOtherwise ? low : high) = middle;
    }
    if (try_order(low) > step + kSavedOtherwise) {
      return false;
    }
    widen_parts(step, step + kBeyond);
    return true;
  }

  // Parts between barriers that need fewer registers than others get a higher limit, those with most loads first.
  void widen_parts(std::uint32_t step, std::uint32_t most) {
    constexpr std::size_t kParts = 8;  // assumed: enough for the loads that count
    std::vector<TightPart> tight = ordered_.tight;
    std::ranges::stable_sort(tight, std::greater(), &TightPart::loads);
    tight.resize(std::min(tight.size(), kParts));
    OrderLimits limits = limits_;
    for (const TightPart& part : tight) {
      std::uint32_t low = limits.words[part.part];
      for (std::uint32_t high = most + 1; high - low > 1;) {
        const std::uint32_t middle = high == most + 1 ? most : (low + high) / 2;
        limits.words[part.part] = middle;
        (try_order(limits) <= step + kSavedOtherwise ? low : high) = middle;
      }
      limits.words[part.part] = low;
    }
    try_order(limits);
  }

  // Puts the instructions in order and returns how many registers the machine code needs then.
  std::uint32_t try_order(std::uint32_t limit) { return try_order(equal_limits(function_, graph_, limit)); }
  std::uint32_t try_order(const OrderLimits& limits) {
    reorder(function_, to_text());
    limits_ = limits;
    ordered_ = order_for(function_, graph_, pressure_, limits);
    reorder(function_, ordered_.order);
    SelectedFunction selected = FunctionSelector(module_, function_, target_.architecture).select();
    order_machine_instructions(function_, graph_, target_.architecture, selected);
    needed_ = assign_registers(graph_, selected, target_.register_steps).general;
    return needed_;
  }

  // The order that takes the instructions back to that of the text.
  std::vector<std::uint32_t> to_text() const {
    const std::vector<std::uint32_t>& order = ordered_.order;
    std::vector<std::uint32_t> back(order.size());
    for (std::uint32_t i = 0; i < order.size(); ++i) {
      back[order[i]] = i;
    }
    return back;
  }

  const ptx::Module& module_;
  ptx::Function& function_;
  const CompileTarget& target_;
  ptx::FlowGraph graph_;  // of every order: instructions stay in their block
  RegisterPressure pressure_;
  OrderLimits limits_;        // of the order that the function has
  OrderedFunction ordered_;   // that order
  std::uint32_t needed_ = 0;  // registers for it
};

}  // namespace

void order_for_registers(const ptx::Module& module, ptx::Function& function, const CompileTarget& target) {
  Budget(module, function, target).run();
}

}  // namespace warpsim::codegen
