// Matrix products of a warp, and loads of their fragments.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string>
#include <vector>

#include "emulator/machine_code/lifter.h"

namespace warpsim {

namespace {

// "{a, b}" of item(0), item(1).
template <class Item>
std::string listed(std::uint32_t count, Item&& item) {
  std::string text;
  for (std::uint32_t i = 0; i < count; ++i) {
    text += (i == 0 ? "{" : ", ") + item(i);
  }
  return text + "}";
}
std::string listed(const std::vector<std::string>& items) {
  return fmt::format("{{{}}}", fmt::join(items, ", "));
}

std::string matrix_fragment(Lifter& l, std::size_t number, std::uint32_t words) {
  return listed(words, [&](std::uint32_t i) { return l.word(l.operand(number), i); });
}

std::string matrix_result(Lifter& l, std::size_t number, std::uint32_t words) {
  return listed(words, [&](std::uint32_t i) { return l.destination(number, i); });
}

// The words of a factor, with the signs of their elements changed if the operand says so.
std::string factor(Lifter& l, std::size_t number, std::uint32_t words, std::uint32_t element_bits) {
  if (!l.operand(number).negative) {
    return matrix_fragment(l, number, words);
  }
  return listed(words, [&](std::uint32_t i) {
    std::string word = l.scratch();
    l.add(fmt::format("xor.b32 {}, {}, {}", word, l.word(l.operand(number), i),
                      element_bits == 16 ? "0x80008000" : "0x80000000"));
    return word;
  });
}

// The last operand of a product: whether C is added to.
bool has_sum_condition(Lifter& l) {
  return l.shown(l.operand_count() - 1);
}
std::string sum_condition(Lifter& l) {
  std::string condition = l.predicate_scratch();
  l.add(fmt::format("mov.pred {}, {}", condition, l.predicate(l.operand_count() - 1)));
  return condition;
}

// The words of C, or zeros if the predicate (the last operand) is false: as in products of warpgroups it says whether
// the product is added to C. Compiled kernels of libraries start their sums so.
std::string chosen_sums(Lifter& l, std::size_t number, std::uint32_t words) {
  if (!has_sum_condition(l)) {
    return matrix_fragment(l, number, words);
  }
  const std::string condition = sum_condition(l);
  return listed(words, [&](std::uint32_t i) {
    std::string word = l.scratch();
    l.add(fmt::format("selp.b32 {}, {}, 0, {}", word, l.word(l.operand(number), i), condition));
    return word;
  });
}

// Registers of 32 bits that hold so many elements of all lanes.
constexpr std::uint32_t words_of_matrix(std::uint32_t elements, std::uint32_t bits) {
  return elements * bits / 1024;
}

struct Product {
  std::uint32_t rows = 16;
  std::uint32_t depth = 0;
  std::uint32_t bits = 0;      // of an element of A and B
  std::uint32_t sum_bits = 0;  // of C and D
  std::string types;           // words after ".row.col"
};

// With metadata and its selector in the operands after C if the product is sparse, and the predicate after those.
void add_product(Lifter& l, const Product& product) {
  constexpr std::uint32_t kColumns = 8;
  constexpr std::size_t kMetadata = 4;
  const bool sparse = l.modifier("SP") != 0;
  const std::uint32_t stored = sparse ? product.depth / 2 : product.depth;
  const std::uint32_t sums = words_of_matrix(product.rows * kColumns, product.sum_bits);
  const std::uint32_t words = words_of_matrix(product.rows * stored, product.bits);
  const std::string a = factor(l, 1, words, product.bits);
  const std::string b = factor(l, 2, words_of_matrix(kColumns * product.depth, product.bits), product.bits);
  const std::string c = chosen_sums(l, 3, sums);
  std::string text = fmt::format("mma{}.sync.aligned.m{}n8k{}.row.col{} {}, {}, {}, {}", sparse ? ".sp" : "",
                                 product.rows, product.depth, product.types, matrix_result(l, 0, sums), a, b, c);
  if (sparse) {
    text += fmt::format(", {}, {}", l.word(l.operand(kMetadata)), l.operand(kMetadata + 1).value);
  }
  l.add(text);
}

void lift_half_product(Lifter& l) {
  static constexpr const char* kTypes[] = {"f16", "bf16", "tf32"};
  static constexpr std::uint32_t kDepths[] = {8, 16, 4, 32};
  const std::uint32_t format = l.modifier("mma_format");
  const bool single = l.modifier("mma_accumulator") != 0;
  const char* const sum = single ? "f32" : "f16";
  add_product(l, {16, kDepths[l.modifier("mma_shape")], format == 2 ? 32U : 16U, single ? 32U : 16U,
                  fmt::format(".{}.{}.{}.{}", sum, kTypes[format], kTypes[format], sum)});
}

void lift_byte_float_product(Lifter& l) {
  static constexpr const char* kTypes[] = {"e4m3", "e5m2"};
  static constexpr std::uint32_t kDepths[] = {16, 32, 64};
  const bool single = l.modifier("mma_accumulator") != 0;
  const char* const sum = single ? "f32" : "f16";
  add_product(l, {16, kDepths[l.modifier("qmma_shape")], 8, single ? 32U : 16U,
                  fmt::format(".{}.{}.{}.{}", sum, kTypes[l.modifier("qmma_a")], kTypes[l.modifier("qmma_b")], sum)});
}

void lift_integer_product(Lifter& l) {
  static constexpr const char* kTypes[] = {"u8", "s8", "u4", "s4"};
  static constexpr std::uint32_t kDepths[] = {16, 0, 32, 32, 16, 32, 64, 128};
  const std::uint32_t shape = l.modifier("imma_shape");
  const bool small = shape < 4 && l.modifier("SP") == 0;
  add_product(l, {small ? 8U : 16U, kDepths[shape], l.modifier("imma_a") >= 2 ? 4U : 8U, 32,
                  fmt::format("{}.s32.{}.{}.s32", l.modifier("SAT") != 0 ? ".satfinite" : "",
                              kTypes[l.modifier("imma_a")], kTypes[l.modifier("imma_b")])});
}

void lift_bit_product(Lifter& l) {
  const std::uint32_t shape = l.modifier("bmma_shape");
  if (l.modifier("POPC") == 0) {
    l.fail("this form of a product is not supported");
  }
  add_product(l, {shape == 0 ? 8U : 16U, shape == 2 ? 256U : 128U, 1, 32,
                  fmt::format(".s32.b1.b1.s32.{}.popc", l.modifier("bmma_op") != 0 ? "and" : "xor")});
}

// The products of 7.0, which 7.5 has too, are computed in steps: each writes two registers of D, with those of C and
// all of A and B (ptxas makes the steps of mma.m8n8k4 in this order).
void lift_quad_product(Lifter& l) {
  const bool single = l.modifier("mma_accumulator") != 0;
  if (single != (l.modifier("mma_source") != 0)) {
    l.fail("C of another type than D is not supported");
  }
  const std::uint32_t sums = single ? 8 : 4;
  const std::uint32_t step = l.modifier("mma_steps");
  if (2 * step >= sums) {
    l.fail("there is no such step");
  }
  const auto layout = [&](std::size_t operand) { return in_small_letters(l.operand(operand).suffix); };
  std::vector<std::string> d(sums, "_");
  std::vector<std::string> c(sums, single ? "0f00000000" : "0");
  for (std::uint32_t i = 0; i < 2; ++i) {
    d[2 * step + i] = l.scratch();
    c[2 * step + i] = single ? l.float_word(l.operand(3), i) : l.word(l.operand(3), i);
  }
  const char* const sum = single ? "f32" : "f16";
  l.add(fmt::format("mma.sync.aligned.m8n8k4.{}.{}.{}.f16.f16.{} {}, {}, {}, {}", layout(1), layout(2), sum, sum,
                    listed(d), matrix_fragment(l, 1, 2), matrix_fragment(l, 2, 2), listed(c)));
  for (std::uint32_t i = 0; i < 2; ++i) {
    l.add(fmt::format("mov.b32 {}, {}", l.destination(0, i), d[2 * step + i]));
  }
}

// Doubles, each a pair of registers with the operand's sign.
std::vector<std::string> doubles(Lifter& l, std::size_t number, std::uint32_t count) {
  const sass::MachineOperand& first = l.operand(number);
  std::vector<std::string> names;
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::string& wide = names.emplace_back(l.wide_scratch());
    l.add(fmt::format("mov.b64 {}, {{{}, {}}}", wide, l.word(first, 2 * i), l.word(first, 2 * i + 1)));
    if (first.absolute) {
      l.add(fmt::format("abs.f64 {0}, {0}", wide));
    }
    if (first.negative) {
      l.add(fmt::format("neg.f64 {0}, {0}", wide));
    }
  }
  return names;
}

// C, or zeros if the predicate is false.
std::vector<std::string> chosen_doubles(Lifter& l, std::size_t number, std::uint32_t count) {
  std::vector<std::string> names = doubles(l, number, count);
  if (has_sum_condition(l)) {
    const std::string condition = sum_condition(l);
    for (const std::string& wide : names) {
      l.add(fmt::format("selp.b64 {0}, {0}, 0, {1}", wide, condition));
    }
  }
  return names;
}

void lift_double_product(Lifter& l) {
  struct Shape {
    std::uint32_t rows;
    std::uint32_t depth;
  };
  static constexpr Shape kShapes[] = {{8, 4}, {16, 4}, {16, 8}, {16, 16}};
  const Shape shape = kShapes[l.architecture() >= 90 ? l.modifier("dmma_shape") : 0];
  static constexpr const char* kRoundings[] = {"", ".rm", ".rp", ".rz"};
  const std::uint32_t sums = shape.rows / 4;
  const std::string a = listed(doubles(l, 1, shape.rows * shape.depth / 32));
  const std::string b = listed(doubles(l, 2, shape.depth / 4));
  const std::string c = listed(chosen_doubles(l, 3, sums));
  std::vector<std::string> results(sums);
  std::ranges::generate(results, [&] { return l.wide_scratch(); });
  l.add(fmt::format("mma.sync.aligned.m{}n8k{}.row.col{}.f64.f64.f64.f64 {}, {}, {}, {}", shape.rows, shape.depth,
                    kRoundings[l.modifier("round")], listed(results), a, b, c));
  for (std::uint32_t i = 0; i < sums; ++i) {
    l.add(fmt::format("mov.b64 {{{}, {}}}, {}", l.destination(0, 2 * i), l.destination(0, 2 * i + 1), results[i]));
  }
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
    {"HMMA", lift_half_product},    {"HMMA.884", lift_quad_product}, {"QMMA", lift_byte_float_product},
    {"IMMA", lift_integer_product}, {"BMMA", lift_bit_product},      {"DMMA", lift_double_product},
    {"LDSM", lift_load_matrices},   {"STSM", lift_store_matrices},   {"MOVM", lift_transpose},
};

}  // namespace

std::span<const LiftedOpcode> lifted_matrix_opcodes() {
  return kMatrixOpcodes;
}

}  // namespace warpsim
