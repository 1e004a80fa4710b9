#include "codegen/half_words.h"

#include <catch2/catch.hpp>

#include "unit/codegen/generate.h"

using namespace warpsim;
using namespace warpsim::test;

namespace {

// The instructions of the body with registers as the assignment leaves them, without the end of the kernel.
std::vector<std::string> text_of(const std::string& body) {
  std::vector<std::string> text = generate(body + " ret;").text();
  text.pop_back();
  return text;
}
std::size_t count_of(const std::vector<std::string>& text, const std::string& part) {
  std::size_t count = 0;
  for (const std::string& line : text) {
    count += line.find(part) != std::string::npos ? 1 : 0;
  }
  return count;
}

constexpr const char* kUnpack = "ld.global.u32 %r1, [%rd1]; mov.b32 {%h1, %h2}, %r1; ";

// Expected results: ptxas of CUDA 13.0 for sm_90.
TEST_CASE("conversions and arithmetic of half precision take either half of a word") {
  const auto converted = text_of(kUnpack + std::string("cvt.f32.f16 %f1, %h1; cvt.f32.f16 %f2, %h2; "
                                                       "st.global.v2.f32 [%rd2], {%f1, %f2};"));
  CHECK(count_of(converted, "PRMT") == 0);
  CHECK(count_of(converted, "HADD2.F32") == 2);
  CHECK(count_of(converted, ".H1_H1") == 1);
  const auto added = text_of(kUnpack + std::string("add.f16 %h3, %h1, %h2; st.global.u16 [%rd2], %h3;"));
  CHECK(count_of(added, "PRMT") == 0);
  CHECK(count_of(added, ".H1_H1") == 1);
}

TEST_CASE("an upper half that other instructions read is moved, a lower one is not") {
  const auto stored = text_of(kUnpack + std::string("st.global.u16 [%rd2], %h1; st.global.u16 [%rd3], %h2;"));
  CHECK(count_of(stored, "PRMT") == 1);
  CHECK(count_of(stored, "0x7632") == 1);
  CHECK(count_of(text_of(kUnpack + std::string("st.global.u16 [%rd2], %h1;")), "PRMT") == 0);
}

TEST_CASE("packing selects halves of any words, and the halves of one word are that word") {
  const std::string other = "ld.global.u32 %r2, [%rd2]; mov.b32 {%h3, %h4}, %r2; ";
  const auto packed = [&](const std::string& halves) {
    return text_of(kUnpack + other + "mov.b32 %r3, {" + halves + "}; st.global.u32 [%rd3], %r3;");
  };
  CHECK(count_of(packed("%h1, %h3"), "0x5410") == 1);
  CHECK(count_of(packed("%h2, %h4"), "0x7632") == 1);
  CHECK(count_of(packed("%h1, %h4"), "0x7610") == 1);
  CHECK(count_of(packed("%h2, %h3"), "0x5432") == 1);
  CHECK(count_of(packed("%h1, %h2"), "PRMT") == 0);
}

TEST_CASE("bfloat16 numbers become single precision by a shift or a mask") {
  const auto converted = text_of(kUnpack + std::string("cvt.f32.bf16 %f1, %h1; cvt.f32.bf16 %f2, %h2; "
                                                       "st.global.v2.f32 [%rd2], {%f1, %f2};"));
  CHECK(count_of(converted, "PRMT") == 0);
  CHECK(count_of(converted, "IMAD.U32") == 1);
  CHECK(count_of(converted, "0xffff0000") == 1);
}

}  // namespace
