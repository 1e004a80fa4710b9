#include "app/comparison/capability_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <functional>

#include "app/text_format.h"
#include "base/types.h"

namespace warpsim {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::uint32_t kKib = 1024;
constexpr const char* kNotAvailable = "N/A";

struct CapabilityCell {
  std::string text;
  Json value;
};
using CellOf = std::function<CapabilityCell(const GpuConfig&)>;

// Large numbers in the format of the guides.
std::string number_text(std::uint64_t number) {
  constexpr std::uint64_t kMillion = 1'000'000;
  constexpr std::uint64_t kLeastPower = 1U << 20;
  if (number >= kLeastPower && number % kMillion == 0) {
    return fmt::format("{} million", number / kMillion);
  }
  for (unsigned power = 20; power < 32; ++power) {
    if (number == std::uint64_t{1} << power) {
      return fmt::format("2^{}", power);
    }
    if (number + 1 == std::uint64_t{1} << power) {
      return fmt::format("2^{}-1", power);
    }
  }
  return std::to_string(number);
}

CapabilityCell count(std::uint64_t number) {
  return {number_text(number), number};
}

CapabilityCell count_or_none(std::uint64_t number) {
  return number == 0 ? CapabilityCell{kNotAvailable, nullptr} : count(number);
}

CapabilityCell thousands(std::uint32_t number) {
  return {number % kKib == 0 ? fmt::format("{} K", number / kKib) : std::to_string(number), number};
}

CapabilityCell kilobytes(std::uint32_t kib) {
  return {fmt::format("{} KB", kib), kib};
}

CapabilityCell kilobytes(const std::vector<std::uint32_t>& kib) {
  return {fmt::format("{} KB", fmt::join(kib, "-")), kib};
}

CapabilityCell size(const std::vector<std::uint32_t>& numbers) {
  if (numbers.empty()) {
    return {kNotAvailable, nullptr};
  }
  if (numbers.size() == 1) {
    return count(numbers.front());
  }
  return {fmt::format("{}", fmt::join(numbers, "x")), numbers};
}

CapabilityCell support(Support value) {
  switch (value) {
    case Support::kNo:
      return {"No", "no"};
    case Support::kSome:
      return {"Some", "some"};
    case Support::kYes:
      return {"Yes", "yes"};
  }
  return {};
}

// Rows of one table, cell by cell for each GPU.
class Rows {
 public:
  explicit Rows(const std::vector<GpuConfig>& gpus) : gpus_(gpus) {}

  void add(const char* key, const char* name, const CellOf& cell_of, const char* unit = "") {
    CapabilityRow row{key, name, unit, {}, {}};
    for (const GpuConfig& gpu : gpus_) {
      CapabilityCell cell = cell_of(gpu);
      row.cells.push_back(std::move(cell.text));
      row.values.push_back(std::move(cell.value));
    }
    rows_.push_back(std::move(row));
  }
  void add(const char* key, const char* name, std::uint32_t SpecificationsConfig::*value) {
    add(key, name, [value](const GpuConfig& gpu) { return count(gpu.specifications.*value); });
  }
  void add(const char* key, const char* name, std::vector<std::uint32_t> SpecificationsConfig::*value) {
    add(key, name, [value](const GpuConfig& gpu) { return size(gpu.specifications.*value); });
  }
  void add(const char* key, const char* name, std::uint32_t OccupancyConfig::*value) {
    add(key, name, [value](const GpuConfig& gpu) { return count(gpu.occupancy.*value); });
  }
  std::vector<CapabilityRow> take() { return std::move(rows_); }

 private:
  const std::vector<GpuConfig>& gpus_;
  std::vector<CapabilityRow> rows_;
};

CellOf dimension(std::vector<std::uint32_t> SpecificationsConfig::*value, std::size_t index) {
  return [value, index](const GpuConfig& gpu) { return count((gpu.specifications.*value)[index]); };
}

void add_launch_rows(Rows& rows) {
  using S = SpecificationsConfig;
  using O = OccupancyConfig;
  rows.add("resident_grids", "resident grids per device", &S::resident_grids);
  rows.add("hardware_queues", "hardware queues that streams share", &S::hardware_queues);
  rows.add("copy_engines", "engines for copies beside kernels", &S::copy_engines);
  rows.add("grid_dimensions", "dimensions of a grid", &S::grid_dimensions);
  rows.add("grid_x", "x-dimension of a grid, blocks", dimension(&S::grid_size, 0));
  rows.add("grid_y", "y-dimension of a grid, blocks", dimension(&S::grid_size, 1));
  rows.add("grid_z", "z-dimension of a grid, blocks", dimension(&S::grid_size, 2));
  rows.add("block_dimensions", "dimensions of a block", &S::block_dimensions);
  rows.add("block_x", "x-dimension of a block", dimension(&S::block_size, 0));
  rows.add("block_y", "y-dimension of a block", dimension(&S::block_size, 1));
  rows.add("block_z", "z-dimension of a block", dimension(&S::block_size, 2));
  rows.add("threads_per_block", "threads per block", &O::threads_per_block);
  rows.add("warp_size", "warp size", [](const GpuConfig&) { return count(kWarpSize); });
  rows.add("blocks_per_sm", "resident blocks per SM", &O::blocks_per_sm);
  rows.add("warps_per_sm", "resident warps per SM", &O::warps_per_sm);
  rows.add("threads_per_sm", "resident threads per SM",
           [](const GpuConfig& gpu) { return count(std::uint64_t{gpu.occupancy.warps_per_sm} * kWarpSize); });
}

void add_memory_rows(Rows& rows) {
  const auto add_registers = [&rows](const char* key, const char* name, std::uint32_t OccupancyConfig::*value) {
    rows.add(key, name, [value](const GpuConfig& gpu) { return thousands(gpu.occupancy.*value); });
  };
  const auto add_kilobytes = [&rows](const char* key, const char* name, std::uint32_t SpecificationsConfig::*value) {
    rows.add(
        key, name, [value](const GpuConfig& gpu) { return kilobytes(gpu.specifications.*value); }, "KiB");
  };
  add_registers("registers_per_sm", "32-bit registers per SM", &OccupancyConfig::registers_per_sm);
  add_registers("registers_per_block", "32-bit registers per block", &OccupancyConfig::registers_per_block);
  rows.add("registers_per_thread", "32-bit registers per thread", &OccupancyConfig::registers_per_thread);
  rows.add(
      "shared_per_sm", "shared memory per SM",
      [](const GpuConfig& gpu) { return kilobytes(gpu.occupancy.carveout_kib.back()); }, "KiB");
  rows.add(
      "shared_per_block", "shared memory per block",
      [](const GpuConfig& gpu) { return kilobytes(gpu.occupancy.shared_bytes_per_block / kKib); }, "KiB");
  rows.add(
      "shared_per_block_default", "shared memory per block without opt-in",
      [](const GpuConfig& gpu) { return kilobytes(gpu.occupancy.shared_bytes_per_block_default / kKib); }, "KiB");
  rows.add("shared_banks", "banks of shared memory",
           [](const GpuConfig& gpu) { return count(gpu.sm.load_store.shared_banks.banks); });
  add_kilobytes("local_per_thread", "local memory per thread", &SpecificationsConfig::local_kib_per_thread);
  add_kilobytes("constant_memory", "constant memory", &SpecificationsConfig::constant_kib);
  add_kilobytes("constant_cache", "cache working set per SM for constant memory",
                &SpecificationsConfig::constant_cache_kib);
  rows.add(
      "texture_cache", "cache working set per SM for texture memory",
      [](const GpuConfig& gpu) { return kilobytes(gpu.specifications.texture_cache_kib); }, "KiB");
}

void add_texture_rows(Rows& rows) {
  using S = SpecificationsConfig;
  rows.add("texture_1d", "1D texture, CUDA array", &S::texture_1d);
  rows.add("texture_1d_linear", "1D texture, linear memory", &S::texture_1d_linear);
  rows.add("texture_1d_layered", "1D layered texture", &S::texture_1d_layered);
  rows.add("texture_2d", "2D texture, CUDA array", &S::texture_2d);
  rows.add("texture_2d_linear", "2D texture, linear memory", &S::texture_2d_linear);
  rows.add("texture_2d_gather", "2D texture with gather", &S::texture_2d_gather);
  rows.add("texture_2d_layered", "2D layered texture", &S::texture_2d_layered);
  rows.add("texture_3d", "3D texture", &S::texture_3d);
  rows.add("texture_cubemap", "cubemap texture", &S::texture_cubemap);
  rows.add("texture_cubemap_layered", "cubemap layered texture", &S::texture_cubemap_layered);
  rows.add("textures_per_kernel", "textures per kernel", &S::textures_per_kernel);
  rows.add("surface_1d", "1D surface", &S::surface_1d);
  rows.add("surface_1d_layered", "1D layered surface", &S::surface_1d_layered);
  rows.add("surface_2d", "2D surface", &S::surface_2d);
  rows.add("surface_2d_layered", "2D layered surface", &S::surface_2d_layered);
  rows.add("surface_3d", "3D surface", &S::surface_3d);
  rows.add("surface_cubemap", "cubemap surface", &S::surface_cubemap);
  rows.add("surface_cubemap_layered", "cubemap layered surface", &S::surface_cubemap_layered);
  rows.add("surfaces_per_kernel", "surfaces per kernel",
           [](const GpuConfig& gpu) { return count_or_none(gpu.specifications.surfaces_per_kernel); });
  rows.add("instructions_per_kernel", "instructions per kernel", &S::instructions_per_kernel);
}

// "8.6" before "10.0".
std::pair<int, int> order(const std::string& capability) {
  const std::size_t dot = capability.find('.');
  return {std::atoi(capability.c_str()), dot == std::string::npos ? 0 : std::atoi(capability.c_str() + dot + 1)};
}

std::string rows_text(const CapabilityTable& table, const std::vector<CapabilityRow>& rows, const char* heading) {
  std::vector<TextTable::Column> columns = {{heading, Align::kLeft}};
  for (const std::string& capability : table.capabilities) {
    columns.push_back({capability, Align::kRight});
  }
  TextTable text(std::move(columns));
  for (const CapabilityRow& row : rows) {
    std::vector<std::string> cells = {row.name};
    cells.insert(cells.end(), row.cells.begin(), row.cells.end());
    text.add(std::move(cells));
  }
  return text.render();
}

std::string rows_markdown(const CapabilityTable& table, const std::vector<CapabilityRow>& rows, const char* heading) {
  std::string text = fmt::format("| {} | {} |\n|", heading, fmt::join(table.capabilities, " | "));
  for (std::size_t i = 0; i <= table.capabilities.size(); ++i) {
    text += " --- |";
  }
  text += "\n";
  for (const CapabilityRow& row : rows) {
    text += fmt::format("| {} | {} |\n", row.name, fmt::join(row.cells, " | "));
  }
  return text;
}

Json rows_json(const CapabilityTable& table, const std::vector<CapabilityRow>& rows) {
  Json list = Json::array();
  for (const CapabilityRow& row : rows) {
    Json json;
    json["key"] = row.key;
    json["name"] = row.name;
    if (!row.unit.empty()) {
      json["unit"] = row.unit;
    }
    for (std::size_t i = 0; i < table.capabilities.size(); ++i) {
      json["values"][table.capabilities[i]] = row.values[i];
    }
    list.push_back(std::move(json));
  }
  return list;
}

}  // namespace

CapabilityTable make_capability_table(std::vector<GpuConfig> gpus) {
  std::sort(gpus.begin(), gpus.end(), [](const GpuConfig& a, const GpuConfig& b) {
    return order(a.compute_capability) < order(b.compute_capability);
  });
  CapabilityTable table;
  for (const GpuConfig& gpu : gpus) {
    table.capabilities.push_back(gpu.compute_capability);
  }
  Rows features(gpus);
  for (const FeatureRow& row : feature_rows()) {
    features.add(row.key, row.name,
                 [&row](const GpuConfig& gpu) { return support(gpu.specifications.features.*row.value); });
  }
  table.features = features.take();
  Rows specifications(gpus);
  add_launch_rows(specifications);
  add_memory_rows(specifications);
  add_texture_rows(specifications);
  table.specifications = specifications.take();
  return table;
}

std::string to_text(const CapabilityTable& table) {
  return rows_text(table, table.features, "feature") + "\n" +
         rows_text(table, table.specifications, "technical specification");
}

std::string to_markdown(const CapabilityTable& table) {
  return R"(# Compute capabilities

Features and technical specifications of each compute capability, from the descriptions in `configs/families/`. N/A: does not
exist on this capability. Some: some GPUs of this capability have it. Sizes of textures and surfaces are maxima, width x
height x depth or layers. The file of the family has the source of each value. Where the programming guides contradict each
other, `tests/unit/app/comparison/capability_table_test.cc` says which value was chosen, and why.

This page is generated by `warpsim gpus --table --markdown`; do not edit it.

## Features

)" + rows_markdown(table, table.features, "feature") +
         "\n## Technical specifications\n\n" + rows_markdown(table, table.specifications, "technical specification");
}

nlohmann::ordered_json to_json(const CapabilityTable& table) {
  Json json;
  json["capabilities"] = table.capabilities;
  json["features"] = rows_json(table, table.features);
  json["technical_specifications"] = rows_json(table, table.specifications);
  return json;
}

}  // namespace warpsim
