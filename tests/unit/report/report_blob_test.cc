#include "report/report_blob.h"

#include <catch2/catch.hpp>
#include <vector>

#include "base/check.h"

using namespace warpsim;

namespace {

TEST_CASE("packed bytes are unpacked unchanged") {
  std::string text;
  for (unsigned i = 0; i < 100'000; ++i) {
    text += static_cast<char>(i * i % 251);
  }
  CHECK(inflated(deflated(text)) == text);
  CHECK(inflated(deflated("")).empty());
  const std::string packed = deflated(text);
  CHECK_THROWS_AS(inflated(packed.substr(0, packed.size() / 2)), InternalError);
}

TEST_CASE("base64 is that of RFC 4648") {
  CHECK(base64("").empty());
  CHECK(base64("f") == "Zg==");
  CHECK(base64("fo") == "Zm8=");
  CHECK(base64("foo") == "Zm9v");
  CHECK(base64("foob") == "Zm9vYg==");
  CHECK(base64("\xff\xfe\x00?" + std::string()) == "//4=");
  CHECK(base64(std::string_view("\xff\xff\xff", 3)) == "////");
}

TEST_CASE("planes contain first the lowest bytes of all values, then the next ones") {
  const std::vector<float> values = {1.0F, -2.0F};  // 0x3f800000, 0xc0000000
  CHECK(float_planes(values) == std::string("\x00\x00\x00\x00\x80\x00\x3f\xc0", 8));
}

}  // namespace
