// The special function unit: approximate functions of single precision, bit-exact with hardware.
//
// A source's fraction (or angle) selects a piece of a table by its upper bits; the lower 17 bits are the x of
// constant + linear * x + square * x^2. The square is formed without the partial products below its 19th bit. The
// treatment of special and subnormal sources is not modelled; the callers handle them.
//
// Evidence: all results of an H200 over the fractions of a source, tests/hardware/instructions/.
// Invariant: results are exact in double precision, so the caller can round or scale them.
#pragma once

namespace warpsim::interpolated {

// Of finite sources other than 0, normal or not.
double reciprocal(float a);
// Of finite positive sources, normal or not.
double root(float a);
double reciprocal_root(float a);
float logarithm(float a);  // base 2
// 2^a of numbers; 0 and infinity beyond |a| = 512.
double power(float a);
// Of a finite angle in revolutions.
float sine(float a);
float cosine(float a);
// Hyperbolic, of numbers.
float tangent(float a);

}  // namespace warpsim::interpolated
