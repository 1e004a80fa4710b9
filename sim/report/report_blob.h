// Compact encoding of data in a report: deflate (zlib's framing) and base64, which a browser decodes without
// libraries.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace warpsim {

// Throws InternalError if zlib fails.
std::string deflated(std::string_view bytes);
// Throws InternalError if `bytes` is not a result of deflated().
std::string inflated(std::string_view bytes);
std::string base64(std::string_view bytes);

// Single precision, little-endian, the first bytes of all values first, then the second ones and so on: neighbours in
// time differ little, so that the planes of high bytes compress well. NaN means no value.
std::string float_planes(std::span<const float> values);

}  // namespace warpsim
