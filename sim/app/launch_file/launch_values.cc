#include "app/launch_file/launch_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "config/config_reader.h"
#include "config/near_miss.h"

namespace warpsim {

namespace {

constexpr std::uint32_t kPointerBytes = 8;

std::uint64_t read_element(const ConfigNode& node, ElementType type, ConfigProblems& problems) {
  const bool plain = node.kind == ConfigNode::Kind::kScalar && !node.quoted;
  const std::optional<std::uint64_t> bits = plain ? bits_of(type, node.scalar) : std::nullopt;
  if (!bits) {
    problems.add(node.origin,
                 fmt::format("expected {} ({}), got {}", expected_text(type), name_of(type), kind_name(node)));
  }
  return bits.value_or(0);
}

void read_iota(const ConfigNode& node, ElementType type, ElementValues& values, ConfigProblems& problems) {
  const LaunchMap map(node, {&launch_maps::kIota}, problems);
  const auto number = [&](const char* key, const char* otherwise) {
    const ConfigNode* const found = map.find(key);
    return found == nullptr ? *bits_of(type, otherwise) : read_element(*found, type, problems);
  };
  values.kind = ElementValues::Kind::kIota;
  values.start = number("start", "0");
  values.step = number("step", "1");
  values.period = map.integer_or("period", 1, LaunchMap::kMost, 0);
}

void read_random(const ConfigNode& node, ElementType type, ElementValues& values, ConfigProblems& problems) {
  const LaunchMap map(node, {&launch_maps::kRandom}, problems);
  const auto number = [&](const char* key) {
    const ConfigNode* const found = map.require(key);
    return found == nullptr ? 0 : read_element(*found, type, problems);
  };
  values.kind = ElementValues::Kind::kRandom;
  map.require("seed");
  values.seed = map.integer_or("seed", 0, LaunchMap::kMost, 0);
  values.low = number("low");
  values.high = number("high");
  const bool ordered = is_float(type) ? value_of(type, values.low) <= value_of(type, values.high)
                                      : integer_of(type, values.low) <= integer_of(type, values.high);
  if (!ordered) {
    problems.add(node.origin, "'low' must not be above 'high'");
  }
}

// Appends a parameter after another at its alignment.
void append(LaunchParameter& whole, const LaunchParameter& field) {
  const std::size_t begin = (whole.bytes.size() + field.alignment - 1) / field.alignment * field.alignment;
  whole.bytes.resize(begin);
  whole.bytes.insert(whole.bytes.end(), field.bytes.begin(), field.bytes.end());
  for (LaunchParameter::Reference reference : field.references) {
    reference.offset += begin;
    whole.references.push_back(std::move(reference));
  }
  whole.alignment = std::max(whole.alignment, field.alignment);
}

LaunchParameter reference_to(const std::string& name, std::uint64_t add) {
  LaunchParameter parameter;
  parameter.bytes.resize(kPointerBytes);
  parameter.references.push_back({0, name, add});
  parameter.alignment = kPointerBytes;
  return parameter;
}

LaunchParameter read_bytes(const LaunchMap& map) {
  constexpr std::uint64_t kLargest = 255;
  LaunchParameter parameter;
  for (const ConfigNode& item : map.items("bytes")) {
    const auto byte = integer_of(item, 0, kLargest);
    if (!byte) {
      map.complain(item.origin, "a byte must be an integer from 0 to 255, got " + kind_name(item));
    }
    parameter.bytes.push_back(static_cast<std::byte>(byte.value_or(0)));
  }
  return parameter;
}

LaunchParameter read_struct(const LaunchMap& map) {
  LaunchParameter parameter;
  for (const ConfigNode& item : map.items("struct")) {
    append(parameter, read_parameter(item, map.problems()));
  }
  const std::size_t unit = parameter.alignment;
  parameter.bytes.resize((parameter.bytes.size() + unit - 1) / unit * unit);
  return parameter;
}

LaunchParameter read_scalar(const ConfigNode::Entry& entry, ElementType type, ConfigProblems& problems) {
  LaunchParameter parameter;
  parameter.bytes.resize(bytes_of(type));
  parameter.alignment = bytes_of(type);
  store_element(type, read_element(entry.value, type, problems), parameter.bytes.data());
  return parameter;
}

LaunchParameter read_parameter_map(const ConfigNode& node, ConfigProblems& problems) {
  const LaunchMap map(node, {&launch_maps::kParameter}, problems, element_type_names());
  const std::size_t keys = node.entries.size();
  if (keys == 2 && map.has("buffer") && map.has("offset")) {
    return reference_to(map.text("buffer"), map.integer_or("offset", 0, LaunchMap::kMost, 0));
  }
  if (keys != 1 || map.has("offset")) {
    problems.add(node.origin, "a parameter is a map with one key, as {s32: 1000} or {buffer: a}");
    return {};
  }
  const ConfigNode::Entry& entry = node.entries.front();
  const auto type = std::ranges::find(element_type_names(), entry.key);
  if (type != element_type_names().end()) {
    return read_scalar(entry, static_cast<ElementType>(type - element_type_names().begin()), problems);
  }
  if (entry.key == "struct") {
    return read_struct(map);
  }
  if (entry.key == "bytes") {
    return read_bytes(map);
  }
  return entry.key == "buffer" || entry.key == "texture" ? reference_to(map.text(entry.key.c_str()), 0)
                                                         : LaunchParameter{};
}

}  // namespace

std::optional<ElementType> read_type(const LaunchMap& map) {
  const ConfigNode* const node = map.require("type");
  if (node == nullptr) {
    return std::nullopt;
  }
  const auto found = std::ranges::find(element_type_names(), node->scalar);
  if (node->kind != ConfigNode::Kind::kScalar || found == element_type_names().end()) {
    map.complain(node->origin, fmt::format("'type' must be one of {}, got {}{}", fmt::join(element_type_names(), ", "),
                                           kind_name(*node), did_you_mean(node->scalar, element_type_names())));
    return std::nullopt;
  }
  return static_cast<ElementType>(found - element_type_names().begin());
}

ElementValues read_values(const ConfigNode& node, ElementType type, const std::string& folder,
                          ConfigProblems& problems) {
  ElementValues values;
  values.origin = node.origin;
  if (node.kind == ConfigNode::Kind::kScalar && node.scalar == "zeros") {
    return values;
  }
  if (node.kind == ConfigNode::Kind::kScalar || node.entries.size() != 1) {
    problems.add(node.origin, "values are the word zeros, or a map with one of value, iota, random, list, file; got " +
                                  kind_name(node));
    return values;
  }
  const LaunchMap map(node, {&launch_maps::kValues}, problems);
  if (const ConfigNode* const value = map.find("value")) {
    values.kind = ElementValues::Kind::kValue;
    values.start = read_element(*value, type, problems);
  } else if (const ConfigNode* const iota = map.find("iota")) {
    read_iota(*iota, type, values, problems);
  } else if (const ConfigNode* const random = map.find("random")) {
    read_random(*random, type, values, problems);
  } else if (map.has("list")) {
    values.kind = ElementValues::Kind::kList;
    for (const ConfigNode& item : map.items("list")) {
      values.list.push_back(read_element(item, type, problems));
    }
  } else if (map.has("file")) {
    values.kind = ElementValues::Kind::kFile;
    values.file = (std::filesystem::path(folder) / map.text("file")).lexically_normal().string();
  }
  return values;
}

LaunchParameter read_parameter(const ConfigNode& node, ConfigProblems& problems) {
  LaunchParameter parameter;
  if (node.kind == ConfigNode::Kind::kMap) {
    parameter = read_parameter_map(node, problems);
  } else if (node.kind == ConfigNode::Kind::kScalar && !node.scalar.empty()) {
    parameter = reference_to(node.scalar, 0);
  } else {
    problems.add(node.origin, "a parameter is the name of a buffer or texture, or a map; got " + kind_name(node));
  }
  parameter.origin = node.origin;
  return parameter;
}

}  // namespace warpsim
