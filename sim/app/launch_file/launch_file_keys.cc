#include "app/launch_file/launch_file_keys.h"

#include <fmt/format.h>

namespace warpsim {

namespace {

constexpr LaunchFileKey kTopKeys[] = {
    {"buffers", "list of buffers", "arrays in device memory, created before the first launch and kept until the end"},
    {"variables", "list of variables",
     "`__device__` and `__constant__` variables of the module that are set before the first launch"},
    {"textures", "list of textures", "texture objects over buffers"},
    {"launches", "list of launches", "run in this order; the keys of a single launch may be at the top level instead"},
    {"heap_bytes", "integer, at least 0", "heap for `malloc` in kernels (default 8 MiB)"},
    {"stack_bytes", "integer, at least 0", "stack of a thread for recursive calls (default 1024)"},
    {"expect", "list of expectations", "expected content of buffers and variables after the last launch"},
    {"printed", "text", "expected output of the kernels"},
    {"printed_order", "`fixed` or `any`", "`any`: the lines of `printed` may be in any order (default `fixed`)"},
    {"failure", "map", "expected failure of the last launch; without it all launches must succeed"},
};

constexpr LaunchFileKey kBufferKeys[] = {
    {"name", "word", "for parameters, textures and expectations"},
    {"type", "type", "of an element: `s8`, `u8`, ... `s64`, `u64`, `f16`, `bf16`, `f32`, `f64`"},
    {"elements", "integer, at least 1", "may be omitted if a list or a file determines it"},
    {"initial", "values", "initial content (default `zeros`)"},
};

constexpr LaunchFileKey kVariableKeys[] = {
    {"name", "word", "name in the PTX"},
    {"type", "type", "of an element"},
    {"initial", "values", "its elements; a list or file must not be longer than the variable"},
};

constexpr LaunchFileKey kValuesKeys[] = {
    {"value", "number", "every element"},
    {"iota", "map", "start, start + step, start + 2 step, ..."},
    {"random", "map", "the same numbers on every machine"},
    {"list", "list of numbers", "one number per element"},
    {"file", "path", "relative to the launch file; `.txt`: numbers, `#` begins a comment; else little-endian bytes"},
};

constexpr LaunchFileKey kIotaKeys[] = {
    {"start", "number", "of the first element (default 0)"},
    {"step", "number", "difference between consecutive elements (default 1)"},
    {"period", "integer, at least 1", "elements after which the sequence restarts (default: never)"},
};

constexpr LaunchFileKey kRandomKeys[] = {
    {"seed", "integer, at least 0", "seed of the random numbers"},
    {"low", "number", "minimum"},
    {"high", "number", "maximum; floating-point numbers are below it before rounding"},
};

constexpr LaunchFileKey kTextureKeys[] = {
    {"name", "word", "for parameters"},
    {"buffer", "word", "buffer with the texels; its type is that of a channel"},
    {"shape", "`linear`, `pitched`, `array_1d`, `array_2d`, `array_3d`, `cubemap`", "kind of resource"},
    {"width", "integer, at least 1", "texels"},
    {"height", "integer, at least 1", "rows (default 1)"},
    {"depth", "integer, at least 1", "slices of `array_3d` (default 1)"},
    {"layers", "integer, at least 0", "of a layered texture, cubes of a layered cubemap (default 0: not layered)"},
    {"channels", "`1`, `2` or `4`", "per texel (default 1)"},
    {"filter", "`point` or `linear`", "between texels (default `point`)"},
    {"address_mode", "`wrap`, `clamp`, `mirror` or `border`, or a list with one per dimension",
     "beyond the border (default `clamp`)"},
    {"normalized_coordinates", "`true` or `false`", "0 to 1 covers the whole width (default `false`)"},
    {"normalized_values", "`true` or `false`", "integers are read as -1 to 1 or 0 to 1 (default `false`)"},
    {"border", "list of 4 numbers", "value of reads outside with `border` (default 0)"},
};

constexpr LaunchFileKey kLaunchKeys[] = {
    {"kernel", "name", "as in PTX, or as in C++ if the name is unique"},
    {"grid", "integer or list of 1 to 3", "blocks (default 1)"},
    {"block", "integer or list of 1 to 3", "threads per block (default 1)"},
    {"cluster", "integer or list of 1 to 3", "blocks per cluster (default: as the kernel requires)"},
    {"dynamic_shared_bytes", "integer, at least 0", "per block (default 0)"},
    {"cooperative", "`true` or `false`", "all blocks must be resident at once (default `false`)"},
    {"parameters", "list of parameters", "in the kernel's order (default: none)"},
    {"repeat", "integer, at least 1", "consecutive launches (default 1)"},
};

constexpr LaunchFileKey kParameterKeys[] = {
    {"buffer", "word", "its address; short form: only the word, without a map"},
    {"offset", "integer, at least 0", "bytes added to the buffer's address"},
    {"texture", "word", "the object's number; short form: only the word"},
    {"s8, u8, ... f64", "number", "a scalar of that type: `s32: 1000`"},
    {"struct", "list of parameters", "fields one after another, each aligned to its size"},
    {"bytes", "list of integers, 0 to 255", "raw bytes in memory order"},
};

constexpr LaunchFileKey kExpectationKeys[] = {
    {"buffer", "word", "the buffer to compare"},
    {"variable", "word", "a variable of the module to compare instead"},
    {"type", "type", "of an element (default: that of the buffer)"},
    {"first", "integer, at least 0", "first compared element (default 0)"},
    {"elements", "integer, at least 1", "number of compared elements (default: all that follow)"},
    {"values", "values", "expected values"},
    {"equals", "word", "a buffer of the same type with the expected values, instead of `values`"},
    {"absolute", "number, at least 0", "allowed difference (default 0)"},
    {"relative", "number, at least 0", "the same, relative to the expected value (default 0)"},
    {"ulp", "integer, at least 0", "the same, in units in the last place (default 0)"},
};

constexpr LaunchFileKey kFailureKeys[] = {
    {"reason",
     "`assert`, `trap`, `illegal_address`, `misaligned_address`, `illegal_instruction`, `deadlock`, "
     "`invalid_configuration`, `out_of_resources`, `cooperative_too_large`",
     "reason of the failure"},
    {"message", "text", "part of its message (default: any message)"},
};

}  // namespace

namespace launch_maps {
const LaunchFileMap kTop{"launch file", "The whole file.", kTopKeys};
const LaunchFileMap kBuffer{"buffer", "An item of `buffers`.", kBufferKeys};
const LaunchFileMap kVariable{"variable", "An item of `variables`.", kVariableKeys};
const LaunchFileMap kValues{"values", "The word `zeros`, or a map with exactly one of these keys.", kValuesKeys};
const LaunchFileMap kIota{
    "iota", "Integers wrap around; other types are computed in double precision and rounded once.", kIotaKeys};
const LaunchFileMap kRandom{
    "random",
    "Element i has 64 random bits r, those of SplitMix64 with state seed + (i + 1) * 0x9e3779b97f4a7c15. An integer is "
    "low + floor(r (high - low + 1) / 2^64), any other number low + (high - low) floor(r / 2^11) / 2^53, computed in "
    "double precision and rounded once.",
    kRandomKeys};
const LaunchFileMap kTexture{"texture", "An item of `textures`.", kTextureKeys};
const LaunchFileMap kLaunch{"launch", "An item of `launches`, or the top level of the file.", kLaunchKeys};
const LaunchFileMap kParameter{"parameter", "A word, or a map with one of these keys (`buffer` may have `offset`).",
                               kParameterKeys};
const LaunchFileMap kExpectation{"expectation", "An item of `expect`.", kExpectationKeys};
const LaunchFileMap kFailure{"failure", "The map of `failure`.", kFailureKeys};
}  // namespace launch_maps

std::string launch_reference() {
  std::string text = R"(# Launch files

`warpsim run kernel.ptx --launch launch.yaml` runs kernels without a host program. The launch file replaces that
program: it defines memory, launches with their parameters, and expected results. docs/running-ptx.md explains an
example. Keys that are not listed here are refused; lists and maps are in YAML.

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
