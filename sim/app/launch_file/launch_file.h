// A launch file (docs/launch-reference.md): the work of a host program for the kernels of a PTX file.
//
// Reading checks everything that needs neither the PTX nor a device: keys, kinds, ranges, undefined names.
// All errors are reported at once, each with file, line and column.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/launch_file/element_type.h"
#include "app/launch_file/element_values.h"
#include "base/types.h"
#include "config/config_node.h"
#include "cuda/device/device.h"

namespace warpsim {

struct LaunchBuffer {
  std::string name;
  ElementType type = ElementType::kU8;
  std::uint64_t elements = 0;
  ElementValues initial;
  ConfigOrigin origin;
};

struct LaunchVariable {
  std::string name;
  ElementType type = ElementType::kU8;
  ElementValues initial;
  ConfigOrigin origin;
};

struct LaunchTexture {
  std::string name;
  std::string buffer;
  cuda::TextureDescription description;  // `data` is known when the buffer is allocated
  ConfigOrigin origin;
};

struct LaunchParameter {
  // 8 bytes at `offset` that are the address of a buffer, plus `add`, or the number of a texture.
  struct Reference {
    std::size_t offset = 0;
    std::string name;
    std::uint64_t add = 0;
  };
  std::vector<std::byte> bytes;
  std::vector<Reference> references;
  std::uint32_t alignment = 1;
  ConfigOrigin origin;
};

struct KernelLaunchRequest {
  std::string kernel;
  Dim3 grid;
  Dim3 block;
  std::optional<Dim3> cluster;
  std::uint32_t dynamic_shared_bytes = 0;
  bool cooperative = false;
  std::uint64_t repeat = 1;
  std::vector<LaunchParameter> parameters;
  ConfigOrigin origin;
};

struct LaunchExpectation {
  std::string name;          // of a buffer or variable
  bool is_variable = false;  // of the module
  ElementType type = ElementType::kU8;
  std::uint64_t first = 0;
  std::optional<std::uint64_t> elements;  // nothing: all following ones
  ElementValues values;
  std::string equals;  // a buffer, instead of values
  Tolerance tolerance;
  ConfigOrigin origin;
};

struct ExpectedFailure {
  cuda::Failure reason = cuda::Failure::kNone;
  std::string message;
};

struct LaunchFile {
  std::string path;
  std::vector<LaunchBuffer> buffers;
  std::vector<LaunchVariable> variables;
  std::vector<LaunchTexture> textures;
  std::vector<KernelLaunchRequest> launches;
  std::vector<LaunchExpectation> expectations;
  std::optional<std::uint64_t> heap_bytes;
  std::optional<std::uint32_t> stack_bytes;
  std::optional<std::string> printed;
  bool printed_in_any_order = false;
  std::optional<ExpectedFailure> failure;

  const LaunchBuffer* find_buffer(const std::string& name) const;
  const LaunchTexture* find_texture(const std::string& name) const;
};

// Reads the file and those that it names. Throws UserError, ConfigError.
LaunchFile read_launch_file(const std::string& path);
// From text; `path` is for messages and for the paths of other files, which are relative to its folder.
LaunchFile parse_launch_file(const std::string& text, const std::string& path);

}  // namespace warpsim
