// Random kernels give the same results when they are translated to the host's instructions: registers of the host are
// used again, lanes missing, paths parting, in combinations that nobody would write.
#include <catch2/catch.hpp>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "support/ptx_grid.h"

namespace warpsim::test {
namespace {

// w, q, f and p stand for registers, n for a register or a number, s for an amount of a shift.
const std::vector<std::string> kTemplates = {"add.u32 w, w, n",
                                             "sub.s32 w, w, n",
                                             "mul.lo.u32 w, w, n",
                                             "mad.lo.s32 w, w, n, w",
                                             "min.s32 w, w, n",
                                             "max.s32 w, w, n",
                                             "min.u32 w, w, n",
                                             "max.u32 w, w, n",
                                             "neg.s32 w, w",
                                             "and.b32 w, w, n",
                                             "or.b32 w, w, n",
                                             "xor.b32 w, w, n",
                                             "not.b32 w, w",
                                             "shl.b32 w, w, s",
                                             "shr.s32 w, w, s",
                                             "shr.u32 w, w, s",
                                             "shl.b32 w, w, w",
                                             "shr.s32 w, w, w",
                                             "lop3.b32 w, w, n, w, 0x6a",
                                             "lop3.b32 w, w, n, w, 0xe8",
                                             "mov.b32 w, w",
                                             "mov.b32 w, n",
                                             "add.u64 q, q, q",
                                             "sub.u64 q, q, q",
                                             "mul.lo.u64 q, q, q",
                                             "mad.lo.u64 q, q, q, q",
                                             "and.b64 q, q, q",
                                             "or.b64 q, q, q",
                                             "xor.b64 q, q, q",
                                             "not.b64 q, q",
                                             "shl.b64 q, q, s",
                                             "shr.s64 q, q, s",
                                             "shr.u64 q, q, w",
                                             "mul.wide.u32 q, w, n",
                                             "mul.wide.s32 q, w, n",
                                             "mad.wide.s32 q, w, n, q",
                                             "mad.wide.u32 q, w, n, q",
                                             "cvt.u64.u32 q, w",
                                             "cvt.s64.s32 q, w",
                                             "cvt.u32.u64 w, q",
                                             "mov.b64 q, {w, w}",
                                             "mov.b64 q, q",
                                             "add.f32 f, f, f",
                                             "sub.f32 f, f, f",
                                             "mul.f32 f, f, f",
                                             "fma.rn.f32 f, f, f, f",
                                             "add.ftz.f32 f, f, f",
                                             "mul.ftz.f32 f, f, f",
                                             "fma.rn.ftz.f32 f, f, f, f",
                                             "fma.rz.f32 f, f, f, f",
                                             "mul.sat.f32 f, f, f",
                                             "cvt.rn.f32.s32 f, w",
                                             "cvt.rn.f32.u32 f, w",
                                             "cvt.rzi.s32.f32 w, f",
                                             "cvt.rzi.u32.f32 w, f",
                                             "cvt.rni.s32.f32 w, f",
                                             "cvt.rmi.s32.f32 w, f",
                                             "cvt.rpi.u32.f32 w, f",
                                             "mov.b32 w, f",
                                             "mov.b32 f, w",
                                             "setp.lt.s32 p, w, n",
                                             "setp.ge.u32 p, w, n",
                                             "setp.ne.u32 p, w, n",
                                             "setp.gt.and.s32 p, w, n, p",
                                             "setp.le.or.u32 p, w, n, !p",
                                             "setp.lt.f32 p, f, f",
                                             "setp.neu.f32 p, f, f",
                                             "setp.num.f32 p, f, f",
                                             "setp.lt.s64 p, q, q",
                                             "setp.gt.u64 p, q, q",
                                             "selp.b32 w, w, n, p",
                                             "selp.b64 q, q, q, p",
                                             "and.pred p, p, p",
                                             "or.pred p, p, !p",
                                             "xor.pred p, p, p",
                                             "not.pred p, p",
                                             "mov.pred p, p",
                                             "popc.b32 w, w",
                                             "clz.b32 w, w",
                                             "prmt.b32 w, w, n, 0x4312",
                                             "ex2.approx.f32 f, f",
                                             "max.f32 f, f, f"};

class RandomKernel {
 public:
  explicit RandomKernel(std::uint32_t seed) : random_(seed) {}

  std::string body() {
    std::string text;
    for (std::uint32_t i = 0; i < kWords; ++i) {
      text += "mad.lo.u32 %r" + std::to_string(i) + ", %t, " + std::to_string(random_()) + ", " +
              std::to_string(random_()) + ";\n";
    }
    for (std::uint32_t i = 0; i < kWides; ++i) {
      text += "mul.wide.s32 %q" + std::to_string(i) + ", %r" + std::to_string(i) + ", " + "%r" + std::to_string(i + 1) +
              ";\n";
    }
    for (std::uint32_t i = 0; i < kFloats; ++i) {
      text += "cvt.rn.f32.s32 %f" + std::to_string(i) + ", %r" + std::to_string(i) + ";\n";
    }
    for (std::uint32_t i = 0; i < kPredicates; ++i) {
      text +=
          "setp.lt.s32 %p" + std::to_string(i) + ", %r" + std::to_string(i) + ", %r" + std::to_string(i + 2) + ";\n";
    }
    text += "mov.u32 %r60, 0;\nagain:\n";
    const std::uint32_t length = 20 + below(80);
    for (std::uint32_t i = 0; i < length; ++i) {
      if (below(12) == 0) {
        const std::string label = "over" + std::to_string(labels_++);
        text += "@" + std::string(below(2) == 0 ? "!" : "") + predicate() + " bra " + label + ";\n";
        for (std::uint32_t j = below(6); j > 0; --j) {
          text += instruction();
        }
        text += label + ":\n";
      } else {
        text += instruction();
      }
    }
    text += "add.u32 %r60, %r60, 1;\nsetp.lt.u32 %p15, %r60, 40;\n@%p15 bra again;\nmov.u32 %r61, 0;\n";
    for (std::uint32_t i = 0; i < kWords; ++i) {
      text += "mad.lo.u32 %r61, %r61, 31, %r" + std::to_string(i) + ";\n";
    }
    for (std::uint32_t i = 0; i < kWides; ++i) {
      text += "mov.b64 {%r62, %r63}, %q" + std::to_string(i) +
              ";\nmad.lo.u32 %r61, %r61, 31, %r62;\nmad.lo.u32 %r61, %r61, 31, %r63;\n";
    }
    for (std::uint32_t i = 0; i < kFloats; ++i) {
      text += "mov.b32 %r62, %f" + std::to_string(i) + ";\nmad.lo.u32 %r61, %r61, 31, %r62;\n";
    }
    for (std::uint32_t i = 0; i < kPredicates; ++i) {
      text += "selp.u32 %r62, 1, 0, %p" + std::to_string(i) + ";\nmad.lo.u32 %r61, %r61, 31, %r62;\n";
    }
    return text + "st.global.u32 [%own], %r61;";
  }

 private:
  static constexpr std::uint32_t kWords = 20;
  static constexpr std::uint32_t kWides = 6;
  static constexpr std::uint32_t kFloats = 8;
  static constexpr std::uint32_t kPredicates = 5;

  std::uint32_t below(std::uint32_t limit) { return static_cast<std::uint32_t>(random_() % limit); }
  std::string word() { return "%r" + std::to_string(below(kWords)); }
  std::string wide() { return "%q" + std::to_string(below(kWides)); }
  std::string single() { return "%f" + std::to_string(below(kFloats)); }
  std::string predicate() { return "%p" + std::to_string(below(kPredicates)); }
  std::string word_or_number() { return below(4) == 0 ? std::to_string(random_()) : word(); }

  std::string instruction() {
    const std::string& chosen = kTemplates[below(static_cast<std::uint32_t>(kTemplates.size()))];
    const std::size_t operands = chosen.find(' ');
    std::string text = below(4) == 0 ? "@" + std::string(below(2) == 0 ? "!" : "") + predicate() + " " : "";
    text += chosen.substr(0, operands);
    for (std::size_t i = operands; i < chosen.size(); ++i) {
      switch (chosen[i]) {
        case 'w':
          text += word();
          break;
        case 'q':
          text += wide();
          break;
        case 'f':
          text += single();
          break;
        case 'p':
          text += predicate();
          break;
        case 'n':
          text += word_or_number();
          break;
        case 's':
          text += std::to_string(below(70));
          break;
        default:
          text += chosen[i];
      }
    }
    return text + ";\n";
  }

  std::mt19937 random_;
  std::uint32_t labels_ = 0;
};

TEST_CASE("host code: random kernels have the same results", "[exhaustive]") {
  constexpr std::uint32_t kKernels = 150;
  for (std::uint32_t seed = 0; seed < kKernels; ++seed) {
    CAPTURE(seed);
    const PtxGrid grid{.body = RandomKernel(seed).body(), .block = {seed % 3 == 0 ? 43U : 64U, 1, 1}};
    REQUIRE_NOTHROW(execute_ptx(grid));
  }
}

}  // namespace
}  // namespace warpsim::test
