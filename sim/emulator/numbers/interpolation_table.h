// Coefficients of the piecewise quadratic polynomials by which hardware approximates functions
// (interpolated_functions.h).
//
// Evidence: found from the results of an H200 for all 2^23 fractions of a source (of sine and hyperbolic tangent every
// sixteenth), for each piece. Linear coefficients of 16 bits and square ones of 10 bits (of the tangent 13), as in the
// literature on such units, give every result; no others near them do. So they are the unit's, up to constants that
// do not affect any result.
#pragma once

#include <array>
#include <cstdint>

namespace warpsim {

// constant: in 1/16 of the last place of the result. The functions state the scaling of the other two.
struct InterpolationPiece {
  std::int32_t constant;
  std::int32_t linear;
  std::int32_t square;
};

extern const std::array<InterpolationPiece, 128> kReciprocalPieces;              // of [1, 2)
extern const std::array<InterpolationPiece, 64> kRootReciprocalPieces;           // of [1, 2)
extern const std::array<InterpolationPiece, 64> kRootReciprocalPiecesOfDoubled;  // of [2, 4)
extern const std::array<InterpolationPiece, 64> kRootPieces;
extern const std::array<InterpolationPiece, 64> kRootPiecesOfDoubled;
extern const std::array<InterpolationPiece, 64> kLogarithmPieces;  // of [1, 2)
extern const std::array<InterpolationPiece, 64> kPowerPieces;      // of [0, 1)
extern const std::array<InterpolationPiece, 64> kSinePieces;       // of a quarter of a revolution
extern const std::array<InterpolationPiece, 51> kTangentPieces;    // of [2^-8, 8), see tangent()

}  // namespace warpsim
