#include "report/report_blob.h"

#include <zlib.h>

#include <bit>

#include "base/check.h"

namespace warpsim {

std::string deflated(std::string_view bytes) {
  uLongf size = compressBound(static_cast<uLong>(bytes.size()));
  std::string packed(size, '\0');
  const int code =
      compress2(reinterpret_cast<Bytef*>(packed.data()), &size, reinterpret_cast<const Bytef*>(bytes.data()),
                static_cast<uLong>(bytes.size()), Z_DEFAULT_COMPRESSION);
  SIM_CHECK(code == Z_OK, "zlib compresses data of any content");
  packed.resize(size);
  return packed;
}

std::string inflated(std::string_view bytes) {
  z_stream stream{};
  SIM_CHECK(inflateInit(&stream) == Z_OK, "zlib is initialised");
  // zlib only reads from there.
  stream.next_in = const_cast<Bytef*>(reinterpret_cast<const Bytef*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  std::string text;
  int code = Z_OK;
  while (code == Z_OK) {
    char buffer[1 << 16];
    stream.next_out = reinterpret_cast<Bytef*>(buffer);
    stream.avail_out = sizeof buffer;
    code = inflate(&stream, Z_NO_FLUSH);
    text.append(buffer, sizeof buffer - stream.avail_out);
  }
  inflateEnd(&stream);
  SIM_CHECK(code == Z_STREAM_END, "compressed text is complete");
  return text;
}

std::string base64(std::string_view bytes) {
  constexpr std::string_view kLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t group = 0;
    for (std::size_t j = 0; j < 3; ++j) {
      group = group << 8 | (i + j < bytes.size() ? static_cast<unsigned char>(bytes[i + j]) : 0U);
    }
    for (std::size_t j = 0; j < 4; ++j) {
      text += i + j <= bytes.size() ? kLetters[group >> (18 - 6 * j) & 63U] : '=';
    }
  }
  return text;
}

std::string float_planes(std::span<const float> values) {
  std::string planes(values.size() * sizeof(float), '\0');
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto bits = std::bit_cast<std::uint32_t>(values[i]);
    for (std::size_t byte = 0; byte < sizeof(float); ++byte) {
      planes[byte * values.size() + i] = static_cast<char>(bits >> (8 * byte) & 0xffU);
    }
  }
  return planes;
}

}  // namespace warpsim
