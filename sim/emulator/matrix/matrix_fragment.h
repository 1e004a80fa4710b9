// Fragments: the layout of the elements of a small matrix in the registers of a warp's lanes.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "emulator/execution/warp_context.h"

namespace warpsim {

// An element's type in a matrix operation.
enum class MatrixType : std::uint8_t { kF16, kBf16, kTf32, kF32, kF64, kE4m3, kE5m2, kU8, kS8, kU4, kS4, kB1, kS32 };
std::uint32_t bits_of(MatrixType type);
bool is_integer(MatrixType type);

// A matrix operand: D, A, B or C. `lists` of the function hold its registers from `first` on.
struct Fragment {
  enum class Layout : std::uint8_t {
    kRowsByGroup,     // A of mma: a row for each group of four lanes
    kColumnsByGroup,  // B of mma
    kAccumulator,     // C and D of mma
    kLinear,          // wmma: lane by lane through the matrix, row by row; opaque to programs
    kLinearColumns,   // the same, column by column: B of wmma
  };
  Layout layout = Layout::kLinear;
  MatrixType type = MatrixType::kF32;
  std::uint32_t rows = 0;
  std::uint32_t columns = 0;
  std::uint32_t first = 0;
  std::uint32_t registers = 0;
  // The place of an element is that of its lane and that of its place in the lane (register by register) together. Set
  // by find_places().
  std::array<std::uint16_t, kWarpSize> lane_places = {};
  std::vector<std::uint16_t> element_places = {};

  // False if there are no such places: the sizes are no powers of two, or there are more than most_elements().
  bool find_places();
  std::uint32_t elements_per_register() const;
  // Place of an element of a lane in the matrix, row by row.
  std::uint32_t place(std::uint32_t lane, std::uint32_t reg, std::uint32_t element) const;
};

// Elements of the largest matrices of an instruction: of factors of less than 32 bits that are integers, 16 rows of 256
// bits; of all others, 16 rows of 64.
inline constexpr std::uint32_t kMostIntegers = 4096;
inline constexpr std::uint32_t kMostElements = 1024;
std::uint32_t most_elements(MatrixType type);

// The matrix, row by row, of a fragment with places: floating-point values of at most 32 bits, of all types, or
// integers.
void read_fragment(const WarpContext& warp, const Fragment& fragment, float* matrix);
void read_fragment(const WarpContext& warp, const Fragment& fragment, double* matrix);
void read_fragment(const WarpContext& warp, const Fragment& fragment, std::int32_t* matrix);
void write_fragment(WarpContext& warp, const Fragment& fragment, const double* matrix);
void write_fragment(WarpContext& warp, const Fragment& fragment, const std::int32_t* matrix);

// One element in its format in memory or register.
double float_element(MatrixType type, std::uint64_t bits);
std::uint64_t float_bits(MatrixType type, double value);
std::int64_t integer_element(MatrixType type, std::uint64_t bits);

}  // namespace warpsim
