#include "app/launch_file_keys.h"

#include <fmt/format.h>

namespace warpsim {

namespace {

constexpr LaunchFileKey kTopKeys[] = {
    {"buffers", "list of buffers", "arrays in the device's memory, made before the first launch and kept to the end"},
    {"variables", "list of variables", "`__device__` and `__constant__` variables of the module to be set before"},
    {"textures", "list of textures", "texture objects over buffers"},
    {"launches", "list of launches", "in this order; the keys of a single launch may stand at the top instead"},
    {"heap_bytes", "integer, at least 0", "room for `malloc` in kernels (default 8 MiB)"},
    {"stack_bytes", "integer, at least 0", "room of a thread for recursive calls (default 1024)"},
    {"expect", "list of expectations", "what buffers and variables hold behind the last launch"},
    {"printed", "text", "exactly what kernels print"},
    {"printed_order", "`fixed` or `any`", "`any`: the lines of `printed` may come in any order (default `fixed`)"},
    {"failure", "map", "how the last launch fails; without it every launch must end well"},
};

constexpr LaunchFileKey kBufferKeys[] = {
    {"name", "word", "for parameters, textures and expectations"},
    {"type", "type", "of an element: `s8`, `u8`, ... `s64`, `u64`, `f16`, `bf16`, `f32`, `f64`"},
    {"elements", "integer, at least 1", "may be left out where a list or a file says it"},
    {"initial", "values", "what it holds at first (default `zeros`)"},
};

constexpr LaunchFileKey kVariableKeys[] = {
    {"name", "word", "as PTX calls it"},
    {"type", "type", "of an element"},
    {"initial", "values", "its elements; of a list or file at most as many as it has room for"},
};

constexpr LaunchFileKey kValuesKeys[] = {
    {"value", "number", "every element"},
    {"iota", "map", "start, start + step, start + 2 step, ..."},
    {"random", "map", "the same numbers on every machine"},
    {"list", "list of numbers", "one an element"},
    {"file", "path", "relative to the launch file; `.txt`: numbers, `#` begins a comment; else little-endian bytes"},
};

constexpr LaunchFileKey kIotaKeys[] = {
    {"start", "number", "of the first element (default 0)"},
    {"step", "number", "from each to the next (default 1)"},
    {"period", "integer, at least 1", "elements after which it begins anew (default: never)"},
};

constexpr LaunchFileKey kRandomKeys[] = {
    {"seed", "integer, at least 0", "other seeds, other numbers"},
    {"low", "number", "the least"},
    {"high", "number", "the greatest; floating-point numbers stay below it before they are rounded"},
};

constexpr LaunchFileKey kTextureKeys[] = {
    {"name", "word", "for parameters"},
    {"buffer", "word", "where its texels are; its type is that of a channel"},
    {"shape", "`linear`, `pitched`, `array_1d`, `array_2d`, `array_3d`, `cubemap`", "kind of resource"},
    {"width", "integer, at least 1", "texels"},
    {"height", "integer, at least 1", "rows (default 1)"},
    {"depth", "integer, at least 1", "slices of `array_3d` (default 1)"},
    {"layers", "integer, at least 0", "of a layered texture, cubes of a layered cubemap (default 0: not layered)"},
    {"channels", "`1`, `2` or `4`", "of a texel (default 1)"},
    {"filter", "`point` or `linear`", "between texels (default `point`)"},
    {"address_mode", "`wrap`, `clamp`, `mirror` or `border`, or a list of one a dimension",
     "beyond the border (default `clamp`)"},
    {"normalized_coordinates", "`true` or `false`", "0 to 1 stands for the whole width (default `false`)"},
    {"normalized_values", "`true` or `false`", "integers are read as -1 to 1 or 0 to 1 (default `false`)"},
    {"border", "list of 4 numbers", "what `border` reads (default 0)"},
};

constexpr LaunchFileKey kLaunchKeys[] = {
    {"kernel", "name", "as in PTX, or as in C++ where only one kernel is called so"},
    {"grid", "integer or list of 1 to 3", "blocks (default 1)"},
    {"block", "integer or list of 1 to 3", "threads of a block (default 1)"},
    {"cluster", "integer or list of 1 to 3", "blocks of a cluster (default: what the kernel asks for)"},
    {"dynamic_shared_bytes", "integer, at least 0", "of a block (default 0)"},
    {"cooperative", "`true` or `false`", "all blocks must be resident at once (default `false`)"},
    {"parameters", "list of parameters", "in the kernel's order (default: none)"},
    {"repeat", "integer, at least 1", "launches one behind another (default 1)"},
};

constexpr LaunchFileKey kParameterKeys[] = {
    {"buffer", "word", "its address; the word alone, without a map, means the same"},
    {"offset", "integer, at least 0", "bytes added to the buffer's address"},
    {"texture", "word", "the object's number; the word alone means the same"},
    {"s8, u8, ... f64", "number", "a scalar of that type: `s32: 1000`"},
    {"struct", "list of parameters", "fields one behind another, each aligned to its size"},
    {"bytes", "list of integers, 0 to 255", "as they lie in memory"},
};

constexpr LaunchFileKey kExpectationKeys[] = {
    {"buffer", "word", "what is compared"},
    {"variable", "word", "a variable of the module instead"},
    {"type", "type", "of an element (default: that of the buffer)"},
    {"first", "integer, at least 0", "element with which the comparison begins (default 0)"},
    {"elements", "integer, at least 1", "compared (default: all that follow)"},
    {"values", "values", "what they should be"},
    {"equals", "word", "a buffer of the same type that they should be like, instead of `values`"},
    {"absolute", "number, at least 0", "difference that is allowed (default 0)"},
    {"relative", "number, at least 0", "the same as a part of the expected value (default 0)"},
    {"ulp", "integer, at least 0", "the same in steps between floating-point numbers (default 0)"},
};

constexpr LaunchFileKey kFailureKeys[] = {
    {"reason",
     "`assert`, `trap`, `illegal_address`, `misaligned_address`, `illegal_instruction`, `deadlock`, "
     "`invalid_configuration`, `out_of_resources`, `cooperative_too_large`",
     "why the launch ends"},
    {"message", "text", "part of what is said about it (default: anything)"},
};

}  // namespace

namespace launch_maps {
const LaunchFileMap kTop{"launch file", "The whole file.", kTopKeys};
const LaunchFileMap kBuffer{"buffer", "An item of `buffers`.", kBufferKeys};
const LaunchFileMap kVariable{"variable", "An item of `variables`.", kVariableKeys};
const LaunchFileMap kValues{"values", "The word `zeros`, or a map with exactly one of these keys.", kValuesKeys};
const LaunchFileMap kIota{"iota", "Integers wrap round, others are worked out in double precision and rounded once.",
                          kIotaKeys};
const LaunchFileMap kRandom{
    "random",
    "Element i has 64 random bits r, those of SplitMix64 with state seed + (i + 1) * 0x9e3779b97f4a7c15. An integer is "
    "low + floor(r (high - low + 1) / 2^64), any other number low + (high - low) floor(r / 2^11) / 2^53, worked out in "
    "double precision and rounded once.",
    kRandomKeys};
const LaunchFileMap kTexture{"texture", "An item of `textures`.", kTextureKeys};
const LaunchFileMap kLaunch{"launch", "An item of `launches`, or the top of the file.", kLaunchKeys};
const LaunchFileMap kParameter{"parameter", "A word, or a map with one of these keys (`buffer` may have `offset`).",
                               kParameterKeys};
const LaunchFileMap kExpectation{"expectation", "An item of `expect`.", kExpectationKeys};
const LaunchFileMap kFailure{"failure", "The map behind `failure`.", kFailureKeys};
}  // namespace launch_maps

std::string launch_reference() {
  std::string text = R"(# Launch files

`warpsim run kernel.ptx --launch launch.yaml` runs kernels without a host program; the launch file says what that
program would: which memory there is, what is launched with which parameters, and what should come out.
docs/running-ptx.md shows one and explains it. Keys that are not listed here are refused; lists and maps are YAML's.

This page is generated by `warpsim launch-reference`; do not edit it.
)";
  using namespace launch_maps;
  for (const LaunchFileMap* map : {&kTop, &kLaunch, &kParameter, &kBuffer, &kVariable, &kValues, &kIota, &kRandom,
                                   &kTexture, &kExpectation, &kFailure}) {
    text += fmt::format("\n## {}\n\n{}\n\n| key | value | meaning |\n| --- | --- | --- |\n", map->name, map->sentence);
    for (const LaunchFileKey& key : map->keys) {
      text += fmt::format("| `{}` | {} | {} |\n", key.key, key.value, key.meaning);
    }
  }
  return text;
}

}  // namespace warpsim
