// The keys of launch files (docs/launch-reference.md): the reader refuses all others, and the reference of all keys is
// generated from the same table.
#pragma once

#include <span>
#include <string>

namespace warpsim {

struct LaunchFileKey {
  const char* key;
  const char* value;  // the possible values
  const char* meaning;
};

// One kind of map in a launch file.
struct LaunchFileMap {
  const char* name;      // "buffer": its name in messages and in the reference
  const char* sentence;  // what it describes
  std::span<const LaunchFileKey> keys;
};

namespace launch_maps {
extern const LaunchFileMap kTop;
extern const LaunchFileMap kBuffer;
extern const LaunchFileMap kVariable;
extern const LaunchFileMap kValues;
extern const LaunchFileMap kIota;
extern const LaunchFileMap kRandom;
extern const LaunchFileMap kTexture;
extern const LaunchFileMap kLaunch;
extern const LaunchFileMap kParameter;
extern const LaunchFileMap kExpectation;
extern const LaunchFileMap kFailure;
}  // namespace launch_maps

// Markdown: docs/launch-reference.md.
std::string launch_reference();

}  // namespace warpsim
