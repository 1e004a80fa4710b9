#include "app/launch_file/launch_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <set>

#include "app/launch_file/launch_texture.h"
#include "app/launch_file/launch_values.h"
#include "base/error.h"
#include "base/input_file.h"
#include "config/config_reader.h"
#include "config/near_miss.h"
#include "config/yaml_source.h"

namespace warpsim {

namespace {

constexpr std::uint64_t kMost32 = std::numeric_limits<std::uint32_t>::max();
constexpr std::uint64_t kMostElements = std::uint64_t{1} << 40U;

class LaunchFileReader {
 public:
  explicit LaunchFileReader(const std::string& path) : folder_(std::filesystem::path(path).parent_path().string()) {
    file_.path = path;
  }

  LaunchFile read(const std::string& text) {
    const ConfigNode root = parse_yaml(text, file_.path, problems_);
    const LaunchMap top(root, {&launch_maps::kTop, &launch_maps::kLaunch}, problems_);
    for (const ConfigNode& item : top.items("buffers")) {
      read_buffer(item);
    }
    for (const ConfigNode& item : top.items("variables")) {
      read_variable(item);
    }
    for (const ConfigNode& item : top.items("textures")) {
      read_texture(item);
    }
    read_launches(top);
    for (const ConfigNode& item : top.items("expect")) {
      read_expectation(item);
    }
    read_outcome(top);
    check_names();
    problems_.throw_if_any();
    read_files();
    return std::move(file_);
  }

 private:
  void read_buffer(const ConfigNode& node) {
    const LaunchMap map(node, {&launch_maps::kBuffer}, problems_);
    LaunchBuffer buffer;
    buffer.origin = node.origin;
    buffer.name = map.required_text("name");
    const auto type = read_type(map);
    buffer.elements = map.integer_or("elements", 1, kMostElements, 0);
    const ConfigNode* const initial = map.find("initial");
    if (type) {
      buffer.type = *type;
      if (initial != nullptr) {
        buffer.initial = read_values(*initial, *type, folder_, problems_);
      }
    }
    claim(buffer.name, node.origin);
    file_.buffers.push_back(std::move(buffer));
  }

  void read_variable(const ConfigNode& node) {
    const LaunchMap map(node, {&launch_maps::kVariable}, problems_);
    LaunchVariable variable;
    variable.origin = node.origin;
    variable.name = map.required_text("name");
    const auto type = read_type(map);
    const ConfigNode* const initial = map.require("initial");
    if (type && initial != nullptr) {
      variable.type = *type;
      variable.initial = read_values(*initial, *type, folder_, problems_);
    }
    file_.variables.push_back(std::move(variable));
  }

  void read_texture(const ConfigNode& node) {
    LaunchTexture texture = read_launch_texture(node, problems_);
    claim(texture.name, node.origin);
    const LaunchBuffer* const buffer = file_.find_buffer(texture.buffer);
    if (buffer == nullptr) {
      problems_.add(node.origin, fmt::format("there is no buffer '{}'", texture.buffer));
    } else {
      set_texture_type(texture, buffer->type, problems_);
    }
    file_.textures.push_back(std::move(texture));
  }

  void read_launches(const LaunchMap& top) {
    if (!top.has("launches")) {
      file_.launches.push_back(read_launch(top));
      return;
    }
    for (const LaunchFileKey& key : launch_maps::kLaunch.keys) {
      if (top.has(key.key)) {
        problems_.add(top.find(key.key)->origin,
                      fmt::format("'{}' belongs to an item of 'launches', because the file has that list", key.key));
      }
    }
    for (const ConfigNode& item : top.items("launches")) {
      file_.launches.push_back(read_launch(LaunchMap(item, {&launch_maps::kLaunch}, problems_)));
    }
    if (top.items("launches").empty()) {
      problems_.add(top.find("launches")->origin, "there is no launch");
    }
  }

  KernelLaunchRequest read_launch(const LaunchMap& map) {
    KernelLaunchRequest launch;
    launch.origin = map.origin();
    launch.kernel = map.required_text("kernel");
    launch.grid = map.size("grid").value_or(Dim3{});
    launch.block = map.size("block").value_or(Dim3{});
    launch.cluster = map.size("cluster");
    launch.dynamic_shared_bytes = static_cast<std::uint32_t>(map.integer_or("dynamic_shared_bytes", 0, kMost32, 0));
    launch.cooperative = map.boolean("cooperative");
    launch.repeat = map.integer_or("repeat", 1, kMost32, 1);
    for (const ConfigNode& item : map.items("parameters")) {
      launch.parameters.push_back(read_parameter(item, problems_));
    }
    return launch;
  }

  void read_expectation(const ConfigNode& node) {
    const LaunchMap map(node, {&launch_maps::kExpectation}, problems_);
    LaunchExpectation expectation;
    expectation.origin = node.origin;
    expectation.is_variable = map.has("variable");
    if (map.has("buffer") == map.has("variable")) {
      problems_.add(node.origin, "an expectation names either a 'buffer' or a 'variable'");
      return;
    }
    expectation.name = map.text(expectation.is_variable ? "variable" : "buffer");
    const LaunchBuffer* const buffer = expectation.is_variable ? nullptr : file_.find_buffer(expectation.name);
    if (!expectation.is_variable && buffer == nullptr) {
      problems_.add(node.origin, fmt::format("there is no buffer '{}'{}", expectation.name,
                                             did_you_mean(expectation.name, buffer_names())));
      return;
    }
    std::optional<ElementType> type;
    if (buffer != nullptr && !map.has("type")) {
      type = buffer->type;
    } else {
      type = read_type(map);
    }
    if (!type) {
      return;
    }
    expectation.type = *type;
    expectation.first = map.integer_or("first", 0, kMostElements, 0);
    expectation.elements = map.integer("elements", 1, kMostElements);
    expectation.tolerance = {map.number_or("absolute", 0), map.number_or("relative", 0),
                             map.integer_or("ulp", 0, LaunchMap::kMost, 0)};
    read_expected_values(map, expectation);
    file_.expectations.push_back(std::move(expectation));
  }

  void read_expected_values(const LaunchMap& map, LaunchExpectation& expectation) {
    if (map.has("values") == map.has("equals")) {
      problems_.add(map.origin(), "an expectation has either 'values' or 'equals'");
      return;
    }
    if (map.has("values")) {
      expectation.values = read_values(*map.find("values"), expectation.type, folder_, problems_);
      return;
    }
    expectation.equals = map.text("equals");
    const LaunchBuffer* const other = file_.find_buffer(expectation.equals);
    if (other == nullptr || other->type != expectation.type) {
      problems_.add(map.find("equals")->origin,
                    fmt::format("there is no buffer '{}' of type {}", expectation.equals, name_of(expectation.type)));
    }
  }

  void read_outcome(const LaunchMap& top) {
    file_.heap_bytes = top.integer("heap_bytes", 0, LaunchMap::kMost);
    if (const auto stack = top.integer("stack_bytes", 0, kMost32)) {
      file_.stack_bytes = static_cast<std::uint32_t>(*stack);
    }
    if (const ConfigNode* const printed = top.find("printed")) {
      if (printed->kind != ConfigNode::Kind::kScalar) {
        problems_.add(printed->origin, "'printed' must be a text, got " + kind_name(*printed));
      }
      file_.printed = printed->scalar;
    }
    file_.printed_in_any_order = top.word("printed_order", {"fixed", "any"}) == 1;
    if (const ConfigNode* const node = top.find("failure")) {
      using cuda::Failure;
      constexpr Failure kReasons[] = {Failure::kAssert,
                                      Failure::kTrap,
                                      Failure::kIllegalAddress,
                                      Failure::kMisalignedAddress,
                                      Failure::kIllegalInstruction,
                                      Failure::kTimeout,
                                      Failure::kInvalidConfiguration,
                                      Failure::kOutOfResources,
                                      Failure::kCooperativeTooLarge};
      const LaunchMap map(*node, {&launch_maps::kFailure}, problems_);
      map.require("reason");
      const std::size_t reason =
          map.word("reason", {"assert", "trap", "illegal_address", "misaligned_address", "illegal_instruction",
                              "deadlock", "invalid_configuration", "out_of_resources", "cooperative_too_large"});
      file_.failure = ExpectedFailure{kReasons[reason], map.text("message")};
    }
  }

  void claim(const std::string& name, const ConfigOrigin& origin) {
    if (!name.empty() && !names_.insert(name).second) {
      problems_.add(origin, fmt::format("two buffers or textures are named '{}'", name));
    }
  }

  std::vector<std::string> buffer_names() const { return {names_.begin(), names_.end()}; }

  void check_names() {
    for (const KernelLaunchRequest& launch : file_.launches) {
      for (const LaunchParameter& parameter : launch.parameters) {
        for (const LaunchParameter::Reference& reference : parameter.references) {
          if (!reference.name.empty() && names_.count(reference.name) == 0) {
            problems_.add(parameter.origin,
                          fmt::format("there is no buffer or texture '{}'{}; a number needs its type, as {{s32: 7}}",
                                      reference.name, did_you_mean(reference.name, buffer_names())));
          }
        }
      }
    }
  }

  // Lists and files must have the length of their buffer.
  void read_files() {
    for (LaunchVariable& variable : file_.variables) {
      read_file(variable.type, variable.initial);
    }
    for (LaunchExpectation& expectation : file_.expectations) {
      read_file(expectation.type, expectation.values);
      take_count(expectation.values, expectation.elements, expectation.origin);
    }
    for (LaunchBuffer& buffer : file_.buffers) {
      read_file(buffer.type, buffer.initial);
      std::optional<std::uint64_t> elements;
      if (buffer.elements != 0) {
        elements = buffer.elements;
      }
      take_count(buffer.initial, elements, buffer.origin);
      if (!elements) {
        problems_.add(buffer.origin, fmt::format("'elements' of buffer '{}' is missing", buffer.name));
      }
      buffer.elements = elements.value_or(0);
    }
    problems_.throw_if_any();
  }

  void take_count(const ElementValues& values, std::optional<std::uint64_t>& elements, const ConfigOrigin& origin) {
    const bool listed = values.kind == ElementValues::Kind::kList || values.kind == ElementValues::Kind::kFile;
    if (listed && elements && *elements != count_of(values)) {
      problems_.add(origin, fmt::format("{} elements, but values for {}", *elements, count_of(values)));
    } else if (listed) {
      elements = count_of(values);
    }
  }

  LaunchFile file_;
  std::string folder_;
  ConfigProblems problems_;
  std::set<std::string> names_;  // of buffers and textures
};

template <class Item>
const Item* find_named(const std::vector<Item>& items, const std::string& name) {
  const auto found = std::ranges::find(items, name, &Item::name);
  return found == items.end() ? nullptr : &*found;
}

}  // namespace

const LaunchBuffer* LaunchFile::find_buffer(const std::string& name) const {
  return find_named(buffers, name);
}

const LaunchTexture* LaunchFile::find_texture(const std::string& name) const {
  return find_named(textures, name);
}

LaunchFile parse_launch_file(const std::string& text, const std::string& path) {
  return LaunchFileReader(path).read(text);
}

LaunchFile read_launch_file(const std::string& path) {
  return parse_launch_file(require_input(path, "a launch file (docs/launch-reference.md)", kYamlLimitBytes), path);
}

}  // namespace warpsim
