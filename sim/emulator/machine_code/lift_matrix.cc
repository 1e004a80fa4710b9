// Matrix products of a warp, and loads of their fragments.
#include <fmt/format.h>

#include <string>

#include "emulator/machine_code/lifter.h"

namespace warpsim {

namespace {

std::string matrix_fragment(Lifter& l, std::size_t number, std::uint32_t words) {
  std::string text;
  for (std::uint32_t i = 0; i < words; ++i) {
    text += (i == 0 ? "{" : ", ") + l.word(l.operand(number), i);
  }
  return text + "}";
}

std::string matrix_result(Lifter& l, std::size_t number, std::uint32_t words) {
  std::string text;
  for (std::uint32_t i = 0; i < words; ++i) {
    text += (i == 0 ? "{" : ", ") + l.destination(number, i);
  }
  return text + "}";
}

void lift_half_product(Lifter& l) {
  if (l.modifier("SP") != 0 || l.operand(1).negative) {
    l.fail("this form of a product is not supported");
  }
  const std::uint32_t shape = l.modifier("mma_shape");
  const std::uint32_t format = l.modifier("mma_format");
  const bool single = l.modifier("mma_accumulator") != 0;
  static constexpr const char* kFormats[] = {"f16", "bf16", "tf32"};
  const char* const type = kFormats[format];
  const std::uint32_t depth = shape == 0 ? 8 : shape == 1 ? 16 : 4;
  const std::uint32_t a_words = shape == 1 || (shape == 0 && format == 2) ? 4 : 2;
  const std::uint32_t c_words = single ? 4 : 2;
  const char* const sum = single ? "f32" : "f16";
  l.add(fmt::format("mma.sync.aligned.m16n8k{}.row.col.{}.{}.{}.{} {}, {}, {}, {}", depth, sum, type, type, sum,
                    matrix_result(l, 0, c_words), matrix_fragment(l, 1, a_words), matrix_fragment(l, 2, a_words / 2),
                    matrix_fragment(l, 3, c_words)));
}

void lift_double_product(Lifter& l) {
  const std::uint32_t shape = l.architecture() >= 90 ? l.modifier("dmma_shape") : 0;
  if (l.operand(1).negative || l.operand(2).negative || l.operand(3).negative || shape != 0 ||
      l.modifier("round") != 0) {
    l.fail("this form of a product is not supported");
  }
  const std::string a = l.pair(1);
  const std::string b = l.pair(2);
  const std::string low = l.wide_scratch();
  const std::string high = l.wide_scratch();
  l.add(fmt::format("mov.b64 {}, {{{}, {}}}", low, l.word(l.operand(3), 0), l.word(l.operand(3), 1)));
  l.add(fmt::format("mov.b64 {}, {{{}, {}}}", high, l.word(l.operand(3), 2), l.word(l.operand(3), 3)));
  l.add(fmt::format("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {{{}, {}}}, {{{}}}, {{{}}}, {{{}, {}}}", low, high,
                    a, b, low, high));
  l.add(fmt::format("mov.b64 {{{}, {}}}, {}", l.destination(0, 0), l.destination(0, 1), low));
  l.add(fmt::format("mov.b64 {{{}, {}}}, {}", l.destination(0, 2), l.destination(0, 3), high));
}

void lift_integer_product(Lifter& l) {
  if (l.modifier("SP") != 0) {
    l.fail("sparse products are not supported");
  }
  static constexpr const char* kTypes[] = {"u8", "s8", "u4", "s4"};
  const std::string_view shape = l.modifier_text("imma_shape");
  const bool small = shape == "8816" || shape == "8832";
  const std::uint32_t depth = shape == "8816" || shape == "16816" ? 16 : shape == "16864" ? 64 : 32;
  const std::uint32_t bits = l.modifier("imma_a") >= 2 ? 4 : 8;
  const std::uint32_t a_words = small ? 1 : (depth * bits) / 64;
  const std::uint32_t b_words = small ? 1 : a_words / 2;
  const std::uint32_t c_words = small ? 2 : 4;
  l.add(fmt::format("mma.sync.aligned.m{}n8k{}.row.col{}.s32.{}.{}.s32 {}, {}, {}, {}", small ? 8 : 16, depth,
                    l.modifier("SAT") != 0 ? ".satfinite" : "", kTypes[l.modifier("imma_a")],
                    kTypes[l.modifier("imma_b")], matrix_result(l, 0, c_words), matrix_fragment(l, 1, a_words),
                    matrix_fragment(l, 2, b_words), matrix_fragment(l, 3, c_words)));
}

void lift_load_matrices(Lifter& l) {
  const std::uint32_t layout = l.modifier("matrix_layout");
  if (layout > 1 || l.modifier("matrix_element") != 0) {
    l.fail("this layout is not supported");
  }
  const std::uint32_t count = 1U << l.modifier("matrices");
  l.add(fmt::format("ldmatrix.sync.aligned.m8n8.x{}{}.shared.b16 {}, {}", count, layout == 1 ? ".trans" : "",
                    matrix_result(l, 0, count), l.narrow_address(1)));
}

void lift_store_matrices(Lifter& l) {
  const std::uint32_t layout = l.modifier("matrix_layout");
  if (layout > 1 || l.modifier("matrix_element") != 0) {
    l.fail("this layout is not supported");
  }
  const std::uint32_t count = 1U << l.modifier("matrices");
  l.add(fmt::format("stmatrix.sync.aligned.m8n8.x{}{}.shared.b16 {}, {}", count, layout == 1 ? ".trans" : "",
                    l.narrow_address(0), matrix_fragment(l, 1, count)));
}

void lift_transpose(Lifter& l) {
  l.add(fmt::format("movmatrix.sync.aligned.m8n8.trans.b16 {}, {}", l.destination(0), l.word(l.operand(1))));
}

constexpr LiftedOpcode kMatrixOpcodes[] = {
    {"HMMA", lift_half_product},  {"DMMA", lift_double_product}, {"IMMA", lift_integer_product},
    {"LDSM", lift_load_matrices}, {"STSM", lift_store_matrices}, {"MOVM", lift_transpose},
};

}  // namespace

std::span<const LiftedOpcode> lifted_matrix_opcodes() {
  return kMatrixOpcodes;
}

}  // namespace warpsim
