#include "ptx/special_registers.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <iterator>
#include <system_error>

namespace warpsim::ptx {
namespace {

constexpr std::string_view kNames[] = {"%tid",
                                       "%ntid",
                                       "%laneid",
                                       "%warpid",
                                       "%nwarpid",
                                       "%ctaid",
                                       "%nctaid",
                                       "%smid",
                                       "%nsmid",
                                       "%gridid",
                                       "%is_explicit_cluster",
                                       "%clusterid",
                                       "%nclusterid",
                                       "%cluster_ctaid",
                                       "%cluster_nctaid",
                                       "%cluster_ctarank",
                                       "%cluster_nctarank",
                                       "%lanemask_eq",
                                       "%lanemask_le",
                                       "%lanemask_lt",
                                       "%lanemask_ge",
                                       "%lanemask_gt",
                                       "%clock",
                                       "%clock_hi",
                                       "%clock64",
                                       "%globaltimer",
                                       "%globaltimer_lo",
                                       "%globaltimer_hi",
                                       "%reserved_smem_offset_begin",
                                       "%reserved_smem_offset_end",
                                       "%reserved_smem_offset_cap",
                                       "%total_smem_size",
                                       "%aggr_smem_size",
                                       "%dynamic_smem_size",
                                       "%current_graph_exec"};

// Numbered ones: %pm0 to %pm7.
struct NumberedName {
  std::string_view prefix;
  std::string_view suffix;
  std::uint32_t count;
};
constexpr std::array kNumbered = {NumberedName{"%pm", "", 8}, NumberedName{"%pm", "_64", 8},
                                  NumberedName{"%envreg", "", 32}, NumberedName{"%reserved_smem_offset_", "", 2}};

bool is_numbered(std::string_view name, const NumberedName& row) {
  if (!name.starts_with(row.prefix) || !name.ends_with(row.suffix)) {
    return false;
  }
  name.remove_prefix(row.prefix.size());
  if (name.size() <= row.suffix.size()) {
    return false;
  }
  name.remove_suffix(row.suffix.size());
  std::uint32_t number = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
  return error == std::errc() && end == name.data() + name.size() && number < row.count;
}

}  // namespace

bool is_special_register(std::string_view name) {
  return std::find(std::begin(kNames), std::end(kNames), name) != std::end(kNames) ||
         std::any_of(kNumbered.begin(), kNumbered.end(),
                     [&](const NumberedName& row) { return is_numbered(name, row); });
}

}  // namespace warpsim::ptx
