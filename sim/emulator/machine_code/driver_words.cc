#include "emulator/machine_code/driver_words.h"

#include <fmt/format.h>

#include "emulator/memory/generic_address.h"

namespace warpsim {

namespace {

// Sizes of clusters, from 9.0 on.
std::string of_clusters(const std::string& name, std::int64_t offset) {
  static constexpr char kAxes[] = {'x', 'y', 'z'};
  constexpr std::int64_t kSize = 0x144;
  constexpr std::int64_t kInverse = 0x150;
  constexpr std::int64_t kClusters = 0x15c;
  const auto axis = [offset](std::int64_t first) { return kAxes[(offset - first) / 4]; };
  if (offset == 0x140) {
    return fmt::format("{{ .reg .pred present; mov.pred present, %is_explicit_cluster; selp.u32 {}, 1, 0, present; }}",
                       name);
  }
  if (offset >= kSize && offset < kInverse) {
    return fmt::format("mov.u32 {}, %cluster_nctaid.{};", name, axis(kSize));
  }
  if (offset >= kInverse && offset < kClusters) {
    return fmt::format("mov.u32 {0}, %cluster_nctaid.{1}; cvt.rn.f32.u32 {0}, {0}; rcp.rn.f32 {0}, {0};", name,
                       axis(kInverse));
  }
  if (offset >= kClusters && offset < kClusters + 12) {
    return fmt::format("mov.u32 {}, %nclusterid.{};", name, axis(kClusters));
  }
  return offset == 0x188 ? fmt::format("mov.u32 {}, %cluster_nctarank;", name) : std::string();
}

}  // namespace

std::string DriverWords::set(const std::string& name, std::int64_t offset) const {
  const auto move = [&](const std::string& value) { return fmt::format("mov.u32 {}, {};", name, value); };
  constexpr std::int64_t kDescriptor80 = 0x118;
  constexpr std::int64_t kDescriptor90 = 0x208;
  const std::int64_t descriptor = architecture_ >= 90 ? kDescriptor90 : kDescriptor80;
  if (architecture_ >= 80 && (offset == descriptor || offset == descriptor + 4)) {
    return move("0");  // every cache policy is the usual one
  }
  const std::int64_t environment = architecture_ >= 90 ? 0x40 : 0x88;  // of %envreg0 to %envreg3
  if (offset >= environment && offset < environment + 16) {
    return move(fmt::format("%envreg{}", (offset - environment) / 4));
  }
  // For code that passes addresses of parameters on: that of the parameters; before 9.0 that of the whole bank.
  const std::int64_t window = architecture_ >= 90 ? 0x198 : 0x40;
  if (offset == window || offset == window + 4) {
    const std::uint64_t address = kParameterWindow - (architecture_ >= 90 ? 0 : kernel_.parameter_base);
    return move(std::to_string(static_cast<std::uint32_t>(address >> (offset == window ? 0U : 32U))));
  }
  // The address of the whole bank, for code of libraries that knows the place of its parameters: read on an H100 as
  // 0x210 less than the window, with any launch.
  constexpr std::int64_t kBank90 = 0xc0;
  if (architecture_ >= 90 && (offset == kBank90 || offset == kBank90 + 4)) {
    const std::uint64_t address = kParameterWindow - kernel_.parameter_base;
    return move(std::to_string(static_cast<std::uint32_t>(address >> (offset == kBank90 ? 0U : 32U))));
  }
  // The address of constant bank 3, for code that passes pointers to constants on.
  const std::int64_t constants = architecture_ >= 90 ? 0xd0 : 0x50;
  if (has_constants_ && (offset == constants || offset == constants + 4)) {
    return fmt::format("mov.u64 %s0, bank3; cvta.const.u64 %s0, %s0; mov.b64 {{{}, {}}}, %s0;",
                       offset == constants ? name : "%t0", offset == constants ? "%t0" : name);
  }
  // The graph that the kernel is part of (own experiments with nvcc 13 for 7.5, 8.0, 8.6, 8.9 and 9.0).
  const std::int64_t graph = architecture_ >= 90 ? 0x190 : architecture_ >= 80 ? 0x130 : 0x120;
  if (offset == graph || offset == graph + 4) {
    return fmt::format("mov.u64 %s0, %current_graph_exec; mov.b64 {{{}, {}}}, %s0;", offset == graph ? name : "%t0",
                       offset == graph ? "%t0" : name);
  }
  switch (offset) {
    case 0x00:
      return move("%ntid.x");
    case 0x04:
      return move("%ntid.y");
    case 0x08:
      return move("%ntid.z");
    case 0x0c:
      return move("%nctaid.x");
    case 0x10:
      return move("%nctaid.y");
    case 0x14:
      return move("%nctaid.z");
    case 0x18:
    case 0x20:
      return move("0");  // windows begin at multiples of 2^32
    case 0x1c:
      return move(std::to_string(kSharedWindow >> 32U));
    case 0x24:
      return move(std::to_string(kLocalWindow >> 32U));
    case 0x28:
      return stack_grows_ ? fmt::format("stacksave.u32 {};", name) : move(std::to_string(kernel_.stack_bytes));
    case 0x2c:
      return move("%dynamic_smem_size");
    case 0x30:
      return fmt::format("cvt.u32.u64 {}, %gridid;", name);
    case 0x10c:
      return move("%nsmid");
    default:
      return architecture_ >= 90 ? of_clusters(name, offset) : std::string();
  }
}

}  // namespace warpsim
