// Parts of launch files that are used in several places: types, values, parameters.
#pragma once

#include <optional>
#include <string>

#include "app/launch_file/launch_file.h"
#include "app/launch_file/launch_map.h"

namespace warpsim {

// The map's `type`; nothing if it is wrong, which is reported.
std::optional<ElementType> read_type(const LaunchMap& map);

// `zeros`, or a map with another rule. Files are relative to `folder`; they are read later.
ElementValues read_values(const ConfigNode& node, ElementType type, const std::string& folder,
                          ConfigProblems& problems);

// One parameter of a kernel.
LaunchParameter read_parameter(const ConfigNode& node, ConfigProblems& problems);

}  // namespace warpsim
