#include "app/launch_file/launch_memory.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "app/launch_file/launch_texture.h"
#include "base/error.h"

namespace warpsim {

namespace {

void fill(ElementType type, const ElementValues& values, std::uint64_t elements, std::byte* to) {
  const std::uint32_t bytes = bytes_of(type);
  for (std::uint64_t i = 0; i < elements; ++i) {
    store_element(type, element_of(type, values, i), to + i * bytes);
  }
}

[[noreturn]] void refuse(const ConfigOrigin& origin, const std::string& what) {
  throw UserError(origin.position() + ": " + what);
}

}  // namespace

LaunchMemory::LaunchMemory(const LaunchFile& file, cuda::Device& device, cuda::ModuleId module)
    : file_(file), device_(device), module_(module) {
  for (const LaunchBuffer& buffer : file.buffers) {
    add(buffer);
  }
  for (const LaunchVariable& variable : file.variables) {
    set(variable);
  }
  for (const LaunchTexture& texture : file.textures) {
    add(texture);
  }
}

void LaunchMemory::add(const LaunchBuffer& buffer) {
  const std::uint64_t bytes = buffer.elements * bytes_of(buffer.type);
  const Address address = device_.memory().allocate(bytes, DeviceMemory::kAlignment, buffer.name);
  if (address == 0) {
    refuse(buffer.origin, fmt::format("buffer '{}' of {} bytes does not fit into the device's memory of {} bytes",
                                      buffer.name, bytes, device_.memory().capacity()));
  }
  buffers_[buffer.name] = address;
  // New memory is zero.
  if (buffer.initial.kind != ElementValues::Kind::kZeros) {
    fill(buffer.type, buffer.initial, buffer.elements, device_.memory().host(address, bytes));
    copied(address, bytes);
  }
}

void LaunchMemory::set(const LaunchVariable& variable) {
  const cuda::VariableInfo place = this->variable(variable.name, variable.origin);
  const std::uint64_t room = place.bytes / bytes_of(variable.type);
  const bool listed = count_of(variable.initial) != 0;
  const std::uint64_t elements = listed ? count_of(variable.initial) : room;
  if (elements > room) {
    refuse(variable.origin, fmt::format("{} elements of type {} do not fit into variable '{}' of {} bytes", elements,
                                        name_of(variable.type), variable.name, place.bytes));
  }
  const std::uint64_t bytes = elements * bytes_of(variable.type);
  fill(variable.type, variable.initial, elements, device_.memory().host(place.address, bytes));
  copied(place.address, bytes);
}

// The same operations as in a host program.
void LaunchMemory::copied(Address address, std::uint64_t bytes) {
  Work copy;
  copy.kind = WorkKind::kToDevice;
  copy.bytes = bytes;
  copy.effect = [this, address, bytes] { device_.note_written(address, bytes); };
  device_.queue().wait(device_.queue().submit(std::move(copy)));
}

void LaunchMemory::add(const LaunchTexture& texture) {
  const LaunchBuffer& buffer = *file_.find_buffer(texture.buffer);
  const std::uint64_t needed = bytes_of(texture.description);
  const std::uint64_t room = buffer.elements * bytes_of(buffer.type);
  if (needed > room) {
    refuse(texture.origin,
           fmt::format("texture '{}' has {} bytes, but buffer '{}' only {}", texture.name, needed, buffer.name, room));
  }
  cuda::TextureDescription description = texture.description;
  description.data = buffers_.at(buffer.name);
  const std::uint64_t object = device_.create_texture(description);
  if (object == 0) {
    refuse(texture.origin, fmt::format("texture '{}': this kind of texture is not supported", texture.name));
  }
  textures_[texture.name] = object;
}

std::vector<std::byte> LaunchMemory::parameters(const KernelLaunchRequest& launch,
                                                const cuda::KernelInfo& kernel) const {
  if (launch.parameters.size() != kernel.parameters.size()) {
    refuse(launch.origin, fmt::format("kernel {} has {} parameters, got {}", launch.kernel, kernel.parameters.size(),
                                      launch.parameters.size()));
  }
  std::vector<std::byte> packed(kernel.parameter_bytes);
  for (std::size_t i = 0; i < launch.parameters.size(); ++i) {
    const LaunchParameter& given = launch.parameters[i];
    const cuda::Parameter& place = kernel.parameters[i];
    if (given.bytes.size() != place.bytes) {
      refuse(given.origin, fmt::format("parameter {} of kernel {} has {} bytes, got {}", i, launch.kernel, place.bytes,
                                       given.bytes.size()));
    }
    std::vector<std::byte> bytes = given.bytes;
    for (const LaunchParameter::Reference& reference : given.references) {
      const auto texture = textures_.find(reference.name);
      const std::uint64_t value =
          texture != textures_.end() ? texture->second : buffers_.at(reference.name) + reference.add;
      std::memcpy(bytes.data() + reference.offset, &value, sizeof value);
    }
    std::ranges::copy(bytes, packed.begin() + place.offset);
  }
  return packed;
}

const std::byte* LaunchMemory::buffer(const std::string& name) const {
  return device_.memory().host(buffers_.at(name), 0);
}

cuda::VariableInfo LaunchMemory::variable(const std::string& name, const ConfigOrigin& origin) const {
  cuda::VariableInfo place;
  if (const cuda::Outcome outcome = device_.find_variable(module_, name, place); !outcome) {
    refuse(origin, outcome.message);
  }
  return place;
}

}  // namespace warpsim
